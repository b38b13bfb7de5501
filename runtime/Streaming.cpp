#include "runtime/Streaming.h"

#include "runtime/ThreadPool.h"

#include <algorithm>
#include <unistd.h>

namespace flexsn {

/// A multiple of every vector's bytes.
static constexpr int64_t alignment = 64;
/// No cache of one core is larger.
static constexpr double largestCache = 16 << 20;

/// The largest cache that a core has for itself.
static size_t ownCacheBytes() {
  long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? static_cast<size_t>(bytes) : size_t{1} << 20;
}

/// How many bytes of sequences the call walks through, each neuron counted where its element lies apart.
static double walkedBytes(const CallSequences &call) {
  double bytes = 0;
  for (std::span<const CpuOperand> operands : {call.read, call.written})
    for (const CpuOperand &operand : operands)
      bytes += static_cast<double>(operand.elementStride) * static_cast<double>(call.neurons) *
               static_cast<double>(operand.timeStride == 0 ? 1 : call.steps);
  return bytes;
}

/// Neuron `head` of every step begins a cache line of the output.
static bool beginsLines(const CpuOperand &output, int64_t steps, int64_t head) {
  auto address = reinterpret_cast<uintptr_t>(output.data) + static_cast<uintptr_t>(head * output.elementStride);
  return address % alignment == 0 && (steps == 1 || output.timeStride % alignment == 0);
}

std::optional<int64_t> streamingHead(const CallSequences &call, size_t cacheBytes, unsigned threads) {
  // Twice what the caches hold: a margin, since to be wrong here costs the next reader more than it gains us.
  double held = std::min(static_cast<double>(cacheBytes) * threads, largestCache);
  if (call.layout != Layout::Linear || call.written.empty() || walkedBytes(call) <= 2 * held)
    return std::nullopt;
  for (int64_t head = 0; head < (call.hasSums ? 1 : alignment); ++head)
    if (std::all_of(call.written.begin(), call.written.end(),
                    [&](const CpuOperand &output) { return beginsLines(output, call.steps, head); }))
      return head;
  return std::nullopt;
}

std::optional<int64_t> streamingHead(const CallOperands &call, size_t cacheBytes, unsigned threads) {
  std::vector<CpuOperand> read, written;
  for (const auto &[operand, place] : call.operands)
    if (isSequence(operand.role))
      (isWritten(operand.role) ? written : read).push_back(place);
  bool hasSums = !call.gradients.params.empty();
  return streamingHead({call.layout, call.steps, call.neurons, read, written, hasSums}, cacheBytes, threads);
}

std::optional<int64_t> streamingHead(const CallOperands &call) {
  static const size_t cacheBytes = ownCacheBytes();
  return streamingHead(call, cacheBytes, ThreadPool::threads());
}

} // namespace flexsn
