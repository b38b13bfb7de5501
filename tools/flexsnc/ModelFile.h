// From a FILE argument to checked models.
#pragma once

#include "tools/flexsnc/Command.h"

#include <flexsn/flexsn.hpp>

#include <string>

namespace flexsn::cli {

/// Options about warnings, checked against the list of lints (an unknown one is a usage error with the nearest name).
flexsn::Lints lintsOf(const Arguments &arguments);

/// Parses the text of `path`: a file, `-`, or a shipped model `@NAME`. Throws flexsn::Error with every finding.
flexsn::File parseFile(const std::string &path, const flexsn::Lints &lints);

/// A model with the warnings about its file.
struct LoadedModel {
  flexsn::Model model;
  std::vector<flexsn::Diagnostic> warnings;
};

/// The one FILE of a command, parsed, and its model: the only one, or that of --model. Warnings are printed, unless
/// the command is going to tell them in JSON.
LoadedModel loadModel(const Arguments &arguments, Console &console);

/// Options of a request that `emit` and `run` share: --const, --surrogate, --dims, --math, --detach-reset, --dtype,
/// --out-dtype. Refuses devices that are not in this version.
flexsn::Options compileOptions(const Arguments &arguments);

/// The architectures of --arch, each once: GPUs (sm_90), CPUs in LLVM's words; empty for this machine's.
std::vector<std::string> archList(const Arguments &arguments);
/// The only one of --arch.
std::string archOf(const Arguments &arguments);
bool isGpu(const std::string &arch);

std::string kernelName(flexsn::Kernel kernel); ///< "inference"
/// Whether it is one of the two kernels of a training step.
bool isTraining(flexsn::Kernel kernel);
/// The kernels of --kernels, each once; without the option, the inference kernel.
std::vector<flexsn::Kernel> kernelsOf(const Arguments &arguments);
/// --wrt: what the training kernels among `kernels` are differentiated by. A usage error where there are others.
void setWanted(const Arguments &arguments, const std::vector<flexsn::Kernel> &kernels, const flexsn::Model &model,
               flexsn::Emit &what);

/// A usage error if `what`, which is to be written to `path`, would replace the text of one of the FILEs.
void keepModelText(const std::vector<std::string> &files, const std::string &path, const std::string &what);

/// Splits NAME=VALUE; a usage error naming `option` if there is no '=' or nothing on one side.
std::pair<std::string, std::string> splitAssignment(const std::string &option, const std::string &text);

/// Prints findings on standard error.
void printFindings(const std::vector<flexsn::Diagnostic> &findings, Console &console);

/// "2 errors and 1 warning", "no errors"
std::string findingCount(size_t errors, size_t warnings);

} // namespace flexsn::cli
