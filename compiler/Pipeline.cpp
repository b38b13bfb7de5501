// The one table of stages. A pass that is not named here does not exist.
//
// Each stage function begins with what comes in and what goes out, gives a reason per pass, and ends with the verifier
// of what may leave the stage. After `contract`, nothing changes a primal value (scan-7): kernels that recompute a step
// get the same bits.
#include "compiler/Pipeline.h"

#include "compiler/Passes.h"
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/CpuPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>

using namespace mlir;

namespace flexsn {

namespace {

// In: what the import made. Out: the same, known to be well formed.
void addNeuron(OpPassManager &, const Request &) {}

// In: the step as written. Out: one evaluation of the step, without memory, solver, random numbers, lanes or dims.
void addExpand(OpPassManager &passes, const Request &) {
  passes.addPass(createExpandPass()); // first of all: what cannot be compiled is refused in the text's own terms
}

// In: the step with all that its text says. Out: no repeated and no unused computation.
void addSimplify(OpPassManager &passes, const Request &) {
  // Before `contract`: a product that two equal ops share is one product with two uses, and stays one.
  passes.addPass(createSimplifyPass());
}

// In: products and sums. Out: with math = fast, fused where decided. The last stage that may change a primal value.
void addContract(OpPassManager &passes, const Request &request) {
  if (request.math == MathMode::Fast)
    passes.addPass(createContractPass());
}

// In: a neuron.model. Out: the wanted scan.kernel, with its invariants in the prologue.
void addScan(OpPassManager &passes, const Request &request) {
  NeuronToScanPassOptions outline;
  outline.kind = std::string(kernelName(request.kernel));
  outline.initials.assign(request.initialStates.begin(), request.initialStates.end());
  outline.finals.assign(request.finalStates.begin(), request.finalStates.end());
  outline.layout = std::string(layoutName(request.layout));
  if (request.data == Storage::F16 || request.data == Storage::BF16)
    outline.data = std::string(storageName(request.data));
  outline.bytes.assign(request.int8Outputs.begin(), request.int8Outputs.end());
  passes.addPass(createNeuronToScanPass(outline));
  // Once the kernel's kind is known: what steered a gradient alone has just become unused.
  passes.addPass(createSimplifyPass());
  // Before `hoist-invariants`, which moves the reciprocals that it asks for.
  passes.addNestedPass<scan::KernelOp>(createDivideByInvariantsPass());
  // On the kernel, since it is the kernel that has a launch, and before anything is expanded: one op moves, not its
  // parts.
  passes.addNestedPass<scan::KernelOp>(createHoistInvariantsPass());
}

// In: a kernel without a schedule. Out: tile and width.
void addSchedule(OpPassManager &passes, const Request &request) {
  ScheduleCpuPassOptions options;
  unsigned bits = request.data == Storage::F64 ? 64 : 32;
  options.vectorBits = cpu::vectorWidth(request.target, request.data) * bits;
  options.streaming = request.streaming;
  passes.addNestedPass<scan::KernelOp>(createScheduleCpuPass(options)); // last on scan: it counts operands and states
}

// In: a scheduled kernel. Out: functions over memory: llvm.func, scf loops, arith on vectors.
void addCpu(OpPassManager &passes, const Request &request) {
  passes.addPass(cpu::createOutlineFunctionsPass()); // while a function is still one op, and its uses can be counted
  cpu::LowerOpsPassOptions operations;
  operations.fusedInstructions = cpu::fusesMultiplyAdd(request.target);
  passes.addPass(cpu::createLowerOpsPass(operations)); // on scalars, since one expansion serves every vector width
  // Expansions of one function share their constants, and a spike's surrogate arguments are unused by now.
  passes.addPass(createSimplifyPass());
  cpu::EmitCpuPassOptions options;
  options.halfInstructions = cpu::convertsHalf(request.target);
  passes.addPass(cpu::createEmitCpuPass(options)); // after it, values are vectors and nothing is known of neurons
}

// In: functions over memory. Out: the LLVM dialect alone, which is translated one to one.
void addLlvm(OpPassManager &passes, const Request &) { passes.addPass(cpu::createCpuToLlvmPass()); }

/// A stage: its name for --stop-after, its help, its passes.
struct Stage {
  StageInfo info;
  void (*add)(OpPassManager &, const Request &);
};

constexpr Stage table[] = {
    {{"neuron", "the model as written, in SSA order"}, addNeuron},
    {{"expand", "only what one evaluation of the step can compute"}, addExpand},
    {{"simplify", "nothing is computed twice or in vain"}, addSimplify},
    {{"contract", "with --math fast: fused multiply-adds, decided once"}, addContract},
    {{"scan", "the kernel: operands, prologue, init and step"}, addScan},
    {{"schedule", "the kernel with its tile and vector width"}, addSchedule},
    {{"cpu", "loops over memory and vectors"}, addCpu},
    {{"llvm", "the LLVM dialect alone"}, addLlvm},
};

} // namespace

const std::vector<StageInfo> &stages() {
  static const std::vector<StageInfo> list = [] {
    std::vector<StageInfo> infos;
    for (const Stage &stage : table)
      infos.push_back(stage.info);
    return infos;
  }();
  return list;
}

std::optional<size_t> stageIndex(std::string_view name) {
  const auto *found =
      std::find_if(std::begin(table), std::end(table), [&](const Stage &s) { return s.info.name == name; });
  if (found == std::end(table))
    return std::nullopt;
  return found - std::begin(table);
}

void registerPipelineDialects(DialectRegistry &registry) {
  registry.insert<neuron::NeuronDialect, scan::ScanDialect, arith::ArithDialect, math::MathDialect>();
  cpu::registerDialects(registry);
}

void addStages(OpPassManager &passes, const Request &request, size_t first, size_t last) {
  for (size_t i = first; i <= last; ++i) {
    table[i].add(passes, request);
    VerifyStagePassOptions options;
    options.stage = std::string(table[i].info.name);
    passes.addPass(createVerifyStagePass(options));
  }
}

bool runStages(ModuleOp module, const Request &request, size_t first, size_t last) {
  PassManager passes(module.getContext());
  addStages(passes, request, first, last);
  return succeeded(passes.run(module));
}

} // namespace flexsn
