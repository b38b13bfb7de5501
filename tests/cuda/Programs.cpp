#include "tests/cuda/Programs.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace flexsn::test {

/// What every batch begins with: the structs of the host, which the texts' own must equal.
static constexpr const char *batchHead = R"(#include "tests/cuda/CudaOnCpu.h"
#include "runtime/CudaAbi.h"
#define SAME(mine, member, theirs, other) static_assert(offsetof(mine, member) == offsetof(theirs, other))
)";

/// One program in a namespace of its own, with what the test calls.
static std::string wrapped(const CudaProgram &program, size_t number) {
  std::string text = fmt::format("namespace program{} {{\n{}\nusing namespace flexsn;\n", number, program.text);
  text +=
      R"(static_assert(sizeof(Operand) == sizeof(::flexsn::CudaOperand));
static_assert(sizeof(Uniform) == sizeof(::flexsn::CudaUniform));
SAME(Operand, data, ::flexsn::CudaOperand, data);
SAME(Operand, timeStride, ::flexsn::CudaOperand, timeStride);
SAME(Operand, strides, ::flexsn::CudaOperand, strides);
SAME(Uniform, data, ::flexsn::CudaUniform, data);
SAME(Uniform, value, ::flexsn::CudaUniform, value);
SAME(Division, multiplier, ::flexsn::CudaDivision, multiplier);
SAME(Division, divisor, ::flexsn::CudaDivision, divisor);
SAME(Division, shift, ::flexsn::CudaDivision, shift);
using Any = Call<1, 1>;
SAME(Any, neurons, ::flexsn::CudaCall, neurons);
SAME(Any, steps, ::flexsn::CudaCall, steps);
SAME(Space, unusedDims, ::flexsn::CudaSpace, unusedDims);
SAME(Space, extents, ::flexsn::CudaSpace, extents);
SAME(Any, space, ::flexsn::CudaCall, space);
SAME(Any, paramSpace, ::flexsn::CudaCall, paramSpace);
static_assert(offsetof(Any, operands) == sizeof(::flexsn::CudaCall) && maxDims == ::flexsn::maxDims);
)";
  std::pair<const char *, std::string> kernels[] = {
      {"kernel", program.kernelSymbol}, {"prologue", program.prologueSymbol}, {"reduce", program.reduceSymbol},
      {"gather", program.gatherSymbol}, {"share", program.shareSymbol},       {"epilogue", program.epilogueSymbol}};
  for (const auto &[name, symbol] : kernels)
    if (!symbol.empty())
      text += fmt::format(R"(extern "C" size_t {0}_bytes{1}() {{ return cudaOnCpu::argumentBytes({2}); }}
extern "C" void {0}{1}(const void *argument, unsigned blocks, unsigned threads, bool backwards) {{
  cudaOnCpu::launch({2}, argument, blocks, threads, backwards);
}}
)",
                          name, number, symbol);
  if (!program.prologueSymbol.empty())
    text += "static_assert(offsetof(PrologueCall<1>, params) == sizeof(::flexsn::CudaPrologueCall));\n";
  if (!program.reduceSymbol.empty())
    text += R"(static_assert(sizeof(ReduceCall) == sizeof(::flexsn::CudaReduceCall));
SAME(ReduceCall, to, ::flexsn::CudaReduceCall, to);
SAME(ReduceCall, fromStride, ::flexsn::CudaReduceCall, fromStride);
SAME(ReduceCall, toStride, ::flexsn::CudaReduceCall, toStride);
SAME(ReduceCall, count, ::flexsn::CudaReduceCall, count);
)";
  if (!program.shareSymbol.empty())
    text += R"(static_assert(sizeof(GatherCall) == sizeof(::flexsn::CudaGatherCall));
SAME(GatherCall, toStride, ::flexsn::CudaGatherCall, toStride);
SAME(GatherCall, steps, ::flexsn::CudaGatherCall, steps);
SAME(GatherCall, unit, ::flexsn::CudaGatherCall, unit);
SAME(GatherCall, parts, ::flexsn::CudaGatherCall, parts);
static_assert(sizeof(ShareCall) == sizeof(::flexsn::CudaShareCall));
SAME(ShareAxis, from, ::flexsn::CudaShareAxis, from);
SAME(ShareAxis, to, ::flexsn::CudaShareAxis, to);
SAME(ShareCall, groupStride, ::flexsn::CudaShareCall, groupStride);
SAME(ShareCall, leaves, ::flexsn::CudaShareCall, leaves);
SAME(ShareCall, unit, ::flexsn::CudaShareCall, unit);
SAME(ShareCall, own, ::flexsn::CudaShareCall, own);
SAME(ShareCall, shared, ::flexsn::CudaShareCall, shared);
)";
  if (!program.epilogueSymbol.empty())
    text += R"(static_assert(offsetof(EpilogueCall<1>, params) == sizeof(::flexsn::CudaEpilogueCall));
SAME(EpilogueCall<1>, gradients, ::flexsn::CudaEpilogueCall, gradients);
)";
  return text + "}\n";
}

static std::string readFile(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::unique_ptr<CompiledTexts> CompiledTexts::compile(const std::vector<CudaProgram> &programs,
                                                      const std::string &folder, const std::string &name,
                                                      std::string &error, const std::string &options) {
  std::filesystem::path stem = std::filesystem::path(folder) / name;
  std::filesystem::create_directories(folder);
  {
    std::ofstream source(stem.string() + ".cpp", std::ios::binary);
    source << batchHead;
    for (size_t i = 0; i < programs.size(); ++i)
      source << wrapped(programs[i], i);
  }
  std::string command =
      fmt::format("{0} -std=c++20 -O0 -ffp-contract=off -fno-strict-aliasing -fPIC -shared -w {1} {4} -I {2} "
                  "-o '{3}.so' '{3}.cpp' > '{3}.log' 2>&1",
                  FLEXSN_CUDA_ON_CPU_COMPILER, FLEXSN_CUDA_ON_CPU_FLAGS, FLEXSN_SOURCE_DIR, stem.string(), options);
  if (std::system(command.c_str()) != 0) {
    error = fmt::format("{}\n{}", command, readFile(stem.string() + ".log").substr(0, 4000));
    return nullptr;
  }
  void *handle = dlopen((stem.string() + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    error = dlerror();
    return nullptr;
  }
  return std::unique_ptr<CompiledTexts>(new CompiledTexts(handle));
}

CompiledTexts::~CompiledTexts() { dlclose(handle); }

template <class Function> Function CompiledTexts::find(const std::string &name, size_t program) const {
  void *address = dlsym(handle, fmt::format("{}{}", name, program).c_str());
  if (!address)
    throw std::runtime_error(dlerror());
  return reinterpret_cast<Function>(address);
}

size_t CompiledTexts::argumentBytes(const std::string &kernel, size_t program) const {
  return find<size_t (*)()>(kernel + "_bytes", program)();
}

void CompiledTexts::run(const std::string &kernel, size_t program, std::span<const std::byte> argument, unsigned blocks,
                        unsigned threads, bool backwards) const {
  find<void (*)(const void *, unsigned, unsigned, bool)>(kernel, program)(argument.data(), blocks, threads, backwards);
}

} // namespace flexsn::test
