// Part of flexsn.hpp: devices, shapes and views of memory.
#ifndef FLEXSN_TENSOR_HPP
#define FLEXSN_TENSOR_HPP

#include "error.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace flexsn {
inline namespace v1 {

/// Where memory lies and kernels run.
struct Device {
  DLDevice value;
  static Device cpu() { return {flexsn_cpu()}; }
};

/// Sizes of a tensor's dimensions, from integers of any type: {T, N}.
class Shape {
public:
  template <class... Sizes, class = std::enable_if_t<(std::is_integral_v<Sizes> && ...)>>
  Shape(Sizes... sizes) : dims{static_cast<int64_t>(sizes)...} {}
  Shape(std::vector<int64_t> sizes) : dims(std::move(sizes)) {}
  const std::vector<int64_t> &sizes() const { return dims; }

private:
  std::vector<int64_t> dims;
};

/// The bits of one 16-bit float, as elements of vectors and views; arithmetic is somebody else's.
struct float16 {
  uint16_t bits;
};
struct bfloat16 {
  uint16_t bits;
};

namespace detail {
template <class T> constexpr DLDataType dataType() {
  constexpr bool half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
  static_assert(half || (std::is_arithmetic_v<T> && sizeof(T) <= 8), "a tensor holds numbers or bools");
  constexpr auto bits = static_cast<uint8_t>(8 * sizeof(T));
  if constexpr (std::is_same_v<T, bool>)
    return {kDLBool, bits, 1};
  else if constexpr (std::is_same_v<T, bfloat16>)
    return {kDLBfloat, bits, 1};
  else if constexpr (half || std::is_floating_point_v<T>)
    return {kDLFloat, bits, 1};
  else
    return {static_cast<uint8_t>(std::is_signed_v<T> ? kDLInt : kDLUInt), bits, 1};
}
} // namespace detail

/// A strided view of memory that somebody else owns. Copies are views of the same memory.
class Tensor {
public:
  /// `strides` in elements; empty: dense, the last dimension innermost.
  Tensor(void *data, DLDataType element, const Shape &shape, std::vector<int64_t> strides = {},
         Device device = Device::cpu())
      : memory(data), where(device.value), type(element), dims(shape.sizes()), steps(std::move(strides)) {
    if (!steps.empty() && steps.size() != dims.size())
      throw Error(Code::value, "a tensor of " + std::to_string(dims.size()) + " dimensions got " +
                                   std::to_string(steps.size()) + " strides");
  }
  /// A view of what `tensor` views; its shape and strides are copied.
  Tensor(const DLTensor &tensor)
      : memory(tensor.data), offset(tensor.byte_offset), where(tensor.device), type(tensor.dtype) {
    if (tensor.ndim < 0 || (tensor.ndim > 0 && !tensor.shape))
      throw Error(Code::value, "a DLTensor without a shape");
    dims.assign(tensor.shape, tensor.shape + tensor.ndim);
    if (tensor.strides)
      steps.assign(tensor.strides, tensor.strides + tensor.ndim);
  }

  /// The view in DLPack's form. Its shape and strides are this object's: it must outlive the result.
  DLTensor dlpack() const & {
    return {memory,
            where,
            static_cast<int32_t>(dims.size()),
            type,
            const_cast<int64_t *>(dims.data()), // the standard has no const; nothing writes there
            steps.empty() ? nullptr : const_cast<int64_t *>(steps.data()),
            offset};
  }
  operator DLTensor() const & { return dlpack(); }
  DLTensor dlpack() && = delete; // its shape would be gone at once
  operator DLTensor() && = delete;

  /// Step `t` of a sequence: the view without its first dimension, of the shape that states have.
  Tensor step(int64_t t) const {
    if (dims.empty())
      throw Error(Code::value, "a tensor without dimensions has no steps");
    Tensor result = *this;
    uint64_t stride = steps.empty() ? 1 : static_cast<uint64_t>(steps[0]);
    for (size_t d = 1; d < dims.size() && steps.empty(); ++d)
      stride *= static_cast<uint64_t>(dims[d]);
    // Without signs, so that no stride overflows: what lies outside memory is refused by the call.
    result.offset += static_cast<uint64_t>(t) * stride * (type.bits * type.lanes / 8u);
    result.dims.erase(result.dims.begin());
    if (!steps.empty())
      result.steps.erase(result.steps.begin());
    return result;
  }

  void *data() const { return memory; }
  DLDataType dtype() const { return type; }
  DLDevice device() const { return where; }
  const std::vector<int64_t> &shape() const { return dims; }
  /// In elements; empty if dense.
  const std::vector<int64_t> &strides() const { return steps; }
  /// True for a view of const memory, which is refused where a call would write.
  bool read_only() const { return constant; }
  Tensor as_read_only() const {
    Tensor copy = *this;
    copy.constant = true;
    return copy;
  }

private:
  void *memory;
  uint64_t offset = 0;
  DLDevice where;
  DLDataType type;
  std::vector<int64_t> dims, steps;
  bool constant = false;
};

/// A view of `data`. Strides are in elements; empty: dense, the last dimension innermost.
template <class T> Tensor view(T *data, const Shape &shape, std::vector<int64_t> strides = {}) {
  using Plain = std::remove_const_t<T>;
  Tensor tensor(const_cast<Plain *>(data), detail::dataType<Plain>(), shape, std::move(strides));
  return std::is_const_v<T> ? tensor.as_read_only() : tensor;
}

namespace detail {
/// Strides of a dense tensor in the memory order of `like`: sizes of 1 and repeated dimensions keep their place.
inline std::vector<int64_t> denseStrides(const Tensor &like) {
  const std::vector<int64_t> &shape = like.shape(), &strides = like.strides();
  std::vector<size_t> order, moving; // outermost first
  for (size_t d = 0; d < shape.size(); ++d) {
    order.push_back(d);
    if (!strides.empty() && shape[d] != 1 && strides[d] != 0)
      moving.push_back(d);
  }
  std::vector<size_t> places = moving;
  std::sort(moving.begin(), moving.end(), [&](size_t a, size_t b) {
    const auto magnitude = [](int64_t stride) {
      const auto bits = static_cast<uint64_t>(stride); // the least of all has no positive twin
      return stride < 0 ? 0 - bits : bits;
    };
    uint64_t left = magnitude(strides[a]), right = magnitude(strides[b]);
    return left != right ? left > right : a < b;
  });
  for (size_t i = 0; i < places.size(); ++i)
    order[places[i]] = moving[i];
  std::vector<int64_t> result(shape.size());
  uint64_t dense = 1; // a shape that no memory holds is refused by the call
  for (size_t i = order.size(); i-- > 0;) {
    result[order[i]] = static_cast<int64_t>(dense);
    dense *= static_cast<uint64_t>(shape[order[i]]);
  }
  return result;
}
} // namespace detail

/// A dense view of `data` in the shape and memory order of `like`, which results best have: a call whose operands are
/// all dense in one order walks them side by side.
template <class T> Tensor view_like(const Tensor &like, T *data) {
  return view(data, like.shape(), detail::denseStrides(like));
}

namespace detail {
template <class Vector> Tensor viewWhole(Vector &vector, const Shape &shape) {
  size_t needed = 1;
  std::string text;
  for (int64_t size : shape.sizes()) {
    const auto count = static_cast<size_t>(size);
    const bool fits = size >= 0 && (count == 0 || needed <= SIZE_MAX / count);
    needed = fits ? needed * count : SIZE_MAX;
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  }
  if (needed != vector.size())
    throw Error(Code::value, "a view of shape (" + text + ") does not fit a vector of " +
                                 std::to_string(vector.size()) + " elements");
  return view(vector.data(), shape);
}
} // namespace detail

/// A dense view of a whole vector, whose size must be that of the shape.
template <class T, class A> Tensor view(std::vector<T, A> &vector, const Shape &shape) {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> holds bits: use a vector of uint8_t");
  return detail::viewWhole(vector, shape);
}
template <class T, class A> Tensor view(const std::vector<T, A> &vector, const Shape &shape) {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> holds bits: use a vector of uint8_t");
  return detail::viewWhole(vector, shape);
}

} // namespace v1
} // namespace flexsn
#endif // FLEXSN_TENSOR_HPP
