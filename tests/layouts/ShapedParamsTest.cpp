// Parameters with dims beside the same numbers as inputs, which have them at every neuron and step: the bits are the
// same, wherever the sequences and the parameters lie.
#include "tests/layouts/Placed.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace flexsn::test {
namespace {

using Bytes = std::vector<uint8_t>;

/// Every kind of dims; `k` is read by the initial value too.
const char *const shapedText = R"(neuron Shaped:
  input x
  state v = k * 0.5
  param k[channel] = 0.5 as sigmoid, th[neuron] = 1, low[neuron] = -3 in [-100, 100] clamp
  param g[step] = 1, b[step, channel] = 0, c[step, neuron] = 0
  param tau = 3, t2[channel] = 2, n[channel]: int = 1, on[neuron]: bool = true
  h = max(v * (1 - k) + (x * g + b) / tau + c / t2, clip(low, -100, 100)) * n
  s = spike(h - th) if on else 0
  v = h * (1 - s)
  output s, h
)";
const char *const plainText = R"(neuron Plain:
  input x, raw_k, th, low, g, b, c, t2, n: int, on: bool
  state v = 0, first = 1
  param tau = 3
  k = sigmoid(raw_k)
  u = k * 0.5 if first > 0 else v
  h = max(u * (1 - k) + (x * g + b) / tau + c / t2, clip(low, -100, 100)) * n
  s = spike(h - th) if on else 0
  v = h * (1 - s)
  first = 0
  output s, h
)";

/// What a parameter of `shapedText` varies over, in the order of the inputs of `plainText`.
struct ParamKind {
  const char *name;
  bool step, channel, neuron;
};
constexpr ParamKind paramKinds[] = {
    {"raw_k", false, true, false}, {"th", false, false, true}, {"low", false, false, true},
    {"g", true, false, false},     {"b", true, true, false},   {"c", true, false, true},
    {"t2", false, true, false},    {"n", false, true, false},  {"on", false, false, true}};

/// The shape of sequences, and which dimension is the channel's.
struct DataCase {
  const char *name;
  Sizes shape;
  int32_t channelDim = 0; ///< as the call says
  size_t channel = 2;     ///< as it is; 0: there is none
};
const DataCase dataCases[] = {
    {"InnerOne", {5, 2, 7}},
    {"InnerSmall", {5, 2, 5, 3}},
    {"InnerLarge", {3, 2, 3, 40, 30}},
    {"ManyNeurons", {3, 17, 6, 211}},
    {"NoBatch", {4, 37}, 0, 1},
    {"OneNeuron", {6}, 0, 0},
    {"ChannelLast", {4, 2, 3, 5, 7}, -1, 4},
    {"ChannelSecond", {4, 6, 5}, 1, 1},
    {"OneChannel", {4, 3, 1, 9}},
};

DLDataType dataType(DType data) {
  constexpr DLDataType types[] = {{kDLFloat, 32, 1}, {kDLFloat, 64, 1}, {kDLFloat, 16, 1}, {kDLBfloat, 16, 1}};
  return types[static_cast<size_t>(data)];
}

/// A small multiple of 1/16, which every type has.
void put(Bytes &bytes, size_t index, DLDataType type, double number) {
  auto store = [&](auto value) { std::memcpy(bytes.data() + index * sizeof value, &value, sizeof value); };
  auto single = static_cast<float>(number);
  uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof bits);
  if (type.code == kDLBool)
    store(static_cast<uint8_t>(number > 0));
  else if (type.code == kDLInt)
    store(static_cast<int32_t>(number));
  else if (type.bits == 64)
    store(number);
  else if (type.bits == 32)
    store(single);
  else if (type.code == kDLBfloat)
    store(static_cast<uint16_t>(bits >> 16));
  else // no subnormal: only the exponent's bias changes
    store(static_cast<uint16_t>(number == 0 ? 0 : (bits >> 16 & 0x8000) | ((bits >> 13 & 0x3ffff) - (112 << 10))));
}

class ShapedParams : public testing::TestWithParam<std::tuple<DType, size_t>> {
protected:
  DType data() const { return std::get<0>(GetParam()); }
  const DataCase &shape() const { return dataCases[std::get<1>(GetParam())]; }
  bool has(const ParamKind &kind, size_t d) const {
    return (d == 0 && kind.step) || (d == shape().channel && d != 0 && kind.channel) ||
           (kind.neuron && (d >= 2 || (d == 1 && shape().shape.size() == 2)));
  }

  DLDataType typeOf(const ParamKind &kind, DLDataType floats) const {
    std::string name = kind.name;
    return name == "n" ? DLDataType{kDLInt, 32, 1} : name == "on" ? DLDataType{kDLBool, 8, 1} : floats;
  }

  Sizes shapeOf(const ParamKind &kind) const {
    Sizes sizes;
    for (size_t d = 0; d < shape().shape.size(); ++d)
      if (has(kind, d))
        sizes.push_back(shape().shape[d]);
    if (sizes.size() == size_t{kind.step} && (kind.channel || kind.neuron))
      sizes.push_back(1); // of one neuron
    return sizes;
  }

  /// The numbers of a parameter, row-major.
  std::vector<double> numbersOf(const ParamKind &kind) const {
    std::minstd_rand random(static_cast<unsigned>(kind.name[0]) * 7919u);
    std::vector<double> numbers(static_cast<size_t>(countOf(shapeOf(kind))));
    for (double &number : numbers)
      number = (static_cast<double>(random() % 64) - 16) / 16;
    if (std::string(kind.name) == "t2" || std::string(kind.name) == "n")
      for (double &number : numbers)
        number = std::abs(number) + 1;
    return numbers;
  }

