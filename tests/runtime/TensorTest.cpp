#include "runtime/Tensor.h"

#include "tests/runtime/Support.h"

#include <limits>

namespace flexsn::test {
namespace {

/// A float32 tensor with memory behind it, whose parts a test spoils.
struct Given {
  explicit Given(std::vector<int64_t> sizes, std::vector<int64_t> steps = {}) : shape(sizes), strides(steps) {
    tensor = {memory,
              {kDLCPU, 0},
              static_cast<int32_t>(shape.size()),
              {kDLFloat, 32, 1},
              shape.data(),
              strides.empty() ? nullptr : strides.data(),
              0};
  }
  TensorView read(Storage storage = Storage::F32) const { return readTensor(&tensor, "LIF: input 'x'", storage); }
  std::string message(Storage storage = Storage::F32) const {
    return messageOf([&] { read(storage); });
  }
  flexsn_status code(Storage storage = Storage::F32) const {
    return failureOf([&] { read(storage); }).code;
  }

  alignas(8) char memory[64] = {};
  std::vector<int64_t> shape, strides;
  DLTensor tensor;
};

TEST(Tensor, DenseStridesAreFilledInAndThoseOfSingleElementsForgotten) {
  EXPECT_EQ(Given({2, 3, 4}).read().strides, (std::vector<int64_t>{12, 4, 1}));
  EXPECT_EQ(Given({2, 1, 4}).read().strides, (std::vector<int64_t>{4, 0, 1}));
  EXPECT_EQ(Given({2, 1, 4}, {-4, std::numeric_limits<int64_t>::min(), 1}).read().strides,
            (std::vector<int64_t>{-4, 0, 1}));
}

TEST(Tensor, ByteOffsetCounts) {
  Given given({2});
  given.tensor.byte_offset = 8;
  EXPECT_EQ(given.read().data, given.memory + 8);
}

TEST(Tensor, WithoutElementsMemoryAndStridesMeanNothing) {
  Given given({4, 0}, {std::numeric_limits<int64_t>::max(), 1});
  given.tensor.data = nullptr;
  EXPECT_TRUE(given.read().empty());
}

TEST(Tensor, BytesAreBools) {
  Given given({2});
  for (uint8_t code : {uint8_t(kDLBool), uint8_t(kDLUInt)}) {
    given.tensor.dtype = {code, 8, 1};
    EXPECT_EQ(given.read(Storage::Bool).storage, Storage::Bool);
  }
}

TEST(Tensor, NullIsNamed) {
  EXPECT_EQ(messageOf([] { readTensor(nullptr, "LIF: input 'x'", Storage::F32); }), "LIF: input 'x' is NULL");
  Given noShape({2});
  noShape.tensor.shape = nullptr;
  EXPECT_EQ(noShape.message(), "LIF: input 'x' has no shape (NULL)");
  Given noData({2, 3});
  noData.tensor.data = nullptr;
  EXPECT_EQ(noData.message(), "LIF: input 'x' has the shape (2, 3), but no memory (NULL)");
}

TEST(Tensor, OtherTypesAreRefused) {
  Given given({2});
  EXPECT_EQ(given.code(Storage::F64), FLEXSN_ERROR_TYPE);
  EXPECT_EQ(given.message(Storage::F64), "LIF: input 'x' is float32, but float64 is what the neuron was compiled for; "
                                         "convert the data, or compile for its dtype");
  EXPECT_EQ(given.message(Storage::I32), "LIF: input 'x' is float32, but int32 is needed");
  EXPECT_EQ(given.message(Storage::Bool), "LIF: input 'x' is float32, but bool is needed");
  given.tensor.dtype = {kDLInt, 64, 1};
  EXPECT_EQ(given.message(), "LIF: input 'x' is int64, but float32 is needed");
  EXPECT_EQ(given.message(Storage::I32), "LIF: input 'x' is int64, but int32 is needed");
  given.tensor.dtype = {kDLBool, 8, 1};
  EXPECT_EQ(given.message(), "LIF: input 'x' is bool, but float32 is needed");
  given.tensor.dtype = {kDLBfloat, 16, 1};
  EXPECT_EQ(given.message(), "LIF: input 'x' is bfloat16, but float32 is what the neuron was compiled for; convert the "
                             "data, or compile for its dtype");
  given.tensor.dtype = {kDLFloat, 32, 4};
  EXPECT_EQ(given.message(), "LIF: input 'x' is float32 in vectors of 4, but float32 is what the neuron was compiled "
                             "for; convert the data, or compile for its dtype");
  given.tensor.dtype = {77, 3, 1};
  EXPECT_EQ(given.message(), "LIF: input 'x' is type code 77, 3, but float32 is needed");
}

TEST(Tensor, OtherDevicesAreRefused) {
  Given given({2});
  given.tensor.device = {kDLCUDA, 1};
  EXPECT_EQ(given.message(), "LIF: input 'x' lies on device cuda:1, but the neuron was compiled for the CPU");
  given.tensor.device = {kDLROCM, 0};
  EXPECT_EQ(given.message(), "LIF: input 'x' lies on device rocm:0, but the neuron was compiled for the CPU");
  given.tensor.device = {kDLVulkan, 0};
  EXPECT_EQ(given.message(), "LIF: input 'x' lies on device 0 of type 7, but the neuron was compiled for the CPU");
  given.tensor.device = {kDLCUDAHost, 0};
  EXPECT_FALSE(given.read().empty()); // pinned host memory
}

TEST(Tensor, ImpossibleShapesAreRefused) {
  Given negative({4, -1});
  EXPECT_EQ(negative.message(), "LIF: input 'x' has the shape (4, -1), with a negative size");
  Given rank({});
  rank.tensor.ndim = -1;
  EXPECT_EQ(rank.message(), "LIF: input 'x' has -1 dimensions; 0 to 64 are possible");
  rank.tensor.ndim = 65;
  EXPECT_EQ(rank.message(), "LIF: input 'x' has 65 dimensions; 0 to 64 are possible");
  constexpr int64_t big = int64_t(1) << 40;
  EXPECT_EQ(Given({big, big}).message(),
            "LIF: input 'x' has the shape (1099511627776, 1099511627776), which is more than memory can hold");
  EXPECT_EQ(Given({2, 2}, {std::numeric_limits<int64_t>::min(), 1}).message(),
            "LIF: input 'x' has the shape (2, 2), which is more than memory can hold");
  EXPECT_EQ(Given({big, big}, {0, 0}).code(), FLEXSN_ERROR_VALUE); // fits, but has more elements than can be counted
}

TEST(Tensor, AddressesDoNotWrap) {
  Given up({4, 4});
  up.tensor.data = reinterpret_cast<void *>(UINTPTR_MAX - 62); // 63 bytes are left, and 64 are needed
  EXPECT_EQ(up.message(), "LIF: input 'x' reaches beyond the end of the address space (address 0xffffffffffffffc1, "
                          "shape (4, 4), strides (4, 1))");
  up.tensor.data = reinterpret_cast<void *>(UINTPTR_MAX - 64);
  EXPECT_FALSE(up.read().empty());
  Given down({3, 2}, {-2, 1});
  down.tensor.data = reinterpret_cast<void *>(uintptr_t{15});
  EXPECT_EQ(down.message(), "LIF: input 'x' reaches beyond the end of the address space (address 0xf, shape (3, 2), "
                            "strides (-2, 1))");
  down.tensor.data = reinterpret_cast<void *>(uintptr_t{16});
  EXPECT_FALSE(down.read().empty());
}

TEST(Tensor, AnyAddressWillDo) {
  Given given({2});
  given.tensor.byte_offset = 3;
  EXPECT_EQ(given.read().data, given.memory + 3);
}

TEST(Tensor, ANumberIsReadFromATensorWithoutDimensions) {
  Given given({});
  float number = 2.5f;
  std::memcpy(given.memory, &number, sizeof number);
  EXPECT_EQ(readNumber(given.tensor, "LIF: parameter 'tau'"), 2.5);
  double precise = 0.1;
  std::memcpy(given.memory, &precise, sizeof precise);
  given.tensor.dtype = {kDLFloat, 64, 1};
  EXPECT_EQ(readNumber(given.tensor, "LIF: parameter 'tau'"), 0.1);
  int32_t whole = -3;
  std::memcpy(given.memory, &whole, sizeof whole);
  given.tensor.dtype = {kDLInt, 32, 1};
  EXPECT_EQ(readNumber(given.tensor, "LIF: parameter 'tau'"), -3);
  EXPECT_EQ(messageOf([] { readNumber(Given({3}).tensor, "LIF: parameter 'tau'"); }),
            "LIF: parameter 'tau' got a tensor of 1 dimensions, but has no dims: it is one number for all; the option "
            "'dims' gives it some");
}

} // namespace
} // namespace flexsn::test
