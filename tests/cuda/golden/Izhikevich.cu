// Izhikevich, inference: strided operands, vector accesses. Made by flexsn.
// Inputs: x bf16. Initial states: v f32, u f32. Outputs: s bf16. Final states: v f32, u f32.
// Schedule, V = 4 and C = 4: 4 neighbours of 2 bytes are 8 bytes of an access; the loads of 4 steps are under way
//   at once; about 66 of 128 registers for 4 blocks of 128 threads a multiprocessor.

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

// Elements of 16 bits, rounded to nearest even. pair() rounds two at once into one register.
struct f16 { unsigned short bits; };
template <> struct Item<f16> {
  using Bits = unsigned short;
#ifdef FLEXSN_CUDA_ON_CPU
  static float wide(unsigned bits) { return halfToFloat((unsigned short)bits); }
  static unsigned narrow(float value) { return floatToHalf(value); }
#else
  static DEVICE float wide(unsigned bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"((unsigned short)bits));
    return value;
  }
  static DEVICE unsigned narrow(float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
  }
#endif
  static DEVICE unsigned pair(float low, float high) {
#ifdef FLEXSN_SM80
    unsigned bits;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
#else
    return narrow(low) | narrow(high) << 16;
#endif
  }
};
struct bf16 { unsigned short bits; }; // the upper half of a float
template <> struct Item<bf16> {
  using Bits = unsigned short;
  static DEVICE float wide(unsigned bits) { return __uint_as_float(bits << 16); }
  static DEVICE unsigned narrow(float value) {
#ifdef FLEXSN_SM80
    return pair(value, 0.f);
#else
    unsigned bits = __float_as_uint(value);
    return value != value ? 0x7fffu : (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
#endif
  }
  static DEVICE unsigned pair(float low, float high) {
#ifdef FLEXSN_SM80
    unsigned bits;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
#else
    return narrow(low) | narrow(high) << 16;
#endif
  }
};

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

// Where a strided kernel finds its neurons: each operand has a stride for each of the merged dimensions. The indexes of
// a neuron come from fast divisions, once a thread.
template <int V> struct Where {
  Neurons<V> neurons;
  i64 index[Neurons<V>::places][maxDims];
  template <class C> DEVICE Where(const C &call, const Neurons<V> &mine) : neurons(mine) {
#pragma unroll
    for (int k = 0; k < Neurons<V>::places; k++) call.space.indexOf(mine.at(k), index[k]);
  }
};
template <int V> struct Place { // of one operand
  enum : int { others = Neurons<V>::places - 1, rooms = others ? others : 1 };
  i64 base = 0;                          // bytes from neuron 0 to the thread's first one
  i64 further[rooms] = {};               // and from that one to the thread's others
  DEVICE Place() {}
  DEVICE Place(const Operand &operand, const Where<V> &at) : base(offset(operand, at, 0)) {
#pragma unroll
    for (int k = 0; k < others; k++) further[k] = offset(operand, at, k + 1) - base;
  }
  template <class E> DEVICE i64 apart(int k) const { return k ? further[k - 1] : 0; }

private:
  static DEVICE i64 offset(const Operand &operand, const Where<V> &at, int k) {
    i64 bytes = 0;
#pragma unroll
    for (int d = 0; d < maxDims; d++) bytes += at.index[k][d] * operand.strides[d];
    return bytes;
  }
};

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

// 1 where x >= 0, else 0; NaN gives 0
DEVICE float spike(float x) {
  return x >= 0.f ? 1.f : 0.f;
}

struct Izhikevich {
  // Operands and uniforms of the call; parameters with dims come first, then the inputs.
  enum : int { shaped = 0, varying = 0, inputs = 1, outputs = 1 };
  enum : int { firstOutput = 3, operands = 6, uniforms = 6 };

  struct Params { float b, c, d, dt, c1; };
  struct Inputs { float x; };
  struct State { float v, u; };
  struct Outputs { float s; };
  static DEVICE Params params(const Uniform *u) {
    return {u[1].get<float>(), u[2].get<float>(), u[3].get<float>(), u[4].get<float>(), u[5].get<float>()};
  }

  struct Given { float a, dt; };
  struct Invariants { float c1; };
  static DEVICE Given given(const Uniform *u) {
    return {u[0].get<float>(), u[4].get<float>()};
  }
  static DEVICE void prologue(const Given &given, Invariants &once) {
    // u1 = u + dt * a * (b * v - u)
    once.c1 = given.dt * given.a;
  }
  static DEVICE void keepAll(const Invariants &once, char *slots) {
    keep<float>(slots, 0, once.c1);
  }

  static DEVICE void init(const Params &p, State &state) {}

  template <bool exact> static DEVICE void step(const Params &p, const Inputs &in, State &state, Outputs &out) {
    // v1 = v + dt * (0.04 * v**2 + 5.0 * v + 140.0 - u + x)
    float v1 = state.v + p.dt * (0.04f * (state.v * state.v) + 5.f * state.v + 140.f - state.u + in.x);
    // u1 = u + dt * a * (b * v - u)
    float u1 = state.u + p.c1 * (p.b * state.v - state.u);
    // s = spike(v1 - 30.0, atan(alpha=2.0))
    float s = spike(v1 - 30.f);
    // v = (1.0 - s) * v1 + s * c
    float t1 = 1.f - s;
    state.v = t1 * v1 + s * p.c;
    // u = (1.0 - s) * u1 + s * (u1 + d)
    state.u = t1 * u1 + s * (u1 + p.d);
    out.s = s;
  }

  enum : bool { divides = false };

  // One step of the inputs as it lies in memory.
  template <int V> struct Stored {
    Row<bf16, V> x;
    DEVICE void load(const Streams<V, inputs> &from) {
      x.load(from, 0);
    }
    DEVICE Inputs of(int k) const { return {x[k]}; }
  };
  template <int V>
  static DEVICE void readStates(State (&states)[V], const Operand *operands, const Where<V> &at) {
    readState<float>(states, &State::v, operands[1], at);
    readState<float>(states, &State::u, operands[2], at);
  }
  template <int V> static DEVICE void write(const Outputs (&results)[V], const Streams<V, outputs> &to) {
    Row<bf16, V>::store(results, &Outputs::s, to, 0);
  }
  template <int V>
  static DEVICE void writeStates(const State (&states)[V], const Operand *operands, const Where<V> &at) {
    writeState<float>(states, &State::v, operands[4], at);
    writeState<float>(states, &State::u, operands[5], at);
  }
};

KERNEL void __launch_bounds__(128, 4) Izhikevich_inference(ARGUMENT CallOf<Izhikevich> call) {
  infer<Izhikevich, 4, 4, 4, 128>(call);
}

KERNEL void Izhikevich_inference_prologue(ARGUMENT PrologueCall<5> call) {
  if (threadIdx.x != 0) return;
  Izhikevich::Invariants once;
  Izhikevich::prologue(Izhikevich::given(call.params), once);
  Izhikevich::keepAll(once, call.invariants);
}

} // namespace flexsn
