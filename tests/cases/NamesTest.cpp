// cupy/cupy#2262 (also genn-team/ml_genn#178, brian-team/brian2#237): a kernel called `double` failed in the C++
// compiler, single letters were taken by an algebra package, a parameter `k` met a helper variable of the code
// generator.
#include "tests/cases/Support.h"

#include <cmath>

namespace flexsn::cases {
namespace {

constexpr const char *keywords = R"(neuron class:
  input threadIdx; output s; state register = 0, double = 0
  param N = 0.5, T = 0.75, I = 1
  register = N*register + threadIdx
  double = T*double + register
  s = spike(double - I)
  double = double - I*s
)";

struct Outcome {
  std::vector<float> s, first, second;
};

Outcome run(const char *text, const char *first, const char *second, int64_t n) {
  std::vector<float> x = repeated({0.5f, 0.75f, 1, 0.25f}, n);
  Guarded<float> s(4 * n), i(n), v(n);
  Call call;
  call.inputs = {view(x, {4, n})};
  call.outputs = {s.view({4, n})};
  call.final_states = {{first, i.view({n})}, {second, v.view({n})}};
  Model::parse(text).compile().inference(call);
  EXPECT_TRUE(s.intact() && i.intact() && v.intact());
  return {s.values(), i.values(), v.values()};
}

TEST(Names, KeywordsOfOtherLanguagesAreNamesLikeAnyOther) {
  for (int64_t n : copies) {
    Outcome words = run(keywords, "register", "double", n), letters = run(pairText, "i", "v", n);
    EXPECT_EQ(words.s, repeated({0, 1, 1, 1}, n));
    EXPECT_EQ(words.first, repeated({1}, n));
    EXPECT_EQ(words.second, repeated({0.5859375f}, n));
    EXPECT_TRUE(sameBits(words.s, letters.s) && sameBits(words.first, letters.first) &&
                sameBits(words.second, letters.second));
  }
}

/// Gradients of input, initial states and parameters, in the order of the names.
std::vector<float> trained(const char *text, const std::string &input, const std::vector<std::string> &names,
                           int64_t n) {
  std::vector<float> x = repeated({0.5f, 0.75f, 1, 0.25f}, n), gs = repeated({1, -2, 3, 0.5f}, n), s(4 * n), all;
  std::vector<float> zero(n);
  Guarded<float> gx(4 * n);
  std::vector<Guarded<float>> ofStates(2, Guarded<float>(n)), ofParams(3, Guarded<float>(1));
  Call call;
  call.inputs = {view(x, {4, n})};
  call.outputs = {view(s, {4, n})};
  call.output_gradients = {view(gs, {4, n})};
  call.gradients = {{input, gx.view({4, n})}};
  for (size_t i = 0; i < 2; ++i) {
    call.initial_states.push_back({names[i], view(zero, {n})});
    call.gradients.push_back({names[i], ofStates[i].view({n})});
  }
  for (size_t i = 0; i < 3; ++i)
    call.gradients.push_back({names[2 + i], ofParams[i].view({})});
  train(Model::parse(text).compile(), call);
  all = gx.values();
  for (auto *group : {&ofStates, &ofParams})
    for (Guarded<float> &gradient : *group) {
      EXPECT_TRUE(gradient.intact());
      std::vector<float> numbers = gradient.values();
      all.insert(all.end(), numbers.begin(), numbers.end());
    }
  return all;
}

TEST(Names, GradientsAreThoseOfOrdinaryNames) {
  for (int64_t n : copies) {
    std::vector<float> words = trained(keywords, "threadIdx", {"register", "double", "N", "T", "I"}, n),
                       letters = trained(pairText, "x", {"i", "v", "a", "b", "v_th"}, n);
    EXPECT_TRUE(sameBits(words, letters));
    for (float gradient : words)
      EXPECT_TRUE(gradient != 0 && std::isfinite(gradient));
  }
}

TEST(Names, EveryOneOfTheseNamesAState) {
  for (const char *name :
       {"E",         "S",        "gamma", "beta", "lambda", "min1", "NULL",   "INFINITY", "M_PI", "blockDim",
        "warpSize",  "half",     "new",   "this", "delete", "main", "printf", "asm",      "x__",  "a__b",
        "namespace", "template", "h",     "h_",   "grad_v", "v_0",  "v0",     "out",      "T0"}) {
    std::string n = name;
    std::string text =
        "neuron " + n + "0:\n  input x\n  state " + n + " = 0.5\n  " + n + " = " + n + " + x\n  output " + n + "\n";
    std::vector<float> x = {1, 2, 4}, y(3);
    Call call;
    call.inputs = {view(x, {3, 1})};
    call.outputs = {view(y, {3, 1})};
    Model::parse(text).compile().inference(call);
    EXPECT_EQ(y, (std::vector<float>{1.5f, 3.5f, 7.5f})) << name;
  }
}

TEST(Names, NamesThatDifferInCaseOrAnUnderscoreAreTwo) {
  constexpr const char *text = R"(neuron Four:
  input x
  state v_1 = 1, v1 = 2, V1 = 3, v_1_ = 4
  v_1 = v_1 + x
  v1 = v1 + 10 * x
  V1 = V1 + 100 * x
  v_1_ = v_1_ + 1000 * x
  output v_1, v1, V1, v_1_
)";
  std::vector<float> x = {1, 1}, a(2), b(2), c(2), d(2);
  Call call;
  call.inputs = {view(x, {2, 1})};
  call.outputs = {view(a, {2, 1}), view(b, {2, 1}), view(c, {2, 1}), view(d, {2, 1})};
  Model model = Model::parse(text);
  model.compile().inference(call);
  EXPECT_EQ(a[1], 3);
  EXPECT_EQ(b[1], 22);
  EXPECT_EQ(c[1], 203);
  EXPECT_EQ(d[1], 2004);
  std::string emitted = model.emit();
  for (const char *name : {"\"v_1\"", "\"v1\"", "\"V1\"", "\"v_1_\""})
    EXPECT_NE(emitted.find(name), std::string::npos) << emitted;
}

TEST(Names, AWordOfTheLanguageIsRefusedAtItsColumn) {
  for (const char *word : {"state", "if", "spike", "pi", "dt"}) {
    std::string text = std::string("neuron A:\n  input x\n  param ") + word + " = 1\n  y = x\n  output y\n";
    std::string message = messageOf([&] { Model::parse(text, "a.fsn"); });
    EXPECT_EQ(message.rfind("a.fsn:3:9: error: ", 0), 0u) << message;
    EXPECT_NE(message.find(std::string("'") + word + "'"), std::string::npos) << message;
  }
  std::string euler = messageOf([] { Model::parse("neuron A:\n  input x\n  param e = 1\n  y = x\n  output y\n"); });
  EXPECT_NE(euler.find("Euler's number"), std::string::npos) << euler;
}

/// Symbols of machine code are global to a process: a model called `main` or `malloc` must not become one of that name.
TEST(Names, NoNameBecomesABareSymbol) {
  Emit llvm;
  llvm.form = Form::llvm;
  for (const char *name : {"main", "malloc", "double", "printf"}) {
    std::string text = std::string("neuron ") + name + ":\n  input x\n  y = x + 1\n  output y\n";
    std::string emitted = Model::parse(text).emit(llvm);
    EXPECT_EQ(emitted.find(std::string("@") + name + "("), std::string::npos) << emitted;
    EXPECT_NE(emitted.find(name), std::string::npos) << "the user's name stays readable";
  }
}

} // namespace
} // namespace flexsn::cases
