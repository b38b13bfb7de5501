// What the host hands to a kernel; runtime/CudaAbi.h has the same structs. Strides are in bytes.
enum : int { maxDims = 5 };
struct Operand {
  char *data;            // neuron 0 of step 0; null: an initial state given by its value
  i64 timeStride;        // from one step to the next; of an initial state without data: its bits
  i64 strides[maxDims];  // along each dimension, the last one innermost; all 0: one value for all neurons
};
struct Uniform {         // one value for all neurons and steps
  const void *data;      // null: given by value
  u64 value;
  template <class E> DEVICE auto get() const {
    using Bits = typename Item<E>::Bits;
    return Item<E>::wide(data ? *(const Bits *)data : Bits(value));
  }
};
struct Division {        // n / divisor for 0 <= n < 2^63
  // shift = ceil(log2 divisor), multiplier = ceil(2^(63 + shift) / divisor)
  u64 multiplier, divisor, shift;
  DEVICE u64 operator()(u64 n) const { return __umul64hi(n << 1, multiplier) >> shift; }
};
struct Space {           // the neurons along dimensions
  i64 unusedDims;        // leading ones of one element
  Division extents[maxDims];
  DEVICE void indexOf(i64 neuron, i64 (&index)[maxDims]) const {
    u64 rest = u64(neuron);
#pragma unroll
    for (int d = maxDims - 1; d >= 0; d--) {
      u64 outer = d > 0 && d > unusedDims ? extents[d](rest) : 0; // the outermost one takes what is left
      index[d] = i64(rest - outer * extents[d].divisor);
      rest = outer;
    }
  }
};
template <int operandCount, int uniformCount> struct Call {
  i64 neurons, steps;
  Space space;                 // strided
  Space paramSpace;            // of parameters with dims
  Operand operands[operandCount];
  Uniform uniforms[uniformCount ? uniformCount : 1];
};
template <class M> using CallOf = Call<M::operands, M::uniforms>;
