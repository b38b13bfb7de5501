#include "runtime/Facts.h"

#include "runtime/CudaJob.h"
#include "runtime/EmitText.h"

namespace flexsn {

static bool isOncePerNeuron(Role role) {
  return role == Role::Initial || role == Role::Final || role == Role::GradFinal || role == Role::GradInitial;
}
/// "x", or "the gradient of x".
static std::string memoryName(const KernelOperand &operand) {
  bool gradient = operand.role >= Role::GradOutput;
  return (gradient ? "the gradient of " : "") + operand.name;
}

static std::string shapeOf(const ExplainedOperand &explained) {
  if (isSequence(explained.operand.role))
    return "[T, N]";
  if (isOncePerNeuron(explained.operand.role))
    return "[N]";
  if (explained.operand.role == Role::Checkpoint)
    return "[T/K, N]";
  return explained.dims.empty() ? "one value" : fmt::format("[{}]", fmt::join(explained.dims, ", "));
}

Facts::Facts(const Model &model, const RequestOptions &options, const flexsn_emit_options *given) {
  flexsn_emit_options what = readEmitOptions(given);
  if (what.form != 0 || what.stop_after)
    fail(FLEXSN_ERROR_ARGUMENT, "emit_options: an explanation has neither form nor stop_after");
  bool cuda = namesGpu(what);
  Request request = emitRequest(model, options, what, cuda);
  Diagnostics diagnostics(*model.source);
  Explanation explanation;
  if (cuda ? !explainCuda(model, request, accessPath(what), diagnostics, explanation)
           : !explain(model, request, diagnostics, explanation))
    failModel(findings(diagnostics));
  addOperands(explanation);
  addStates(model, options);
  addMemory(explanation);
  addSchedule(explanation, request.layout);
  addWork(explanation.prologue, FLEXSN_FACT_LAUNCH);
  addWork(explanation.init, FLEXSN_FACT_NEURON);
  addWork(explanation.step, FLEXSN_FACT_STEP);
  addWork(explanation.adjoint, FLEXSN_FACT_ADJOINT);
  addRemarks(explanation, *model.source);
  if (cuda)
    addCode(cudaJob(model, request, accessPath(what), parseCudaArch(what.arch)));
}

const std::vector<Fact> *Facts::ofKind(int32_t kind) const {
  return kind >= 0 && static_cast<size_t>(kind) < all.size() ? &all[static_cast<size_t>(kind)] : nullptr;
}

void Facts::addOperands(const Explanation &explanation) {
  for (const ExplainedOperand &explained : explanation.operands) {
    const KernelOperand &operand = explained.operand;
    rows(FLEXSN_FACT_OPERAND)
        .push_back({operand.name, std::string(roleName(operand.role)),
                    fmt::format("{} {}", storageName(operand.storage), shapeOf(explained)),
                    static_cast<double>(storageBytes(operand.storage))});
  }
}

void Facts::addStates(const Model &model, const RequestOptions &options) {
  for (const State &state : model.states) {
    Storage storage = storageOf(state.value->type, options.data);
    rows(FLEXSN_FACT_STATE)
        .push_back({state.value->name, std::string(storageName(storage)), print(*state.initial),
                    static_cast<double>(storageBytes(storage))});
  }
}

void Facts::addSchedule(const Explanation &explanation, Layout layout) {
  const char *places = layout == Layout::Linear ? "every operand is dense in one order of the dimensions behind time"
                                                : "each operand lies by strides of its own";
  std::vector<Fact> &schedule = rows(FLEXSN_FACT_SCHEDULE);
  auto add = [&](const char *name, std::string unit, std::string words, size_t value) {
    schedule.push_back({name, std::move(unit), std::move(words), static_cast<double>(value)});
  };
  if (explanation.threads == 0) {
    add("tile", "neurons", explanation.scheduleReason, explanation.tile);
    add("width", "lanes", "neurons that are the lanes of one vector", explanation.width);
  } else {
    add("neurons", "neurons", explanation.scheduleReason, explanation.neurons);
    add("chunk", "steps", "whose inputs are loaded before the first of them is used", explanation.chunk);
    if (explanation.dividing != explanation.chunk)
      add("dividing", "steps", "of a chunk where the reciprocal of a divisor is not exact", explanation.dividing);
    add("threads", "threads", "of a block", explanation.threads);
    add("blocks", "blocks", "that a multiprocessor holds at once, at least", explanation.blocks);
  }
  add("layout", std::string(layoutName(layout)), places, 0);
  if (explanation.threads == 0)
    add("workspace", "bytes", "of a thread: the states of a tile", explanation.workspaceBytes);
  if (!explanation.plan.empty())
    add("residual", "steps", explanation.plan, explanation.every);
  add("invariants", "values", "computed from the parameters once a launch", explanation.invariantSlots);
  if (explanation.threads != 0)
    addLimit(explanation);
}

/// Whether memory or arithmetic is the slower part of a step, by what was measured on an H200: as long as it moves a
/// byte it does 7.25 operations in float32 (docs/cuda.md).
void Facts::addLimit(const Explanation &explanation) {
  constexpr double operationsOfByte = 7.25, ofDivision = 9, ofCall = 60;
  unsigned divisions = 0;
  double operations = 0, bytes = rows(FLEXSN_FACT_MEMORY).front().value;
  for (const WorkItem &item : explanation.step) {
    divisions += item.kind == WorkKind::Division ? item.count : 0;
    operations += item.count * (item.kind == WorkKind::Division ? ofDivision : item.platform ? ofCall : item.each);
  }
  if (explanation.wide)
    operations *= 2; // a GPU has half as many units for float64
  bool memory = operations <= operationsOfByte * bytes;
  rows(FLEXSN_FACT_SCHEDULE)
      .push_back(
          {"limit", memory ? "memory" : "arithmetic",
           fmt::format("as long as about {:.0f} operations in float32 a step{}, beside {:.0f} that a GPU such as "
                       "an H200 does while it moves the step's {:.0f} bytes",
                       operations, divisions ? fmt::format(" (a division counts {:.0f})", ofDivision) : "",
                       operationsOfByte * bytes, bytes),
           operations});
}

/// What NVRTC made of the kernels. Without an NVRTC that is a remark, since all else can be said.
void Facts::addCode(const CudaJob &job) {
  NvrtcLoader &loader = NvrtcLoader::ofProcess();
  CudaCode code;
  try {
    code = compileCuda(job, loader, Cache::ofProcess());
  } catch (const Failure &failure) {
    std::vector<std::string> tried;
    if (loader.find(tried))
      throw;
    rows(FLEXSN_FACT_REMARK)
        .push_back({"nvrtc", "", "registers are unknown, for there is no NVRTC; 'flexsnc doctor' says what was tried"});
    return;
  }
  std::vector<Fact> &facts = rows(FLEXSN_FACT_CODE);
  for (const CubinKernel &kernel : code.kernels) {
    std::string which = kernel.symbol == code.program.kernelSymbol ? "kernel" : "prologue";
    facts.push_back({"registers", which, "of a thread", static_cast<double>(kernel.registers)});
    std::string beside =
        kernel.arrayBytes == 0 ? "" : fmt::format("; beside {} of an array of CUDA's own sine", kernel.arrayBytes);
    facts.push_back({"local", which, "bytes of a thread: registers that were spilled" + beside,
                     static_cast<double>(kernel.spilledBytes())});
    facts.push_back({"shared", which, "bytes of a block", static_cast<double>(kernel.sharedBytes)});
  }
  facts.push_back({"cubin", fmt::format("sm_{}", job.arch), fmt::format("bytes; made by NVRTC {}", code.release),
                   static_cast<double>(code.code.size())});
}

/// What a step moves is the least that its operands allow as long as nothing is kept for a later kernel.
void Facts::addMemory(const Explanation &explanation) {
  double step = 0, once = 0, checkpoint = 0, shared = 0;
  std::vector<std::string> stepWords, onceWords, checkpointWords, sharedWords;
  for (const ExplainedOperand &explained : explanation.operands) {
    const KernelOperand &operand = explained.operand;
    auto bytes = static_cast<double>(storageBytes(operand.storage));
    std::string words =
        fmt::format("{} {} ({})", isWritten(operand.role) ? "write" : "read", memoryName(operand), bytes);
    if (isSequence(operand.role) && explained.used) {
      step += bytes;
      stepWords.push_back(std::move(words));
    } else if (isOncePerNeuron(operand.role)) {
      once += bytes;
      onceWords.push_back(std::move(words));
    } else if (operand.role == Role::Checkpoint) {
      checkpoint += bytes;
      checkpointWords.push_back(operand.name);
    } else if (!explained.dims.empty()) {
      bool perStep = explained.dims.front() == "step";
      shared += bytes;
      sharedWords.push_back(fmt::format("{}, {}", words, perStep ? "each step" : "once"));
    }
  }
  std::vector<Fact> &memory = rows(FLEXSN_FACT_MEMORY);
  memory = {
      {"step", "bytes", fmt::format("{}", fmt::join(stepWords, ", ")), step},
      {"floor", "bytes", "each sequence that the step uses, once", step},
      {"once", "bytes", fmt::format("{}", fmt::join(onceWords, ", ")), once},
  };
  if (explanation.every != 0)
    memory.push_back({"checkpoint", "bytes",
                      fmt::format("{} in front of every {} steps but the first", fmt::join(checkpointWords, ", "),
                                  explanation.every),
                      checkpoint});
  if (shared != 0)
    memory.push_back({"shared", "bytes",
                      fmt::format("{}; elements that neurons share, mostly from caches", fmt::join(sharedWords, "; ")),
                      shared});
  if (explanation.bytesAlone == 0)
    return;
  memory.push_back({"alone", "bytes",
                    "if each operation by itself read its operands and wrote its result, as a loop in "
                    "PyTorch does",
                    static_cast<double>(explanation.bytesAlone)});
  memory.push_back({"saved", "bytes", "if each result of the step were saved for the way back",
                    step + static_cast<double>(explanation.bytesSaved)});
}

void Facts::addWork(const std::vector<WorkItem> &items, flexsn_fact_kind kind) {
  for (const WorkItem &item : items)
    rows(kind).push_back({item.name, std::string(workKindName(item.kind)),
                          item.platform    ? "a call of the platform's function for each lane"
                          : item.each != 1 ? fmt::format("{} operations each", item.each)
                                           : "",
                          static_cast<double>(item.count)});
}

void Facts::addRemarks(const Explanation &explanation, const Source &source) {
  for (const Remark &remark : explanation.remarks) {
    Fact fact{remark.topic, "", remark.text};
    if (remark.span) {
      fact.begin = source.position(remark.span->begin);
      fact.end = source.position(remark.span->end);
    }
    rows(FLEXSN_FACT_REMARK).push_back(std::move(fact));
  }
}

} // namespace flexsn
