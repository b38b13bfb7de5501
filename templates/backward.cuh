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
