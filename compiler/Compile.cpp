#include "compiler/Compile.h"

#include "compiler/ExplainIR.h"
#include "compiler/Pipeline.h"
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/emit/cuda/CudaEmitter.h"
#include "compiler/import/Import.h"
#include "compiler/import/Locations.h"
#include "dialects/Scan/Scan.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace flexsn {

namespace {

/// The dialects, registered once: a registry is only read afterwards, by any number of contexts.
const DialectRegistry &dialects() {
  static const DialectRegistry registry = [] {
    DialectRegistry made;
    registerPipelineDialects(made);
    return made;
  }();
  return registry;
}

/// One compilation: a context of its own, the module on its way, and where findings go.
class Compilation {
public:
  Compilation(const Model &model, const Request &wanted, Diagnostics &diagnostics, Way way = {})
      : model(model), request(wanted), way(way), diagnostics(diagnostics),
        context(dialects(), MLIRContext::Threading::DISABLED), bridge(context, diagnostics, model.span) {
    if (way.backend == Backend::Cpu)
      request.target = cpu::resolveTarget(request.target);
    context.printOpOnDiagnostic(false); // users read their own text, not ours
  }

  /// Checks the request and imports the model; then the stages up to number `last`. False if anything was reported.
  bool start(size_t last) {
    if (!checkRequest(model, request, diagnostics) || !checkTarget(last))
      return false;
    context.loadDialect<neuron::NeuronDialect>(); // passes load what they create
    module = importModel(model, request, context, diagnostics);
    return module && run(0, last);
  }

  /// The stages from number `first` to number `last`.
  bool run(size_t first, size_t last) {
    if (runStages(*module, request, way, first, last))
      return true;
    if (!diagnostics.hasErrors()) // every failure has words
      diagnostics.report(Severity::Error, model.span, "internal error: a pass failed without saying why");
    return false;
  }

  bool printCuda(CudaProgram &program) { return cuda::printProgram(*module, model, program); }

  bool generate(cpu::CodeForm form, std::string &code) {
    std::string error;
    if (cpu::generateCode(*module, request.target, form, code, error))
      return true;
    diagnostics.report(Severity::Error, model.span, "no code could be generated: " + error);
    return false;
  }

  /// The IR as it stands, with the text's names.
  void print(std::string &text) {
    llvm::raw_string_ostream stream(text);
    module->print(stream, OpPrintingFlags().printNameLocAsPrefix());
  }

  neuron::ModelOp step() { return *module->getOps<neuron::ModelOp>().begin(); }
  scan::KernelOp kernel() { return *module->getOps<scan::KernelOp>().begin(); }

private:
  /// Stages up to `scan` are the same for all targets.
  bool checkTarget(size_t last) {
    if (last < *stageIndex("schedule") || way.backend != Backend::Cpu)
      return true;
    std::string problem = cpu::checkTarget(request.target);
    if (problem.empty())
      return true;
    diagnostics.report(Severity::Error, model.span, problem);
    return false;
  }

  const Model &model;
  Request request;
  Way way;
  Diagnostics &diagnostics;
  MLIRContext context;
  DiagnosticBridge bridge;
  OwningOpRef<ModuleOp> module;
};

/// The stage that a way ends with.
size_t lastStage(const Way &way) {
  size_t last = stages().size() - 1;
  while (!isOnWay(last, way))
    --last;
  return last;
}

KernelOperand describe(scan::OperandAttr operand) {
  static_assert(static_cast<int>(scan::Storage::Bool) == static_cast<int>(Storage::Bool) &&
                    static_cast<int>(scan::Role::Final) == static_cast<int>(Role::Final) &&
                    static_cast<int>(scan::Role::GradParam) == static_cast<int>(Role::GradParam),
                "the dialect's enumerations begin as Compile.h's");
  return {operand.getName().str(), static_cast<Role>(operand.getRole()), static_cast<Storage>(operand.getStorage())};
}

/// What a caller binds; gradients of params of one value are results of another kind.
template <class Program> void describeOperands(scan::KernelOp kernel, Program &program) {
  for (scan::OperandAttr operand : kernel.getOperandList().getAsRange<scan::OperandAttr>())
    if (!operand.isUniform())
      program.operands.push_back(describe(operand));
    else if (operand.getRole() == scan::Role::Param)
      program.params.push_back(describe(operand));
}

/// What a kernel of a training step leaves to its caller.
template <class Program> void describeTraining(scan::KernelOp kernel, Program &program) {
  program.every = kernel.getEvery().value_or(0);
  if (!kernel.hasAdjoint())
    return;
  for (scan::OperandAttr param : kernel.gradParamsOf(scan::Variation::None))
    program.gradParams.push_back(describe(param));
  program.sums = static_cast<unsigned>(kernel.getSums()->size());
  TypeRange results = kernel.yieldOf(kernel.getAdjoint()).getValues().getTypes();
  if (program.sums != 0 && results.back().isF64())
    program.sumStorage = Storage::F64;
}

/// What a caller must know of a scheduled kernel.
void describe(scan::KernelOp kernel, CpuProgram &program) {
  describeOperands(kernel, program);
  cpu::KernelLayout layout = cpu::layoutOf(kernel);
  program.kernelSymbol = cpu::kernelSymbol(kernel);
  program.prologueSymbol = cpu::prologueSymbol(kernel);
  program.invariantSlots = layout.invariantSlots;
  program.workspaceBytes = layout.workspaceBytes;
  program.tile = kernel.getCpuSchedule().getTile();
  program.width = kernel.getCpuSchedule().getWidth();
  describeTraining(kernel, program);
  if (kernel.hasAdjoint())
    program.epilogueSymbol = cpu::epilogueSymbol(kernel);
}

/// The way that `emit` goes: a stage that is on no CPU's way is on a GPU's.
Way wayOf(EmitForm form, std::string_view stopAfter) {
  std::optional<size_t> stage = stageIndex(stopAfter);
  return {form == EmitForm::Cuda || (stage && !isOnWay(*stage, {})) ? Backend::Cuda : Backend::Cpu};
}

/// The stage that `emit` runs to; none, and a finding, where the request makes no sense.
std::optional<size_t> lastFor(EmitForm form, std::string_view stopAfter, const Model &model, Diagnostics &diagnostics) {
  size_t end = lastStage(wayOf(form, stopAfter));
  if (stopAfter.empty())
    return end;
  std::optional<size_t> last = stageIndex(stopAfter);
  std::string message;
  if (!last) {
    std::vector<std::string> names;
    for (const StageInfo &stage : stages())
      names.emplace_back(stage.name);
    std::optional<std::string> near = nearest(stopAfter, names);
    message = fmt::format("'{}' is no stage of the compiler; {}", excerpt(stopAfter),
                          near ? fmt::format("did you mean '{}'?", *near)
                               : fmt::format("the stages are {}", fmt::join(names, ", ")));
  } else if (form != EmitForm::Mlir && *last != end) {
    message = fmt::format("{} only after the stage '{}'",
                          form == EmitForm::Cuda ? "CUDA C++ exists" : "machine code exists", stages()[end].name);
  } else {
    return last;
  }
  diagnostics.report(Severity::Error, model.span, std::move(message));
  return std::nullopt;
}

} // namespace

