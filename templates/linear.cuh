// Where a linear kernel finds its neurons: all operands lie dense in the iteration order.
template <int V> struct Where {
  Neurons<V> neurons;
  template <class C> DEVICE Where(const C &, const Neurons<V> &mine) : neurons(mine) {}
};
template <int V> using Place = DensePlace<V>; // of one operand
