#include "runtime/Neuron.h"

#include "runtime/ProgramCache.h"
#include "runtime/Residuals.h"
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
  Request request = makeRequest(model, options, {.initial = none, .final = none});
  if (request.kernel == KernelKind::FinalState)
    request = makeRequest(model, options, {.kernel = KernelKind::FinalState, .initial = none, .final = all});
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

CallOperands Neuron::read(KernelKind kernel, const flexsn_call &call, bool mayLackOutputs) const {
  CallOperands operands = readCall({*checked, outputs, options.data, kernel, mayLackOutputs}, call);
  operands.streamingHead = streamingHead(operands);
  return operands;
}

std::shared_ptr<const Program> Neuron::program(KernelKind kernel, const CallOperands &call) const {
  return program(
      {kernel, call.layout, call.streamingHead.has_value(), call.initialGiven, call.finalGiven, call.gradients.names});
}

std::shared_ptr<const Program> Neuron::program(ProgramWish wish) const {
  {
    std::scoped_lock lock(mutex);
    if (auto at = programs.find(wish); at != programs.end())
      return at->second;
  }
  std::shared_ptr<const Program> program = ProgramCache::instance().get(*checked, makeRequest(*checked, options, wish));
  std::scoped_lock lock(mutex);
  return programs.emplace(std::move(wish), std::move(program)).first->second;
}

void Neuron::prepare(KernelKind kernel, const std::vector<std::string> &initialStates,
                     const std::vector<std::string> &finalStates) const {
  if (isTraining(kernel))
    fail(FLEXSN_ERROR_ARGUMENT,
         "the {} kernel depends on the gradients that are wanted; flexsn_neuron_bind prepares it", kernelName(kernel));
  if (finalStates.empty() && (kernel == KernelKind::FinalState || outputs.empty()))
    failNothingWanted(*checked);
  program({.kernel = kernel, .initial = stateSet(*checked, initialStates), .final = stateSet(*checked, finalStates)});
}

std::unique_ptr<Invocation> Neuron::bind(KernelKind kernel, const flexsn_call &call) const {
  CallOperands operands = read(kernel, call);
  std::shared_ptr<const Program> compiled = program(kernel, operands);
  BoundCall bound = boundCall(*compiled, *checked, std::move(operands));
  return std::make_unique<Invocation>(std::move(compiled), std::move(bound));
}

size_t Neuron::residualBytes(const flexsn_call &call) const {
  CallOperands operands = read(KernelKind::Forward, call, /*mayLackOutputs=*/true);
  return flexsn::residualBytes(*program(KernelKind::Forward, operands), operands.steps, operands.neurons);
}

} // namespace flexsn
