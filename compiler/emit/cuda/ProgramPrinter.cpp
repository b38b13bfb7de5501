// The translation unit: the skeletons that one program needs, its helpers, its model, its kernels.
#include "compiler/emit/cuda/CudaEmitter.h"
#include "compiler/emit/cuda/Expressions.h"
#include "compiler/emit/cuda/ModelPrinter.h"
#include "compiler/transforms/KernelSize.h"
#include "runtime/CudaAbi.h"

#include "Templates.h"

#include <fmt/format.h>

namespace flexsn::cuda {

using namespace mlir;
using scan::Role;
using scan::Storage;

namespace {

class ProgramPrinter {
public:
  ProgramPrinter(ModuleOp module, scan::KernelOp kernel, const Model &model, CudaProgram &program)
      : module(module), kernel(kernel), schedule(kernel.getCudaSchedule()), model(model), program(program),
        invariants(kernel.invariantTypes().size()),
        shaped(kernel.operandsOf(Role::Param).size() - kernel.paramTypes().size()) {}

  LogicalResult print();

private:
  void printHead();
  void printTemplate(std::string_view file);
  void printTemplates();
  void printOnce(CodeText &text, StringRef symbol, StringRef call, ArrayRef<std::string> lines);
  void printKernels(const std::string &model);
  bool savesStates() { return kernel.getKind() == scan::Kind::Forward && kernel.getEvery(); }
  bool hasSums() { return kernel.hasAdjoint() && !kernel.getSums()->empty(); }
  bool hasEpilogue() { return !kernel.gradParamsOf(scan::Variation::None).empty(); }
  /// Gradients of params with dims.
  bool hasShares() {
    return kernel.operandsOf(Role::GradParam).size() > kernel.gradParamsOf(scan::Variation::None).size();
  }
  bool stores(ArrayRef<Storage> storages);
  std::string chooseModelName();

