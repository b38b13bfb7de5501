// Where a thread finds its neurons in an operand that lies dense in the iteration order.
template <int V> struct DensePlace {
  i64 base = 0; // bytes from neuron 0 to the thread's first one
  DEVICE DensePlace() {}
  template <class At>
  DEVICE DensePlace(const Operand &operand, const At &at) : base(at.neurons.first * operand.strides[maxDims - 1]) {}
  template <class E> DEVICE i64 apart(int k) const { return i64(Neurons<V>::gap(k)) * sizeof(E); }
};
