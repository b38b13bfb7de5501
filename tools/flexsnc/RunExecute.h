// Compiles a model and runs it on the arrays of a run.
#pragma once

#include "tools/flexsnc/RunData.h"

namespace flexsn::cli {

/// The values of one name, step by step.
struct Sequence {
  std::string name;
  bool counts; ///< an int of the model
  Array array;
};

struct RunResult {
  std::vector<Sequence> outputs; ///< as RunRequest::outputs
  NamedArrays finals;            ///< as RunRequest::finals
  NamedArrays gradients;         ///< as GradientRequest::wanted
  double compileSeconds = 0, runSeconds = 0;
  bool loaded = false; ///< from the disk cache: nothing was compiled
};

/// The dims of a parameter under either of its names (flexsn_dim bits), by the text or by --dims; 0: none.
uint32_t dimsOf(const flexsn::Model &model, const flexsn::Options &options, const std::string &param);

/// A view of a whole array.
flexsn::Tensor viewOf(Array &array);

/// What a call for all steps reads: inputs, parameters, initial states.
flexsn::Call wholeCall(const RunRequest &request, RunData &data);

/// Long work runs in pieces of time, each of which goes on from the states of the last one, so that a progress line can
/// move; the values are the same to the bit.
RunResult execute(const flexsn::Model &model, flexsn::Options options, const RunRequest &request, RunData &data,
                  Console &console);

} // namespace flexsn::cli
