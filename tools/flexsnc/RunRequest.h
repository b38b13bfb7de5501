// What `flexsnc run` was asked for, checked against the model before any file is read.
#pragma once

#include "tools/flexsnc/Array.h"
#include "tools/flexsnc/Command.h"

#include <flexsn/flexsn.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace flexsn::cli {

/// A name of the model with the file (or source) that belongs to it.
struct Target {
  std::string name;
  std::string file;
};

/// The gradients of a run. None if nothing is wanted.
struct GradientRequest {
  std::vector<Target> outputs, finals; ///< arrays of what flows back into outputs and final states
  std::vector<std::string> wanted;     ///< inputs, initial states and parameters
  std::vector<Target> saves;           ///< of those that are wanted
};

struct RunRequest {
  std::vector<Target> inputs;                              ///< in declared order, one for each
  std::vector<Target> states;                              ///< initial ones that are arrays
  std::vector<std::pair<std::string, double>> stateValues; ///< initial ones that are one number for all neurons
  std::vector<std::pair<std::string, double>> params;
  std::vector<Target> paramArrays; ///< of parameters with dims
  int32_t channelDim = 0;          ///< 0: as flexsn_call says
  std::vector<Target> saves, finals, plots;
  GradientRequest gradients;
  std::optional<int64_t> steps, neurons; ///< --T, --N
  std::optional<Element> element;        ///< --dtype

  /// Names whose sequences are computed: the declared outputs, then what is saved or plotted besides. None if only
  /// final states are wanted: the kernel that writes no sequence does.
  std::vector<std::string> outputs;
};

/// NAME=FILE of an option that repeats, each name one of `known`. One file a name, unless `several`.
std::vector<Target> targetsOf(const Arguments &arguments, const char *option, const std::string &model,
                              const char *kind, const std::vector<std::string> &known, bool several = false);

/// Usage errors: a name that the model lacks (with the nearest one), one given twice, an input that is missing, two
/// uses of standard input or output, a result that cannot be drawn.
RunRequest parseRunRequest(const Arguments &arguments, const flexsn::Model &model, const Console &console);

} // namespace flexsn::cli
