// A model compiled under options: the C interface's flexsn_neuron.
#pragma once

#include "runtime/Invocation.h"
#include "runtime/Program.h"
#include "runtime/Request.h"
#include "runtime/Text.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace flexsn {

/// Immutable to its users, who may be several threads; keeps the programs that it has met.
class Neuron {
public:
  /// Checks the model under the options and that the compiler can lower all of it. Appends what the options bring to
  /// light to `warnings`.
  static std::shared_ptr<const Neuron> compile(const Text &text, std::shared_ptr<const Model> model,
                                               RequestOptions options, std::vector<Finding> &warnings);

  /// Reads and checks the call, and makes ready what runs it.
  std::unique_ptr<Invocation> bind(KernelKind kernel, const flexsn_call &call) const;

  /// Bytes between the two kernels of a training step, whose forward call this is.
  size_t residualBytes(const flexsn_call &call) const;

  /// Compiles and loads what a call with these states given and wanted needs.
  void prepare(KernelKind kernel, const std::vector<std::string> &initialStates,
               const std::vector<std::string> &finalStates) const;

private:
  Neuron(std::shared_ptr<const Model> model, RequestOptions options)
      : checked(std::move(model)), options(std::move(options)), outputs(wantedOutputs(*checked, this->options)) {}

  CallOperands read(KernelKind kernel, const flexsn_call &call, bool mayLackOutputs = false) const;
  /// The program that the call needs, compiled if nobody has yet.
  std::shared_ptr<const Program> program(KernelKind kernel, const CallOperands &call) const;
  std::shared_ptr<const Program> program(ProgramWish wish) const;

  std::shared_ptr<const Model> checked;
  RequestOptions options;
  std::vector<WantedOutput> outputs;
  mutable std::mutex mutex;
  mutable std::map<ProgramWish, std::shared_ptr<const Program>> programs; ///< spares the canonical text and its hash
};

/// The model under the options: itself, unless they change its text.
std::shared_ptr<const Model> modelUnder(const Text &text, std::shared_ptr<const Model> model,
                                        const RequestOptions &options, std::vector<Finding> &warnings);

} // namespace flexsn
