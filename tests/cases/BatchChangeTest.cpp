// fangwei123456/spikingjelly#369 (also #591, #469, #611, synsense/sinabs#75): the last batch is smaller while the state
// still has the old size. Elsewhere a raw kernel error, or a read past the end.
#include "tests/cases/Support.h"

#include <cmath>

namespace flexsn::cases {
namespace {

constexpr const char *text = R"(
neuron LIF:
  input x; output s; state v = 0
  param tau = 2.0, v_th = 1.0, v_reset = 0.0
  h = v + (x - (v - v_reset))/tau
  s = spike(h - v_th)
  v = h * (1 - s) + v_reset * s
)";

std::vector<float> signal(size_t count) {
  std::vector<float> x(count);
  for (size_t i = 0; i < count; ++i)
    x[i] = static_cast<float>(std::fmod(0.37 * static_cast<double>(i), 3.0));
  return x;
}

/// One call on x of shape (4, rows, 3).
struct Batch {
  explicit Batch(int64_t rows) : rows(rows), x(signal(4 * rows * 3)), s(4 * rows * 3), v(rows * 3) {
    call.inputs = {view(x, {4, rows, 3})};
    call.outputs = {s.view({4, rows, 3})};
    call.final_states = {{"v", v.view({rows, 3})}};
  }
  int64_t rows;
  std::vector<float> x;
  Guarded<float> s, v;
  Call call;
};

TEST(BatchChange, AStateOfTheOldBatchIsRefusedByName) {
  Neuron lif = Model::parse(text).compile();
  Batch old(8), smaller(5), larger(9);
  lif.inference(old.call);
  for (Batch *next : {&smaller, &larger}) {
    next->call.initial_states = {{"v", old.v.view({8, 3})}};
    std::string message = messageOf([&] { lif.inference(next->call); });
    std::string wanted = "LIF: initial state 'v' has shape (8, 3), but one step of 'x' has shape (" +
                         std::to_string(next->rows) + ", 3)";
    EXPECT_NE(message.find(wanted), std::string::npos) << message;
    EXPECT_NE(message.find("pass no state to start from the declared value"), std::string::npos) << message;
  }
}

TEST(BatchChange, TheSameNumberOfElementsInAnotherShapeIsRefused) {
  Neuron lif = Model::parse(text).compile();
  Batch batch(5);
  std::vector<float> flat(15);
  batch.call.initial_states = {{"v", view(flat, {15})}};
  std::string message = messageOf([&] { lif.inference(batch.call); });
  EXPECT_NE(message.find("initial state 'v' has shape (15"), std::string::npos) << message;
}

TEST(BatchChange, AStateOfAnotherTypeIsRefused) {
  Neuron lif = Model::parse(text).compile();
  Batch batch(5);
  std::vector<double> doubles(15);
  batch.call.initial_states = {{"v", view(doubles, {5, 3})}};
  std::string message = messageOf([&] { lif.inference(batch.call); });
  EXPECT_NE(message.find("initial state 'v'"), std::string::npos) << message;
  EXPECT_NE(message.find("float64"), std::string::npos) << message;
  EXPECT_NE(message.find("float32"), std::string::npos) << message;
}

TEST(BatchChange, OtherOperandsOfTheWrongShapeAreRefusedByName) {
  Neuron lif = Model::parse(text).compile();
  Batch batch(5);
  std::vector<float> small(14);
  batch.call.final_states = {{"v", view(small, {7, 2})}};
  EXPECT_NE(messageOf([&] { lif.inference(batch.call); }).find("final state 'v'"), std::string::npos);
  Batch another(5);
  another.call.outputs = {view(small, {7, 2})};
  EXPECT_NE(messageOf([&] { lif.inference(another.call); }).find("output 's'"), std::string::npos);

  Neuron two = Model::parse("neuron Two:\n  input xa, xb\n  y = xa + xb\n  output y\n").compile();
  std::vector<float> a(4 * 8 * 3), b(4 * 5 * 3), y(4 * 8 * 3);
  Call call;
  call.inputs = {view(a, {4, 8, 3}), view(b, {4, 5, 3})};
  call.outputs = {view(y, {4, 8, 3})};
  std::string message = messageOf([&] { two.inference(call); });
  EXPECT_NE(message.find("Two: input 'xb' has shape (4, 5, 3)"), std::string::npos) << message;
}

TEST(BatchChange, AScalarIsAcceptedForAnyStateAndParameter) {
  Neuron lif = Model::parse(text).compile();
  Batch numbers(5), tensors(5);
  float half = 0.5f, three = 3;
  std::vector<float> full(15, 0.5f);
  numbers.call.initial_states = {{"v", 0.5}};
  numbers.call.params = {{"tau", 3}};
  lif.inference(numbers.call);
  tensors.call.initial_states = {{"v", view(full, {5, 3})}};
  tensors.call.params = {{"tau", view(&three, {})}};
  lif.inference(tensors.call);
  EXPECT_TRUE(sameBits(numbers.s.values(), tensors.s.values()));
  EXPECT_TRUE(sameBits(numbers.v.values(), tensors.v.values()));
  Batch zeroRank(5);
  zeroRank.call.initial_states = {{"v", view(&half, {})}};
  zeroRank.call.params = {{"tau", 3}};
  lif.inference(zeroRank.call);
  EXPECT_TRUE(sameBits(zeroRank.s.values(), tensors.s.values()));
}

TEST(BatchChange, WithoutAStateTheNextBatchRunsOnTheSameKernelAndARefusalChangesNothing) {
  Neuron lif = Model::parse(text).compile();
  Batch first(8), again(8), next(5), fresh(5);
  lif.inference(first.call);
  uint64_t compilations = statistics().compilations;
  lif.inference(next.call);
  EXPECT_EQ(statistics().compilations, compilations);
  Model::parse(text).compile().inference(fresh.call);
  EXPECT_TRUE(sameBits(next.s.values(), fresh.s.values()) && sameBits(next.v.values(), fresh.v.values()));

  Batch refused(5);
  refused.call.initial_states = {{"v", first.v.view({8, 3})}};
  messageOf([&] { lif.inference(refused.call); });
  lif.inference(again.call);
  EXPECT_TRUE(sameBits(again.s.values(), first.s.values()) && sameBits(again.v.values(), first.v.values()));
}

TEST(BatchChange, NoByteOutsideIsTouched) {
  Neuron lif = Model::parse(text).compile();
  for (int64_t n : {1, 3, 31, 33, 1023}) {
    std::vector<float> x = signal(4 * n);
    Guarded<float> in(4 * n), s(4 * n), start(n, 0.25f), end(n);
    std::copy(x.begin(), x.end(), in.data());
    Call call;
    call.inputs = {in.view({4, n})};
    call.outputs = {s.view({4, n})};
    call.initial_states = {{"v", start.view({n})}};
    call.final_states = {{"v", end.view({n})}};
    lif.inference(call);
    EXPECT_TRUE(in.intact() && s.intact() && start.intact() && end.intact()) << n;
    EXPECT_EQ(in.values(), x) << n;
    EXPECT_EQ(start.values(), repeated({0.25f}, n)) << n;
  }
}

/// A training step of shape (4, rows, 3).
struct TrainingBatch : Batch {
  explicit TrainingBatch(int64_t rows)
      : Batch(rows), gs(4 * rows * 3, 1), gx(4 * rows * 3, NAN), gv(rows * 3, 0.5f), gv0(rows * 3, NAN) {
    call.output_gradients = {gs.view({4, rows, 3})};
    call.final_gradients = {{"v", gv.view({rows, 3})}};
    call.gradients = {{"x", gx.view({4, rows, 3})}};
  }
  Guarded<float> gs, gx, gv, gv0;
};

TEST(BatchChange, TrainingRefusesTheOldBatchByName) {
  Neuron lif = Model::parse(text).compile();
  TrainingBatch old(8);
  train(lif, old.call);
  const std::vector<float> before = old.gx.values();
  auto refusal = [&](const std::function<void(Call &)> &spoil) {
    TrainingBatch next(5);
    spoil(next.call);
    std::string message = messageOf([&] { lif.backward(next.call); });
    for (float gradient : next.gx.values())
      EXPECT_TRUE(std::isnan(gradient)); // before anything was launched
    return message;
  };
  auto expect = [&](const std::function<void(Call &)> &spoil, const std::string &words) {
    const std::string message = refusal(spoil);
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  auto state = [&](Call &call) { call.initial_states = {{"v", old.v.view({8, 3})}}; };
  expect(state, "LIF: initial state 'v' has shape (8, 3), but one step of 'x' has shape (5, 3)");
  TrainingBatch forward(5);
  state(forward.call);
  EXPECT_NE(messageOf([&] { lif.forward(forward.call); }).find("initial state 'v' has shape (8, 3)"),
            std::string::npos);
  expect([&](Call &call) { call.output_gradients = {old.gs.view({4, 8, 3})}; }, "gradient of output 's'");
  expect([&](Call &call) { call.final_gradients = {{"v", old.gv.view({8, 3})}}; }, "final state 'v'");
  expect([&](Call &call) { call.final_gradients = {{"v", old.gv.view({15})}}; }, "final state 'v'");
  expect([&](Call &call) { call.gradients = {{"x", old.gx.view({4, 8, 3})}}; }, "gradient of input 'x'");
  expect(
      [&](Call &call) {
        call.initial_states = {{"v", old.v.view({5, 3})}};
        call.gradients = {{"v", old.gv0.view({8, 3})}};
      },
      "gradient of initial state 'v'");
  old.gx = Guarded<float>(old.gx.values().size(), NAN);
  old.call.gradients = {{"x", old.gx.view({4, 8, 3})}};
  train(lif, old.call);
  EXPECT_TRUE(sameBits(old.gx.values(), before));
}

TEST(BatchChange, TrainingTouchesNoByteOutside) {
  Neuron lif = Model::parse(text).compile();
  for (int64_t n : {1, 3, 31, 33, 1023}) {
    constexpr int64_t T = 40; // checkpoints too
    Guarded<float> x(T * n, 0.75f), s(T * n), start(n, 0.25f), gs(T * n, 1), gx(T * n), gv(n, 0.5f), gv0(n), gtau(1);
    Call call;
    call.inputs = {x.view({T, n})};
    call.outputs = {s.view({T, n})};
    call.initial_states = {{"v", start.view({n})}};
    call.output_gradients = {gs.view({T, n})};
    call.final_gradients = {{"v", gv.view({n})}};
    call.gradients = {{"x", gx.view({T, n})}, {"v", gv0.view({n})}, {"tau", gtau.view({})}};
    Guarded<std::byte> residual(lif.residual_bytes(call));
    EXPECT_GT(residual.values().size(), 0U);
    call.residual = residual.data();
    call.residual_bytes = residual.values().size();
    lif.forward(call);
    lif.backward(call);
    for (Guarded<float> *memory : {&x, &s, &start, &gs, &gx, &gv, &gv0, &gtau})
      EXPECT_TRUE(memory->intact()) << n;
    EXPECT_TRUE(residual.intact()) << n;
    EXPECT_EQ(x.values(), std::vector<float>(T * n, 0.75f));
    EXPECT_EQ(gs.values(), std::vector<float>(T * n, 1));
    EXPECT_EQ(gv.values(), std::vector<float>(n, 0.5f));
  }
}

} // namespace
} // namespace flexsn::cases
