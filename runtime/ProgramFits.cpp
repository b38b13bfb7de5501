#include "runtime/ProgramFits.h"

#include "runtime/Request.h"

#include <algorithm>

namespace flexsn {
namespace {

using Operands = std::vector<KernelOperand>;

/// The operands that a kernel of a request may have, in its order (scan-1).
class WantedOperands {
public:
  WantedOperands(const Model &model, const Request &request) : model(model), request(request) {
    addParams(Role::Param);
    for (const Input &input : model.inputs)
      add(input.value->name, Role::Input, storageOf(input.value->type, request.data));
    addStates(request.initialStates, Role::Initial);
    if (request.kernel == KernelKind::Backward)
      addGradients();
    else
      addResults();
  }

  Operands operands;

private:
  void add(const std::string &name, Role role, Storage storage) { operands.push_back({name, role, storage}); }

  /// Parameters with dims, or the wanted gradients of such: those of neurons alone, then those of steps.
  void addParams(Role role) {
    for (bool perStep : {false, true})
      for (const Param &param : model.params)
        if (!param.dims.empty() && (param.dims.front() == Dim::Step) == perStep &&
            (role == Role::Param || isWanted(param)))
          add(param.operandName(), role, stateStorage(param.value->type, request.data));
  }
  bool isWanted(const Param &param) const {
    const auto &wanted = request.gradParams;
    return std::find(wanted.begin(), wanted.end(), param.operandName()) != wanted.end();
  }

  /// States that are not in the text are known by name alone.
  void addStates(const std::vector<std::string> &names, Role role) {
    for (const std::string &name : names) {
      auto state = std::find_if(model.states.begin(), model.states.end(),
                                [&](const State &state) { return state.value->name == name; });
      Type type = state == model.states.end() ? Type::Float : state->value->type;
      add(name, role, stateStorage(type, request.data));
    }
  }

  void addCheckpoints() {
    for (const State &state : model.states)
      add(state.value->name, Role::Checkpoint, stateStorage(state.value->type, request.data));
  }

  void addResults() {
    for (const std::string &name : request.outputs) {
      const auto &bytes = request.int8Outputs;
      bool isByte = std::find(bytes.begin(), bytes.end(), name) != bytes.end();
      add(name, Role::Output, isByte ? Storage::I8 : isBool(name) ? Storage::Bool : request.data);
    }
    addStates(request.finalStates, Role::Final);
    if (request.kernel == KernelKind::Forward)
      addCheckpoints();
  }

  void addGradients() {
    addCheckpoints();
    for (const std::string &name : request.outputs)
      if (!isBool(name))
        add(name, Role::GradOutput, request.data);
    addStates(request.gradFinals, Role::GradFinal);
    for (const std::string &name : request.gradInputs)
      add(name, Role::GradInput, request.data);
    addStates(request.gradInitials, Role::GradInitial);
    addParams(Role::GradParam);
  }

  bool isBool(const std::string &name) const {
    const Value *value = model.lastValue(name);
    return value && deliveredType(model, name, *value) == Type::Bool;
  }

  const Model &model;
  const Request &request;
};

/// Operands that a kernel may do without: states whose values no gradient needs are not known to a backward kernel, and
/// what has no checkpoint is not known to either.
bool mayLack(Role role, KernelKind kernel) {
  return role == Role::Checkpoint || (role == Role::Initial && kernel == KernelKind::Backward);
}

/// Whether `got` is `wanted` in its order, but for what may lack.
bool matches(const Operands &got, const Operands &wanted, KernelKind kernel) {
  auto at = got.begin();
  for (const KernelOperand &operand : wanted) {
    if (at != got.end() && *at == operand)
      ++at;
    else if (!mayLack(operand.role, kernel))
      return false;
  }
  return at == got.end();
}

/// Whether each of the operands is a parameter of the model, as it is stored.
bool areParams(const Operands &operands, Role role, const Model &model, const Request &request) {
  return std::all_of(operands.begin(), operands.end(), [&](const KernelOperand &operand) {
    return std::any_of(model.params.begin(), model.params.end(), [&](const Param &param) {
      return operand == KernelOperand{param.operandName(), role, stateStorage(param.value->type, request.data)};
    });
  });
}

} // namespace

bool fits(const CpuProgram &program, const Model &model, const Request &request) {
  constexpr size_t most = size_t{1} << 30; // bytes, slots, neurons: far more than any schedule takes
  bool isBackward = request.kernel == KernelKind::Backward;
  auto shaped =
      static_cast<size_t>(std::count_if(program.operands.begin(), program.operands.end(),
                                        [](const KernelOperand &operand) { return operand.role == Role::GradParam; }));
  bool isReduced =
      isBackward ? !program.epilogueSymbol.empty() && program.gradParams.size() + shaped == request.gradParams.size()
                 : program.epilogueSymbol.empty() && program.gradParams.empty() && program.sums == 0;
  bool sumsAreFloats = program.sumStorage == Storage::F32 || program.sumStorage == Storage::F64;
  return matches(program.operands, WantedOperands(model, request).operands, request.kernel) &&
         areParams(program.params, Role::Param, model, request) &&
         areParams(program.gradParams, Role::GradParam, model, request) && isReduced && sumsAreFloats &&
         std::max<size_t>({program.workspaceBytes, program.invariantSlots, program.tile, program.width, program.every,
                           program.sums}) <= most;
}

} // namespace flexsn
