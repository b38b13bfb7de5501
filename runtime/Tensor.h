// Operands as callers give them: a DLTensor read with suspicion becomes a view that the rest may trust.
#pragma once

#include "compiler/Compile.h"
#include "runtime/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flexsn {

/// A strided view of an operand. `label` names it in messages: "LIF: input 'x'".
struct TensorView {
  std::string label;
  char *data = nullptr;
  Storage storage = Storage::F32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides; ///< in elements, one per dimension, also where the caller gave none

  bool empty() const; ///< no elements
};

/// How many dimensions an operand may have.
inline constexpr int maxRank = 64;

/// Reads an operand that must have the storage `expected`. Throws FLEXSN_ERROR_TYPE for another dtype, and
/// FLEXSN_ERROR_VALUE for NULL, sizes that are negative or overflow memory, missing memory, another device. The
/// address may be any.
TensorView readTensor(const DLTensor *tensor, std::string label, Storage expected);

/// The number in a tensor of one element and no dimensions, of any type that holds numbers.
double readNumber(const DLTensor &tensor, const std::string &label);

/// As Python prints it: "()", "(8,)", "(8, 3)".
std::string shapeText(const std::vector<int64_t> &shape);
/// "cuda:1"
std::string deviceText(DLDevice device);
/// "float32"
std::string_view storageWords(Storage storage);

} // namespace flexsn
