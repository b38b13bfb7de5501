// Where a linear kernel finds its neurons: all operands lie dense in the iteration order.
template <int V> struct Where {
  Neurons<V> neurons;
  template <class C> DEVICE Where(const C &, const Neurons<V> &mine) : neurons(mine) {}
};
template <int V> struct Place { // of one operand
  i64 base = 0;                 // bytes from neuron 0 to the thread's first one
  DEVICE Place() {}
  DEVICE Place(const Operand &operand, const Where<V> &at) : base(at.neurons.first * operand.strides[maxDims - 1]) {}
  template <class E> DEVICE i64 apart(int k) const { return i64(Neurons<V>::gap(k)) * sizeof(E); }
};
