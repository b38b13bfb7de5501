// Whether a program from the disk is one for its request.
#pragma once

#include "compiler/Compile.h"

namespace flexsn {

/// Whether what a stored program says of itself fits its request. The call is laid out by it, and a checksum only tells
/// that it is what somebody wrote.
bool fits(const CpuProgram &program, const Model &model, const Request &request);

} // namespace flexsn
