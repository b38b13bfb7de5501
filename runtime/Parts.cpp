#include "runtime/Parts.h"

#include "compiler/frontend/Frontend.h"
#include "runtime/Parameters.h"
#include "runtime/Request.h"

#include <limits>

namespace flexsn {

flexsn_part Parts::named(const Value &value) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  flexsn_part part{};
  part.struct_size = sizeof part;
  part.name = part.operand = keep(value.name);
  part.transform = part.initial = "";
  part.low = -inf;
  part.high = inf;
  part.type = value.whole ? FLEXSN_INT : static_cast<int32_t>(value.type); // whole: delivered as an int
  part.lanes = value.lanes;
  return part;
}

flexsn_part Parts::paramPart(const Param &param) {
  flexsn_part part = named(*param.value);
  part.operand = keep(param.operandName());
  part.transform = transformName(param.transform);
  part.default_value = param.defaultValue;
  if (param.bounds) {
    part.low = param.bounds->low;
    part.high = param.bounds->high;
    part.flags |= (param.bounds->lowOpen ? FLEXSN_LOW_OPEN : 0) | (param.bounds->highOpen ? FLEXSN_HIGH_OPEN : 0);
    part.flags |= param.bounds->clamp || param.learnable ? FLEXSN_CLAMP : 0;
  }
  part.flags |= (param.learnable ? FLEXSN_LEARNABLE : 0) | (param.frozen || param.isDt ? FLEXSN_FROZEN : 0);
  for (Dim dim : param.dims)
    part.dims |= dim == Dim::Step ? FLEXSN_DIM_STEP : dim == Dim::Channel ? FLEXSN_DIM_CHANNEL : FLEXSN_DIM_NEURON;
  return part;
}

Parts::Parts(const Model &model) {
  static_assert(static_cast<int>(Type::Float) == FLEXSN_FLOAT && static_cast<int>(Type::Int) == FLEXSN_INT &&
                static_cast<int>(Type::Bool) == FLEXSN_BOOL);
  for (const Input &input : model.inputs)
    kinds[FLEXSN_INPUT].push_back(named(*input.value));
  for (const Output &output : model.outputs) {
    kinds[FLEXSN_OUTPUT].push_back(named(*output.value));
    kinds[FLEXSN_OUTPUT].back().name = kinds[FLEXSN_OUTPUT].back().operand = keep(output.name);
    kinds[FLEXSN_OUTPUT].back().type = static_cast<int32_t>(output.type);
  }
  for (const State &state : model.states) {
    kinds[FLEXSN_STATE].push_back(named(*state.value));
    if (state.initial)
      kinds[FLEXSN_STATE].back().initial = keep(print(*state.initial));
  }
  for (const Param &param : model.params)
    kinds[FLEXSN_PARAM].push_back(paramPart(param));
  for (const std::string &name : model.names())
    if (const Value *value = model.lastValue(name)) {
      kinds[FLEXSN_NAME].push_back(named(*value));
      kinds[FLEXSN_NAME].back().name = kinds[FLEXSN_NAME].back().operand = keep(name);
      kinds[FLEXSN_NAME].back().type = static_cast<int32_t>(deliveredType(model, name, *value));
    }
}

const std::vector<flexsn_part> *Parts::ofKind(int32_t kind) const {
  return kind >= 0 && kind < static_cast<int32_t>(kinds.size()) ? &kinds[static_cast<size_t>(kind)] : nullptr;
}

} // namespace flexsn
