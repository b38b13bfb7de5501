// A compiled program as bytes, for the disk cache.
#pragma once

#include "compiler/Compile.h"

#include <string>
#include <string_view>
#include <vector>

namespace flexsn {

class ByteReader;
class ByteWriter;

/// All fields of the program.
std::string serialize(const CpuProgram &program);

/// Reads what `serialize` wrote. False, and nothing done, for any other bytes: cut, of another version, or such that no
/// compiler could have made them.
bool deserialize(std::string_view bytes, CpuProgram &program);

/// The operands of a program, as part of its bytes. What is no operand makes the reader fail.
void writeOperands(ByteWriter &writer, const std::vector<KernelOperand> &operands);
std::vector<KernelOperand> readOperands(ByteReader &reader);

} // namespace flexsn
