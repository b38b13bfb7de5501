// Timing: things that take turns, their medians and quartiles.
#include "tools/flexsnc/Bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace flexsn::cli {

using Clock = std::chrono::steady_clock;

static double secondsOf(const std::function<void()> &subject, int64_t repeats) {
  Clock::time_point begin = Clock::now();
  for (int64_t i = 0; i < repeats; ++i)
    subject();
  return std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(repeats);
}

/// Of three times: one that was interrupted decides nothing.
static double quickest(const std::function<void()> &subject, int64_t repeats) {
  return std::min({secondsOf(subject, repeats), secondsOf(subject, repeats), secondsOf(subject, repeats)});
}

/// The value below which that part of the sorted values lies, between neighbours by a straight line.
static double quantile(const std::vector<double> &sorted, double part) {
  double place = part * static_cast<double>(sorted.size() - 1);
  auto below = static_cast<size_t>(place);
  size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - std::floor(place));
}

Timing timingOf(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return {quantile(seconds, 0.5), quantile(seconds, 0.25), quantile(seconds, 0.75), seconds.front(),
          static_cast<int64_t>(seconds.size())};
}

std::vector<Timing> measure(const std::vector<std::function<void()>> &subjects, double seconds) {
  constexpr double shortest = 1e-3; // a sample; the clock's own cost disappears in it
  constexpr size_t fewest = 7;
  struct State {
    int64_t repeats;
    double total = 0;
    std::vector<double> samples;
  };
  std::vector<State> states;
  for (const std::function<void()> &subject : subjects) {
    subject(); // pages, caches and branch predictors
    int64_t repeats = 1;
    while (repeats < (1 << 20) && quickest(subject, repeats) * static_cast<double>(repeats) < shortest)
      repeats *= 2;
    states.push_back({repeats, 0, {}});
  }
  auto unfinished = [&](const State &state) { return state.total < seconds || state.samples.size() < fewest; };
  while (std::any_of(states.begin(), states.end(), unfinished))
    for (size_t i = 0; i < subjects.size(); ++i) {
      double sample = secondsOf(subjects[i], states[i].repeats);
      states[i].samples.push_back(sample);
      states[i].total += sample * static_cast<double>(states[i].repeats);
    }
  std::vector<Timing> timings;
  for (State &state : states)
    timings.push_back(timingOf(std::move(state.samples)));
  return timings;
}

} // namespace flexsn::cli
