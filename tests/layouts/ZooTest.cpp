// Every model of the zoo that the library compiles, its operands in nine layouts: the bits are those of dense operands,
// and no byte beside an element changes.
#include "tests/layouts/Placed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

namespace flexsn::test {
namespace {

using Bytes = std::vector<uint8_t>;

const Sizes sequenceShape = {3, 2, 3, 7}; // 42 neurons: ragged for every vector but of 2
const Sizes stateShape = {2, 3, 7};

DLDataType storedAs(Type type, DType data) {
  if (type == Type::boolean)
    return {kDLBool, 8, 1};
  if (type == Type::integer)
    return {kDLInt, 32, 1};
  switch (data) {
  case DType::f64: return {kDLFloat, 64, 1};
  case DType::f16: return {kDLFloat, 16, 1};
  case DType::bf16: return {kDLBfloat, 16, 1};
  case DType::f32: break;
  }
  return {kDLFloat, 32, 1};
}

/// States of 16-bit data are float32.
DType ofStates(DType data) { return data == DType::f64 ? data : DType::f32; }

/// Values that make neurons fire, in the stored type. `repeats`: the same for both samples of the batch.
Bytes values(DLDataType type, const Sizes &shape, bool repeats, unsigned seed) {
  std::minstd_rand random(seed);
  auto count = static_cast<size_t>(countOf(shape));
  std::vector<double> numbers(count);
  for (double &number : numbers)
    number = static_cast<double>(random() % 4096) / 1024 - 0.5;
  size_t sample = static_cast<size_t>(stateShape[1] * stateShape[2]);
  for (size_t i = 0; repeats && i < count; ++i)
    if (i / sample % 2 == 1)
      numbers[i] = numbers[i - sample];
  Bytes bytes(count * type.bits / 8);
  for (size_t i = 0; i < count; ++i) {
    auto put = [&](auto value) { std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value); };
    if (type.code == kDLBool)
      put(static_cast<uint8_t>(numbers[i] > 1));
    else if (type.code == kDLInt)
      put(static_cast<int32_t>(numbers[i]));
    else if (type.bits == 64)
      put(numbers[i]);
    else if (type.bits == 16) { // bits of numbers from 0.25 to 3, of the same sign
      int lowest = type.code == kDLFloat ? 0x3400 : 0x3e80, octave = type.code == kDLFloat ? 1024 : 128;
      put(static_cast<uint16_t>((numbers[i] < 0 ? 0x8000 : 0) + lowest +
                                static_cast<int>(std::fabs(numbers[i]) * octave)));
    } else
      put(static_cast<float>(numbers[i]));
  }
  return bytes;
}

/// What a call wrote, in row-major order.
using Results = std::vector<Bytes>;

/// One model with its operands' types.
struct Subject {
  Neuron neuron;
  std::vector<DLDataType> inputs, outputs, states;
  std::vector<std::string> stateNames;

  static Subject of(const Model &model, DType data) {
    Options options;
    options.dtype = data;
    Subject subject{model.compile(Device::cpu(), options), {}, {}, {}, {}};
    for (const Part &part : model.inputs())
      subject.inputs.push_back(storedAs(part.type, data));
    for (const Part &part : model.outputs()) // an int is delivered in the data's type
      subject.outputs.push_back(storedAs(part.type == Type::integer ? Type::floating : part.type, data));
    for (const Part &part : model.states()) {
      subject.states.push_back(storedAs(part.type, ofStates(data)));
      subject.stateNames.push_back(part.name);
    }
    return subject;
  }

  Results run(const LayoutKind &kind, bool repeats) const {
    std::vector<PlacedArray> arrays; // inputs, outputs, initial states, final states
    arrays.reserve(inputs.size() + outputs.size() + 2 * states.size());
    auto add = [&](DLDataType type, bool sequence, bool input) -> PlacedArray & {
      const Sizes &shape = sequence ? sequenceShape : stateShape;
      return arrays.emplace_back(type, shape, kind.place(shape, sequence, input, arrays.size()));
    };
    Call call;
    for (DLDataType type : inputs) {
      PlacedArray &array = add(type, true, true);
      array.fill(values(type, sequenceShape, repeats, static_cast<unsigned>(arrays.size())));
      call.inputs.push_back(array.tensor());
    }
    for (DLDataType type : outputs)
      call.outputs.push_back(add(type, true, false).tensor());
    for (size_t i = 0; i < states.size(); ++i) {
      PlacedArray &array = add(states[i], false, true);
      array.fill(values(states[i], stateShape, repeats, static_cast<unsigned>(100 + i)));
      call.initial_states.emplace_back(stateNames[i], array.tensor());
    }
    for (size_t i = 0; i < states.size(); ++i)
      call.final_states.emplace_back(stateNames[i], add(states[i], false, false).tensor());
    neuron.inference(call);
    Results results;
    for (const PlacedArray &array : arrays) {
      EXPECT_TRUE(array.surroundingsIntact());
      results.push_back(array.dense());
    }
    return results;
  }
};

File zoo() {
  std::ifstream file(FLEXSN_ZOO);
  std::stringstream text;
  text << file.rdbuf();
  return File::parse(text.str(), "zoo.fsn");
}

/// Models of the zoo that are run. Raise it when the language grows; never lower it.
constexpr size_t leastCovered = 26;

class Zoo : public testing::TestWithParam<DType> {};

TEST_P(Zoo, EveryLayoutGivesTheBitsOfTheDenseOne) {
  File file = zoo();
  size_t covered = 0, models = 0;
  for (const std::string &name : file.names()) {
    ++models;
    Model model = file.model(name);
    std::optional<Subject> subject;
    try {
      subject = Subject::of(model, GetParam());
    } catch (const Error &error) {
      EXPECT_EQ(error.code(), Code::model) << name; // what the compiler does not have yet
      continue;
    }
    ++covered;
    Results plain = subject->run(layoutKinds()[0], false), repeated = subject->run(layoutKinds()[0], true);
    for (const LayoutKind &kind : layoutKinds())
      EXPECT_EQ(subject->run(kind, kind.repeats), kind.repeats ? repeated : plain) << name << ", " << kind.name;
  }
  std::printf("%zu of %zu models are covered\n", covered, models);
  EXPECT_GE(covered, leastCovered);
}

std::string nameOfType(const testing::TestParamInfo<DType> &info) {
  constexpr const char *names[] = {"f32", "f64", "f16", "bf16"};
  return names[static_cast<size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(Types, Zoo, testing::Values(DType::f32, DType::f64, DType::f16, DType::bf16), nameOfType);

} // namespace
} // namespace flexsn::test
