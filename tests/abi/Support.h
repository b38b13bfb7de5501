// What the tests of the interfaces share.
#pragma once

#include <flexsn/flexsn.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace flexsn::test {

/// A LIF neuron whose numbers are easy to follow; h is there to be asked for.
inline constexpr const char *lif = R"(neuron LIF:
  input x
  state v = 0
  param tau = 2.0, v_th = 1.0
  h = v + (x - v) / tau
  s = spike(h - v_th)
  v = h * (1 - s)
  output s
)";

/// The Error that `body` throws; a test failure if it throws none.
template <class Body> Error errorOf(Body body) {
  try {
    body();
  } catch (const Error &error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error(Code::ok, "nothing was thrown");
}

template <class Body> std::string messageOf(Body body) { return errorOf(body).message(); }

/// The spikes and the last potential of `lif`, by its own arithmetic.
struct Expected {
  std::vector<float> s, v;
};
inline Expected expected(const std::vector<float> &x, size_t T, size_t N, float tau = 2, float v = 0) {
  Expected result{std::vector<float>(T * N), std::vector<float>(N, v)};
  for (size_t t = 0; t < T; ++t)
    for (size_t n = 0; n < N; ++n) {
      float h = result.v[n] + (x[t * N + n] - result.v[n]) / tau;
      float s = h - 1.0f >= 0 ? 1.0f : 0.0f;
      result.s[t * N + n] = s;
      result.v[n] = h * (1 - s);
    }
  return result;
}

/// Currents that make some neurons fire and others not.
inline std::vector<float> currents(size_t count) {
  std::vector<float> x(count);
  for (size_t i = 0; i < count; ++i)
    x[i] = static_cast<float>((i * 37) % 23) / 8.0f;
  return x;
}

} // namespace flexsn::test
