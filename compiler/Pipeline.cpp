// The one table of stages. A pass that is not named here does not exist.
//
// Each stage function begins with what comes in and what goes out, gives a reason per pass, and ends with the verifier
// of what may leave the stage. After `contract`, nothing changes a primal value (scan-7): kernels that recompute a step
// get the same bits.
#include "compiler/Pipeline.h"

#include "compiler/Passes.h"
#include "compiler/derivatives/Derivatives.h"
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cpu/CpuPasses.h"
#include "compiler/emit/cuda/CudaPasses.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>

using namespace mlir;

namespace flexsn {

namespace {

// In: what the import made. Out: the same, known to be well formed.
void addNeuron(OpPassManager &, const Request &, const Way &) {}

// In: the step as written. Out: one evaluation of the step, without memory, solver, random numbers or lanes.
void addExpand(OpPassManager &passes, const Request &, const Way &) {
  passes.addPass(createExpandPass()); // first of all: what cannot be compiled is refused in the text's own terms
}

// In: the step with all that its text says. Out: no repeated and no unused computation, no choice that is none.
void addSimplify(OpPassManager &passes, const Request &, const Way &) {
  // Before `contract`: what two equal ops compute is fused once.
  passes.addPass(createSimplifyPass());
}

// In: products and sums. Out: with math = fast, fused where decided. The last stage that may change a primal value.
void addContract(OpPassManager &passes, const Request &request, const Way &) {
  if (request.math == MathMode::Fast)
    passes.addPass(createContractPass());
}

/// Of a GPU's thread, for what a chunk keeps for the way back: three quarters of what there are where four blocks of
/// 128 threads share a multiprocessor.
constexpr unsigned keptRegisters = 96;

// The gradients of the backward one of two kernels.
void addGradients(OpPassManager &passes, const Request &request) {
  // First, so that a gradient flows to an invariant once a launch and not once a step.
  passes.addNestedPass<scan::KernelOp>(createHoistInvariantsPass());
  passes.addNestedPass<scan::KernelOp>(createHoistSiteValuesPass());
  passes.addNestedPass<scan::KernelOp>(createDifferentiatePass());
  passes.addPass(createSimplifyPass()); // what no gradient needs
  if (request.math != MathMode::Strict)
    passes.addPass(createContractPass()); // once products are not repeated; a model's own were contracted before
}

// In: a neuron.model. Out: the wanted scan.kernel, with its invariants in the prologue.
void addScan(OpPassManager &passes, const Request &request, const Way &way) {
  NeuronToScanPassOptions outline;
  outline.kind = std::string(kernelName(request.kernel));
  outline.initials.assign(request.initialStates.begin(), request.initialStates.end());
  outline.finals.assign(request.finalStates.begin(), request.finalStates.end());
  outline.layout = std::string(layoutName(request.layout));
  if (request.data == Storage::F16 || request.data == Storage::BF16)
    outline.data = std::string(storageName(request.data));
  outline.bytes.assign(request.int8Outputs.begin(), request.int8Outputs.end());
  outline.gradFinals.assign(request.gradFinals.begin(), request.gradFinals.end());
  outline.gradInputs.assign(request.gradInputs.begin(), request.gradInputs.end());
  outline.gradInitials.assign(request.gradInitials.begin(), request.gradInitials.end());
  outline.gradParams.assign(request.gradParams.begin(), request.gradParams.end());
  passes.addPass(createNeuronToScanPass(outline));
  // Once the kernel's kind is known: what steered a gradient alone has just become unused.
  passes.addPass(createSimplifyPass());
  bool trains = isTraining(request.kernel);
  if (trains)
    addGradients(passes, request);
  // Before `hoist-invariants`, which moves the reciprocals that it asks for.
  passes.addNestedPass<scan::KernelOp>(createDivideByInvariantsPass());
  // On the kernel, since it is the kernel that has a launch, and before anything is expanded: one op moves, not its
  // parts.
  passes.addNestedPass<scan::KernelOp>(createHoistInvariantsPass());
  passes.addNestedPass<scan::KernelOp>(createHoistSiteValuesPass()); // what is left and does not vary by step
  if (!trains)
    return;
  // Behind what changes the costs of operations; of the pair, since forward and backward must agree on it.
  PlanResidualsPassOptions plan;
  if (way.backend == Backend::Cuda)
    plan.registers = keptRegisters;
  passes.addPass(createPlanResidualsPass(plan));
  SelectKernelPassOptions select;
  select.kind = std::string(kernelName(request.kernel));
  passes.addPass(createSelectKernelPass(select));
  passes.addPass(createSimplifyPass()); // values that are kept may be computed twice
}

// In: a kernel without a schedule. Out: tile and width.
void addScheduleCpu(OpPassManager &passes, const Request &request, const Way &) {
  ScheduleCpuPassOptions options;
  unsigned bits = request.data == Storage::F64 ? 64 : 32;
  options.vectorBits = cpu::vectorWidth(request.target, request.data) * bits;
  options.streaming = request.streaming;
  passes.addNestedPass<scan::KernelOp>(createScheduleCpuPass(options)); // last on scan: it counts operands and states
}

// In: a kernel without a schedule. Out: neurons, chunk, threads and blocks.
void addScheduleCuda(OpPassManager &passes, const Request &, const Way &way) {
  ScheduleCudaPassOptions options;
  options.scalar = way.access == AccessPath::Scalar;
  passes.addNestedPass<scan::KernelOp>(createScheduleCudaPass(options)); // last on scan, as on a CPU
}

// In: a scheduled kernel. Out: functions over memory: llvm.func, scf loops, arith on vectors.
void addCpu(OpPassManager &passes, const Request &request, const Way &) {
  passes.addPass(cpu::createOutlineFunctionsPass()); // while a function is still one op, and its uses can be counted
  LowerOpsPassOptions operations;
  operations.fusedInstructions = cpu::fusesMultiplyAdd(request.target);
  passes.addPass(createLowerOpsPass(operations)); // on scalars, since one expansion serves every vector width
  // Expansions of one function share their constants, and a spike's surrogate arguments are unused by now.
  passes.addPass(createSimplifyPass());
  cpu::EmitCpuPassOptions options;
  options.halfInstructions = cpu::convertsHalf(request.target);
  passes.addPass(cpu::createEmitCpuPass(options)); // after it, values are vectors and nothing is known of neurons
}

// In: a scheduled kernel. Out: the kernel over arith, math and calls of functions beside it, which are printed as they
// are.
void addCuda(OpPassManager &passes, const Request &, const Way &) {
  passes.addPass(cuda::createOutlineHelpersPass()); // while a function is still one op
  LowerOpsPassOptions operations;
  operations.keepDivisions = true;                // the text has two loops, one of which multiplies
  passes.addPass(createLowerOpsPass(operations)); // inside the helpers, and what is one operation in place
  passes.addPass(createSimplifyPass());           // as on a CPU
}

// In: functions over memory. Out: the LLVM dialect alone, which is translated one to one.
void addLlvm(OpPassManager &passes, const Request &, const Way &) { passes.addPass(cpu::createCpuToLlvmPass()); }

using AddPasses = void (*)(OpPassManager &, const Request &, const Way &);

/// A stage: its name for --stop-after, its help, its passes on a CPU's way and on a GPU's; null where it is not on it.
struct Stage {
  StageInfo info;
  AddPasses cpu, cuda;

