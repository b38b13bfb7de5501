#include "runtime/EmitText.h"

#include "runtime/CudaJob.h"
#include "runtime/DriverFacts.h"
#include "runtime/GradientOperands.h"
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
    {EmitForm::Assembly, ""},     {EmitForm::Object, ""},
};

Recipe recipe(const flexsn_emit_options &options) {
  if (!options.stop_after)
    return recipes[options.form];
  std::vector<std::string> known;
  for (const StageInfo &stage : stages())
    known.emplace_back(stage.name);
  if (std::find(known.begin(), known.end(), options.stop_after) == known.end())
    failUnknown("the compiler", "stage", "stages", options.stop_after, known);
  return {EmitForm::Mlir, options.stop_after};
}

} // namespace

flexsn_emit_options readEmitOptions(const flexsn_emit_options *given) {
  return readStruct(given, "flexsn_emit_options", offsetof(flexsn_emit_options, wanted));
}

Request emitRequest(const Model &model, const RequestOptions &options, const flexsn_emit_options &what, bool cuda) {
  KernelKind kernel = readKernel(what.kernel);
  Layout layout = readLayout(what.layout);
  std::vector<bool> initial =
      stateSet(model, readNames(what.initial_states, what.initial_state_count, "emit_options.initial_states"));
  std::vector<bool> final =
      stateSet(model, readNames(what.final_states, what.final_state_count, "emit_options.final_states"));
  ProgramWish wish{.kernel = kernel, .layout = layout, .initial = std::move(initial), .final = std::move(final)};
  if (isTraining(kernel))
    wish.gradients = gradientNames(model, what.wanted ? readNames(what.wanted, what.wanted_count, "emit_options.wanted")
                                                      : usualGradients(model, wish.initial));
  else if (what.wanted_count != 0)
    fail(FLEXSN_ERROR_ARGUMENT, "emit_options.wanted: the {} kernel has no gradients", kernelName(kernel));
  Request request = makeRequest(model, options, wish);
  if (request.kernel == KernelKind::FinalState && request.finalStates.empty()) {
    wish.final.assign(model.states.size(), true);
    request = makeRequest(model, options, wish);
  }
  if (request.outputs.empty() && request.finalStates.empty() && kernel != KernelKind::Backward)
    fail(FLEXSN_ERROR_VALUE, "{}: the kernel has no output, and the model no state", model.name);
  if (cuda)
    return request;
  if (what.access != 0)
    fail(FLEXSN_ERROR_ARGUMENT, "emit_options.access is {}, but only kernels for a GPU have one", what.access);
  if (what.arch && std::string_view(what.arch) != "native")
    request.target.cpu = what.arch;
  if (std::string problem = targetProblem(request.target); !problem.empty())
    fail(FLEXSN_ERROR_ARGUMENT, "{}", printable(problem));
  return request;
}

bool namesGpu(const flexsn_emit_options &what) { return what.arch && std::string_view(what.arch).starts_with("sm_"); }

int cudaArch(const flexsn_emit_options &what) {
  if (what.arch && std::string_view(what.arch) != "native")
    return parseCudaArch(what.arch);
  DriverFacts driver = driverFacts();
  if (driver.devices.empty())
    fail(FLEXSN_ERROR_DEVICE,
         "there is no GPU here whose architecture could be taken ({}); name one by 'arch' "
         "(flexsnc: --arch), as in sm_90",
         driver.problem);
  return driver.devices.front().arch;
}

AccessPath accessPath(const flexsn_emit_options &what) {
  return requireEnum(what.access, FLEXSN_ACCESS_SCALAR + 1, "emit_options.access") == FLEXSN_ACCESS_SCALAR
             ? AccessPath::Scalar
             : AccessPath::Vector;
}

static std::string cudaText(const Model &model, const Request &request, const flexsn_emit_options &what) {
  AccessPath access = accessPath(what);
  bool named = what.arch && std::string_view(what.arch) != "native";
  int arch = named ? parseCudaArch(what.arch) : 0;
  if (what.stop_after) {
    Diagnostics diagnostics(*model.source);
    std::string text;
    if (!emitCudaStage(model, request, access, recipe(what).stopAfter, diagnostics, text))
      failModel(findings(diagnostics));
    return text;
  }
  if (what.form == FLEXSN_FORM_CUDA)
    return cudaJob(model, request, access, 0).emit().text;
  CudaForm form = what.form == FLEXSN_FORM_PTX ? CudaForm::Ptx : CudaForm::Cubin;
  CudaJob job = cudaJob(model, request, access, named ? arch : cudaArch(what), form);
  return compileCuda(job, NvrtcLoader::ofProcess(), Cache::ofProcess()).code;
}

std::string emitText(const Model &model, const RequestOptions &options, const flexsn_emit_options *given) {
  flexsn_emit_options what = readEmitOptions(given);
  requireEnum(what.form, FLEXSN_FORM_CUBIN + 1, "emit_options.form");
  bool cuda = what.stop_after ? namesGpu(what) : what.form >= FLEXSN_FORM_CUDA;
  Request request = emitRequest(model, options, what, cuda);
  if (cuda)
    return cudaText(model, request, what);
  auto [form, stopAfter] = recipe(what);
  Diagnostics diagnostics(*model.source);
  std::string text;
  if (!emit(model, request, form, stopAfter, diagnostics, text))
    failModel(findings(diagnostics));
  return text;
}

} // namespace flexsn
