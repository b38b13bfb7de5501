#include "tests/nvrtc/Support.h"

#include <glob.h>

namespace flexsn::test {

std::string realNvrtc(int major) {
  std::string place = major == 13 ? "nvidia/cu13/lib/libnvrtc.so.13" : "nvidia/cuda_nvrtc/lib/libnvrtc.so.12";
  std::string pattern = FLEXSN_VENV "/lib/python3*/site-packages/" + place, found;
  glob_t matches{};
  if (glob(pattern.c_str(), 0, nullptr, &matches) == 0)
    found = matches.gl_pathv[0];
  globfree(&matches);
  EXPECT_FALSE(found.empty()) << "there is no " << pattern << "; tools/test makes it";
  return found;
}

NvrtcSearch only(const std::string &file) { return {file, false, {}}; }

std::unique_ptr<const Nvrtc> open(const std::string &file) {
  std::vector<std::string> tried;
  std::unique_ptr<const Nvrtc> nvrtc = Nvrtc::find(only(file), tried);
  if (!nvrtc)
    throw std::runtime_error(fmt::format("{}", fmt::join(tried, "; ")));
  return nvrtc;
}

CudaProgram handWritten(std::string text) {
  CudaProgram program;
  program.text = text.empty() ? "extern \"C\" __global__ void scale(float *x, float d) {\n"
                                "  int i = blockIdx.x * 128 + threadIdx.x;\n"
                                "  x[i] = x[i] / d;\n"
                                "}\n"
                              : std::move(text);
  program.kernelSymbol = "scale";
  program.operands = {{"x", Role::Input, Storage::F32}};
  program.params = {{"d", Role::Param, Storage::F32}};
  program.neurons = 1;
  program.chunk = 1;
  program.threads = 128;
  program.lines = {{2, {20, 21}}, {3, {30, 35}}};
  return program;
}

CountedJob::CountedJob(std::string text, std::string key) {
  job.key = std::move(key);
  job.model = "LIF";
  job.label = "LIF inference f32 linear vector";
  job.source = &source;
  job.arch = 90;
  job.form = CudaForm::Ptx;
  job.emit = [this, program = handWritten(std::move(text))] {
    ++emitted;
    return program;
  };
}

} // namespace flexsn::test
