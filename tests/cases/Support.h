// What the cases share: guarded buffers and copies of one neuron.
#pragma once

#include <flexsn/flexsn.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace flexsn::cases {

constexpr int64_t copies[] = {1, 33, 1025};

/// Two states, of which the second follows the first; the cases' inputs keep every value exact.
constexpr const char *pairText = R"(
neuron Pair:
  input x; output s; state i = 0, v = 0
  param a = 0.5, b = 0.75, v_th = 1
  i = a*i + x
  v = b*v + i
  s = spike(v - v_th)
  v = v - v_th*s
)";

/// A buffer of `T` between guard bytes, which `intact` looks at.
template <class T> class Guarded {
public:
  explicit Guarded(size_t count, T value = T()) : count(count), memory(2 * guard + count * sizeof(T), pattern) {
    for (size_t i = 0; i < count; ++i)
      (*this)[i] = value;
  }
  T &operator[](size_t i) { return data()[i]; }
  T *data() { return reinterpret_cast<T *>(memory.data() + guard); }
  Tensor view(Shape shape) { return flexsn::view(data(), std::move(shape)); }
  std::vector<T> values() { return {data(), data() + count}; }
  bool intact() const {
    auto untouched = [](uint8_t byte) { return byte == pattern; };
    return std::all_of(memory.begin(), memory.begin() + guard, untouched) &&
           std::all_of(memory.end() - guard, memory.end(), untouched);
  }

private:
  static constexpr size_t guard = 72; // longer than the widest vector, and no multiple of one
  static constexpr uint8_t pattern = 0xa5;
  size_t count;
  std::vector<uint8_t> memory;
};

/// `sequence` for `n` copies of one neuron: [T, n].
inline std::vector<float> repeated(const std::vector<float> &sequence, int64_t n) {
  std::vector<float> all;
  for (float value : sequence)
    all.insert(all.end(), static_cast<size_t>(n), value);
  return all;
}

inline bool sameBits(const std::vector<float> &a, const std::vector<float> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Both kernels of a training step.
inline void train(const Neuron &neuron, Call call) {
  std::vector<std::byte> residual(neuron.residual_bytes(call));
  call.residual = residual.data();
  call.residual_bytes = residual.size();
  neuron.forward(call);
  neuron.backward(call);
}

/// The message of the Error that `action` throws; a failed test if it throws none.
inline std::string messageOf(const std::function<void()> &action) {
  try {
    action();
  } catch (const Error &error) {
    return error.message();
  }
  ADD_FAILURE() << "no error";
  return "";
}

} // namespace flexsn::cases
