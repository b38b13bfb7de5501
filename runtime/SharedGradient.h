// Gradients of parameters with dims. A kernel gives each neuron's part; here those of one element are added up, in an
// order of their own that no tile, range or number of threads changes (docs/skeleton.md, Sums).
#pragma once

#include "compiler/Compile.h"
#include "runtime/KernelAbi.h"
#include "runtime/Tensor.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flexsn {

/// Where such a gradient goes, and which neurons share its elements.
struct SharedElements {
  /// Dimensions of the runs, outermost first.
  struct Axis {
    int64_t count, stride; ///< stride: bytes from one element to the next one; 0 where all along it share elements
  };

  char *data = nullptr; ///< of neuron 0, step 0
  Storage storage = Storage::F32;
  int64_t steps = 1;      ///< T of a parameter that varies by step, else 1
  int64_t timeStride = 0; ///< bytes from one step's elements to the next one's
  int64_t neurons = 0;
  int64_t run = 1;        ///< neurons, one behind the other, that share an element
  std::vector<Axis> axes; ///< without neurons, those of the gradient, which is zero then

  /// Of an operand that has the gradient's strides along `extents`.
  static SharedElements of(const CpuOperand &place, const int64_t (&extents)[maxDims], int64_t steps, Storage storage);
  /// Of a call without neurons.
  static SharedElements ofNobody(const TensorView &gradient);
  /// Each neuron has an element of its own, and they lie as neurons do: the kernel writes the gradient itself.
  bool isDirect() const;
};

/// The sums of one gradient for one call. What runs allocates nothing.
class SharedGradient {
public:
  SharedGradient(SharedElements elements, unsigned seats);

  /// What the kernel's operand is where it does not write to rows of a range: the gradient, or memory for all neurons.
  CpuOperand place();
  /// Whether the kernel writes rows for the neurons of a range, which addRange then takes.
  bool hasRows() const { return elements.run > 1 || foldedRuns > 1; }
  /// Of rows for `neurons` neurons.
  size_t rowBytes(int64_t neurons) const;

  /// Takes the range's rows, one for each step, `rowLength` elements apart, and may write over them. It begins at a
  /// multiple of `sumGroup` and ends there or behind the last neuron. Ranges may be added by several threads at once.
  void addRange(void *rows, int64_t rowLength, int64_t begin, int64_t end) noexcept;

  /// Behind all ranges: how many slices the sums over runs have; each, in any order, by any thread; then the rest.
  unsigned slices() const { return sliceCount; }
  void addSlice(unsigned seat, unsigned slice) noexcept;
  void finish() noexcept;

private:
  template <class Real> void addRangeOf(Real *rows, int64_t rowLength, int64_t begin, int64_t end);
  void addRangeByType(void *rows, int64_t rowLength, int64_t begin, int64_t end);
  void addRangeAvx512(void *rows, int64_t rowLength, int64_t begin, int64_t end);
  void addRangeAvx2(void *rows, int64_t rowLength, int64_t begin, int64_t end);
  template <class Real> void addSliceOf(unsigned seat, unsigned slice);
  template <class Real> void finishAll();
  template <class Real> Real sumOfRun(const Real *step, int64_t run) const;
  int64_t offset(int64_t index, bool isShared, bool inRuns) const;
  void planSlices(unsigned seats);

  SharedElements elements;
  size_t item;
  int64_t pieces = 0;  ///< of one step: parts of runs that lie within one group of neurons
  int64_t inner = 1;   ///< elements side by side, along the innermost axis
  int64_t outer = 1;   ///< other elements of one step
  int64_t sharing = 1; ///< runs of one element, or groups of `foldedRuns`
  /// Where runs are of one neuron, all elements lie side by side and divide a group of neurons: runs of an element
  /// there, which are added up as rows. Else 1.
  int64_t foldedRuns = 1;
  int64_t chunk = 1;     ///< elements side by side of a slice
  int64_t groupRuns = 1; ///< runs of an element in a slice, a power of two
  int64_t chunks = 1, groups = 1;
  unsigned sliceCount = 0;
  std::vector<char> ofNeurons; ///< pieces, of each step
  std::vector<char> ofGroups;  ///< sums of slices: [step][outer][group][inner]
  std::vector<char> stacks;    ///< for each seat
  size_t stackBytes = 0;
};

} // namespace flexsn
