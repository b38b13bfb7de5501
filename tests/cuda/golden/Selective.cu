// Selective, inference: linear operands, vector accesses. Made by flexsn.
// Inputs: x f32, gate bool. Initial states: none. Outputs: s f32, v f32. Final states: none.
// Schedule, V = 4 and C = 2: 4 neighbours of 4 bytes are 16 bytes of an access; the loads of 2 steps are under way
//   at once; about 51 of 128 registers for 4 blocks of 128 threads a multiprocessor; the rule's 4 neurons and 4 steps
//   at once would be too long a program.

namespace flexsn {

// What every kernel starts with: words, bits, and how an element lies in memory. No header is included: each would cost
// more time than the kernel's own compilation. PTX stands in templates/ alone; every piece has a twin in plain C++, so
// that tests can run the very same text on a CPU. Numbers of a type are enums: static members would be variables of
// the GPU's.
#define DEVICE __device__ __forceinline__
#ifdef FLEXSN_CUDA_ON_CPU
#define KERNEL static
#define ARGUMENT const
#else
#define KERNEL extern "C" __global__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define ARGUMENT const
#else
#define ARGUMENT const __grid_constant__
#endif
#endif
#if !defined(FLEXSN_CUDA_ON_CPU) && __CUDA_ARCH__ >= 800
#define FLEXSN_SM80 1
#endif

using i64 = long long;
using u64 = unsigned long long;

// Item<E>: between E's bits in memory, at the low end of a register, and the value that the step computes with.
template <class E> struct Item;
template <> struct Item<float> {
  using Bits = unsigned;
  static DEVICE float wide(unsigned bits) { return __uint_as_float(bits); }
  static DEVICE unsigned narrow(float value) { return __float_as_uint(value); }
};
template <> struct Item<double> {
  using Bits = u64;
  static DEVICE double wide(u64 bits) { return __longlong_as_double(i64(bits)); }
  static DEVICE u64 narrow(double value) { return u64(__double_as_longlong(value)); }
};
template <> struct Item<int> {
  using Bits = unsigned;
  static DEVICE int wide(unsigned bits) { return int(bits); }
  static DEVICE unsigned narrow(int value) { return unsigned(value); }
};

// Elements of one byte: bools, and whole numbers that are stored saturated.
struct bool8 { unsigned char byte; };
template <> struct Item<bool8> {
  using Bits = unsigned char;
  static DEVICE bool wide(unsigned bits) { return (bits & 0xff) != 0; }
  static DEVICE unsigned narrow(bool value) { return value; }
};
struct int8 { unsigned char byte; };
template <> struct Item<int8> {
  using Bits = unsigned char;
  template <class Real> static DEVICE unsigned narrow(Real value) { // of a whole number; NaN gives 0
    Real low = value < Real(-128) ? Real(-128) : value;
    Real both = low > Real(127) ? Real(127) : low;
    return unsigned(int(both != both ? Real(0) : both)) & 0xff;
  }
};

// The smaller and the larger of two numbers: NaN if either is one; -0 lies before +0.
DEVICE float minimum(float a, float b) {
#ifdef FLEXSN_SM80
  float least;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
  return least;
#else
  float tie = __uint_as_float(__float_as_uint(a) | __float_as_uint(b)); // equal but for the sign of zero
  return a != a ? a : b != b ? b : a < b ? a : b < a ? b : tie;
#endif
}
DEVICE float maximum(float a, float b) {
#ifdef FLEXSN_SM80
  float most;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(most) : "f"(a), "f"(b));
  return most;
#else
  float tie = __uint_as_float(__float_as_uint(a) & __float_as_uint(b));
  return a != a ? a : b != b ? b : a < b ? b : b < a ? a : tie;
#endif
}
DEVICE double minimum(double a, double b) { // no instruction propagates NaN
  double tie = __longlong_as_double(__double_as_longlong(a) | __double_as_longlong(b));
  return a != a ? a : b != b ? b : a < b ? a : b < a ? b : tie;
}
DEVICE double maximum(double a, double b) {
  double tie = __longlong_as_double(__double_as_longlong(a) & __double_as_longlong(b));
  return a != a ? a : b != b ? b : a < b ? b : b < a ? a : tie;
}

