// What `flexsnc bench` measures, and how it is shown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace flexsn::cli {

// ---- Measuring ----

/// Seconds of one run: the median, the quartiles and the least of all samples.
struct Timing {
  double median = 0, low = 0, high = 0, least = 0;
  int64_t samples = 0;

  /// Distance of the quartiles in parts of the median.
  double spread() const { return median > 0 ? (high - low) / median : 0; }
};

/// Of the samples of one subject, in any order. At least one.
Timing timingOf(std::vector<double> seconds);

/// Times several things against each other: each is run once to warm up; then they take turns, so that whatever else
/// the machine does meets all of them, until each has run for `seconds` and seven times. Runs shorter than a
/// millisecond are timed several at once.
std::vector<Timing> measure(const std::vector<std::function<void()>> &subjects, double seconds);

// ---- The yardstick ----

/// Threads that share a copy among them, as those of the library share a large call.
class Copier {
public:
  using Copy = void(char *to, const char *from, size_t bytes);

  /// The calling thread is one of `threads`.
  explicit Copier(int threads);
  ~Copier();
  Copier(const Copier &) = delete;
  Copier &operator=(const Copier &) = delete;

  /// Returns when all of it is copied.
  void run(Copy *copy, char *to, const char *from, size_t bytes);

private:
  struct Team;
  std::unique_ptr<Team> team;
};

/// As memcpy does.
void plainCopy(char *to, const char *from, size_t bytes);
/// Copies with stores that go past the caches, one for each width of store that this processor has, the widest and so
/// the fastest last. Empty where none is known here.
std::vector<Copier::Copy *> streamingCopies();

// ---- Results ----

/// One kernel at one size, and copies that read and write as many bytes together.
struct BenchCase {
  std::string kernel;
  int64_t steps, neurons;
  uint64_t bytes; ///< that one run reads and writes
  Timing run, plain;
  std::optional<Timing> streaming;

  double copySeconds() const { return streaming ? std::min(plain.median, streaming->median) : plain.median; }
  /// 1 is as fast as the faster copy.
  double ratio() const { return copySeconds() / run.median; }
  double rate(const Timing &timing) const { return static_cast<double>(bytes) / 1e9 / timing.median; } ///< GB/s
};

struct BenchReport {
  std::string model, dtype, processor;
  int threads = 1;
  std::vector<BenchCase> cases;
};

/// "LIF on sapphirerapids: f32, 1 thread"
std::string benchTitle(const BenchReport &report);
/// A table in 80 columns.
std::string benchTable(const BenchReport &report);
/// A complete SVG document: one bar for the kernel and one for each copy, by case.
std::string benchSvg(const BenchReport &report);

} // namespace flexsn::cli
