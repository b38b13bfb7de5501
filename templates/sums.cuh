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
