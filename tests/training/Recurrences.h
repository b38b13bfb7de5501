// Recurrences that stay within a few ulp of their threshold, where any other rounding of a step would flip a spike.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace flexsn::test {

struct Recurrence {
  const char *name;
  const char *declarations; ///< states and parameters
  const char *drive;        ///< the input that leads to the threshold, but for roundings
  const char *step;         ///< from x: the potential h, then the spike s
  float threshold;
  float reach; ///< how far from the threshold, in its ulp, a potential counts as near: the roundings of the step
  std::vector<double> taus = {}; ///< values for `tau`, if it has such a parameter
};

inline const std::vector<Recurrence> &recurrences() {
  static const std::vector<Recurrence> all = {
      // By 2.3 a division is a refined product, by 2 a product.
      {"LIF",
       "state v = v_reset\n  param tau = 2.3, v_th = 1.0, v_reset = 0.0",
       "(v_th - v)*tau + (v - v_reset)",
       "h = v + (x - (v - v_reset))/tau\n  s = spike(h - v_th)\n  v = h*(1 - s) + v_reset*s",
       1,
       16,
       {2.3, 2}},
      {"PLIF", "state v = 0\n  param k = 0.43 as sigmoid, v_th = 1.0", "(v_th - v)/k + v",
       "h = v + (x - v)*k\n  s = spike(h - v_th)\n  v = h - v_th*s", 1, 16},
      {"EIF",
       "state v = 0\n  param tau = 1.7, delta_t = 0.7, rheobase = 0.8, v_th = 1.0, v_reset = -0.1",
       "(v_th - v)*tau + v - delta_t*exp((v - rheobase)/delta_t)",
       "h = v + (x - v + delta_t*exp((v - rheobase)/delta_t))/tau\n  s = spike(h - v_th)\n"
       "  v = h*(1 - s) + v_reset*s",
       1,
       16,
       {1.7, 2}},
      {"Izhikevich", "state v = -65, u = -13\n  param a = 0.02, b = 0.2, c = -65, d = 8",
       "30 - (v + (0.04*v**2 + 5*v + 140 - u))",
       "h = v + (0.04*v**2 + 5*v + 140 - u + x)\n  s = spike(h - 30)\n  u = u + a*(b*v - u) + s*d\n"
       "  v = h*(1 - s) + c*s",
       30, 64},
  };
  return all;
}

/// The text of a recurrence. `driven`: its input is `jitter`, added to what leads to the threshold, else x. `seen`: the
/// gradients of two more inputs, `gain` and `scale`, are the spike and the potential as the backward kernel has them,
/// where 1 flows into the outputs `sawSpike` and `sawPotential`.
inline std::string textOf(const Recurrence &recurrence, bool driven, bool seen) {
  return fmt::format("neuron {}:\n  input {}{}\n  {}\n{}  {}\n{}  output s, h{}\n", recurrence.name,
                     driven ? "jitter" : "x", seen ? ", gain, scale" : "", recurrence.declarations,
                     driven ? fmt::format("  x = {} + jitter\n", recurrence.drive) : "", recurrence.step,
                     seen ? "  sawSpike = detach(s)*gain\n  sawPotential = detach(h)*scale\n" : "",
                     seen ? ", sawSpike, sawPotential" : "");
}

/// The largest |jitter|.
inline float jitterOf(const Recurrence &recurrence) { return 8 * recurrence.threshold * 0x1p-23F; }

} // namespace flexsn::test
