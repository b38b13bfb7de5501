// What is read from machine code, against the words of the assembler that made it; and bytes that nobody should trust.
#include "tests/nvrtc/Support.h"

#include <dlfcn.h>

#include <regex>

namespace flexsn::test {
namespace {

/// Kernels that spill, that have shared memory, neither, and one that calls CUDA's sine.
constexpr const char *kernelsText = R"(
extern "C" __global__ void __launch_bounds__(512, 2) spills(float *p, int n) {
  float a[80];
  for (int i = 0; i < 80; i++) a[i] = p[i * n];
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 80; i++) a[i] = a[i] * a[(i + 7) % 80] + a[(i + k % 3) % 80];
  for (int i = 0; i < 80; i++) p[i * n] = a[i];
}
extern "C" __global__ void shares(float *p) {
  __shared__ float s[64];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" __global__ void tiny(float *p) { p[0] = 1; }
extern "C" __global__ void turns(double *p) { p[0] = sin(p[1]); }
)";

/// The log of `--ptxas-options=-v`, which Nvrtc never asks for.
std::string assemblerWords(const std::string &library, int arch, std::string &cubin) {
  void *opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto function = [&](auto type, const char *name) { return reinterpret_cast<decltype(type)>(dlsym(opened, name)); };
  using Sizes = int (*)(void *, size_t *);
  using Texts = int (*)(void *, char *);
  auto create = function(
      static_cast<int (*)(void **, const char *, const char *, int, const char *const *, const char *const *)>(nullptr),
      "nvrtcCreateProgram");
  auto compile = function(static_cast<int (*)(void *, int, const char *const *)>(nullptr), "nvrtcCompileProgram");
  auto destroy = function(static_cast<int (*)(void **)>(nullptr), "nvrtcDestroyProgram");
  void *program = nullptr;
  std::string target = fmt::format("--gpu-architecture=sm_{}", arch);
  const char *options[] = {target.c_str(), "--ptxas-options=-v"};
  EXPECT_EQ(create(&program, kernelsText, "k.cu", 0, nullptr, nullptr), 0);
  EXPECT_EQ(compile(program, 2, options), 0);
  auto text = [&](const char *sizeName, const char *name) {
    size_t size = 0;
    EXPECT_EQ(function(Sizes(nullptr), sizeName)(program, &size), 0);
    std::string bytes(size, '\0');
    EXPECT_EQ(function(Texts(nullptr), name)(program, bytes.data()), 0);
    return bytes;
  };
  std::string log = text("nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
  cubin = text("nvrtcGetCUBINSize", "nvrtcGetCUBIN");
  destroy(&program);
  return log;
}

/// The number before `unit` behind the words about a kernel; 0 where nothing is said.
uint32_t said(const std::string &log, const std::string &kernel, const std::string &unit) {
  size_t begin = log.find("entry function '" + kernel + "'"), end = log.find("Compile time", begin);
  std::string about = log.substr(begin, end - begin);
  std::smatch match;
  return std::regex_search(about, match, std::regex("(\\d+) " + unit)) ? static_cast<uint32_t>(std::stoul(match[1]))
                                                                       : 0;
}

class CubinFacts : public testing::TestWithParam<int> {};

TEST_P(CubinFacts, AreTheAssemblers) {
  std::string library = realNvrtc(GetParam());
  open(library); // with its builtins
  for (int arch : {75, 80, 86, 89, 90, 100, 120}) {
    std::string cubin, log = assemblerWords(library, arch, cubin);
    auto kernels = readCubin(cubin);
    ASSERT_TRUE(kernels) << arch;
    EXPECT_EQ(kernels->size(), 4u);
    for (const char *name : {"spills", "shares", "tiny", "turns"}) {
      const CubinKernel *kernel = findKernel(*kernels, name);
      ASSERT_NE(kernel, nullptr) << name;
      EXPECT_EQ(kernel->registers, said(log, name, "registers")) << arch << name << log;
      EXPECT_EQ(kernel->localBytes, said(log, name, "bytes stack frame")) << arch << name << log;
      EXPECT_EQ(kernel->sharedBytes, said(log, name, "bytes smem")) << arch << name << log;
    }
    EXPECT_GT(findKernel(*kernels, "spills")->spilledBytes(), 0u) << "the test's kernel does not spill";
    EXPECT_EQ(findKernel(*kernels, "turns")->spilledBytes(), said(log, "turns", "bytes spill stores")) << arch << log;
    EXPECT_GT(findKernel(*kernels, "turns")->arrayBytes, 0u) << arch << log;
    EXPECT_EQ(findKernel(*kernels, "shares")->sharedBytes, 256u);
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, CubinFacts, testing::Values(13, 12));

TEST(Cubin, CutOrChangedIsNoReasonToCrash) {
  std::string whole = open(realNvrtc(13))->compile(handWritten().text, "k.cu", 90, CudaForm::Cubin).code;
  ASSERT_TRUE(readCubin(whole));
  for (size_t size = 0; size < whole.size(); ++size) {
    auto kernels = readCubin(std::string_view(whole).substr(0, size));
    EXPECT_LE(kernels ? kernels->size() : 0, 1u);
  }
  EXPECT_FALSE(readCubin(whole.substr(0, 63)));
  for (size_t i = 0; i < whole.size(); ++i)
    for (unsigned char bits : {0x01, 0x80, 0xff}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ bits);
      (void)readCubin(changed);
    }
  EXPECT_FALSE(readCubin(""));
  EXPECT_FALSE(readCubin(std::string(4096, '\xff')));
  std::string foreign = whole;
  foreign[18] = 62; // a program for x86-64
  EXPECT_FALSE(readCubin(foreign));
}

} // namespace
} // namespace flexsn::test
