// The two programs of a training step, run on dense arrays of numbers.
#pragma once

#include "runtime/Invocation.h"
#include "tests/reference/Gradients.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace flexsn::test {

/// Numbers as they lie in memory, from a cache line's beginning on.
class Cells {
public:
  Cells() = default;
  Cells(Storage storage, size_t count)
      : storage(storage), lines((count * storageBytes(storage) + sizeof(Line) - 1) / sizeof(Line)) {}

  /// Rounded to the storage; of 16-bit floats, what is lost is cut off.
  void set(size_t index, double value);
  double get(size_t index) const;
  uint8_t *data() { return lines.data()->bytes; }
  bool operator==(const Cells &) const = default;

private:
  struct alignas(64) Line {
    uint8_t bytes[64] = {};
    bool operator==(const Line &) const = default;
  };
  Storage storage = Storage::F32;
  std::vector<Line> lines;
};

/// What is written, by the name of an output, input or state: [T, N] or [N].
struct TrainingResults {
  std::map<std::string, Cells> outputs, finals, gradInputs, gradInitials;
  std::map<std::string, uint64_t> gradParams; ///< slots
  /// Of parameters with dims: a number for each neuron, if it has dims of neurons, of each step, if it has that.
  std::map<std::string, Cells> gradShaped;
  std::vector<uint8_t> residuals;
  bool operator==(const TrainingResults &) const = default;
};

/// What is read: neuron n has call n of `calls`. All have the same steps, parameters of one value, and given states.
struct TrainingBatch {
  std::vector<reference::NeuronCall> calls;
  std::vector<reference::Upstream> upstream;
  size_t steps() const { return calls.front().steps; }
  size_t neurons() const { return calls.size(); }
};

class TrainingStep {
public:
  /// Compiles both. Throws a Failure with the compiler's words.
  TrainingStep(std::shared_ptr<const Model> model, Request request);

  TrainingResults run(const TrainingBatch &batch) const;

  std::shared_ptr<const Program> forward, backward;

private:
  struct Memory;
  BoundCall bind(const Program &program, const TrainingBatch &batch, Memory &memory) const;

  std::shared_ptr<const Model> model;
  Request request;
};

} // namespace flexsn::test
