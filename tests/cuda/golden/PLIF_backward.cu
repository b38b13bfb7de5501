// PLIF, backward: linear operands, vector accesses. Made by flexsn.
// Inputs: x f32. Initial states: none. Gradients of outputs: s f32, final states: none; for inputs: x f32, initial
//   states: none, parameters: raw_k f32.
// Plan: 2 values of a step kept for the way back; states are saved every 8 steps: 2 neurons x 8 steps x 3 words are
//   48 of 96 registers.
// Schedule, V = 2 and C = 8: 2 neurons a thread; 8 steps at once, as many as lie between checkpoints; about 131 of
//   168 registers for 3 blocks of 128 threads a multiprocessor.

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

// Sums over neurons, by a balanced binary tree over their numbers: neighbours first, 0 + 1, 2 + 3, ..., then those
// sums' neighbours. So no schedule decides about a bit; what is missing behind the last neuron is -0, which adds
// nothing.
template <class Real> DEVICE Real warpSum(Real value) {
#pragma unroll
  for (int apart = 1; apart < 32; apart *= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
  return value;
}
template <int count, class Real> DEVICE Real foldSum(Real (&values)[count]) {
#pragma unroll
  for (int apart = 1; apart < count; apart *= 2)
#pragma unroll
    for (int i = 0; i + apart < count; i += 2 * apart) values[i] += values[i + apart];
  return values[0];
}

// One sum of a warp's neurons. Where a thread's are neighbours, they are added first, else those of its lanes.
template <int V, class S, class Real>
DEVICE Real sumOfWarp(const S (&sums)[V], Real S::*field, const Neurons<V> &mine) {
  Real values[V];
#pragma unroll
  for (int k = 0; k < V; k++) {
    values[k] = k < mine.live ? sums[k].*field : Real(-0.f);
    if (!Neurons<V>::neighbours) values[k] = warpSum(values[k]);
  }
  Real sum = foldSum(values);
  return Neurons<V>::neighbours ? warpSum(sum) : sum;
}

// One partial sum a block: that of sum i at partials + i * timeStride, item blockIdx.x.
template <class M, int V, int threads>
DEVICE void writePartials(const typename M::Sums (&sums)[V], const Neurons<V> &mine, const Operand &partials) {
  using Real = typename M::Real;
  constexpr int warps = threads / 32;
  __shared__ Real ofWarps[M::sums][warps];
  Real ofWarp[M::sums];
  M::sumUp(sums, mine, ofWarp);
#pragma unroll
  for (int i = 0; i < M::sums; i++)
    if (threadIdx.x % 32 == 0) ofWarps[i][threadIdx.x / 32] = ofWarp[i];
  __syncthreads();
  for (int i = threadIdx.x; i < M::sums; i += threads)
    ((Real *)(partials.data + i * partials.timeStride))[blockIdx.x] = foldSum(ofWarps[i]);
}

// The tree goes on over partial sums: those of each group of 4 * threads become one. Blocks: group by group, for each
// all sums. runtime/CudaAbi.h has the same struct.
struct ReduceCall {
  const char *from;
  char *to;
  i64 fromStride, toStride; // bytes from one sum's to the next one's
  i64 count;                // of each sum; 0: the result is 0
};
template <class Real, int sums, int threads> DEVICE void reduce(const ReduceCall &call) {
  constexpr int warps = threads / 32, each = 4;
  __shared__ Real ofWarps[warps];
  int sum = blockIdx.x % sums;
  i64 group = blockIdx.x / sums, first = (group * threads + threadIdx.x) * each;
  const Real *from = (const Real *)(call.from + sum * call.fromStride);
  Real values[each];
#pragma unroll
  for (int k = 0; k < each; k++) values[k] = first + k < call.count ? from[first + k] : Real(-0.f);
  Real ofWarp = warpSum(foldSum(values));
  if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = ofWarp;
  __syncthreads();
  if (threadIdx.x == 0)
    ((Real *)(call.to + sum * call.toStride))[group] = call.count == 0 ? Real(0) : foldSum(ofWarps);
}

// Gradients walk time back, a chunk of C steps at once: it is computed again from the states in front of it, keeping
// what the way back reads of each step; then gradients flow through it, from its last step to its first.

// The steps of a chunk from step j on. As `advance` a template, so that what is kept lies in registers.
template <class M, int V, int C, bool exact, int j = 0>
DEVICE void recompute(const typename M::Params &p, const typename M::template Stored<V> (&stored)[C], int length,
                      typename M::State (&states)[V], typename M::Kept (&kept)[C][V]) {
  if (j < length) {
#pragma unroll
    for (int k = 0; k < V; k++) M::template stepKeep<exact>(p, stored[j].of(k), states[k], kept[j][k]);
  }
  if constexpr (j + 1 < C) recompute<M, V, C, exact, j + 1>(p, stored, length, states, kept);
}

// Where the gradients of what a step reads go: those of inputs, and of parameters that vary by step for each neuron.
template <class M, int V, bool varying = M::gradVarying != 0> struct Outgoing : Streams<V, M::gradInputs> {
  DEVICE Outgoing(const CallOf<M> &call, const Where<V> &at, i64 step)
      : Streams<V, M::gradInputs>(call.operands + M::firstGradInput, at, step) {}
};
template <class M, int V> struct Outgoing<M, V, true> : Outgoing<M, V, false> {
  Streams<V, M::gradVarying, DensePlace<V>> varying;
  DEVICE Outgoing(const CallOf<M> &call, const Where<V> &at, i64 step)
      : Outgoing<M, V, false>(call, at, step), varying(call.operands + M::firstGradVarying, at, step) {}
  DEVICE void back() {
    Outgoing<M, V, false>::back();
    varying.back();
  }
};

// From step j of the chunk to its first one, which is step `begin` of the call.
template <class M, int V, int C, bool exact, int j = C - 1>
DEVICE void flowBack(const typename M::Params &p, const typename M::template Stored<V> (&stored)[C],
                     const typename M::Kept (&kept)[C][V], const typename M::template StoredGrads<V> (&given)[C],
                     i64 begin, int length, const typename M::State (&states)[V], typename M::GradState (&grads)[V],
                     typename M::Sums (&sums)[V], Outgoing<M, V> &to) {
  if (j < length) {
    typename M::GradInputs results[V];
#pragma unroll
    for (int k = 0; k < V; k++)
      M::template adjoint<exact>(p, stored[j].of(k), states[k], kept[j][k], given[j].of(k), grads[k], results[k],
                                 sums[k]);
    M::writeGrads(results, to);
    if constexpr (M::truncate != 0)
      if ((begin + j) % M::truncate == 0) {
#pragma unroll
        for (int k = 0; k < V; k++) grads[k] = {};
      }
  }
  to.back();
  if constexpr (j > 0) flowBack<M, V, C, exact, j - 1>(p, stored, kept, given, begin, length, states, grads, sums, to);
}

// All loads of a chunk are under way before the first value is used.
template <class M, int V, int C, bool exact>
DEVICE void walkBack(const CallOf<M> &call, const Where<V> &at, const typename M::Params &p,
                     typename M::State (&states)[V], typename M::GradState (&grads)[V], typename M::Sums (&sums)[V]) {
  i64 begin = (call.steps - 1) / C * C; // of the last chunk
  Incoming<M, V> in(call, at, begin + C - 1);
  Streams<V, M::gradOutputs> gradOut(call.operands + M::firstGradOutput, at, begin + C - 1);
  Outgoing<M, V> gradIn(call, at, begin + C - 1);
  Streams<V, M::checkpoints, DensePlace<V>> saved(call.operands + M::firstCheckpoint, at, begin / C - 1);
#pragma unroll 1
  for (; begin >= 0; begin -= C) {
    int length = call.steps - begin < C ? int(call.steps - begin) : C;
    if (begin != 0) M::restore(states, saved);
    saved.back();
    typename M::template Stored<V> stored[C];
    typename M::template StoredGrads<V> given[C];
#pragma unroll
    for (int j = C - 1; j >= 0; j--, in.back())
      if (j < length) stored[j].load(in);
#pragma unroll
    for (int j = C - 1; j >= 0; j--, gradOut.back())
      if (j < length) given[j].load(gradOut);
    if (begin == 0) {
#pragma unroll
      for (int k = 0; k < V; k++) M::init(p, states[k]);
      M::readStates(states, call.operands, at);
    }
    typename M::Kept kept[C][V];
    recompute<M, V, C, exact>(p, stored, length, states, kept);
    flowBack<M, V, C, exact>(p, stored, kept, given, begin, length, states, grads, sums, gradIn);
  }
#pragma unroll
  for (int k = 0; k < V; k++) M::template initAdjoint<exact>(p, states[k], grads[k], sums[k]);
}

template <class M, int V, int C, int threads> DEVICE void differentiate(const CallOf<M> &call) {
  const Neurons<V> neurons = Neurons<V>::mine(threads, call.neurons);
  typename M::Sums sums[V];
  typename M::SiteGrads ofSites[V];
  if (neurons.live) {
    const Where<V> at(call, neurons);
    const typename M::Params p = M::params(call.uniforms);
    typename M::State states[V];
    if constexpr (M::shaped > M::varying) M::readSites(p, states, call, neurons);
    typename M::GradState grads[V];
    M::readFinalGrads(grads, call.operands, at);
    bool multiplies = false;
    if constexpr (M::divides)
      if ((multiplies = M::exact(p))) walkBack<M, V, C, true>(call, at, p, states, grads, sums);
    if (!multiplies) walkBack<M, V, C, false>(call, at, p, states, grads, sums);
    M::writeInitialGrads(grads, call.operands, at);
    if constexpr (M::shaped > M::varying) M::finishSites(p, sums, ofSites, call, neurons);
  }
  if constexpr (M::sums != 0) writePartials<M, V, threads>(sums, neurons, call.operands[M::operands - 1]);
  // Warps part ways: behind what waits for all of them.
  if constexpr (M::siteGrads != 0) M::writeSiteGrads(ofSites, call, neurons);
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

// 1 where x >= 0, else 0; NaN gives 0
DEVICE float spike(float x) {
  return x >= 0.f ? 1.f : 0.f;
}

struct PLIF {
  // Operands and uniforms of the call; parameters with dims come first, then the inputs.
  enum : int { shaped = 0, varying = 0 };
  enum : int { inputs = 1, operands = 5, uniforms = 6, sums = 1, truncate = 0 };
  enum : int { gradOutputs = 1, firstGradOutput = 2 };
  enum : int { gradInputs = 1, firstGradInput = 3 };
  enum : int { siteGrads = 0, firstSiteGrad = 4, gradVarying = 0, firstGradVarying = 4 };
  enum : int { checkpoints = 1, firstCheckpoint = 1, every = 8 };

  struct Params { float v_th, v_reset, k, c2, c3; };
  struct Inputs { float x; };
  struct State { float v; };
  struct Kept { float value1, h; };
  struct GradOutputs { float s; };
  struct GradInputs { float x; };
  struct GradState { float v = 0; };
  struct Sums { float k = -0.f; };
  struct SiteGrads {};
  using Real = float;
  static DEVICE Params params(const Uniform *u) {
    return {u[1].get<float>(), u[2].get<float>(), u[3].get<float>(), u[4].get<float>(), u[5].get<float>()};
  }

  struct Given { float raw_k; };
  struct Invariants { float k, c2, c3; };
  static DEVICE Given given(const Uniform *u) {
    return {u[0].get<float>()};
  }
  static DEVICE void prologue(const Given &given, Invariants &once) {
    // s = spike(h - v_th, atan(alpha=2.0))
    once.c2 = 2.f / 2.f;
    once.c3 = 1.5707964f * 2.f;
    once.k = sigmoid(given.raw_k);
  }
  static DEVICE void keepAll(const Invariants &once, char *slots) {
    keep<float>(slots, 0, once.k);
    keep<float>(slots, 1, once.c2);
    keep<float>(slots, 2, once.c3);
  }

  static DEVICE void init(const Params &p, State &state) {
    state.v = p.v_reset;
  }

  template <bool exact> static DEVICE void stepKeep(const Params &p, const Inputs &in, State &state, Kept &kept) {
    // h = v + (x - (v - v_reset)) * k
    float t1 = in.x - (state.v - p.v_reset);
    float h = state.v + t1 * p.k;
    // s = spike(h - v_th, atan(alpha=2.0))
    float s = spike(h - p.v_th);
    // v = h * (1.0 - s) + v_reset * s
    state.v = h * (1.f - s) + p.v_reset * s;
    kept.value1 = t1;
    kept.h = h;
  }

  template <bool exact>
  static DEVICE void adjoint(const Params &p, const Inputs &in, const State &state, const Kept &kept, const GradOutputs
      &gradOut, GradState &grads, GradInputs &gradIn, Sums &sums) {
    // s = spike(h - v_th, atan(alpha=2.0))
    float t1 = kept.h - p.v_th;
    float s = spike(t1);
    // v = h * (1.0 - s) + v_reset * s
    float grad_s = fmaf(grads.v, p.v_reset, gradOut.s) + (-(grads.v * kept.h));
    // s = spike(h - v_th, atan(alpha=2.0))
    float t2 = p.c3 * t1;
    float grad_h = fmaf(grads.v, 1.f - s, grad_s * (p.c2 / (1.f + t2 * t2)));
    // h = v + (x - (v - v_reset)) * k
    float t3 = grad_h * p.k;
    sums.k += grad_h * kept.value1;
    grads.v = grad_h + (-t3);
    gradIn.x = t3;
  }
  template <bool exact> static DEVICE void initAdjoint(const Params &p, const State &state, const GradState &grads, Sums
      &sums) {}

  struct GradParams { float raw_k; };
  static DEVICE Sums totals(const char *slots) {
    return {fromSlot<float>(slots, 0)};
  }
  static DEVICE void epilogue(const Given &given, const Sums &sums, GradParams &grads) {
    float k = sigmoid(given.raw_k);
    grads.raw_k = sums.k * ((1.f - k) * k);
  }
  static DEVICE void keepGradients(const GradParams &once, char *slots) {
    keep<float>(slots, 0, once.raw_k);
  }

  enum : bool { divides = false };

  // One step of the inputs as it lies in memory.
  template <int V> struct Stored {
    Row<float, V> x;
    DEVICE void load(const Streams<V, inputs> &from) {
      x.load(from, 0);
    }
    DEVICE Inputs of(int k) const { return {x[k]}; }
  };
  template <int V>
  static DEVICE void readStates(State (&states)[V], const Operand *operands, const Where<V> &at) {}
  template <int V> struct StoredGrads {
    Row<float, V> s;
    DEVICE void load(const Streams<V, gradOutputs> &from) {
      s.load(from, 0);
    }
    DEVICE GradOutputs of(int k) const { return {s[k]}; }
  };
  template <int V, class To> static DEVICE void writeGrads(const GradInputs (&results)[V], const To &to) {
    Row<float, V>::store(results, &GradInputs::x, to, 0);
  }
  template <int V>
  static DEVICE void restore(State (&states)[V], const Streams<V, checkpoints, DensePlace<V>> &at) {
    Row<float, V>::read(states, &State::v, at, 0);
  }
  template <int V>
  static DEVICE void readFinalGrads(GradState (&states)[V], const Operand *operands, const Where<V> &at) {}
  template <int V>
  static DEVICE void writeInitialGrads(const GradState (&states)[V], const Operand *operands, const Where<V> &at) {}
  template <int V>
  static DEVICE void sumUp(const Sums (&sums)[V], const Neurons<V> &mine, Real *ofWarp) {
    ofWarp[0] = sumOfWarp(sums, &Sums::k, mine);
  }
};

KERNEL void __launch_bounds__(128, 3) PLIF_backward(ARGUMENT CallOf<PLIF> call) {
  differentiate<PLIF, 2, 8, 128>(call);
}

KERNEL void PLIF_backward_prologue(ARGUMENT PrologueCall<3> call) {
  if (threadIdx.x != 0) return;
  PLIF::Invariants once;
  PLIF::prologue(PLIF::given(call.params), once);
  PLIF::keepAll(once, call.invariants);
}

KERNEL void __launch_bounds__(256) PLIF_backward_reduce(ARGUMENT ReduceCall call) {
  reduce<PLIF::Real, PLIF::sums, 256>(call);
}

KERNEL void PLIF_backward_epilogue(ARGUMENT EpilogueCall<3> call) {
  if (threadIdx.x != 0) return;
  PLIF::GradParams grads;
  PLIF::epilogue(PLIF::given(call.params), PLIF::totals(call.sums), grads);
  PLIF::keepGradients(grads, call.gradients);
}

} // namespace flexsn