// What the host hands to a kernel; runtime/CudaAbi.h has the same structs. Strides are in bytes.
enum : int { maxDims = 5 };
struct Operand {
  char *data;            // neuron 0 of step 0; null: an initial state given by its value
  i64 timeStride;        // from one step to the next; of an initial state without data: its bits
  i64 strides[maxDims];  // along each dimension, the last one innermost; all 0: one value for all neurons
};
struct Uniform {         // one value for all neurons and steps
  const void *data;      // null: given by value
  u64 value;
  template <class E> DEVICE auto get() const {
    using Bits = typename Item<E>::Bits;
    return Item<E>::wide(data ? *(const Bits *)data : Bits(value));
  }
};
struct Division {        // n / divisor for 0 <= n < 2^63
  // shift = ceil(log2 divisor), multiplier = ceil(2^(63 + shift) / divisor)
  u64 multiplier, divisor, shift;
  DEVICE u64 operator()(u64 n) const { return __umul64hi(n << 1, multiplier) >> shift; }
};
struct Space {           // the neurons along dimensions
  i64 unusedDims;        // leading ones of one element
  Division extents[maxDims];
  DEVICE void indexOf(i64 neuron, i64 (&index)[maxDims]) const {
    u64 rest = u64(neuron);
#pragma unroll
    for (int d = maxDims - 1; d >= 0; d--) {
      u64 outer = d > 0 && d > unusedDims ? extents[d](rest) : 0; // the outermost one takes what is left
      index[d] = i64(rest - outer * extents[d].divisor);
      rest = outer;
    }
  }
};
template <int operandCount, int uniformCount> struct Call {
  i64 neurons, steps;
  Space space;                 // strided
  Space paramSpace;            // of parameters with dims
  Operand operands[operandCount];
  Uniform uniforms[uniformCount ? uniformCount : 1];
};
template <class M> using CallOf = Call<M::operands, M::uniforms>;

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

// Where a thread finds its neurons in an operand that lies dense in the iteration order.
template <int V> struct DensePlace {
  i64 base = 0; // bytes from neuron 0 to the thread's first one
  DEVICE DensePlace() {}
  template <class At>
  DEVICE DensePlace(const Operand &operand, const At &at) : base(at.neurons.first * operand.strides[maxDims - 1]) {}
  template <class E> DEVICE i64 apart(int k) const { return i64(Neurons<V>::gap(k)) * sizeof(E); }
};

// Where a linear kernel finds its neurons: all operands lie dense in the iteration order.
template <int V> struct Where {
  Neurons<V> neurons;
  template <class C> DEVICE Where(const C &, const Neurons<V> &mine) : neurons(mine) {}
};
template <int V> using Place = DensePlace<V>; // of one operand

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

// The steps of a chunk from step j on; each is tested against the chunk's length. A template and not a loop: however
// long the step is, no compiler keeps it rolled, and `stored` lies in registers.
template <class M, int V, int C, bool exact, int j = 0>
DEVICE void advance(const typename M::Params &p, const typename M::template Stored<V> (&stored)[C], int length,
                    typename M::State (&states)[V], Streams<V, M::outputs> &out) {
  if (j < length) {
    typename M::Outputs results[V];
#pragma unroll
    for (int k = 0; k < V; k++) M::template step<exact>(p, stored[j].of(k), states[k], results[k]);
    M::write(results, out);
  }
  out.forth();
  if constexpr (j + 1 < C) advance<M, V, C, exact, j + 1>(p, stored, length, states, out);
}

// A thread walks its V neurons through time, C steps at once: all loads of such a chunk are under way before the
// first value is used. The last chunk needs no body of its own. The order of reads and writes is that of
// docs/skeleton.md.
template <class M, int V, int C, bool exact, class Saved>
DEVICE void walk(const typename M::Params &p, typename M::State (&states)[V], i64 steps, Incoming<M, V> &in,
                 Streams<V, M::outputs> &out, Saved &saved) {
#pragma unroll 1
  for (i64 left = steps; left > 0; left -= C) {
    int length = left < C ? int(left) : C;
    saved.before(steps - left, states);
    typename M::template Stored<V> stored[C];
#pragma unroll
    for (int j = 0; j < C; j++, in.forth())
      if (j < length) stored[j].load(in);
    advance<M, V, C, exact>(p, stored, length, states, out);
  }
}

