// What sums over neurons say about the parameters: the prologue's adjoint, once behind all kernels by one thread, from
// and into slots of 8 bytes.
template <int paramCount> struct EpilogueCall {
  const char *sums;
  char *gradients;
  Uniform params[paramCount];
};
template <class E> DEVICE auto fromSlot(const char *slots, int slot) {
  using Bits = typename Item<E>::Bits;
  return Item<E>::wide(*(const Bits *)(slots + 8 * slot));
}
