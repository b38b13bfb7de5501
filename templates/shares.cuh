// Gradients of parameters with dims: what neurons have of one element becomes a sum. Neurons in a row that share an
// element are a run. Its sum is the tree of sums.cuh over the neurons' numbers, in which others are missing; then a
// tree over the number of the element's run. Aligned groups of `unit` neurons cut runs into pieces: that of run r in
// group g lies at r + g. runtime/CudaShares.h has the plan, and the same structs.

// A tree whose nodes come one by one, with numbers from `first` on; at most 32, or all in one aligned group of so many.
// The node that has the first number is apart: it has no neighbour on its left, however high it goes.
template <class Real> struct TreeSum {
  enum : int { levels = 5 };
  i64 first;
  Real left = Real(0), waiting[levels];
  unsigned present = 0;
  DEVICE TreeSum(i64 first) : first(first) {}
  DEVICE void push(Real value, i64 number) {
    if (number == first) {
      left = value;
      return;
    }
    bool done = false;
#pragma unroll
    for (int level = 0; level < levels; level++, number >>= 1) {
      if (done) continue;
      if (number % 2 == 0) {
        waiting[level] = value;
        present |= 1u << level;
        done = true;
      } else if ((number - 1) << level <= first) {
        left = left + value;
        done = true;
      } else {
        value = waiting[level] + value;
        present &= ~(1u << level);
      }
    }
  }
  DEVICE Real finish() const { // of nothing: 0
    Real sum = Real(0);
    bool some = false;
#pragma unroll
    for (int level = 0; level < levels; level++)
      if (present >> level & 1) {
        sum = some ? waiting[level] + sum : waiting[level];
        some = true;
      }
    return some ? left + sum : left;
  }
};

// What a warp's neurons have of the gradient of a parameter of neurons: their own rows where none is shared by its
// neighbours, else a piece for each run. All lanes take part. The operand's timeStride is the neurons of a run.
template <class Real, int V, class S>
DEVICE void writePieces(const S (&grads)[V], Real S::*field, const Operand &to, const Neurons<V> &mine, i64 neurons) {
  constexpr int unit = 32 * V;
  const i64 run = to.timeStride;
  const i64 begin = mine.first - i64(threadIdx.x % 32) * (Neurons<V>::neighbours ? V : 1);
  const i64 end = begin + unit < neurons ? begin + unit : neurons;
  Real *results = (Real *)to.data;
  if (run == 1) {
#pragma unroll
    for (int k = 0; k < V; k++)
      if (k < mine.live) results[mine.number(k)] = grads[k].*field;
    return;
  }
  if (begin >= neurons) return;
#pragma unroll 1
  for (i64 piece = begin / run; piece * run < end; piece++) {
    Real values[V];
#pragma unroll
    for (int k = 0; k < V; k++) {
      const i64 place = mine.number(k) - piece * run;
      values[k] = k < mine.live && place >= 0 && place < run ? grads[k].*field : Real(-0.f);
      if (!Neurons<V>::neighbours) values[k] = warpSum(values[k]);
    }
    Real sum = foldSum(values);
    if (Neurons<V>::neighbours) sum = warpSum(sum);
    if (threadIdx.x % 32 == 0) results[piece + begin / unit] = sum;
  }
}

// Pieces of larger groups, 1024 leaves each; a warp makes one. Leaves are pieces, or with unit 1 the neurons' own.
struct GatherCall {
  const char *from;
  char *to;
  i64 fromStride, toStride; // bytes from one step's to the next one's
  i64 steps, runs, run, unit;
  i64 parts;                // pieces that a run may be made into
};
template <class Real, int threads> DEVICE void gather(const GatherCall &call) {
  const i64 warp = (i64(blockIdx.x) * threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const i64 part = warp % call.parts, run = warp / call.parts % call.runs, step = warp / call.parts / call.runs;
  if (step >= call.steps) return;
  const i64 firstLeaf = run * call.run / call.unit, lastLeaf = ((run + 1) * call.run - 1) / call.unit;
  const i64 group = firstLeaf / 1024 + part;
  const i64 begin = group * 1024 < firstLeaf ? firstLeaf : group * 1024;
  const i64 end = (group + 1) * 1024 < lastLeaf + 1 ? (group + 1) * 1024 : lastLeaf + 1;
  if (begin >= end) return;
  const Real *leaves = (const Real *)(call.from + step * call.fromStride) + (call.unit == 1 ? 0 : run);
  TreeSum<Real> sum(begin / 32);
#pragma unroll 1
  for (i64 row = begin / 32; row * 32 < end; row++) {
    const i64 leaf = row * 32 + lane;
    sum.push(warpSum(leaf >= begin && leaf < end ? leaves[leaf] : Real(-0.f)), row);
  }
  const Real total = sum.finish();
  if (lane == 0) ((Real *)(call.to + step * call.toStride))[run + group] = total;
}

// Over the runs of an element, 32 of them a thread. Of an element and of its runs, along each dimension: how many, how
// far apart their leaves are, in elements, and their results, in bytes.
struct ShareAxis { i64 count, from, to; };
struct ShareCall {
  const char *from;
  char *to;
  i64 fromStride, toStride, groupStride; // bytes from one step's to the next one's, from one group's result to the next
  i64 steps, elements, leaves;
  i64 run, unit;                         // a leaf is a run with its pieces; unit 0: a single value
  ShareAxis own[maxDims], shared[maxDims];
};
template <class Real, int threads> DEVICE void share(const ShareCall &call) {
  const i64 id = i64(blockIdx.x) * threads + threadIdx.x, groups = (call.leaves + 31) / 32;
  const i64 group = id / call.elements % groups, step = id / call.elements / groups;
  if (step >= call.steps) return;
  i64 base = 0, result = step * call.toStride + group * call.groupStride, element = id % call.elements;
#pragma unroll
  for (int d = maxDims - 1; d >= 0; d--)
    if (const ShareAxis axis = call.own[d]; axis.count != 1) {
      base += element % axis.count * axis.from;
      result += element % axis.count * axis.to;
      element /= axis.count;
    }
  const Real *leaves = (const Real *)(call.from + step * call.fromStride);
  const i64 end = group * 32 + 32 < call.leaves ? group * 32 + 32 : call.leaves;
  TreeSum<Real> sum(group * 32);
#pragma unroll 1
  for (i64 i = group * 32; i < end; i++) {
    i64 leaf = base, rest = i;
#pragma unroll
    for (int d = maxDims - 1; d >= 0; d--)
      if (const ShareAxis axis = call.shared[d]; axis.count != 1) {
        leaf += rest % axis.count * axis.from;
        rest /= axis.count;
      }
    if (call.unit == 0) {
      sum.push(leaves[leaf], i);
      continue;
    }
    const i64 first = leaf * call.run / call.unit, last = ((leaf + 1) * call.run - 1) / call.unit;
    TreeSum<Real> ofRun(first);
#pragma unroll 1
    for (i64 piece = first; piece <= last; piece++) ofRun.push(leaves[leaf + piece], piece);
    sum.push(ofRun.finish(), i);
  }
  *(Real *)(call.to + result) = sum.finish();
}
