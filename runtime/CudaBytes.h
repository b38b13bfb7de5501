// A compiled CUDA program as bytes, for the disk cache.
#pragma once

#include "runtime/CudaCode.h"

namespace flexsn {

/// All fields but those that can be read from the code again.
std::string serialize(const CudaCode &code);

/// Reads what `serialize` wrote for a program of that form. False, and nothing done, for any other bytes: cut, of
/// another version, or such that no compiler could have made them.
bool deserialize(std::string_view bytes, CudaForm form, CudaCode &code);

} // namespace flexsn
