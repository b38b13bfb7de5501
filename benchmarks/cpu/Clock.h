// How long a run takes: the best and the middle one of many, taken in turn with those it is compared with.
#pragma once

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace flexsn::bench {

/// Seconds. With `ofThread` those that this thread computed, which other programs on a busy machine do not lengthen;
/// right only for what runs on this thread alone.
inline double seconds(bool ofThread) {
  timespec now{};
  clock_gettime(ofThread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Something to measure, and how long it took each time.
struct Contestant {
  std::string name;
  std::function<void()> run;
  std::vector<double> times = {};

  double best() const { return *std::min_element(times.begin(), times.end()); }
  double median() const {
    std::vector<double> sorted = times;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<long>(sorted.size() / 2), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

/// Runs all of them in turn, so that what disturbs the machine disturbs them alike: once unmeasured, then `rounds`
/// times.
inline void race(std::vector<Contestant> &contestants, int rounds, bool ofThread) {
  for (int round = -1; round < rounds; ++round)
    for (Contestant &one : contestants) {
      double begin = seconds(ofThread);
      one.run();
      if (round >= 0)
        one.times.push_back(seconds(ofThread) - begin);
    }
}

} // namespace flexsn::bench
