// Neighbouring operands of the call, all at one step, at first step 0: a pointer each, moved by one addition a step.
template <int V, int count, class At = Place<V>> struct Streams {
  const Operand *operands;
  int live; // neurons of the thread that exist
  At places[count ? count : 1];
  char *rows[count ? count : 1];

  DEVICE Streams(const Operand *first, const Where<V> &at, i64 step = 0) : operands(first), live(at.neurons.live) {
#pragma unroll
    for (int i = 0; i < count; i++) {
      places[i] = At(operands[i], at);
      rows[i] = operands[i].data + places[i].base + step * operands[i].timeStride;
    }
  }
  DEVICE void forth() {
#pragma unroll
    for (int i = 0; i < count; i++) rows[i] += operands[i].timeStride;
  }
  DEVICE void back() {
#pragma unroll
    for (int i = 0; i < count; i++) rows[i] -= operands[i].timeStride;
  }
  template <class E> DEVICE char *address(int i, int k) const { return rows[i] + places[i].template apart<E>(k); }
};

// What a thread reads at each step: the inputs, and with params.cuh the parameters that vary by step too.
template <class M, int V, bool varying = M::varying != 0> struct Incoming : Streams<V, M::inputs> {
  template <class C> DEVICE Incoming(const C &call, const Where<V> &at, i64 step = 0)
      : Streams<V, M::inputs>(call.operands + M::shaped, at, step) {}
};

// States from their initial tensor, or from one value for all; and into their final tensor.
template <class E, int V, class S, class T>
DEVICE void readState(S (&states)[V], T S::*field, const Operand &operand, const Where<V> &at) {
  using Bits = typename Item<E>::Bits;
  bool alike = true;
#pragma unroll
  for (int d = 0; d < maxDims; d++) alike = alike && operand.strides[d] == 0;
  if (!operand.data || alike) {
    T value = Item<E>::wide(operand.data ? *(const Bits *)operand.data : Bits(operand.timeStride));
#pragma unroll
    for (int k = 0; k < V; k++) states[k].*field = value;
    return;
  }
  Streams<V, 1> from(&operand, at);
  Row<E, V>::read(states, field, from, 0);
}
template <class E, int V, class S, class T>
DEVICE void writeState(const S (&states)[V], T S::*field, const Operand &operand, const Where<V> &at) {
  Streams<V, 1> to(&operand, at);
  Row<E, V>::store(states, field, to, 0);
}
