// A model's program as a job: its key, and the way from text to a cubin.
#include "runtime/CudaJob.h"
#include "tests/cache/Support.h"
#include "tests/compiler/Testing.h"
#include "tests/nvrtc/Support.h"

#include <set>

namespace flexsn::test {
namespace {

using flexsn::testing::checked;

const char *const lif = "neuron LIF:\n  input x; output s; state v = 0; param tau = 2, v_th = 1\n"
                        "  h = v + (x - v)/tau; s = spike(h - v_th); v = h*(1 - s)\n";

Request spikes() {
  Request request;
  request.outputs = {"s"};
  return request;
}

std::string keyOf(const std::string &text, const Request &request = spikes(), AccessPath access = AccessPath::Vector) {
  return cudaJob(*checked(text), request, access, 90).key;
}

TEST(CudaJob, KeyHoldsWhatDecidesTheText) {
  std::string key = keyOf(lif);
  EXPECT_EQ(keyOf(std::string("# a comment\n\n") + lif), key);
  std::string other = lif;
  other.replace(other.find("tau = 2"), 7, "tau = 4"); // a value
  EXPECT_EQ(keyOf(other), key);
  other.replace(other.find("h*(1 - s)"), 9, "h - v_th*s");
  EXPECT_NE(keyOf(other), key);
  Request request = spikes();
  request.streaming = true; // of CPUs
  request.target.cpu = "skylake";
  EXPECT_EQ(keyOf(lif, request), key);
  std::set<std::string> keys = {key, keyOf(lif, spikes(), AccessPath::Scalar)};
  request.layout = Layout::Strided;
  keys.insert(keyOf(lif, request));
  request.data = Storage::BF16;
  keys.insert(keyOf(lif, request));
  request.finalStates = {"v"};
  keys.insert(keyOf(lif, request));
  request.initialStates = {"v"};
  keys.insert(keyOf(lif, request));
  EXPECT_EQ(keys.size(), 6u);
}

TEST(CudaJob, GoesFromTextToCubinOnceForAll) {
  TemporaryFolder folder;
  Cache cache(settingsFor(folder.path()));
  auto model = checked(lif);
  std::vector<CudaJob> jobs;
  for (AccessPath access : {AccessPath::Vector, AccessPath::Scalar})
    jobs.push_back(cudaJob(*model, spikes(), access, 90));
  std::vector<CudaCode> codes[2];
  for (std::vector<CudaCode> &made : codes) {
    NvrtcLoader loader(only(realNvrtc(13)));
    made = compileCuda(jobs, loader, cache);
    ASSERT_EQ(made.size(), 2u);
  }
  for (size_t i = 0; i < 2; ++i) {
    const CudaCode &first = codes[0][i], &second = codes[1][i];
    EXPECT_FALSE(first.stored);
    EXPECT_TRUE(second.stored);
    EXPECT_EQ(first.code, second.code);
    EXPECT_EQ(first.program.prologueSymbol, second.program.prologueSymbol);
    EXPECT_EQ(first.program.invariantSlots, second.program.invariantSlots);
    const CubinKernel *kernel = findKernel(second.kernels, second.program.kernelSymbol);
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(kernel->localBytes, 0u);
    EXPECT_GT(kernel->registers, 10u);
  }
  EXPECT_NE(codes[0][0].code, codes[0][1].code);
}

TEST(CudaJob, CannotHideTheModelsFindings) {
  TemporaryFolder folder;
  Cache cache(settingsFor(folder.path()));
  auto model = checked(lif);
  Request request = spikes();
  request.outputs = {"nothing"};
  NvrtcLoader loader(only(FAKE_NVRTC));
  try {
    compileCuda(cudaJob(*model, request, AccessPath::Vector, 90), loader, cache);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, FLEXSN_ERROR_MODEL);
    EXPECT_FALSE(failure.findings.empty());
  }
  EXPECT_EQ(cache.inspect(CacheAction::List).size(), 1u) << "the note alone";
}

} // namespace
} // namespace flexsn::test
