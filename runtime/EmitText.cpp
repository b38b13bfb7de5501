#include "runtime/EmitText.h"

#include "runtime/Structs.h"

#include <algorithm>

namespace flexsn {
namespace {

/// How a form is made: where the pipeline stops, and what is printed then.
struct Recipe {
  EmitForm form;
  std::string_view stopAfter;
};

/// Indexed by flexsn_form. The dialects' forms are the last stage of each: what the next one starts from.
constexpr Recipe recipes[] = {
    {EmitForm::Mlir, "contract"}, {EmitForm::Mlir, "schedule"}, {EmitForm::Llvm, ""},
    {EmitForm::Assembly, ""},     {EmitForm::Object, ""},       {EmitForm::Cuda, ""},
};

Recipe recipe(const flexsn_emit_options &options) {
  Recipe result = recipes[requireEnum(options.form, std::size(recipes), "emit_options.form")];
  if (!options.stop_after)
    return result;
  std::vector<std::string> known;
  for (const StageInfo &stage : stages())
    known.emplace_back(stage.name);
  if (std::find(known.begin(), known.end(), options.stop_after) == known.end())
    failUnknown("the compiler", "stage", "stages", options.stop_after, known);
  return {EmitForm::Mlir, options.stop_after};
}

} // namespace

Request emitRequest(const Model &model, const RequestOptions &options, const flexsn_emit_options &what) {
  if (what.reserved != 0)
    fail(FLEXSN_ERROR_ARGUMENT, "emit_options.reserved is {}, but must be 0", what.reserved);
  KernelKind kernel = readKernel(what.kernel);
  Layout layout = readLayout(what.layout);
  std::vector<bool> initial =
      stateSet(model, readNames(what.initial_states, what.initial_state_count, "emit_options.initial_states"));
  std::vector<bool> final =
      stateSet(model, readNames(what.final_states, what.final_state_count, "emit_options.final_states"));
  Request request = makeRequest(model, options, kernel, layout, initial, final);
  if (request.kernel == KernelKind::FinalState && request.finalStates.empty())
    request = makeRequest(model, options, kernel, layout, initial, std::vector<bool>(model.states.size(), true));
  if (request.outputs.empty() && request.finalStates.empty())
    fail(FLEXSN_ERROR_VALUE, "{}: the kernel has no output, and the model no state", model.name);
  if (what.arch && std::string_view(what.arch) != "native")
    request.target.cpu = what.arch;
  if (std::string problem = targetProblem(request.target); !problem.empty())
    fail(FLEXSN_ERROR_ARGUMENT, "{}", printable(problem));
  return request;
}

std::string emitText(const Model &model, const RequestOptions &options, const flexsn_emit_options *given) {
  flexsn_emit_options what = readStruct(given, "flexsn_emit_options");
  auto [form, stopAfter] = recipe(what);
  Request request = emitRequest(model, options, what);
  Diagnostics diagnostics(*model.source);
  std::string text;
  if (!emit(model, request, form, stopAfter, diagnostics, text))
    failModel(findings(diagnostics));
  return text;
}

} // namespace flexsn
