// A sample of what the emitter makes, through NVRTC. `flexsn-gpu matrix` compiles all of it.
#include "tests/nvrtc/Matrix.h"
#include "tests/nvrtc/Support.h"

#include <fmt/format.h>

namespace flexsn::test {
namespace {

TEST(NvrtcMatrix, CompilesWithoutSpillAndWithoutDoubles) {
  MatrixOptions options;
  options.every = 151; // no factor of the number of variants: each model meets others than its neighbours
  options.allArchs = false;
  MatrixReport report = compileMatrix(allModels(FLEXSN_SOURCE_DIR), *open(realNvrtc(13)), options);
  for (const std::string &failure : report.failures)
    ADD_FAILURE() << failure;
  fmt::print("{} programs, {} cubins, {} of constructs that are not compiled yet\n", report.programs, report.cubins,
             report.refused);
  EXPECT_GE(report.cubins, 25u);
}

TEST(NvrtcMatrix, NeedsNoNewNvrtc) {
  MatrixOptions options;
  options.every = 1201;
  options.allArchs = false;
  MatrixReport report = compileMatrix(allModels(FLEXSN_SOURCE_DIR), *open(realNvrtc(12)), options);
  for (const std::string &failure : report.failures)
    ADD_FAILURE() << failure;
  EXPECT_GE(report.cubins, 2u);
}

/// Those that NVRTC 13 does not know any more.
TEST(NvrtcMatrix, NeedsNoNewGpu) {
  MatrixOptions options;
  options.archs = {50, 53, 60, 61, 70, 72};
  options.every = 397;
  options.first = 5;
  options.allArchs = false;
  MatrixReport report = compileMatrix(allModels(FLEXSN_SOURCE_DIR), *open(realNvrtc(12)), options);
  for (const std::string &failure : report.failures)
    ADD_FAILURE() << failure;
  EXPECT_GE(report.cubins, 4u);
}

/// The search for float64 finds it where it is.
TEST(NvrtcMatrix, FindsADouble) {
  std::string text = "extern \"C\" __global__ void one(float *x) { x[0] = x[1] / x[2]; }\n"
                     "extern \"C\" __global__ void two(float *x) { x[0] = x[1] * 1.1; }\n";
  std::string ptx = open(realNvrtc(13))->compile(text, "k.cu", 90, CudaForm::Ptx).code;
  EXPECT_EQ(entryOf(ptx, "one").find(".f64"), std::string_view::npos);
  EXPECT_NE(entryOf(ptx, "two").find(".f64"), std::string_view::npos);
  EXPECT_TRUE(entryOf(ptx, "three").empty());
}

} // namespace
} // namespace flexsn::test
