// Where a strided kernel finds its neurons: each operand has a stride for each of the merged dimensions. The indexes of
// a neuron come from fast divisions, once a thread.
template <int V> struct Where {
  Neurons<V> neurons;
  i64 index[Neurons<V>::places][maxDims];
  template <class C> DEVICE Where(const C &call, const Neurons<V> &mine) : neurons(mine) {
#pragma unroll
    for (int k = 0; k < Neurons<V>::places; k++) call.space.indexOf(mine.at(k), index[k]);
  }
};
template <int V> struct Place { // of one operand
  enum : int { others = Neurons<V>::places - 1, rooms = others ? others : 1 };
  i64 base = 0;                          // bytes from neuron 0 to the thread's first one
  i64 further[rooms] = {};               // and from that one to the thread's others
  DEVICE Place() {}
  DEVICE Place(const Operand &operand, const Where<V> &at) : base(offset(operand, at, 0)) {
#pragma unroll
    for (int k = 0; k < others; k++) further[k] = offset(operand, at, k + 1) - base;
  }
  template <class E> DEVICE i64 apart(int k) const { return k ? further[k - 1] : 0; }

private:
  static DEVICE i64 offset(const Operand &operand, const Where<V> &at, int k) {
    i64 bytes = 0;
#pragma unroll
    for (int d = 0; d < maxDims; d++) bytes += at.index[k][d] * operand.strides[d];
    return bytes;
  }
};
