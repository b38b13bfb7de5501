#include "compiler/import/Import.h"

#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <cmath>

namespace flexsn {

namespace {

/// `a, b, c`, cut after a dozen: a message is no listing.
std::string listed(const std::vector<std::string> &names) {
  constexpr size_t most = 12;
  std::string text;
  for (size_t i = 0; i < names.size() && i < most; ++i)
    text += (i ? ", " : "") + excerpt(names[i]);
  return names.size() > most ? text + ", ..." : text;
}

class RequestCheck {
public:
  RequestCheck(const Model &model, Diagnostics &diagnostics) : model(model), diagnostics(diagnostics) {}

  bool ok() const { return good; }

  /// Each of `wanted` is one of `known`, once.
  void names(const std::vector<std::string> &wanted, const std::vector<std::string> &known, std::string_view what) {
    llvm::StringSet<> seen;
    for (const std::string &name : wanted) {
      if (!seen.insert(name).second)
        report(fmt::format("the {} '{}' is asked for twice", what, excerpt(name)));
      else if (std::find(known.begin(), known.end(), name) == known.end())
        unknown(name, known, what);
    }
  }

  /// A kernel in float32 would start from infinity.
  void defaults() {
    for (const Param &param : model.params) {
      const double number = param.defaultValue;
      if (param.value->type == Type::Float && std::isfinite(number) && !std::isfinite(static_cast<float>(number)))
        report(fmt::format("the default {} of '{}' is out of float32's range, which ends at 3.4e38", number,
                           excerpt(param.value->name)),
               param.span);
    }
  }

  void report(std::string message) { report(std::move(message), model.span); }

private:
  void report(std::string message, Span span) {
    diagnostics.report(Severity::Error, span, std::move(message));
    good = false;
  }

  void unknown(const std::string &name, const std::vector<std::string> &known, std::string_view what) {
    std::string message = fmt::format("'{}' is no {} of {}", excerpt(name), what, excerpt(model.name));
    if (std::optional<std::string> near = nearest(name, known))
      report(fmt::format("{}; did you mean '{}'?", message, excerpt(*near)));
    else if (known.empty())
      report(message + "; it has none");
    else
      report(fmt::format("{}; it has {}", message, listed(known)));
  }

  const Model &model;
  Diagnostics &diagnostics;
  bool good = true;
};

/// What a backward kernel is asked for. That a name is a float is said at its declaration, by neuron-to-scan.
void checkGradients(const Model &model, const Request &request, const std::vector<std::string> &states,
                    RequestCheck &check) {
  std::vector<std::string> inputs, params;
  for (const Input &input : model.inputs)
    inputs.push_back(input.value->name);
  for (const Param &param : model.params)
    params.push_back(param.operandName());
  check.names(request.gradFinals, states, "state");
  check.names(request.gradInputs, inputs, "input");
  check.names(request.gradInitials, states, "state");
  check.names(request.gradParams, params, "parameter");
  for (const std::string &name : request.gradInitials)
    if (std::find(request.initialStates.begin(), request.initialStates.end(), name) == request.initialStates.end())
      check.report(fmt::format("the gradient of the initial state '{}' is asked for, which no tensor gives", name));
  if (request.kernel == KernelKind::Backward && request.gradInputs.empty() && request.gradInitials.empty() &&
      request.gradParams.empty())
    check.report("a backward kernel is asked for no gradient");
}

} // namespace

bool checkRequest(const Model &model, const Request &request, Diagnostics &diagnostics) {
  RequestCheck check(model, diagnostics);
  std::vector<std::string> states;
  for (const State &state : model.states)
    states.push_back(state.value->name);
  check.names(request.outputs, model.names(), "name");
  check.names(request.initialStates, states, "state");
  check.names(request.finalStates, states, "state");
  if (request.kernel == KernelKind::FinalState && !request.outputs.empty())
    check.report("a final-state kernel delivers no output; ask for an inference kernel");
  checkGradients(model, request, states, check);
  check.names(request.int8Outputs, request.outputs, "output of the request");
  switch (request.data) {
  case Storage::F16:
  case Storage::BF16:
  case Storage::F32: check.defaults(); break;
  case Storage::F64: break;
  default: check.report(fmt::format("{} is no type of data; use f32, f64, f16 or bf16", storageName(request.data)));
  }
  return check.ok();
}

} // namespace flexsn
