// Vector accesses. A thread owns V neighbours; one step of an operand is one access of up to 16 bytes, or several. The
// host has seen that all addresses and strides are multiples of that, and that V divides the neurons.
template <int V> struct Neurons {
  enum : int { places = 1 }; // neurons whose place must be known
  enum : bool { neighbours = true };
  i64 first;
  int live;
  DEVICE i64 at(int) const { return first; }
  DEVICE i64 number(int k) const { return first + k; }
  static constexpr DEVICE int gap(int) { return 0; }
  static DEVICE Neurons mine(int threads, i64 neurons) {
    i64 first = (i64(blockIdx.x) * threads + threadIdx.x) * V;
    return {first, first < neurons ? V : 0};
  }
};

template <int bytes> struct alignas(bytes) Access { unsigned words[bytes / 4]; };

// One step of one operand for a thread's neurons, packed as in memory.
template <class E, int V> struct Row {
  enum : int { item = sizeof(E), bytes = V * item, count = (bytes + 3) / 4, width = bytes < 16 ? bytes : 16 };
  static_assert(bytes == 1 || bytes == 2 || bytes % 4 == 0, "accesses are of whole words");
  unsigned words[count];

  template <class Streams> DEVICE void load(const Streams &from, int operand) {
    const char *row = from.template address<E>(operand, 0);
    if constexpr (bytes == 1) words[0] = *(const unsigned char *)row;
    else if constexpr (bytes == 2) words[0] = *(const unsigned short *)row;
    else
#pragma unroll
      for (int i = 0; i < bytes; i += width) {
        Access<width> access = *(const Access<width> *)(row + i);
        for (int j = 0; j < width / 4; j++) words[i / 4 + j] = access.words[j];
      }
  }
  DEVICE auto operator[](int k) const {
    if constexpr (item == 8) return Item<E>::wide(u64(words[2 * k + 1]) << 32 | words[2 * k]);
    else if constexpr (item == 4) return Item<E>::wide(words[k]);
    else return Item<E>::wide(words[k * item / 4] >> k * item % 4 * 8 & (1u << item * 8) - 1);
  }

  template <class S, class T, class Streams>
  static DEVICE void read(S (&values)[V], T S::*field, const Streams &from, int operand) {
    Row row;
    row.load(from, operand);
#pragma unroll
    for (int k = 0; k < V; k++) values[k].*field = row[k];
  }
  template <class S, class T, class Streams>
  static DEVICE void store(const S (&values)[V], T S::*field, const Streams &to, int operand) {
    Row row;
    row.pack(values, field);
    char *at = to.template address<E>(operand, 0);
    if constexpr (bytes == 1) *(unsigned char *)at = (unsigned char)row.words[0];
    else if constexpr (bytes == 2) *(unsigned short *)at = (unsigned short)row.words[0];
    else
#pragma unroll
      for (int i = 0; i < bytes; i += width) {
        Access<width> access;
        for (int j = 0; j < width / 4; j++) access.words[j] = row.words[i / 4 + j];
        *(Access<width> *)(at + i) = access;
      }
  }

private:
  template <class S, class T> DEVICE void pack(const S (&values)[V], T S::*field) {
#pragma unroll
    for (int i = 0; i < count; i++) {
      if constexpr (item == 8) words[i] = unsigned(Item<E>::narrow(values[i / 2].*field) >> i % 2 * 32);
      else if constexpr (item == 2 && V > 1) words[i] = Item<E>::pair(values[2 * i].*field, values[2 * i + 1].*field);
      else {
        words[i] = 0;
        for (int k = 0; k < 4 / item && k < V; k++)
          words[i] |= Item<E>::narrow(values[i * 4 / item + k].*field) << k * item * 8;
      }
    }
  }
};