  /// The same at every neuron and step, in an input's type.
  Bytes spread(const ParamKind &kind, DLDataType type) const {
    std::vector<double> numbers = numbersOf(kind);
    const Sizes &sizes = shape().shape;
    Bytes bytes(static_cast<size_t>(countOf(sizes)) * type.bits / 8);
    for (int64_t i = 0; i < countOf(sizes); ++i) {
      int64_t index = 0, stride = 1, rest = i;
      for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
        if (has(kind, d)) {
          index += rest % sizes[d] * stride;
          stride *= sizes[d];
        }
      put(bytes, static_cast<size_t>(i), type, numbers[static_cast<size_t>(index)]);
    }
    return bytes;
  }

  Bytes input(DLDataType type) const {
    Bytes bytes(static_cast<size_t>(countOf(shape().shape)) * type.bits / 8);
    std::minstd_rand random(5);
    for (int64_t i = 0; i < countOf(shape().shape); ++i)
      put(bytes, static_cast<size_t>(i), type, (static_cast<double>(random() % 128) - 40) / 16);
    return bytes;
  }

  Neuron compiled(const char *text) const {
    Options options;
    options.dtype = data();
    return Model::parse(text).compile(Device::cpu(), options);
  }

  Sizes stepShape() const { return {shape().shape.begin() + 1, shape().shape.end()}; }

  /// Outputs and the last potential.
  std::vector<Bytes> runPlain() const {
    DLDataType type = dataType(data());
    std::vector<PlacedArray> arrays;
    arrays.reserve(32);
    auto add = [&](DLDataType each, const Sizes &sizes) -> PlacedArray & {
      return arrays.emplace_back(each, sizes, Placement{denseStrides(sizes)});
    };
    Call call;
    add(type, shape().shape).fill(input(type));
    call.inputs = {arrays.back().tensor()};
    for (const ParamKind &kind : paramKinds) {
      add(typeOf(kind, type), shape().shape).fill(spread(kind, typeOf(kind, type)));
      call.inputs.push_back(arrays.back().tensor());
    }
    return finish(compiled(plainText), call, arrays, layoutKinds()[0]);
  }

  std::vector<Bytes> runShaped(const Neuron &neuron, const LayoutKind &layout) const {
    DLDataType type = dataType(data());
    DLDataType stored = data() == DType::f64 ? type : dataType(DType::f32);
    std::vector<PlacedArray> arrays;
    arrays.reserve(32);
    Call call;
    arrays.emplace_back(type, shape().shape, layout.place(shape().shape, true, true, 0)).fill(input(type));
    call.inputs = {arrays.back().tensor()};
    for (const ParamKind &kind : paramKinds) {
      Sizes sizes = shapeOf(kind);
      DLDataType each = typeOf(kind, stored);
      std::vector<double> numbers = numbersOf(kind);
      Bytes bytes(numbers.size() * each.bits / 8);
      for (size_t i = 0; i < numbers.size(); ++i)
        put(bytes, i, each, numbers[i]);
      arrays.emplace_back(each, sizes, layout.place(sizes, kind.step, true, arrays.size())).fill(bytes);
      call.params.emplace_back(kind.name, arrays.back().tensor());
    }
    call.channel_dim = shape().channelDim;
    return finish(neuron, call, arrays, layout);
  }

  std::vector<Bytes> finish(const Neuron &neuron, Call &call, std::vector<PlacedArray> &arrays,
                            const LayoutKind &layout) const {
    size_t before = arrays.size();
    DLDataType type = dataType(data()), ofState = data() == DType::f64 ? type : dataType(DType::f32);
    for (int output = 0; output < 2; ++output) {
      arrays.emplace_back(type, shape().shape, layout.place(shape().shape, true, false, arrays.size()));
      call.outputs.push_back(arrays.back().tensor());
    }
    arrays.emplace_back(ofState, stepShape(), layout.place(stepShape(), false, false, arrays.size()));
    call.final_states.emplace_back("v", arrays.back().tensor());
    neuron.inference(call);
    std::vector<Bytes> results;
    for (size_t i = 0; i < arrays.size(); ++i) {
      EXPECT_TRUE(arrays[i].surroundingsIntact()) << layout.name;
      if (i >= before)
        results.push_back(arrays[i].dense());
    }
    return results;
  }
};

TEST_P(ShapedParams, EqualTheSameNumbersAsInputs) {
  std::vector<Bytes> plain = runPlain();
  Neuron shaped = compiled(shapedText);
  for (const LayoutKind &layout : layoutKinds())
    if (!layout.repeats && (shape().shape.size() > 1 || &layout == layoutKinds().data()))
      EXPECT_TRUE(runShaped(shaped, layout) == plain) << layout.name;
}

std::string nameOf(const testing::TestParamInfo<std::tuple<DType, size_t>> &info) {
  constexpr const char *types[] = {"f32", "f64", "f16", "bf16"};
  return std::string(dataCases[std::get<1>(info.param)].name) + "_" +
         types[static_cast<size_t>(std::get<0>(info.param))];
}
INSTANTIATE_TEST_SUITE_P(Types, ShapedParams,
                         testing::Combine(testing::Values(DType::f32, DType::f64, DType::f16, DType::bf16),
                                          testing::Range(size_t{0}, std::size(dataCases))),
                         nameOf);

} // namespace
} // namespace flexsn::test
