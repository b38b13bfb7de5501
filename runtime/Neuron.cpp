#include "runtime/Neuron.h"

#include "runtime/ProgramCache.h"
#include "runtime/Streaming.h"
#include "runtime/Structs.h"

namespace flexsn {

std::shared_ptr<const Model> modelUnder(const Text &text, std::shared_ptr<const Model> model,
                                        const RequestOptions &options, std::vector<Finding> &warnings) {
  return options.changesText() ? text.checkUnder(options.check, model->name, warnings) : std::move(model);
}

/// Runs the passes without making machine code (1-2 ms; some more for the first model of a process): a construct that
/// cannot be lowered is known at compile(), before a first call decides which program is needed. A program that is
/// there already shows that all of it can.
static void requireLowering(const Model &model, const RequestOptions &options) {
  if (model.states.empty() && options.outputs && options.outputs->empty())
    failNothingWanted(model);
  std::vector<bool> none(model.states.size()), all(model.states.size(), true);
  Request request = makeRequest(model, options, KernelKind::Inference, Layout::Linear, none, none);
  if (request.kernel == KernelKind::FinalState)
    request = makeRequest(model, options, KernelKind::FinalState, Layout::Linear, none, all);
  if (ProgramCache::instance().find(model, request))
    return;
  Diagnostics diagnostics(*model.source);
  std::string unused;
  if (!emit(model, request, EmitForm::Mlir, "schedule", diagnostics, unused))
    failModel(findings(diagnostics));
}

std::shared_ptr<const Neuron> Neuron::compile(const Text &text, std::shared_ptr<const Model> model,
                                              RequestOptions options, std::vector<Finding> &warnings) {
  model = modelUnder(text, std::move(model), options, warnings);
  std::shared_ptr<const Neuron> neuron(new Neuron(std::move(model), std::move(options)));
  requireLowering(*neuron->checked, neuron->options);
  return neuron;
}

std::shared_ptr<const Program> Neuron::program(KernelKind kernel, Layout layout, bool streaming,
                                               const std::vector<bool> &initial, const std::vector<bool> &final) const {
  Key key(kernel, layout, streaming, initial, final);
  {
    std::scoped_lock lock(mutex);
    if (auto at = programs.find(key); at != programs.end())
      return at->second;
  }
  Request request = makeRequest(*checked, options, kernel, layout, initial, final);
  request.streaming = streaming;
  std::shared_ptr<const Program> program = ProgramCache::instance().get(*checked, request);
  std::scoped_lock lock(mutex);
  return programs.emplace(std::move(key), std::move(program)).first->second;
}

void Neuron::prepare(KernelKind kernel, const std::vector<std::string> &initialStates,
                     const std::vector<std::string> &finalStates) const {
  if (finalStates.empty() && (kernel == KernelKind::FinalState || outputs.empty()))
    failNothingWanted(*checked);
  program(kernel, Layout::Linear, /*streaming=*/false, stateSet(*checked, initialStates),
          stateSet(*checked, finalStates));
}

std::unique_ptr<Invocation> Neuron::bind(KernelKind kernel, const flexsn_call &call) const {
  static const std::vector<WantedOutput> none;
  const std::vector<WantedOutput> &wanted = kernel == KernelKind::FinalState ? none : outputs;
  CallOperands operands = readCall({*checked, wanted, options.data}, call);
  operands.streamingHead = streamingHead(operands);
  std::shared_ptr<const Program> compiled =
      program(kernel, operands.layout, operands.streamingHead.has_value(), operands.initialGiven, operands.finalGiven);
  BoundCall bound = boundCall(*compiled, *checked, wanted, std::move(operands));
  return std::make_unique<Invocation>(std::move(compiled), std::move(bound));
}

} // namespace flexsn