  ModuleOp module;
  scan::KernelOp kernel;
  scan::CudaScheduleAttr schedule;
  const Model &model;
  CudaProgram &program;
  size_t invariants, shaped; ///< shaped: params with dims
  Needs needs;
};

} // namespace

/// Whether something in memory has one of `storages`.
bool ProgramPrinter::stores(ArrayRef<Storage> storages) {
  auto operands = kernel.getOperandList().getAsRange<scan::OperandAttr>();
  bool operand =
      llvm::any_of(operands, [&](scan::OperandAttr each) { return llvm::is_contained(storages, each.getStorage()); });
  return operand || (llvm::is_contained(storages, Storage::Bool) &&
                     llvm::any_of(kernel.invariantTypes(), [](mlir::Type type) { return type.isInteger(1); }));
}

void ProgramPrinter::printHead() {
  CodeText head;
  auto names = [&](Role role) {
    SmallVector<std::string> list;
    for (scan::OperandAttr operand : kernel.operandsOf(role))
      list.push_back(fmt::format("{} {}", operand.getName().str(), scan::stringifyStorage(operand.getStorage()).str()));
    return list.empty() ? std::string("none") : fmt::format("{}", fmt::join(list, ", "));
  };
  head.comment(fmt::format("{}, {}: {} operands, {} accesses. Made by flexsn.", model.name,
                           scan::stringifyKind(kernel.getKind()).str(), scan::stringifyLayout(kernel.getLayout()).str(),
                           accessName(schedule.isScalar() ? AccessPath::Scalar : AccessPath::Vector)));
  if (kernel.hasAdjoint())
    head.comment(fmt::format("Inputs: {}. Initial states: {}. Gradients of outputs: {}, final states: {}; for inputs: "
                             "{}, initial states: {}, parameters: {}.",
                             names(Role::Input), names(Role::Initial), names(Role::GradOutput), names(Role::GradFinal),
                             names(Role::GradInput), names(Role::GradInitial), names(Role::GradParam)));
  else
    head.comment(fmt::format("Inputs: {}. Initial states: {}. Outputs: {}. Final states: {}.", names(Role::Input),
                             names(Role::Initial), names(Role::Output), names(Role::Final)));
  if (StringAttr plan = kernel.getPlanAttr())
    head.comment(fmt::format("Plan: {}.", plan.getValue().str()));
  if (StringAttr reason = schedule.getReason())
    head.comment(fmt::format("Schedule, V = {} and C = {}: {}.", schedule.getNeurons(), schedule.getChunk(),
                             reason.getValue().str()));
  head.line();
  program.text = head.take();
}

void ProgramPrinter::printTemplate(std::string_view file) {
  const auto *found = llvm::find_if(templateFiles, [&](const EmbeddedText &each) { return each.name == file; });
  assert(found != std::end(templateFiles) && "templates/ has every file that is named here");
  program.text += found->text;
  program.text += '\n';
}

void ProgramPrinter::printTemplates() {
  printTemplate("prelude.cuh");
  if (stores({Storage::F16, Storage::BF16}))
    printTemplate("half.cuh");
  if (stores({Storage::Bool, Storage::I8}))
    printTemplate("bytes.cuh");
  if (needs.extrema)
    printTemplate("extrema.cuh");
  if (needs.division)
    printTemplate("division.cuh");
  printTemplate("call.cuh");
  printTemplate(schedule.isScalar() ? "scalar.cuh" : "vector.cuh");
  bool isLinear = kernel.getLayout() == scan::Layout::Linear;
  if (isLinear || savesStates() || kernel.hasAdjoint())
    printTemplate("dense.cuh");
  printTemplate(isLinear ? "linear.cuh" : "strided.cuh");
  printTemplate("streams.cuh");
  if (shaped != 0)
    printTemplate("params.cuh");
  if (kernel.hasAdjoint())
    printTemplate("sums.cuh"); // C++17 wants its names to be known, also where they are not used
  if (hasShares())
    printTemplate("shares.cuh");
  printTemplate(kernel.hasAdjoint() ? "backward.cuh" : "inference.cuh");
  if (savesStates())
    printTemplate("checkpoints.cuh");
  if (invariants != 0 || hasEpilogue())
    printTemplate("prologue.cuh");
  if (hasEpilogue())
    printTemplate("epilogue.cuh");
}

/// The struct's name: the model's, where nothing else around or inside of it has that.
std::string ProgramPrinter::chooseModelName() {
  NameScope scope = NameScope::insideModel();
  for (auto helper : module.getOps<func::FuncOp>())
    scope.reserve(functionName(helper.getName()));
  for (const std::string &symbol : {program.kernelSymbol, program.prologueSymbol, program.reduceSymbol,
                                    program.gatherSymbol, program.shareSymbol, program.epilogueSymbol})
    scope.reserve(symbol);
  return scope.claim(model.name);
}

/// A kernel that takes a call of type `call` and gives it to the skeleton.
static void printKernel(CodeText &text, StringRef bounds, StringRef symbol, StringRef call, StringRef skeleton) {
  text.line();
  text.open(fmt::format("KERNEL void {}{}(ARGUMENT {} call) {{", bounds.str(), symbol.str(), call.str()));
  text.line(fmt::format("{}(call);", skeleton.str()));
  text.close();
}

/// A kernel of one thread, from a struct that `given` makes to one that `results` takes.
void ProgramPrinter::printOnce(CodeText &text, StringRef symbol, StringRef call, ArrayRef<std::string> lines) {
  text.line();
  text.open(fmt::format("KERNEL void {}(ARGUMENT {}<{}> call) {{", symbol.str(), call.str(),
                        std::max<size_t>(1, kernel.paramTypes().size())));
  text.line("if (threadIdx.x != 0) return;");
  for (const std::string &line : lines)
    text.line(line);
  text.close();
}

void ProgramPrinter::printKernels(const std::string &model) {
  CodeText text;
  std::string cut = fmt::format("{}, {}, {}", model, schedule.getNeurons(), schedule.getChunk());
  std::string bounds = fmt::format("__launch_bounds__({}, {}) ", schedule.getThreads(), schedule.getBlocks());
  printKernel(text, bounds, program.kernelSymbol, fmt::format("CallOf<{}>", model),
              kernel.hasAdjoint() ? fmt::format("differentiate<{}, {}>", cut, schedule.getThreads())
                                  : fmt::format("infer<{}, {}, {}{}>", cut, schedule.dividingChunk(),
                                                schedule.getThreads(), savesStates() ? ", Checkpoints" : ""));
  if (invariants != 0)
    printOnce(text, program.prologueSymbol, "PrologueCall",
              {fmt::format("{}::Invariants once;", model),
               fmt::format("{0}::prologue({0}::given(call.params), once);", model),
               fmt::format("{}::keepAll(once, call.invariants);", model)});
  if (hasSums())
    printKernel(text, fmt::format("__launch_bounds__({}) ", cudaReduceThreads), program.reduceSymbol, "ReduceCall",
                fmt::format("reduce<{}::Real, {}::sums, {}>", model, model, cudaReduceThreads));
  if (hasShares()) {
    std::string bounds = fmt::format("__launch_bounds__({}) ", cudaShareThreads);
    std::string type = computeBits(kernel) == 64 ? "double" : "float";
    printKernel(text, bounds, program.gatherSymbol, "GatherCall",
                fmt::format("gather<{}, {}>", type, cudaShareThreads));
    printKernel(text, bounds, program.shareSymbol, "ShareCall", fmt::format("share<{}, {}>", type, cudaShareThreads));
  }
  if (hasEpilogue())
    printOnce(text, program.epilogueSymbol, "EpilogueCall",
              {fmt::format("{}::GradParams grads;", model),
               fmt::format("{0}::epilogue({0}::given(call.params), {0}::totals(call.sums), grads);", model),
               fmt::format("{}::keepGradients(grads, call.gradients);", model)});
  program.text += text.take();
}

LogicalResult ProgramPrinter::print() {
  program.kernelSymbol = kernel.getSymName().str();
  auto symbol = [&](bool exists, const char *suffix) { return exists ? program.kernelSymbol + suffix : std::string(); };
  program.prologueSymbol = symbol(invariants != 0, "_prologue");
  program.reduceSymbol = symbol(hasSums(), "_reduce");
  program.gatherSymbol = symbol(hasShares(), "_gather");
  program.shareSymbol = symbol(hasShares(), "_share");
  program.epilogueSymbol = symbol(hasEpilogue(), "_epilogue");
  program.invariantSlots = static_cast<unsigned>(invariants);
  program.neurons = schedule.getNeurons();
  program.chunk = schedule.getChunk();
  program.threads = schedule.getThreads();
  std::string modelName = chooseModelName();
  CodeText text;
  for (auto helper : module.getOps<func::FuncOp>())
    if (!helper.isExternal() && failed(printHelper(text, helper, needs)))
      return failure();
  text.line();
  if (failed(printModel(text, kernel, modelName, model, needs)))
    return failure();
  printHead();
  program.text += "namespace flexsn {\n\n";
  printTemplates();
  program.text.pop_back(); // helpers begin with an empty line
  auto before = static_cast<unsigned>(llvm::count(program.text, '\n'));
  program.text += text.take();
  program.lines = text.takeOrigins();
  for (LineOrigin &origin : program.lines)
    origin.line += before;
  printKernels(modelName);
  program.text += "\n} // namespace flexsn\n";
  return success();
}

bool printProgram(ModuleOp module, const Model &model, CudaProgram &program) {
  auto kernel = *module.getOps<scan::KernelOp>().begin();
  return succeeded(ProgramPrinter(module, kernel, model, program).print());
}

} // namespace flexsn::cuda
