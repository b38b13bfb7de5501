// What a caller asks a model to be compiled for, read from the C interface's structs and checked against the model.
#pragma once

#include "compiler/Compile.h"
#include "runtime/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace flexsn {

/// flexsn_options in our own types. Belongs to a request, never to a model.
struct RequestOptions {
  Storage data = Storage::F32;
  bool int8Outputs = false; ///< outputs that are whole numbers are stored as int8
  MathMode math = MathMode::Standard;
  CheckOptions check;
  std::optional<std::vector<std::string>> outputs; ///< absent: as declared

  bool changesText() const {
    return check.detachReset || !check.surrogate.empty() || !check.constants.empty() || !check.dims.empty();
  }
};

/// Reads the struct, which may be null. Throws for what this version does not have.
RequestOptions readOptions(const flexsn_options *given);

/// The names of an array of the C interface, or of its named values.
std::vector<std::string> readNames(const char *const *names, size_t count, std::string_view what);
std::vector<std::string> readNames(const flexsn_named *values, size_t count, std::string_view what);

/// The kernel, if this version has it.
KernelKind readKernel(int32_t kernel);

/// The layout of an enumerator of the interface.
Layout readLayout(int32_t layout);

/// Throws unless the CPU is meant.
void requireCpu(DLDevice device);

/// Which gradients a training step has, in the model's order: what its two programs are compiled for.
struct GradientNames {
  std::vector<std::string> finals, inputs, initials, params;
  auto operator<=>(const GradientNames &) const = default;
};

/// One of the sequences that a neuron delivers.
struct WantedOutput {
  std::string name;
  Storage storage;
};

/// The outputs that the options ask for, in order; throws for a name that the model does not have, or twice.
std::vector<WantedOutput> wantedOutputs(const Model &model, const RequestOptions &options);

/// The type that the sequence of a name's last value `value` has: int also for a float that is bound to quant. A
/// declared output says its own.
Type deliveredType(const Model &model, const std::string &name, const Value &value);

/// How a value of a type is stored in a sequence, and as a state: states of 16-bit data are float32.
Storage storageOf(Type type, Storage data);
Storage stateStorage(Type type, Storage data);

/// The place of a state in the model's list; throws for a name that is none.
size_t stateIndex(const Model &model, const std::string &name);

/// Which of the model's states are in a list of names: in declared order. Throws for unknown and repeated names.
std::vector<bool> stateSet(const Model &model, const std::vector<std::string> &names);

/// Which of a neuron's programs a call needs.
struct ProgramWish {
  KernelKind kernel = KernelKind::Inference;
  Layout layout = Layout::Linear;
  bool streaming = false;
  std::vector<bool> initial, final; ///< per state of the model: given, wanted
  GradientNames gradients = {};     ///< of a training step
  auto operator<=>(const ProgramWish &) const = default;
};

/// The request for one program. An inference kernel of no outputs is the final-state kernel.
Request makeRequest(const Model &model, const RequestOptions &options, const ProgramWish &wish);

} // namespace flexsn
