#include "tools/flexsnc/RunData.h"

#include "tools/flexsnc/Npy.h"
#include "tools/flexsnc/Sources.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cli {

namespace {

/// An array with what messages call it.
struct Loaded {
  Array array;
  std::string label; ///< "input 'x' (x.npy)"
  bool made = false; ///< by a built-in source, whose type is nobody's wish
};

Loaded loadInput(const Target &input, const RunRequest &request) {
  std::string label = fmt::format("input '{}' ({})", input.name, printable(input.file));
  if (isSource(input.file))
    return {makeSource(input.file, request.steps, request.neurons), label, true};
  Loaded loaded{readNpyFile(input.file), label};
  if (loaded.array.shape.empty())
    failWrong(fmt::format("{} is a single number; its first dimension must be time", label));
  return loaded;
}

/// The type of floating data: --dtype, else what the arrays of floats hold: the inputs, or without any the states.
/// States of 16-bit data are f4.
Element chooseElement(const RunRequest &request, const std::vector<Loaded> &inputs, const std::vector<Loaded> &states) {
  if (request.element)
    return *request.element;
  const Loaded *first = nullptr;
  for (const std::vector<Loaded> *list : {&inputs, &states})
    for (const Loaded &loaded : *list) {
      if (loaded.made || !isFloat(loaded.array.element))
        continue;
      first = first ? first : &loaded;
      Element chosen = first->array.element, has = loaded.array.element;
      if (list == &inputs && has != chosen)
        failWrong(fmt::format("{} holds {}, but {} holds {}", first->label, elementName(chosen), loaded.label,
                              elementName(has)),
                  "--dtype says which type to use");
      if (list == &states && has != computedAs(chosen))
        failWrong(fmt::format("{} holds {}, but the states of {} data are {}", loaded.label, elementName(has),
                              elementName(chosen), elementName(computedAs(chosen))),
                  "--dtype says which type the data has");
    }
  return first ? first->array.element : Element::F32;
}

/// The array in the type that the part needs. A float array where the model has an int or a bool is refused, unless it
/// was made here.
Array fitted(Loaded &loaded, const flexsn::Part &part, Element element, Console &console) {
  Element wanted = elementOf(part.type, element);
  Element has = loaded.array.element;
  if (has == wanted)
    return std::move(loaded.array);
  if (isFloat(has) && !isFloat(wanted) && !loaded.made)
    failWrong(fmt::format("{} holds {}, but '{}' is {} in the model", loaded.label, elementName(has), part.name,
                          part.type == flexsn::Type::integer ? "an int" : "a bool"),
              fmt::format("save the array with .astype('{}')", elementName(wanted)));
  if (!loaded.made)
    console.detail(fmt::format("{}: {} converted to {}", loaded.label, elementName(has), elementName(wanted)));
  return converted(loaded.array, wanted, loaded.label);
}

/// The part with that name, or that stored operand.
const flexsn::Part &partNamed(const std::vector<flexsn::Part> &parts, const std::string &name) {
  return *std::find_if(parts.begin(), parts.end(),
                       [&](const flexsn::Part &part) { return part.name == name || part.operand == name; });
}

/// Parameters with dims are stored as states are.
void loadParams(const RunRequest &request, const flexsn::Model &model, RunData &data, Console &console) {
  std::vector<flexsn::Part> parts = model.params();
  for (const Target &param : request.paramArrays) {
    Loaded loaded{readNpyFile(param.file), fmt::format("parameter '{}' ({})", param.name, printable(param.file))};
    data.paramArrays.emplace_back(param.name,
                                  fitted(loaded, partNamed(parts, param.name), computedAs(data.element), console));
  }
}

/// Arrays that flow back, in the type of what they flow into.
NamedArrays loadGradients(const std::vector<Target> &targets, const char *kind, Element element, Console &console) {
  NamedArrays arrays;
  for (const Target &target : targets) {
    Loaded loaded{readNpyFile(target.file),
                  fmt::format("gradient of {} '{}' ({})", kind, target.name, printable(target.file))};
    if (!isFloat(loaded.array.element))
      failWrong(fmt::format("{} holds {}, but a gradient is a float", loaded.label, elementName(loaded.array.element)),
                fmt::format("save the array with .astype('{}')", elementName(computedAs(element))));
    flexsn::Part part{};
    part.type = flexsn::Type::floating;
    arrays.emplace_back(target.name, fitted(loaded, part, element, console));
  }
  return arrays;
}

} // namespace

Element computedAs(Element element) { return element == Element::F64 ? element : Element::F32; }

Element elementOf(flexsn::Type type, Element element) {
  switch (type) {
  case flexsn::Type::floating: return element;
  case flexsn::Type::integer: return Element::I32;
  case flexsn::Type::boolean: return Element::Bool;
  }
  return element;
}

DLDataType dataType(Element element) {
  auto code = element == Element::Bool   ? kDLBool
              : element == Element::BF16 ? kDLBfloat
              : isFloat(element)         ? kDLFloat
                                         : kDLInt;
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(8 * elementBytes(element)), 1};
}

/// Every input has the first one's steps and neurons: the run is cut into calls by them.
static void checkShapes(const std::vector<Loaded> &inputs) {
  for (const Loaded &input : inputs)
    if (input.array.shape != inputs[0].array.shape)
      failWrong(fmt::format("{} has shape {}, but {} has shape {}", input.label, shapeText(input.array.shape),
                            inputs[0].label, shapeText(inputs[0].array.shape)));
}

RunData loadRunData(const RunRequest &request, const flexsn::Model &model, Console &console) {
  RunData data;
  std::vector<Loaded> inputs, states;
  std::vector<std::string> stateNames;
  for (const Target &input : request.inputs)
    inputs.push_back(loadInput(input, request));
  for (const Target &state : request.states) {
    states.push_back({readNpyFile(state.file), fmt::format("state '{}' ({})", state.name, printable(state.file))});
    stateNames.push_back(state.name);
  }
  checkShapes(inputs);
  data.element = chooseElement(request, inputs, states);

  std::vector<flexsn::Part> inputParts = model.inputs(), stateParts = model.states();
  for (size_t i = 0; i < inputs.size(); ++i)
    data.inputs.push_back(fitted(inputs[i], inputParts[i], data.element, console));
  for (size_t i = 0; i < states.size(); ++i)
    data.stateArrays.emplace_back(
        stateNames[i], fitted(states[i], partNamed(stateParts, stateNames[i]), computedAs(data.element), console));
  loadParams(request, model, data, console);
  data.outputGradients = loadGradients(request.gradients.outputs, "output", data.element, console);
  data.finalGradients = loadGradients(request.gradients.finals, "final state", computedAs(data.element), console);
  if (!data.inputs.empty()) {
    const std::vector<int64_t> &shape = data.inputs[0].shape;
    data.steps = shape[0];
    data.shape.assign(shape.begin() + 1, shape.end());
  } else {
    data.steps = request.steps.value();
    if (request.neurons)
      data.shape = {*request.neurons};
    else
      data.shape = data.stateArrays.empty() ? std::vector<int64_t>{1} : data.stateArrays[0].second.shape;
  }
  for (const auto &[name, array] : data.finalGradients) // a backward kernel of a model without inputs sees these alone
    if (array.shape != data.shape)
      failWrong(fmt::format("gradient of final state '{}' has shape {}, but one step has shape {}", name,
                            shapeText(array.shape), shapeText(data.shape)));
  return data;
}

} // namespace flexsn::cli
