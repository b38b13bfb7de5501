#include "runtime/Program.h"

#include "runtime/CpuJit.h"
#include "runtime/Error.h"
#include "runtime/Log.h"
#include "runtime/ProgramBytes.h"
#include "runtime/Request.h"

#include <algorithm>
#include <chrono>

namespace flexsn {

namespace {

/// Milliseconds since it was made, for the log.
class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

private:
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// Links the machine code. On failure null, with the loader's words in `error`.
std::shared_ptr<Program> load(CpuProgram &&compiled, std::string &error) {
  std::shared_ptr<const CpuCode> code = CpuCode::load(compiled.object, error);
  auto program = std::make_shared<Program>();
  if (code)
    program->kernel = code->function<CpuKernel>(compiled.kernelSymbol, error);
  if (program->kernel)
    program->prologue = code->function<CpuPrologue>(compiled.prologueSymbol, error);
  if (!program->prologue)
    return nullptr;
  program->params = std::move(compiled.params);
  program->operands = std::move(compiled.operands);
  program->invariantSlots = compiled.invariantSlots;
  program->tile = compiled.tile;
  program->width = compiled.width;
  program->workspaceBytes = compiled.workspaceBytes;
  program->code = std::move(code);
  return program;
}

/// The operands that a kernel of the request has, in its order (scan-1); states that are not in the text are known by
/// name alone.
std::vector<KernelOperand> operandsOf(const Model &model, const Request &request) {
  std::vector<KernelOperand> operands;
  auto addStates = [&](const std::vector<std::string> &names, Role role) {
    for (const std::string &name : names) {
      auto state = std::find_if(model.states.begin(), model.states.end(),
                                [&](const State &state) { return state.value->name == name; });
      Type type = state == model.states.end() ? Type::Float : state->value->type;
      operands.push_back({name, role, stateStorage(type, request.data)});
    }
  };
  for (const Input &input : model.inputs)
    operands.push_back({input.value->name, Role::Input, storageOf(input.value->type, request.data)});
  addStates(request.initialStates, Role::Initial);
  for (const std::string &name : request.outputs) {
    const Value *value = model.lastValue(name);
    bool bytes = std::find(request.int8Outputs.begin(), request.int8Outputs.end(), name) != request.int8Outputs.end();
    bool isBool = value && deliveredType(model, name, *value) == Type::Bool;
    operands.push_back({name, Role::Output, bytes ? Storage::I8 : isBool ? Storage::Bool : request.data});
  }
  addStates(request.finalStates, Role::Final);
  return operands;
}

/// Whether what a stored program says of itself fits its request. The call is laid out by it, and a checksum only tells
/// that it is what somebody wrote.
bool fits(const CpuProgram &program, const Model &model, const Request &request) {
  constexpr size_t most = size_t{1} << 30; // bytes, slots, neurons: far more than any schedule takes
  std::vector<KernelOperand> wanted = operandsOf(model, request);
  auto same = [](const KernelOperand &a, const KernelOperand &b) {
    return a.name == b.name && a.role == b.role && a.storage == b.storage;
  };
  auto isParam = [&](const KernelOperand &operand) {
    return std::any_of(model.params.begin(), model.params.end(), [&](const Param &param) {
      return same(operand, {param.operandName(), Role::Param, stateStorage(param.value->type, request.data)});
    });
  };
  return std::equal(wanted.begin(), wanted.end(), program.operands.begin(), program.operands.end(), same) &&
         std::all_of(program.params.begin(), program.params.end(), isParam) &&
         std::max<size_t>({program.workspaceBytes, program.invariantSlots, program.tile, program.width}) <= most;
}

/// "LIF inference f32 linear": which of a model's programs it is, as far as people tell them apart.
std::string labelOf(const Model &model, const Request &request) {
  return fmt::format("{} {} {} {}{}", model.name, kernelName(request.kernel), storageName(request.data),
                     layoutName(request.layout), request.streaming ? " streaming" : "");
}

} // namespace

std::shared_ptr<const Program> Program::fromCache(const std::string &key, const Model &model, const Request &request,
                                                  Cache &cache) {
  Stopwatch watch;
  std::optional<std::string> bytes = cache.get(key);
  if (!bytes)
    return nullptr;
  CpuProgram compiled;
  std::string error = "its program is no program of this version";
  std::shared_ptr<Program> program;
  if (deserialize(*bytes, compiled) && fits(compiled, model, request))
    program = load(std::move(compiled), error);
  if (!program) {
    cache.discard(key, error);
    return nullptr;
  }
  program->stored = true;
  log(LogLevel::Debug, "loaded from the disk cache in {:.1f} ms", watch.milliseconds());
  return program;
}

std::shared_ptr<const Program> Program::obtain(const std::string &key, const Model &model, const Request &request,
                                               Cache &cache) {
  if (auto program = fromCache(key, model, request, cache))
    return program;
  CacheClaim claim = cache.claim(key);
  if (claim) // another process may have been at work
    if (auto program = fromCache(key, model, request, cache))
      return program;

  Stopwatch watch;
  Diagnostics diagnostics(*model.source);
  CpuProgram compiled;
  if (!compileForCpu(model, request, diagnostics, compiled))
    failModel(findings(diagnostics));
  std::string label = labelOf(model, request);
  std::string bytes = serialize(compiled), error;
  std::shared_ptr<const Program> program = load(std::move(compiled), error);
  if (!program)
    fail(FLEXSN_ERROR_DEVICE, "{}: the {} kernel's machine code does not load: {}", model.name,
         kernelName(request.kernel), error);
  log(LogLevel::Debug, "{} compiled in {:.1f} ms", label, watch.milliseconds());
  cache.put({key, std::move(label), std::move(bytes)});
  return program;
}

} // namespace flexsn
