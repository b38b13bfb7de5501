// What a Kernel holds of the library, and memory that shows what a kernel writes beside its operands.
#pragma once

#include "tests/reference/Kernel.h"

#include <flexsn/flexsn.hpp>

#include <algorithm>

namespace flexsn::reference {

inline DLDataType dataType(Cell cell) {
  switch (cell) {
  case Cell::F32: return {kDLFloat, 32, 1};
  case Cell::F64: return {kDLFloat, 64, 1};
  case Cell::I32: return {kDLInt, 32, 1};
  case Cell::F16: return {kDLFloat, 16, 1};
  case Cell::BF16: return {kDLBfloat, 16, 1};
  case Cell::Bool: break;
  }
  return {kDLBool, 8, 1};
}

/// Memory for one array between two rows of guard bytes.
class Guarded {
public:
  explicit Guarded(const Array &initial) : cell(initial.cell), size(initial.bytes.size()) {
    memory.assign(size + 2 * guard, 0xa5);
    std::copy(initial.bytes.begin(), initial.bytes.end(), memory.begin() + guard);
  }
  v1::Tensor tensor(std::vector<int64_t> shape) { return {memory.data() + guard, dataType(cell), std::move(shape)}; }
  bool intact() const {
    auto untouched = [](uint8_t byte) { return byte == 0xa5; };
    return std::all_of(memory.begin(), memory.begin() + guard, untouched) &&
           std::all_of(memory.end() - guard, memory.end(), untouched);
  }
  Array contents() const {
    Array result;
    result.cell = cell;
    result.bytes.assign(memory.begin() + guard, memory.end() - guard);
    return result;
  }

private:
  static constexpr size_t guard = 72; // longer than the widest vector, and no multiple of one
  Cell cell;
  size_t size;
  std::vector<uint8_t> memory;
};

struct Kernel::State {
  explicit State(v1::Neuron neuron) : neuron(std::move(neuron)) {}
  v1::Neuron neuron;
  std::vector<Slot> inputs, outputs, states;
  Cell computed = Cell::F32; ///< what parameters, and their gradients, are stored in
};

} // namespace flexsn::reference
