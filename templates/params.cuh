// Parameters with dims: each has strides of its own, along the dimensions of a space that all of them share.
struct Spot { // where they have the values of a neuron; of one past the end, of neuron 0
  i64 index[maxDims];
  template <class C> DEVICE Spot(const C &call, i64 neuron) {
    call.paramSpace.indexOf(neuron < call.neurons ? neuron : 0, index);
  }
  DEVICE i64 offset(const Operand &operand) const {
    i64 bytes = 0;
#pragma unroll
    for (int d = 0; d < maxDims; d++) bytes += index[d] * operand.strides[d];
    return bytes;
  }
};
template <class E> DEVICE auto readParam(const Operand &operand, const Spot &at) {
  return Item<E>::wide(*(const typename Item<E>::Bits *)(operand.data + at.offset(operand)));
}

// Those that vary by step, beside the inputs.
template <class M, int V> struct Incoming<M, V, true> : Incoming<M, V, false> {
  const Operand *varying;
  i64 offsets[M::varying][V];
  const char *rows[M::varying];
  template <class C> DEVICE Incoming(const C &call, const Where<V> &at, i64 step = 0)
      : Incoming<M, V, false>(call, at, step), varying(call.operands + M::shaped - M::varying) {
#pragma unroll
    for (int i = 0; i < M::varying; i++) rows[i] = varying[i].data + step * varying[i].timeStride;
#pragma unroll
    for (int k = 0; k < V; k++) {
      const Spot spot(call, at.neurons.number(k));
#pragma unroll
      for (int i = 0; i < M::varying; i++) offsets[i][k] = spot.offset(varying[i]);
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
