// What follows from the parameters alone, computed once a launch by one thread into slots of 8 bytes.
template <int paramCount> struct PrologueCall {
  char *invariants;
  Uniform params[paramCount];
};
template <class E, class T> DEVICE void keep(char *invariants, int slot, T value) {
  using Bits = typename Item<E>::Bits;
  *(Bits *)(invariants + 8 * slot) = Bits(Item<E>::narrow(value));
}
