// A compiled program as bytes, for the disk cache.
#pragma once

#include "compiler/Compile.h"

#include <string>
#include <string_view>

namespace flexsn {

/// All fields of the program.
std::string serialize(const CpuProgram &program);

/// Reads what `serialize` wrote. False, and nothing done, for any other bytes: cut, of another version, or such that no
/// compiler could have made them.
bool deserialize(std::string_view bytes, CpuProgram &program);

} // namespace flexsn