  AddPasses on(const Way &way) const { return way.backend == Backend::Cpu ? cpu : cuda; }
};

constexpr Stage table[] = {
    {{"neuron", "the model as written, in SSA order"}, addNeuron, addNeuron},
    {{"expand", "only what one evaluation of the step can compute"}, addExpand, addExpand},
    {{"simplify", "nothing is computed twice, in vain or to choose what is known"}, addSimplify, addSimplify},
    {{"contract", "with --math fast: fused multiply-adds, decided once"}, addContract, addContract},
    {{"scan", "the kernel: operands, prologue, init and step"}, addScan, addScan},
    {{"schedule", "the kernel with its tile and vector width, or a GPU's threads"}, addScheduleCpu, addScheduleCuda},
    {{"cpu", "loops over memory and vectors"}, addCpu, nullptr},
    {{"llvm", "the LLVM dialect alone"}, addLlvm, nullptr},
    {{"cuda", "the kernel and its helper functions, as they are printed"}, nullptr, addCuda},
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
  registerDerivatives(registry);
}

bool isOnWay(size_t stage, const Way &way) { return table[stage].on(way) != nullptr; }

void addStages(OpPassManager &passes, const Request &request, const Way &way, size_t first, size_t last) {
  for (size_t i = first; i <= last; ++i) {
    if (!isOnWay(i, way))
      continue;
    table[i].on(way)(passes, request, way);
    VerifyStagePassOptions options;
    options.stage = std::string(table[i].info.name);
    passes.addPass(createVerifyStagePass(options));
  }
}

bool runStages(ModuleOp module, const Request &request, const Way &way, size_t first, size_t last) {
  PassManager passes(module.getContext());
  addStages(passes, request, way, first, last);
  return succeeded(passes.run(module));
}

} // namespace flexsn
