// Parameter values of a call: what callers set by name becomes the stored operands of a program.
#pragma once

#include "compiler/Compile.h"
#include "runtime/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flexsn {

/// A value that a caller set: under the parameter's name, as the equations see it, or under raw_NAME, as it is stored.
struct NamedNumber {
  std::string name;
  double value;
};

/// Which of `names` sets each parameter of the model, in declared order. Throws for unknown names and for names of one
/// parameter that come twice.
std::vector<std::optional<size_t>> settersOf(const Model &model, const std::vector<std::string> &names);

/// The stored value that the text gives.
double storedDefault(const Param &param);

/// The stored value that setting a parameter under one of its names gives; `label` stands for it in messages. Throws
/// for values that the parameter's type, transform, bounds or the data's dtype exclude.
double storedValue(const Param &param, const NamedNumber &given, Storage data, const std::string &label);

/// The stored value of each parameter of the model, in declared order: the caller's, else the text's. Throws as the
/// functions above.
std::vector<double> storedParameters(const Model &model, const std::vector<NamedNumber> &given, Storage data);

/// "LIF: parameter 'tau'": the parameter that `name` sets, in messages.
std::string parameterLabel(const Model &model, const std::string &name);

/// The 8-byte slots that a program's prologue reads: each value in its operand's storage, rounded once.
std::vector<uint64_t> parameterSlots(const Model &model, const std::vector<double> &stored,
                                     const std::vector<KernelOperand> &operands);

/// A slot that holds `value` in a storage, at its beginning. Ints must be whole and in range.
uint64_t slot(double value, Storage storage);

/// "sigmoid"; "" for none.
const char *transformName(Transform transform);

/// Throws unless `value` can be stored: a number of the type's range; a finite one that stays finite in `data`.
void checkStorable(double value, Type type, Storage data, const std::string &label);

} // namespace flexsn
