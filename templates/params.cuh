// Parameters with dims: each has strides of its own, along the dimensions of a space that all of them share.
template <int V> struct Spots { // where they have the values of a thread's neurons; of those past the end, of neuron 0
  i64 index[V][maxDims];
  template <class C> DEVICE Spots(const C &call, const Neurons<V> &mine) {
#pragma unroll
    for (int k = 0; k < V; k++) {
      i64 neuron = mine.number(k);
      call.paramSpace.indexOf(neuron < call.neurons ? neuron : 0, index[k]);
    }
  }
  DEVICE i64 offset(const Operand &operand, int k) const {
    i64 bytes = 0;
#pragma unroll
    for (int d = 0; d < maxDims; d++) bytes += index[k][d] * operand.strides[d];
    return bytes;
  }
};
template <class E, int V, class S, class T>
DEVICE void readParam(S (&values)[V], T S::*field, const Operand &operand, const Spots<V> &at) {
  using Bits = typename Item<E>::Bits;
#pragma unroll
  for (int k = 0; k < V; k++) values[k].*field = Item<E>::wide(*(const Bits *)(operand.data + at.offset(operand, k)));
}

// Those that vary by step, beside the inputs.
template <class M, int V> struct Incoming<M, V, true> : Incoming<M, V, false> {
  const Operand *varying;
  i64 offsets[M::varying][V];
  const char *rows[M::varying];
  template <class C> DEVICE Incoming(const C &call, const Where<V> &at, i64 step = 0)
      : Incoming<M, V, false>(call, at, step), varying(call.operands + M::shaped - M::varying) {
    const Spots<V> spots(call, at.neurons);
#pragma unroll
    for (int i = 0; i < M::varying; i++) {
      rows[i] = varying[i].data + step * varying[i].timeStride;
#pragma unroll
      for (int k = 0; k < V; k++) offsets[i][k] = spots.offset(varying[i], k);
    }
  }
  DEVICE void forth() {
    Incoming<M, V, false>::forth();
#pragma unroll
    for (int i = 0; i < M::varying; i++) rows[i] += varying[i].timeStride;
  }
  DEVICE void back() {
    Incoming<M, V, false>::back();
#pragma unroll
    for (int i = 0; i < M::varying; i++) rows[i] -= varying[i].timeStride;
  }
};
template <class E, int V> struct Varying { // one of them at one step
  using Bits = typename Item<E>::Bits;
  Bits bits[V];
  template <class From> DEVICE void load(const From &from, int param) {
#pragma unroll
    for (int k = 0; k < V; k++) bits[k] = *(const Bits *)(from.rows[param] + from.offsets[param][k]);
  }
  DEVICE auto operator[](int k) const { return Item<E>::wide(bits[k]); }
};
