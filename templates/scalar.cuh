// Single accesses, for any address, stride and number of neurons. The V neurons of a thread lie a warp's width apart,
// so that the accesses of a warp are neighbours.
template <int V> struct Neurons {
  enum : int { places = V }; // neurons whose place must be known
  enum : bool { neighbours = false };
  i64 first;
  int live;
  DEVICE i64 at(int k) const { return first + gap(k); }
  DEVICE i64 number(int k) const { return at(k); }
  static constexpr DEVICE int gap(int k) { return k * 32; }
  static DEVICE Neurons mine(int threads, i64 neurons) {
    i64 first = i64(blockIdx.x) * threads * V + threadIdx.x / 32 * V * 32 + threadIdx.x % 32;
    int live = 0;
#pragma unroll
    for (int k = 0; k < V; k++) live += first + gap(k) < neurons;
    return {first, live};
  }
};

// One step of one operand for a thread's neurons, an element a register. Of those past the end nothing is accessed.
template <class E, int V> struct Row {
  using Bits = typename Item<E>::Bits;
  Bits bits[V] = {}; // steps run for neurons past the end too

  template <class Streams> DEVICE void load(const Streams &from, int operand) {
#pragma unroll
    for (int k = 0; k < V; k++)
      if (k < from.live) bits[k] = *(const Bits *)from.template address<E>(operand, k);
  }
  DEVICE auto operator[](int k) const { return Item<E>::wide(bits[k]); }

  template <class S, class T, class Streams>
  static DEVICE void read(S (&values)[V], T S::*field, const Streams &from, int operand) {
    Row row;
    row.load(from, operand);
#pragma unroll
    for (int k = 0; k < V; k++) values[k].*field = row[k];
  }
  template <class S, class T, class Streams>
  static DEVICE void store(const S (&values)[V], T S::*field, const Streams &to, int operand) {
#pragma unroll
    for (int k = 0; k < V; k++)
      if (k < to.live) *(Bits *)to.template address<E>(operand, k) = Bits(Item<E>::narrow(values[k].*field));
  }
};
