// What `flexsnc emit` prints: the IR of a model at a stage, or its machine code.
#pragma once

#include "compiler/CompileCuda.h"
#include "runtime/Request.h"

#include <string>

namespace flexsn {

/// What the caller's struct says; its oldest form ends in front of `wanted`.
flexsn_emit_options readEmitOptions(const flexsn_emit_options *given);

/// The program that the options are about: its kernel, states and, unless it is for a GPU (`cuda`), its target.
Request emitRequest(const Model &model, const RequestOptions &options, const flexsn_emit_options &what, bool cuda);

/// Whether `arch` names a GPU's, which has a way of its own through the stages.
bool namesGpu(const flexsn_emit_options &what);

/// The GPU that the options are about, 90 for sm_90: the one named, or this machine's first. Throws a Failure.
int cudaArch(const flexsn_emit_options &what);
AccessPath accessPath(const flexsn_emit_options &what);

/// Compiles `model` as far as the options say and gives the text (or the object's bytes). Throws a Failure.
std::string emitText(const Model &model, const RequestOptions &options, const flexsn_emit_options *given);

} // namespace flexsn
