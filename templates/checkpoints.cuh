// What a forward kernel saves: the states in front of every M::every-th step but the first, dense in the iteration
// order.
template <class M, int V> struct Checkpoints {
  Streams<V, M::checkpoints, DensePlace<V>> rows;
  DEVICE Checkpoints(const CallOf<M> &call, const Where<V> &at) : rows(call.operands + M::firstCheckpoint, at) {}
  DEVICE void before(i64 step, const typename M::State (&states)[V]) {
    if (step == 0 || step % M::every != 0) return;
    M::save(states, rows);
    rows.forth();
  }
};
