// Operands that do not fit are refused by name, word for word, before anything runs.
#include "tests/abi/Support.h"

#include <random>

namespace flexsn::test {
namespace {

/// A call of LIF on x (4, 5, 3) that is right until a test spoils it.
class Operands : public testing::Test {
protected:
  Operands() : x(60), s(60, -1), v(15, -1), other(480) {
    call.inputs = {view(x, {4, 5, 3})};
    call.outputs = {view(s, {4, 5, 3})};
    call.final_states = {{"v", view(v, {5, 3})}};
  }
  /// The refusal; also makes sure that nothing was written.
  Error refusal(const Neuron &neuron) {
    Error error = errorOf([&] { neuron.inference(call); });
    EXPECT_EQ(s, std::vector<float>(60, -1));
    EXPECT_EQ(v, std::vector<float>(15, -1));
    EXPECT_EQ(messageOf([&] { neuron.bind(Kernel::inference, call); }), error.message());
    return error;
  }
  std::string message() { return refusal(neuron).message(); }

  Neuron neuron = Model::parse(lif).compile();
  std::vector<float> x, s, v, other;
  Call call;
};

TEST_F(Operands, AStateOfAnotherBatch) {
  call.initial_states = {{"v", view(other.data(), {8, 3})}};
  Error error = refusal(neuron);
  EXPECT_EQ(error.code(), Code::value);
  EXPECT_EQ(error.message(), "LIF: initial state 'v' has shape (8, 3), but one step of 'x' has shape (5, 3); pass no "
                             "state to start from the declared value");
  call.initial_states = {{"v", view(other.data(), {15})}};
  EXPECT_EQ(message(), "LIF: initial state 'v' has shape (15,), but one step of 'x' has shape (5, 3); pass no state to "
                       "start from the declared value");
  call.initial_states.clear();
  call.final_states = {{"v", view(other.data(), {8, 3})}};
  EXPECT_EQ(message(), "LIF: final state 'v' has shape (8, 3), but one step of 'x' has shape (5, 3)");
}

TEST_F(Operands, SequencesOfOtherShapes) {
  call.outputs = {view(other.data(), {4, 5, 2})};
  EXPECT_EQ(message(), "LIF: output 's' has shape (4, 5, 2), but 'x' has shape (4, 5, 3)");
  call.outputs = {view(other.data(), {3, 5, 3})};
  EXPECT_EQ(message(), "LIF: output 's' has shape (3, 5, 3), but 'x' has shape (4, 5, 3)");
  call.inputs = {view(other.data(), {})};
  EXPECT_EQ(message(), "LIF: input 'x' has no dimensions, but its first one is time");
  call.inputs = {view(other.data(), {0, 5, 3})};
  EXPECT_EQ(message(), "LIF: input 'x' has no time steps (shape (0, 5, 3)); at least one is needed");
}

TEST_F(Operands, OtherCounts) {
  call.inputs.clear();
  EXPECT_EQ(message(), "LIF: the call has 0 inputs, but needs 1 (x)");
  call.inputs = {view(x, {4, 5, 3}), view(x, {4, 5, 3})};
  EXPECT_EQ(message(), "LIF: the call has 2 inputs, but needs 1 (x)");
  call.inputs.pop_back();
  call.outputs.push_back(call.outputs[0]);
  EXPECT_EQ(message(), "LIF: the call has 2 outputs, but needs 1 (s)");
  EXPECT_EQ(messageOf([&] { neuron.final_state(call); }), "LIF: the call has 2 outputs, but needs none");
}

TEST_F(Operands, OtherTypesAndDevices) {
  std::vector<double> doubles(60);
  call.inputs = {view(doubles, {4, 5, 3})};
  Error error = refusal(neuron);
  EXPECT_EQ(error.code(), Code::type);
  EXPECT_EQ(error.message(), "LIF: input 'x' is float64, but float32 is what the neuron was compiled for; convert the "
                             "data, or compile for its dtype");
  call.inputs = {Tensor(x.data(), {kDLFloat, 32, 1}, {4, 5, 3}, {}, Device{{kDLCUDA, 0}})};
  EXPECT_EQ(message(), "LIF: input 'x' lies on device cuda:0, but the neuron was compiled for the CPU");
}

TEST_F(Operands, OtherNames) {
  call.initial_states = {{"w", view(other.data(), {5, 3})}};
  EXPECT_EQ(message(), "LIF has no state 'w'; its only state is v");
  call.initial_states = {{"v", 0.5}, {"v", 0.5}};
  EXPECT_EQ(message(), "LIF: state 'v' is given twice");
  call.initial_states.clear();
  call.params = {{"tua", 2}};
  EXPECT_EQ(message(), "LIF has no parameter 'tua'; its parameters are tau, v_th; did you mean 'tau'?");
  call.params = {{"tau", view(other.data(), {3})}};
  EXPECT_EQ(message(), "LIF: parameter 'tau' got a tensor of 1 dimensions, but has no dims: it is one number for all; "
                       "the option 'dims' gives it some");
  call.params.clear();
  call.final_states = {{"v", 1.0}};
  EXPECT_EQ(message(), "LIF: final state 'v' is NULL");
}

TEST_F(Operands, NumbersThatAStateCannotHold) {
  call.initial_states = {{"v", 1e300}};
  EXPECT_EQ(message(), "LIF: initial state 'v' is 1e+300, which is out of float32's range");
  Neuron counter = Model::parse("neuron C:\n  input x\n  state n: int = 0\n  n = n + 1\n  output n\n").compile();
  call.final_states.clear();
  call.initial_states = {{"n", 0.5}};
  EXPECT_EQ(refusal(counter).message(),
            "C: initial state 'n' is 0.5, but an int is a whole number from -2147483648 to 2147483647");
}

TEST_F(Operands, MoreDimensionsThanCanBeWalked) {
  std::vector<int64_t> shape(8, 2), dense = {128, 64, 32, 16, 8, 4, 2, 1}, reversed(dense.rbegin(), dense.rend());
  std::vector<float> reversedOutput(256);
  call.inputs = {view(other.data(), shape, dense)};
  call.outputs = {view(reversedOutput.data(), shape, reversed)};
  call.final_states.clear();
  Error error = refusal(neuron);
  EXPECT_EQ(error.code(), Code::unsupported);
  EXPECT_EQ(error.message(),
            "LIF: input 'x' of shape (2, 2, 2, 2, 2, 2, 2, 2): the strides of the call's operands leave 7 dimensions "
            "that cannot be walked as one, and at most 5 are possible; copy the operands into one order first");
}

TEST_F(Operands, OverlappingMemory) {
  call.outputs = {view(x, {4, 5, 3})};
  Error error = refusal(neuron);
  EXPECT_EQ(error.code(), Code::value);
  EXPECT_EQ(error.message(), "LIF: output 's' overlaps input 'x'; it needs memory of its own");
  call.outputs = {view(other.data(), {4, 5, 3}, {14, 3, 1})};
  EXPECT_EQ(message(), "LIF: output 's' has elements that overlap (strides (14, 3, 1))");
  call.outputs = {view(other.data(), {4, 5, 3}, {15, 0, 1})};
  EXPECT_EQ(message(), "LIF: output 's' has elements that overlap (strides (15, 0, 1))");
  call.outputs = {view(other.data(), {4, 5, 3})};
  call.final_states = {{"v", view(other.data() + 59, {5, 3})}};
  EXPECT_EQ(message(), "LIF: final state 'v' overlaps output 's'; it needs memory of its own");
  call.initial_states = {{"v", view(other.data() + 100, {5, 3})}};
  call.final_states = {{"v", view(other.data() + 101, {5, 3})}};
  EXPECT_EQ(message(), "LIF: final state 'v' overlaps initial state 'v'; it may be exactly the same memory, or apart");
  call.initial_states = {{"v", view(other.data() + 59, {5, 3})}};
  EXPECT_EQ(message(), "LIF: output 's' overlaps initial state 'v'; it needs memory of its own");
  call.initial_states.clear();
  call.final_states = {{"v", view(x.data() + 3, {5, 3})}};
  EXPECT_EQ(message(), "LIF: final state 'v' overlaps input 'x'; it needs memory of its own");
}

/// Every second element is the input, the others are the output.
TEST_F(Operands, InterleavedMemoryIsApart) {
  for (size_t i = 0; i < 60; ++i)
    other[2 * i] = currents(60)[i];
  call.inputs = {view(other.data(), {4, 5, 3}, {30, 6, 2})};
  call.outputs = {view(other.data() + 1, {4, 5, 3}, {30, 6, 2})};
  neuron.inference(call);
  Expected want = expected(currents(60), 4, 15);
  for (size_t i = 0; i < 60; ++i)
    EXPECT_EQ(other[2 * i + 1], want.s[i]);
  EXPECT_EQ(v, want.v);
}

/// Whether sums of such strides meet is a knapsack problem; memory is not touched.
TEST_F(Operands, WhatCannotBeDecidedIsRefused) {
  std::vector<int64_t> shape(24, 2), repeated(24, 0), strides;
  std::mt19937_64 random(1);
  for (size_t i = 0; i < shape.size(); ++i)
    strides.push_back(static_cast<int64_t>((uint64_t{1} << 49) + random() % (uint64_t{1} << 49)));
  call.inputs = {view(x.data(), shape, repeated)};
  call.outputs = {view(other.data(), shape, strides)};
  call.final_states.clear();
  std::string begin = "LIF: output 's' has elements that may overlap (strides (";
  EXPECT_EQ(message().substr(0, begin.size()), begin);
}

TEST_F(Operands, AStateMayBeItsOwnSuccessorInAnyOrder) {
  x = currents(60);
  for (bool transposed : {false, true}) {
    std::vector<float> state(15, 0.5F);
    Tensor tensor = transposed ? view(state.data(), {5, 3}, {1, 5}) : view(state, {5, 3});
    call.inputs = {view(x, {4, 5, 3})};
    call.initial_states = {{"v", tensor}};
    call.final_states = {{"v", tensor}};
    neuron.inference(call);
    Expected want = expected(x, 4, 15, 2, 0.5F);
    EXPECT_EQ(s, want.s);
    for (size_t n = 0; n < 15; ++n)
      EXPECT_EQ(state[transposed ? n / 3 + 5 * (n % 3) : n], want.v[n]);
    s.assign(60, -1);
  }
  // The same bytes in another order are another tensor.
  call.final_states = {{"v", view(v, {5, 3})}};
  call.initial_states = {{"v", view(v.data(), {5, 3}, {1, 5})}};
  EXPECT_EQ(message(), "LIF: final state 'v' overlaps initial state 'v'; it may be exactly the same memory, or apart");
}

TEST_F(Operands, AnotherStatesMemoryIsNotOnesOwn) {
  Neuron pair =
      Model::parse("neuron P:\n  input x\n  state a = 0, b = 1\n  a = a + x\n  b = b + a\n  output b\n").compile();
  call.initial_states = {{"a", view(other.data(), {5, 3})}, {"b", view(other.data() + 15, {5, 3})}};
  call.final_states = {{"b", view(other.data(), {5, 3})}, {"a", view(other.data() + 15, {5, 3})}};
  EXPECT_EQ(refusal(pair).message(), "P: final state 'b' overlaps initial state 'a'; it needs memory of its own");
  call.final_states = {{"b", view(v, {5, 3})}, {"a", view(v, {5, 3})}};
  EXPECT_EQ(refusal(pair).message(), "P: final state 'a' overlaps final state 'b'; it needs memory of its own");
}

TEST_F(Operands, Steps) {
  call.steps = 5;
  EXPECT_EQ(message(), "LIF: input 'x' has 4 time steps, but the call says 5");
  call.steps = -1;
  EXPECT_EQ(message(), "LIF: the call has -1 steps");
  call.steps = 0;
  call.outputs.clear();
  call.final_states.clear();
  EXPECT_EQ(messageOf([&] { neuron.final_state(call); }), "LIF: the call asks for no output and no final state");
  EXPECT_EQ(messageOf([&] { neuron.prepare(Kernel::final_state); }),
            "LIF: the call asks for no output and no final state");
  Neuron clock = Model::parse("neuron Clock:\n  state v = 0\n  v = v + 1\n  output v\n").compile();
  call.inputs.clear();
  call.final_states = {{"v", view(v, {5, 3})}};
  EXPECT_EQ(messageOf([&] { clock.final_state(call); }),
            "Clock: a call without inputs and outputs needs the number of time steps (steps)");
}

TEST(Views, SayWhatTheyNeed) {
  std::vector<float> x(10);
  EXPECT_EQ(messageOf([&] { view(x, {4, 3}); }), "a view of shape (4, 3) does not fit a vector of 10 elements");
  std::vector<float> none; // the product of the sizes is 0 modulo 2^64
  EXPECT_EQ(messageOf([&] { view(none, {int64_t(1) << 32, int64_t(1) << 32}); }),
            "a view of shape (4294967296, 4294967296) does not fit a vector of 0 elements");
  EXPECT_EQ(messageOf([&] { view(x.data(), {2, 5}, {5}); }), "a tensor of 2 dimensions got 1 strides");
  DLTensor broken{};
  broken.ndim = 2;
  EXPECT_EQ(messageOf([&] { Tensor tensor(broken); }), "a DLTensor without a shape");
  Tensor tensor = view(x.data(), {2, 5}, {1, 2});
  Tensor again(tensor.dlpack());
  EXPECT_EQ(again.shape(), tensor.shape());
  EXPECT_EQ(again.strides(), tensor.strides());
  EXPECT_EQ(again.data(), x.data());
}

} // namespace
} // namespace flexsn::test
