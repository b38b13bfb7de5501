// The translation unit: the skeletons that one program needs, its helpers, its model, its kernels.
#include "compiler/emit/cuda/CudaEmitter.h"
#include "compiler/emit/cuda/Expressions.h"
#include "compiler/emit/cuda/ModelPrinter.h"

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
        invariants(kernel.invariantTypes().size()) {}

  LogicalResult print();

private:
  void printHead();
  void printTemplate(std::string_view file);
  void printTemplates();
  void printKernels(StringRef modelName);
  bool stores(ArrayRef<Storage> storages);
  std::string chooseModelName();

  ModuleOp module;
  scan::KernelOp kernel;
  scan::CudaScheduleAttr schedule;
  const Model &model;
  CudaProgram &program;
  size_t invariants;
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
  head.comment(fmt::format("Inputs: {}. Initial states: {}. Outputs: {}. Final states: {}.", names(Role::Input),
                           names(Role::Initial), names(Role::Output), names(Role::Final)));
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
  printTemplate(kernel.getLayout() == scan::Layout::Linear ? "linear.cuh" : "strided.cuh");
  printTemplate("streams.cuh");
  printTemplate("inference.cuh");
  if (invariants != 0)
    printTemplate("prologue.cuh");
}

/// The struct's name: the model's, where nothing else around or inside of it has that.
std::string ProgramPrinter::chooseModelName() {
  NameScope scope = NameScope::insideModel();
  for (auto helper : module.getOps<func::FuncOp>())
    scope.reserve(functionName(helper.getName()));
  scope.reserve(program.kernelSymbol);
  return scope.claim(model.name);
}

void ProgramPrinter::printKernels(StringRef modelName) {
  CodeText text;
  text.line();
  text.open(fmt::format("KERNEL void __launch_bounds__({}, {}) {}(ARGUMENT CallOf<{}> call) {{", schedule.getThreads(),
                        schedule.getBlocks(), program.kernelSymbol, modelName.str()));
  text.line(fmt::format("infer<{}, {}, {}, {}, {}>(call);", modelName.str(), schedule.getNeurons(), schedule.getChunk(),
                        schedule.dividingChunk(), schedule.getThreads()));
  text.close();
  if (invariants != 0) {
    text.line();
    text.open(fmt::format("KERNEL void {}(ARGUMENT PrologueCall<{}> call) {{", program.prologueSymbol,
                          std::max<size_t>(1, program.params.size())));
    text.line("if (threadIdx.x != 0) return;");
    text.line(fmt::format("{}::Invariants once;", modelName.str()));
    text.line(fmt::format("{0}::prologue({0}::given(call.params), once);", modelName.str()));
    text.line(fmt::format("{}::keepAll(once, call.invariants);", modelName.str()));
    text.close();
  }
  program.text += text.take();
}

LogicalResult ProgramPrinter::print() {
  program.kernelSymbol = kernel.getSymName().str();
  program.prologueSymbol = invariants != 0 ? program.kernelSymbol + "_prologue" : "";
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
