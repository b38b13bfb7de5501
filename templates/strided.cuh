// Where a strided kernel finds its neurons: each operand has a stride for each of the merged dimensions. The indexes of
// a neuron come from fast divisions, once a thread.
template <int V> struct Where {
  Neurons<V> neurons;
  i64 index[Neurons<V>::places][maxDims];
  template <class C> DEVICE Where(const C &call, const Neurons<V> &mine) : neurons(mine) {
#pragma unroll
    for (int k = 0; k < Neurons<V>::places; k++) {
      u64 rest = u64(mine.at(k));
#pragma unroll
      for (int d = maxDims - 1; d >= 0; d--) {
        u64 outer = d > 0 && d > call.unusedDims ? call.extents[d](rest) : 0; // the outermost one takes what is left
        index[k][d] = i64(rest - outer * call.extents[d].divisor);
        rest = outer;
      }
    }
  }
};
template <int V> struct Place { // of one operand
  static constexpr i64 base = 0;
  i64 offset[Neurons<V>::places] = {}; // bytes from neuron 0
  DEVICE Place() {}
  DEVICE Place(const Operand &operand, const Where<V> &at) {
#pragma unroll
    for (int k = 0; k < Neurons<V>::places; k++)
#pragma unroll
      for (int d = 0; d < maxDims; d++) offset[k] += at.index[k][d] * operand.strides[d];
  }
  template <class E> DEVICE i64 apart(int k) const { return offset[k]; }
};