bool compileForCpu(const Model &model, const Request &request, Diagnostics &diagnostics, CpuProgram &program) {
  Compilation compilation(model, request, diagnostics);
  size_t scheduled = *stageIndex("schedule");
  if (!compilation.start(scheduled))
    return false;
  CpuProgram made;
  describe(compilation.kernel(), made);
  if (!compilation.run(scheduled + 1, lastStage({})) || !compilation.generate(cpu::CodeForm::Object, made.object))
    return false;
  program = std::move(made);
  return true;
}

bool emitCuda(const Model &model, const Request &request, AccessPath access, Diagnostics &diagnostics,
              CudaProgram &program) {
  Way way{Backend::Cuda, access};
  Compilation compilation(model, request, diagnostics, way);
  if (!compilation.start(lastStage(way)))
    return false;
  CudaProgram made;
  describeOperands(compilation.kernel(), made);
  describeTraining(compilation.kernel(), made);
  if (!compilation.printCuda(made))
    return false;
  program = std::move(made);
  return true;
}

bool emitCudaStage(const Model &model, const Request &request, AccessPath access, std::string_view stopAfter,
                   Diagnostics &diagnostics, std::string &text) {
  Way way{Backend::Cuda, access};
  std::optional<size_t> last = lastFor(EmitForm::Mlir, stopAfter, model, diagnostics);
  if (last && !isOnWay(*last, way)) {
    diagnostics.report(Severity::Error, model.span, fmt::format("'{}' is no stage of kernels for a GPU", stopAfter));
    return false;
  }
  Compilation compilation(model, request, diagnostics, way);
  if (!last || !compilation.start(*last))
    return false;
  compilation.print(text);
  return true;
}

static bool explainOn(const Way &way, const Model &model, const Request &request, Diagnostics &diagnostics,
                      Explanation &explanation) {
  Compilation compilation(model, request, diagnostics, way);
  size_t contracted = *stageIndex("contract"), scheduled = *stageIndex("schedule");
  Explanation made;
  if (!compilation.start(contracted))
    return false;
  explainResets(compilation.step(), *model.source, made);
  if (!compilation.run(contracted + 1, scheduled))
    return false;
  explainKernel(compilation.kernel(), *model.source, made);
  explanation = std::move(made);
  return true;
}

bool explain(const Model &model, const Request &request, Diagnostics &diagnostics, Explanation &explanation) {
  return explainOn({}, model, request, diagnostics, explanation);
}

bool explainCuda(const Model &model, const Request &request, AccessPath access, Diagnostics &diagnostics,
                 Explanation &explanation) {
  return explainOn({Backend::Cuda, access}, model, request, diagnostics, explanation);
}

bool emit(const Model &model, const Request &request, EmitForm form, std::string_view stopAfter,
          Diagnostics &diagnostics, std::string &text) {
  std::optional<size_t> last = lastFor(form, stopAfter, model, diagnostics);
  Compilation compilation(model, request, diagnostics, wayOf(form, stopAfter));
  if (!last || !compilation.start(*last))
    return false;
  CudaProgram program;
  switch (form) {
  case EmitForm::Mlir: compilation.print(text); return true;
  case EmitForm::Llvm: return compilation.generate(cpu::CodeForm::Llvm, text);
  case EmitForm::Assembly: return compilation.generate(cpu::CodeForm::Assembly, text);
  case EmitForm::Object: return compilation.generate(cpu::CodeForm::Object, text);
  case EmitForm::Cuda:
    if (!compilation.printCuda(program))
      return false;
    text += program.text;
    return true;
  }
  llvm_unreachable("all forms are covered");
}

} // namespace flexsn
