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
