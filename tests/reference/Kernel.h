// The compiler's side of a comparison: a model run through the C++ API of libflexsn.so. This header shares no type with
// the API nor with the front end, whose names are alike.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace flexsn::reference {

/// How one number lies in memory.
enum class Cell : uint8_t { F32, F64, I32, Bool, F16, BF16 };
size_t cellBytes(Cell cell);

/// What states are stored in, and the step computes in, for floating data of a type.
Cell computedAs(Cell data);

/// A dense array of cells.
struct Array {
  Cell cell = Cell::F32;
  std::vector<uint8_t> bytes;

  Array() = default;
  Array(Cell cell, size_t count) : cell(cell), bytes(count * cellBytes(cell)) {}

  template <class T> T get(size_t index) const {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
  }
  template <class T> void set(size_t index, T value) {
    std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
  }
  /// Any cell as a double: exact for each of the types.
  double number(size_t index) const;
  /// Not of 16-bit floats: rounding is what is tested.
  void setNumber(size_t index, double value);
  size_t size() const { return bytes.size() / cellBytes(cell); }
};

/// What an input, output or state is made of.
struct Slot {
  std::string name;
  Cell cell;
};

/// One model compiled for floating data of some type.
class Kernel {
public:
  struct Options {
    Cell data = Cell::F32; ///< F32, F64, F16 or BF16
    bool fast = false;     ///< math = fast
    bool detachReset = false;
    std::vector<Slot> outputs;                 ///< monitors with their cells; empty: the declared outputs
    std::map<std::string, uint32_t> dims = {}; ///< of parameters, as sets of flexsn_dim
  };
  /// Null, with the library's message in `error`, if the library refuses the model.
  static std::unique_ptr<Kernel> compile(const std::string &text, const std::string &model, const Options &options,
                                         std::string &error);
  ~Kernel();

  const std::vector<Slot> &inputs() const;
  const std::vector<Slot> &outputs() const;
  const std::vector<Slot> &states() const;

  struct Call {
    size_t steps = 1;                                  ///< T
    std::vector<int64_t> shape;                        ///< of one step: [N], or [batch, ...]
    std::vector<Array> inputs;                         ///< [T, shape], in declared order
    std::map<std::string, double, std::less<>> params; ///< others keep the text's value
    std::vector<Array> initialStates;                  ///< all of them, in declared order, or none
    struct Shaped {
      Array values;
      std::vector<int64_t> shape;
    };
    std::map<std::string, Shaped, std::less<>> shapedParams = {};
    int channelDim = 0; ///< of sequences; 0: as the language says
  };
  struct Result {
    std::string error; ///< the library's message; empty if it ran
    std::vector<Array> outputs, finalStates;
  };
  /// Runs the inference kernel, or the final-state kernel, which has no outputs. Every written array stands between
  /// guard bytes; a changed guard is an error.
  Result run(const Call &call) const { return run(call, false); }
  Result runFinalState(const Call &call) const { return run(call, true); }

  struct Upstream {
    std::vector<Array> outputs;               ///< what flows back into outputs(); empty arrays for bools
    std::map<std::string, Array> finalStates; ///< and into states behind the last step
    std::vector<std::string> wanted;          ///< inputs, states and parameters
    /// Of the gradients of parameters with dims that are wanted.
    std::map<std::string, std::vector<int64_t>> paramShapes = {};
  };
  struct Gradients {
    std::string error;                   ///< the library's message; empty if it ran
    std::vector<Array> outputs;          ///< of the forward kernel
    std::map<std::string, Array> arrays; ///< by the names that were wanted
    size_t residualBytes = 0;
  };
  /// Runs the forward and the backward kernel. Every written array stands between guard bytes and was full of NaN.
  Gradients train(const Call &call, const Upstream &upstream) const;

private:
  Kernel();
  Result run(const Call &call, bool finalState) const;
  struct State;
  std::unique_ptr<State> state;
};

} // namespace flexsn::reference
