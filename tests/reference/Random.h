// Random numbers for tests: the same on every machine and with every standard library.
#pragma once

#include <cstdint>

namespace flexsn::reference {

/// splitmix64.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t bits() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// 0 .. count - 1.
  unsigned below(unsigned count) { return static_cast<unsigned>(bits() % count); }
  /// True `percent` times of a hundred.
  bool chance(unsigned percent) { return below(100) < percent; }
  /// From [low, high).
  double between(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }

private:
  uint64_t state;
};

} // namespace flexsn::reference
