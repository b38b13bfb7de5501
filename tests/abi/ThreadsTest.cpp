// Many threads at once. The thread sanitizer runs these too.
#include "tests/abi/Support.h"

#include <thread>

namespace flexsn::test {
namespace {

constexpr int threads = 8;

/// Runs `body(thread)` in several threads that start together.
template <class Body> void inThreads(Body body) {
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i)
    all.emplace_back([&body, i] { body(i); });
  for (std::thread &thread : all)
    thread.join();
}

/// A text that no other test compiles.
std::string textOf(const std::string &constant) {
  return "neuron LIF:\n  input x\n  state v = 0\n  v = v * 0.5 + x\n  s = spike(v - " + constant + ")\n  output s\n";
}

std::vector<float> run(const Neuron &neuron) {
  std::vector<float> x = currents(40), s(40);
  Call call;
  call.inputs = {view(x, {4, 10})};
  call.outputs = {view(s, {4, 10})};
  neuron.inference(call);
  return s;
}

TEST(Threads, ThatCompileTheSameTextCompileItOnce) {
  uint64_t before = statistics().compilations;
  std::vector<std::vector<float>> results(threads);
  inThreads([&](int i) { results[i] = run(Model::parse(textOf("1.0625")).compile()); });
  EXPECT_EQ(statistics().compilations, before + 1);
  for (const std::vector<float> &result : results)
    EXPECT_EQ(result, results[0]);
}

TEST(Threads, ThatCompileDifferentTexts) {
  inThreads([&](int i) {
    std::string constant = "1." + std::to_string(i) + "125";
    EXPECT_EQ(run(Model::parse(textOf(constant)).compile()), run(Model::parse(textOf(constant)).compile()));
  });
}

TEST(Threads, ShareANeuronAndItsModel) {
  Model model = Model::parse(lif);
  Neuron neuron = model.compile();
  std::vector<float> wanted = run(neuron);
  inThreads([&](int i) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      EXPECT_EQ(run(neuron), wanted);
      EXPECT_EQ(model.states()[0].name, "v");
      if (i % 2) {
        EXPECT_EQ(run(model.compile()), wanted);
      }
    }
  });
}

TEST(Threads, HaveTheirOwnBoundCalls) {
  Neuron neuron = Model::parse(lif).compile();
  inThreads([&](int i) {
    std::vector<float> x = currents(40), s(40);
    for (float &value : x)
      value += static_cast<float>(i) / 8;
    Call call;
    call.inputs = {view(x, {4, 10})};
    call.outputs = {view(s, {4, 10})};
    Bound bound = neuron.bind(call);
    for (int repeat = 0; repeat < 50; ++repeat)
      EXPECT_TRUE(bound.run());
    EXPECT_EQ(s, expected(x, 4, 10).s);
  });
}

TEST(Threads, HaveTheirOwnErrors) {
  inThreads([](int i) {
    std::string name = "n" + std::to_string(i);
    for (int repeat = 0; repeat < 20; ++repeat) {
      Error error = errorOf([&] { Model::parse("neuron A:\n  input x\n  s = x + " + name + "\n  output s\n"); });
      EXPECT_NE(error.message().find("'" + name + "'"), std::string::npos) << error.message();
    }
  });
}

} // namespace
} // namespace flexsn::test
