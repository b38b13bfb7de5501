// What the tests of training ask of models, and the kernels that come of it.
#pragma once

#include "tests/compiler/Testing.h"

#include <fmt/ranges.h>

#include <fstream>
#include <iterator>

namespace flexsn::testing {

/// The models of tests/data/zoo.fsn.
inline std::vector<std::shared_ptr<const Model>> zoo() {
  std::ifstream file(FLEXSN_ZOO, std::ios::binary);
  auto source = std::make_shared<const Source>("zoo.fsn", std::string(std::istreambuf_iterator<char>(file), {}));
  Diagnostics diagnostics(*source);
  return check(source, parse(*source, diagnostics), {}, diagnostics);
}

/// Parts of a selection of gradients.
enum Wanted : unsigned { ofInputs = 1, ofInitials = 2, ofParamsAndFinals = 4, everyWanted = 7 };

/// A request for gradients of all floats of the wanted kinds.
inline Request training(const Model &model, Storage data, unsigned wanted) {
  Request request;
  request.data = data;
  for (const Output &output : model.outputs)
    request.outputs.push_back(output.name);
  std::vector<std::string> states;
  for (const State &state : model.states)
    if (state.value->type == Type::Float)
      states.push_back(state.value->name);
  for (const Input &input : model.inputs)
    if ((wanted & ofInputs) && input.value->type == Type::Float)
      request.gradInputs.push_back(input.value->name);
  for (const Param &param : model.params)
    if ((wanted & ofParamsAndFinals) && param.value->type == Type::Float)
      request.gradParams.push_back(param.operandName());
  if (wanted & ofParamsAndFinals)
    request.gradFinals = states;
  if (wanted & ofInitials)
    request.gradInitials = request.initialStates = states;
  return request;
}

/// The kernel after the stage `scan`; empty, and the words in `problem`, if it is refused.
inline std::string kernelText(const Model &model, Request request, KernelKind kind, std::string &problem) {
  request.kernel = kind;
  Diagnostics diagnostics(*model.source);
  std::string text;
  if (!emit(model, request, EmitForm::Mlir, "scan", diagnostics, text))
    problem = fmt::format("{}", fmt::join(errors(diagnostics), "\n"));
  return text;
}

} // namespace flexsn::testing