// What is saved of the states on their way: nothing, unless gradients are to come.
template <class M, int V> struct Nothing {
  DEVICE Nothing(const CallOf<M> &, const Where<V> &) {}
  DEVICE void before(i64, const typename M::State (&)[V]) {}
};
// C steps at once, or `dividing` in the loop that divides: its steps are longer.
template <class M, int V, int C, int dividing, int threads, template <class, int> class Saved = Nothing>
DEVICE void infer(const CallOf<M> &call) {
  const Neurons<V> neurons = Neurons<V>::mine(threads, call.neurons);
  if (!neurons.live) return;
  const Where<V> at(call, neurons);
  const typename M::Params p = M::params(call.uniforms);
  typename M::State states[V];
  if constexpr (M::shaped > M::varying) M::readSites(p, states, call, neurons);
#pragma unroll
  for (int k = 0; k < V; k++) M::init(p, states[k]);
  M::readStates(states, call.operands, at);
  Incoming<M, V> in(call, at);
  Streams<V, M::outputs> out(call.operands + M::firstOutput, at);
  Saved<M, V> saved(call, at);
  bool multiplies = false;
  if constexpr (M::divides)
    if ((multiplies = M::exact(p))) walk<M, V, C, true>(p, states, call.steps, in, out, saved);
  if (!multiplies) walk<M, V, dividing, false>(p, states, call.steps, in, out, saved);
  M::writeStates(states, call.operands, at);
}

// What follows from the parameters alone, computed once a launch by one thread into slots of 8 bytes.
template <int paramCount> struct PrologueCall {
  char *invariants;
  Uniform params[paramCount];
};
template <class E, class T> DEVICE void keep(char *invariants, int slot, T value) {
  using Bits = typename Item<E>::Bits;
  *(Bits *)(invariants + 8 * slot) = Bits(Item<E>::narrow(value));
}

// 1 / (1 + exp(-x))
DEVICE float sigmoid(float x) {
  float t1 = -__uint_as_float(__float_as_uint(x) & 0x7fffffffu);
  float t2 = t1 < -104.f ? -104.f : t1;
  float t3 = fmaf(t2, 1.442695f, 12582912.f);
  float t4 = t3 - 12582912.f;
  unsigned t5 = __float_as_uint(t3) - 0x4b400000u;
  float t6 = fmaf(t4, -0.69314575f, t2);
  float t7 = fmaf(t4, -1.4286068e-06f, t6);
  float t8 = fmaf(fmaf(fmaf(0.00019743314f, t7, 0.0013933694f), t7, 0.008333567f), t7, 0.041666478f);
  float t9 = 1.f + t7;
  float t10 = fmaf(t7 * t7, fmaf(fmaf(t8, t7, 0.16666666f), t7, 0.5f), fmaf(t4, -1.4286068e-06f, t6 - t7));
  float t11 = t7 - (t9 - 1.f) + t10;
  float t12 = t9 + t11;
  float t13 = t11 - (t12 - t9);
  float t14 = __uint_as_float((int(t5) < -126 ? -126 : int(t5)) + 127u << 23);
  float t15 = fmaf(t14, t12, 1.f);
  bool t16 = x < 0.f;
  float t17 = t16 ? t12 : 1.f;
  float t18 = 1.f / t15;
  float t19 = t17 * t18;
  float t20 = -t19;
  float t21 = fmaf(t20, t15, t17) + fmaf(t20, fmaf(t14, t13, fmaf(t14, t12, 1.f - t15)), t16 ? t13 : 0.f);
  int t22 = t16 ? int(t5) : 0;
  int t23 = t22 >> 1;
  float t24 = fmaf(t21, t18, t19) * __uint_as_float(t23 + 127u << 23);
  return t24 * __uint_as_float(unsigned(t22) - t23 + 127u << 23);
}

