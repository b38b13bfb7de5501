#include "tests/numerics/Compiled.h"

#include "compiler/Passes.h"
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/CpuPasses.h"
#include "dialects/Scan/Scan.h"

#include <algorithm>
#include <fmt/format.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/Parser/Parser.h>
#include <mlir/Pass/PassManager.h>
#include <stdexcept>

namespace flexsn::test {

std::vector<Target> targets() { return {{"x86-64", ""}, {"x86-64-v3", ""}, {"", ""}}; }

std::string nameOf(const Target &target) {
  std::string name = target.cpu.empty() ? "native" : target.cpu;
  std::ranges::replace(name, '-', '_');
  return name;
}

Compiled::Compiled(const std::string &text, const Target &target) {
  mlir::DialectRegistry registry;
  registry.insert<neuron::NeuronDialect, scan::ScanDialect>();
  cpu::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string words;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) { words += diagnostic.str() + "\n"; });

  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    throw std::runtime_error(words);
  auto kernelOp = *module->getOps<scan::KernelOp>().begin();
  cpu::KernelLayout layout = cpu::layoutOf(kernelOp);
  invariantSlots = layout.invariantSlots;
  workspace = layout.workspaceBytes;
  std::string kernelName = cpu::kernelSymbol(kernelOp), prologueName = cpu::prologueSymbol(kernelOp);
  std::string epilogueName = kernelOp.hasAdjoint() ? cpu::epilogueSymbol(kernelOp) : "";

  mlir::PassManager passes(&context);
  passes.addPass(createLowerOpsPass());
  cpu::EmitCpuPassOptions options;
  options.halfInstructions = cpu::convertsHalf(target);
  passes.addPass(cpu::createEmitCpuPass(options));
  passes.addPass(cpu::createCpuToLlvmPass());
  std::string error;
  if (failed(passes.run(*module)) || !cpu::generateCode(*module, target, cpu::CodeForm::Object, bytes, error))
    throw std::runtime_error(words + error);
  code = CpuCode::load(bytes, error);
  if (code)
    kernel = code->function<CpuKernel>(kernelName, error);
  if (kernel)
    prologue = code->function<CpuPrologue>(prologueName, error);
  if (prologue && !epilogueName.empty())
    epilogue = code->function<CpuEpilogue>(epilogueName, error);
  if (!kernel || !prologue || (!epilogueName.empty() && !epilogue))
    throw std::runtime_error(error);
}

void Compiled::runRange(std::span<const Binding> bindings, int64_t steps, int64_t begin, int64_t end,
                        std::span<const uint64_t> params, std::span<const int64_t> extents, Partials partials) const {
  std::vector<CpuOperand> operands;
  for (const Binding &binding : bindings) {
    CpuOperand &operand = operands.emplace_back(CpuOperand{binding.data, binding.timeStride, binding.elementStride});
    std::copy(binding.strides.rbegin(), binding.strides.rend(), std::rbegin(operand.strides));
  }
  std::vector<uint64_t> invariants(invariantSlots);
  prologue(params.data(), invariants.data());
  // 64 bytes of alignment and a guard behind it.
  std::vector<unsigned char> memory(workspace + 128, 0xa5);
  auto *start = memory.data() + (64 - reinterpret_cast<uintptr_t>(memory.data()) % 64);
  CpuCall call{operands.data(), invariants.data(), steps, begin, end, start};
  std::fill(std::begin(call.extents), std::end(call.extents), 1);
  call.partials = partials.data;
  call.partialStride = partials.stride;
  std::copy(extents.rbegin(), extents.rend(), std::rbegin(call.extents));
  kernel(&call);
  if (std::any_of(start + workspace, memory.data() + memory.size(), [](unsigned char byte) { return byte != 0xa5; }))
    throw std::runtime_error("the kernel wrote behind its workspace");
}

std::vector<uint64_t> Compiled::paramGradients(std::span<const uint64_t> params, std::span<const uint64_t> sums,
                                               size_t count) const {
  std::vector<uint64_t> gradients(count);
  epilogue(params.data(), sums.data(), gradients.data());
  return gradients;
}

void Compiled::run(std::span<const Binding> bindings, int64_t steps, int64_t count,
                   std::span<const uint64_t> params) const {
  runRange(bindings, steps, 0, count, params);
}

static std::string storageOf(const std::string &type) { return type == "i1" ? "bool" : type; }

std::string mapText(unsigned inputs, const std::string &type, const std::string &resultType, const std::string &body,
                    unsigned width, unsigned tile) {
  std::string operands, arguments;
  for (unsigned i = 0; i < inputs; ++i) {
    operands += fmt::format("#scan.operand<\"x{}\", input, {}>, ", i, storageOf(type));
    arguments += fmt::format("{}%x{}: {}", i ? ", " : "", i, type);
  }
  return fmt::format(R"(
scan.kernel @map inference operands [{}#scan.operand<"y", output, {}>] states []
    schedule #scan.cpu<tile = {}, width = {}>
prologue {{
  scan.yield
}} init {{
  scan.yield
}} step {{
^bb0({}):
  {}
  scan.yield %y : {}
}})",
                     operands, storageOf(resultType), tile, width, arguments, body, resultType);
}

unsigned widthFor(const Target &target, const std::string &type) {
  return cpu::vectorWidth(target, type == "f64" ? Storage::F64 : Storage::F32);
}

Guarded::Guarded(size_t bytes) : storage(bytes + 2 * guard, 0x5a) {}

bool Guarded::intact() const {
  auto untouched = [](unsigned char byte) { return byte == 0x5a; };
  return std::all_of(storage.begin(), storage.begin() + guard, untouched) &&
         std::all_of(storage.end() - guard, storage.end(), untouched);
}

} // namespace flexsn::test
