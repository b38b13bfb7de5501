#include "runtime/Tensor.h"

#include <algorithm>
#include <cstring>

namespace flexsn {

bool TensorView::empty() const { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

std::string shapeText(const std::vector<int64_t> &shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string_view storageWords(Storage storage) {
  switch (storage) {
  case Storage::F16: return "float16";
  case Storage::BF16: return "bfloat16";
  case Storage::F32: return "float32";
  case Storage::F64: return "float64";
  case Storage::I8: return "int8";
  case Storage::I32: return "int32";
  case Storage::Bool: return "bool";
  }
  return "";
}

static std::string typeWords(DLDataType type) {
  static constexpr std::string_view codes[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
  std::string name =
      type.code < std::size(codes) ? std::string(codes[type.code]) : fmt::format("type code {}, ", type.code);
  if (type.code != kDLBool || type.bits != 8)
    name += fmt::format("{}", type.bits);
  return type.lanes == 1 ? name : fmt::format("{} in vectors of {}", name, type.lanes);
}

static bool holds(DLDataType type, Storage storage) {
  if (type.lanes != 1)
    return false;
  switch (storage) {
  case Storage::F16: return type.code == kDLFloat && type.bits == 16;
  case Storage::BF16: return type.code == kDLBfloat && type.bits == 16;
  case Storage::F32: return type.code == kDLFloat && type.bits == 32;
  case Storage::F64: return type.code == kDLFloat && type.bits == 64;
  case Storage::I8: return type.code == kDLInt && type.bits == 8;
  case Storage::I32: return type.code == kDLInt && type.bits == 32;
  case Storage::Bool: return (type.code == kDLBool || type.code == kDLUInt) && type.bits == 8; // one byte, 0 or not
  }
  return false;
}

std::string deviceText(DLDevice device) {
  switch (device.device_type) {
  case kDLCPU: return fmt::format("cpu:{}", device.device_id);
  case kDLCUDA:
  case kDLCUDAManaged: return fmt::format("cuda:{}", device.device_id);
  case kDLROCM: return fmt::format("rocm:{}", device.device_id);
  default: return fmt::format("{} of type {}", device.device_id, static_cast<int>(device.device_type));
  }
}

static void checkDevice(DLDevice device, const std::string &label) {
  if (device.device_type != kDLCPU && device.device_type != kDLCUDAHost) // pinned host memory is memory
    fail(FLEXSN_ERROR_VALUE, "{} lies on device {}, but the neuron was compiled for the CPU", label,
         deviceText(device));
}

static void checkType(DLDataType type, const std::string &label, Storage expected) {
  if (holds(type, expected))
    return;
  bool floats = (type.code == kDLFloat || type.code == kDLBfloat) && expected != Storage::I8 &&
                expected != Storage::I32 && expected != Storage::Bool;
  fail(FLEXSN_ERROR_TYPE, "{} is {}, but {}{}", label, typeWords(type), storageWords(expected),
       floats ? " is what the neuron was compiled for; convert the data, or compile for its dtype" : " is needed");
}

/// What operands may span, in bytes: more than any machine has, and little enough for sums of several to fit 64 bits.
static constexpr int64_t largestSpan = int64_t{1} << 60;

/// Reads shape and strides, and makes sure that no offset in bytes leaves 64 bits.
static void readShape(const DLTensor &tensor, TensorView &view) {
  if (tensor.ndim < 0 || tensor.ndim > maxRank)
    fail(FLEXSN_ERROR_VALUE, "{} has {} dimensions; 0 to {} are possible", view.label, tensor.ndim, maxRank);
  if (tensor.ndim > 0 && !tensor.shape)
    fail(FLEXSN_ERROR_VALUE, "{} has no shape (NULL)", view.label);
  view.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  for (int64_t size : view.shape)
    if (size < 0)
      fail(FLEXSN_ERROR_VALUE, "{} has the shape {}, with a negative size", view.label, shapeText(view.shape));
  if (tensor.strides)
    view.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
  else
    view.strides.assign(view.shape.size(), 1);

  // The elements, and the bytes that they span. Strides of single elements mean nothing, and without elements none
  // does.
  const int64_t item = static_cast<int64_t>(storageBytes(view.storage));
  int64_t dense = 1, bytes = item, span = item;
  for (size_t i = view.shape.size(); i-- > 0 && !view.empty();) {
    if (view.shape[i] == 1) {
      view.strides[i] = 0;
      continue;
    }
    if (!tensor.strides)
      view.strides[i] = dense;
    int64_t extent = 0, magnitude = 0;
    bool overflow = __builtin_mul_overflow(view.strides[i], item, &extent);
    overflow |= __builtin_mul_overflow(extent, view.shape[i] - 1, &extent);
    overflow |= __builtin_sub_overflow(int64_t{0}, extent, &magnitude);
    overflow |= __builtin_add_overflow(span, std::max(extent, magnitude), &span);
    overflow |= __builtin_mul_overflow(bytes, view.shape[i], &bytes);
    if (overflow || span > largestSpan)
      fail(FLEXSN_ERROR_VALUE, "{} has the shape {}, which is more than memory can hold", view.label,
           shapeText(view.shape));
    dense = bytes / item;
  }
}

/// No element may lie beyond an end of the address space, from where it would come back at the other.
static void checkAddresses(const TensorView &view, uintptr_t address) {
  const auto item = static_cast<int64_t>(storageBytes(view.storage));
  uintptr_t below = 0, above = static_cast<uintptr_t>(item); // sums of what readShape has bounded
  for (size_t d = 0; d < view.shape.size(); ++d) {
    const int64_t extent = view.strides[d] * item * (view.shape[d] - 1);
    (extent < 0 ? below : above) += static_cast<uintptr_t>(extent < 0 ? -extent : extent);
  }
  if (below > address || above > UINTPTR_MAX - address)
    fail(FLEXSN_ERROR_VALUE, "{} reaches beyond the end of the address space (address {:#x}, shape {}, strides {})",
         view.label, address, shapeText(view.shape), shapeText(view.strides));
}

TensorView readTensor(const DLTensor *tensor, std::string label, Storage expected) {
  TensorView view;
  view.label = std::move(label);
  view.storage = expected;
  if (!tensor)
    fail(FLEXSN_ERROR_VALUE, "{} is NULL", view.label);
  checkDevice(tensor->device, view.label);
  checkType(tensor->dtype, view.label, expected);
  readShape(*tensor, view);
  if (view.empty())
    return view;
  if (!tensor->data)
    fail(FLEXSN_ERROR_VALUE, "{} has the shape {}, but no memory (NULL)", view.label, shapeText(view.shape));
  uintptr_t address = reinterpret_cast<uintptr_t>(tensor->data) + tensor->byte_offset; // any offset, without overflow
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the sum may lie anywhere, which pointer arithmetic may not
  view.data = reinterpret_cast<char *>(address);
  checkAddresses(view, address);
  return view;
}

template <class T> static double load(const DLTensor &tensor, const std::string &label, Storage storage) {
  T value;
  std::memcpy(&value, readTensor(&tensor, label, storage).data, sizeof value);
  return static_cast<double>(value);
}

double readNumber(const DLTensor &tensor, const std::string &label) {
  if (tensor.ndim != 0)
    fail(FLEXSN_ERROR_VALUE,
         "{} got a tensor of {} dimensions, but has no dims: it is one number for all; the option "
         "'dims' gives it some",
         label, tensor.ndim);
  if (holds(tensor.dtype, Storage::F64))
    return load<double>(tensor, label, Storage::F64);
  if (holds(tensor.dtype, Storage::I32))
    return load<int32_t>(tensor, label, Storage::I32);
  if (holds(tensor.dtype, Storage::Bool))
    return load<uint8_t>(tensor, label, Storage::Bool) != 0;
  return load<float>(tensor, label, Storage::F32);
}

} // namespace flexsn