// e to the x
DEVICE float exp(float x) {
  float t1 = x > 89.f ? 89.f : x;
  float t2 = t1 < -104.f ? -104.f : t1;
  float t3 = fmaf(t2, 1.442695f, 12582912.f);
  float t4 = t3 - 12582912.f;
  unsigned t5 = __float_as_uint(t3) - 0x4b400000u;
  float t6 = fmaf(t4, -0.69314575f, t2);
  float t7 = fmaf(t4, -1.4286068e-06f, t6);
  float t8 = fmaf(fmaf(fmaf(0.00019743314f, t7, 0.0013933694f), t7, 0.008333567f), t7, 0.041666478f);
  float t9 = t7 + fmaf(t7 * t7, fmaf(fmaf(t8, t7, 0.16666666f), t7, 0.5f), fmaf(t4, -1.4286068e-06f, t6 - t7));
  int t10 = int(t5) >> 1;
  return (1.f + t9) * __uint_as_float(t10 + 127u << 23) * __uint_as_float(t5 - t10 + 127u << 23);
}

// x to the y, for a real exponent
DEVICE float pow(float x, float y) {
  unsigned t1 = __float_as_uint(x);
  float t2 = __uint_as_float(t1 & 0x7fffffffu);
  bool t3 = t2 < 1.1754944e-38f;
  unsigned t4 = __float_as_uint(t3 ? t2 * 8388608.f : t2) - 0x3f2aaaabu;
  float t5 = __uint_as_float((t4 & 0x7fffffu) + 0x3f2aaaabu) - 1.f;
  float t6 = 2.f + t5;
  float t7 = 1.f / t6;
  float t8 = t5 * t7;
  float t9 = -t8;
  float t10 = fmaf(t9, t5 - (t6 - 2.f), fmaf(t9, t6, t5)) * t7;
  float t11 = t8 * t8;
  float t12 = t11 * 0.9617967f;
  float t13 = fmaf(fmaf(2.f * t8, t10, fmaf(t8, t8, -t11)), 0.9617967f, fmaf(t11, 0.9617967f, -t12));
  float t14 = t8 * 2.88539f;
  float t15 = fmaf(t11 * t11, fmaf(fmaf(0.3408626f, t11, 0.41176373f), t11, 0.57708f), t13);
  float t16 = fmaf(t8, t15, fmaf(t10, 2.88539f + t12, fmaf(t8, 3.851926e-08f, fmaf(t8, 2.88539f, -t14))));
  float t17 = float(int(unsigned(int(t4) >> 23) - (t3 ? 23 : 0)));
  float t18 = t17 + t14;
  float t19 = t14 - (t18 - t17) + fmaf(t8, t12, t16);
  float t20 = t18 + t19;
  float t21 = t2 == 0.f ? __uint_as_float(0xff800000u) : t20;
  float t22 = t2 == __uint_as_float(0x7f800000u) ? __uint_as_float(0x7f800000u) : t21;
  float t23 = y * t22;
  bool t24 = __uint_as_float(__float_as_uint(t23) & 0x7fffffffu) < 200.f;
  float t25 = t23 > 200.f ? 200.f : t23;
  float t26 = t25 < -200.f ? -200.f : t25;
  float t27 = t26 + 12582912.f;
  unsigned t28 = __float_as_uint(t27) - 0x4b400000u;
  float t29 = t26 - (t27 - 12582912.f) + (t24 ? fmaf(y, t19 - (t20 - t18), fmaf(y, t22, -t23)) : 0.f);
  float t30 = fmaf(fmaf(fmaf(0.00015243396f, t29, 0.0013391473f), t29, 0.009618829f), t29, 0.055503584f);
  int t31 = int(t28) >> 1;
  float t32 = fmaf(fmaf(fmaf(t30, t29, 0.24022645f), t29, 0.6931472f), t29, 1.f);
  float t33 = t32 * __uint_as_float(t31 + 127u << 23) * __uint_as_float(t28 - t31 + 127u << 23);
  float t34 = __uint_as_float(__float_as_uint(y) & 0x7fffffffu);
  bool t35 = t34 < 8388608.f;
  float t36 = t35 ? t34 + 8388608.f : t34;
  bool t37 = t36 - 8388608.f == t34 || !t35;
  bool t38 = t37 && t34 < 16777216.f && (__float_as_uint(t36) & 1u) != 0u;
  bool t39 = (x < 0.f && t2 < __uint_as_float(0x7f800000u) && !t37) || x != x || y != y;
  float t40 = t38 ? __uint_as_float(__float_as_uint(t33) ^ (t1 & 0x80000000u)) : t33;
  bool t41 = y == 0.f || x == 1.f || (t2 == 1.f && t34 == __uint_as_float(0x7f800000u));
  return t41 ? 1.f : t39 ? __uint_as_float(0x7fc00000u) : t40;
}

// 1 where x >= 0, else 0; NaN gives 0
DEVICE float spike(float x) {
  return x >= 0.f ? 1.f : 0.f;
}

// the larger; NaN if either is NaN; +0 before -0
DEVICE int max(int x, int y) {
  return x < y ? y : x;
}

struct Selective {
  // Operands and uniforms of the call; parameters with dims come first, then the inputs.
  enum : int { shaped = 0, varying = 0, inputs = 2, outputs = 2 };
  enum : int { firstOutput = 2, operands = 4, uniforms = 3 };

  struct Params { float k, c1; };
  struct Inputs {
    float x;
    bool gate;
  };
  struct State {
    float v;
    int quiet;
  };
  struct Outputs { float s, v; };
  static DEVICE Params params(const Uniform *u) {
    return {u[0].get<float>(), u[2].get<float>()};
  }

  struct Given { float raw_rate; };
  struct Invariants { float c1; };
  static DEVICE Given given(const Uniform *u) {
    return {u[1].get<float>()};
  }
  static DEVICE void prologue(const Given &given, Invariants &once) {
    float rate = sigmoid(given.raw_rate);
    // v = (1.0 - rate) * v + max(drive, -1.0)**k
    once.c1 = 1.f - rate;
  }
  static DEVICE void keepAll(const Invariants &once, char *slots) {
    keep<float>(slots, 0, once.c1);
  }

  static DEVICE void init(const Params &p, State &state) {
    state.v = 0.f;
    state.quiet = 0;
  }

  template <bool exact> static DEVICE void step(const Params &p, const Inputs &in, State &state, Outputs &out) {
    // drive = where(gate and quiet <= 0, exp(-v) * x, 0.0)
    float drive = in.gate && state.quiet <= 0 ? exp(-state.v) * in.x : 0.f;
    // v = (1.0 - rate) * v + max(drive, -1.0)**k
    float v = p.c1 * state.v + pow(maximum(drive, -1.f), p.k);
    // s = spike(v - 1.0, atan(alpha=2.0))
    float s = spike(v - 1.f);
    // v = v - s
    float v_2 = v - s;
    // quiet = where(s > 0.0, 3, max(quiet - 1, 0))
    state.quiet = s > 0.f ? 3 : max(int(state.quiet - 1u), 0);
    out.s = s;
    out.v = v_2;
    state.v = v_2;
  }

  enum : bool { divides = false };

  // One step of the inputs as it lies in memory.
  template <int V> struct Stored {
    Row<float, V> x;
    Row<bool8, V> gate;
    DEVICE void load(const Streams<V, inputs> &from) {
      x.load(from, 0);
      gate.load(from, 1);
    }
    DEVICE Inputs of(int k) const { return {x[k], gate[k]}; }
  };
  template <int V>
  static DEVICE void readStates(State (&states)[V], const Operand *operands, const Where<V> &at) {}
  template <int V> static DEVICE void write(const Outputs (&results)[V], const Streams<V, outputs> &to) {
    Row<float, V>::store(results, &Outputs::s, to, 0);
    Row<float, V>::store(results, &Outputs::v, to, 1);
  }
  template <int V>
  static DEVICE void writeStates(const State (&states)[V], const Operand *operands, const Where<V> &at) {}
};

KERNEL void __launch_bounds__(128, 4) Selective_inference(ARGUMENT CallOf<Selective> call) {
  infer<Selective, 4, 2, 2, 128>(call);
}

KERNEL void Selective_inference_prologue(ARGUMENT PrologueCall<2> call) {
  if (threadIdx.x != 0) return;
  Selective::Invariants once;
  Selective::prologue(Selective::given(call.params), once);
  Selective::keepAll(once, call.invariants);
}

} // namespace flexsn
