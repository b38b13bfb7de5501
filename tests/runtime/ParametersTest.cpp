#include "runtime/Parameters.h"

#include "tests/runtime/Support.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace flexsn::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<const Model> model() {
  static const auto checked = modelOf(R"(
neuron P:
  input x
  state v = 0
  param tau = 2.0 in [1, inf), v_th = 1.0, lo = 0.25 in (0, 1], soft = 0.5 in [0, 1] clamp
  param w = 0.5 learnable in [0, 1]
  param k = 0.5 as sigmoid, r = 1.0 as softplus, g = 1.0 as exp, t = 0.0 as tanh
  param n: int = 3
  param on: bool = true
  v = v + (x - v) / tau * v_th * lo * soft * w * k * r * g * t
  s = spike(v - n) if on else 0
  output s
)");
  return checked;
}

/// The stored value of one parameter when `given` is set.
double stored(const std::string &name, const std::vector<NamedNumber> &given, Storage data = Storage::F64) {
  std::vector<double> values = storedParameters(*model(), given, data);
  for (size_t i = 0; i < values.size(); ++i)
    if (model()->params[i].value->name == name)
      return values[i];
  ADD_FAILURE() << name;
  return nan;
}

std::string message(const std::vector<NamedNumber> &given, Storage data = Storage::F32) {
  Failure failure = failureOf([&] { storedParameters(*model(), given, data); });
  EXPECT_EQ(failure.code, FLEXSN_ERROR_VALUE);
  return failure.message;
}

TEST(Parameters, WhatIsLeftOutHasTheTextsValue) {
  EXPECT_EQ(stored("tau", {}), 2);
  EXPECT_EQ(stored("k", {}), 0); // sigmoid(0) is the text's 0.5
  EXPECT_EQ(stored("tau", {{"v_th", 4}}), 2);
  EXPECT_EQ(stored("v_th", {{"v_th", 4}}), 4);
}

TEST(Parameters, ATransformedOneIsSetByItsValueOrByWhatIsStored) {
  EXPECT_NEAR(stored("k", {{"k", 0.75}}), std::log(3.0), 1e-15);
  EXPECT_EQ(stored("k", {{"raw_k", 40}}), 40);
  EXPECT_NEAR(stored("r", {{"r", 1e-20}}), std::log(1e-20), 1e-12); // expm1 keeps what exp would lose
  EXPECT_NEAR(stored("r", {{"r", 50}}), 50, 1e-12);
  EXPECT_EQ(stored("g", {{"g", 1}}), 0);
  EXPECT_NEAR(stored("t", {{"t", -0.5}}), std::atanh(-0.5), 1e-15);
  EXPECT_EQ(message({{"k", 0.75}, {"raw_k", 1}}), "P: parameter 'k' is given twice, as 'k' and as 'raw_k'");
}

TEST(Parameters, ATransformHasAnImage) {
  EXPECT_EQ(message({{"k", 1}}), "P: parameter 'k' is 1, but sigmoid only gives values in (0, 1)");
  EXPECT_EQ(message({{"k", nan}}), "P: parameter 'k' is nan, but sigmoid only gives values in (0, 1)");
  EXPECT_EQ(message({{"r", 0}}), "P: parameter 'r' is 0, but softplus only gives values in (0, inf)");
  EXPECT_EQ(message({{"g", -2}}), "P: parameter 'g' is -2, but exp only gives values in (0, inf)");
  EXPECT_EQ(message({{"t", -1}}), "P: parameter 't' is -1, but tanh only gives values in (-1, 1)");
}

TEST(Parameters, BoundsAreCheckedWhereNothingClamps) {
  EXPECT_EQ(stored("tau", {{"tau", 1}}), 1);
  EXPECT_EQ(message({{"tau", 0.5}}), "P: parameter 'tau' is 0.5, but must lie in [1, inf)");
  EXPECT_EQ(message({{"tau", inf}}), "P: parameter 'tau' is inf, but must lie in [1, inf)");
  EXPECT_EQ(message({{"tau", nan}}), "P: parameter 'tau' is nan, but must lie in [1, inf)");
  EXPECT_EQ(message({{"lo", 0}}), "P: parameter 'lo' is 0, but must lie in (0, 1]");
  EXPECT_EQ(stored("soft", {{"soft", 7}}), 7); // the kernel clamps it at use
  EXPECT_EQ(stored("w", {{"w", 7}}), 7);       // learnable: an optimiser may step outside
  EXPECT_TRUE(std::isnan(stored("v_th", {{"v_th", nan}})));
  EXPECT_EQ(stored("v_th", {{"v_th", inf}}, Storage::F32), inf);
}

TEST(Parameters, TypesAndRanges) {
  EXPECT_EQ(message({{"n", 2.5}}),
            "P: parameter 'n' is 2.5, but an int is a whole number from -2147483648 to 2147483647");
  EXPECT_EQ(message({{"n", 2147483648.0}}),
            "P: parameter 'n' is 2147483648, but an int is a whole number from -2147483648 to 2147483647");
  EXPECT_EQ(message({{"n", nan}}),
            "P: parameter 'n' is nan, but an int is a whole number from -2147483648 to 2147483647");
  EXPECT_EQ(message({{"on", 2}}), "P: parameter 'on' is 2, but a bool is 0 or 1");
  EXPECT_EQ(message({{"v_th", 1e300}}), "P: parameter 'v_th' is 1e+300, which is out of float32's range");
  EXPECT_EQ(stored("v_th", {{"v_th", 1e300}}, Storage::F64), 1e300);
}

TEST(Parameters, UnknownNamesListTheKnown) {
  EXPECT_EQ(message({{"tua", 1}}),
            "P has no parameter 'tua'; its parameters are tau, v_th, lo, soft, w, k, r, g, t, n, "
            "on; did you mean 'tau'?");
  EXPECT_EQ(message({{"v_th", 1}, {"v_th", 2}}), "P: parameter 'v_th' is given twice");
  auto bare = modelOf("neuron Q:\n  input x\n  s = spike(x)\n  output s\n");
  EXPECT_EQ(messageOf([&] { storedParameters(*bare, {{"tau", 1}}, Storage::F32); }),
            "Q has no parameter 'tau'; it has no parameters");
}

TEST(Parameters, AStoredValueIsCheckedAsTheEquationsSeeIt) {
  auto bounded = modelOf("neuron B:\n  input x\n  param k = 0.5 as sigmoid in [0.25, 0.75]\n  output v\n  v = k * x\n");
  EXPECT_EQ(messageOf([&] { storedParameters(*bounded, {{"raw_k", inf}}, Storage::F32); }),
            "B: parameter 'raw_k' is inf, which makes 'k' 1, but 'k' must lie in [0.25, 0.75]");
  EXPECT_EQ(storedParameters(*bounded, {{"raw_k", 1}}, Storage::F32), std::vector<double>{1});
}

TEST(Parameters, ThousandsAreFoundInAnyOrder) {
  constexpr size_t count = 3000;
  std::string text = "neuron Many:\n  input x\n  output v\n  v = x + p0\n";
  std::vector<NamedNumber> given;
  std::vector<KernelOperand> operands;
  for (size_t i = 0; i < count; ++i) {
    text += fmt::format("  param p{} = 0.0\n", i);
    given.insert(given.begin(), {fmt::format("p{}", i), static_cast<double>(i)});
    operands.push_back({fmt::format("p{}", i), Role::Param, Storage::F64});
  }
  auto many = modelOf(text);
  std::vector<double> values = storedParameters(*many, given, Storage::F64);
  std::vector<uint64_t> slots = parameterSlots(*many, values, operands);
  for (size_t i = 0; i < count; ++i)
    EXPECT_EQ(slots[i], slot(static_cast<double>(i), Storage::F64)) << i;
}

TEST(Parameters, SlotsHoldEachValueRoundedOnceInItsStorage) {
  std::vector<double> values = storedParameters(*model(), {{"v_th", 0.1}, {"n", -7}}, Storage::F32);
  std::vector<uint64_t> slots = parameterSlots(*model(), values,
                                               {{"on", Role::Param, Storage::Bool},
                                                {"n", Role::Param, Storage::I32},
                                                {"raw_k", Role::Param, Storage::F64},
                                                {"v_th", Role::Param, Storage::F32}});
  auto as = [&](size_t i, auto value) {
    std::memcpy(&value, &slots[i], sizeof value);
    return value;
  };
  EXPECT_EQ(as(0, uint8_t()), 1);
  EXPECT_EQ(as(1, int32_t()), -7);
  EXPECT_EQ(as(2, double()), 0.0);
  EXPECT_EQ(as(3, float()), 0.1f);
}

} // namespace
} // namespace flexsn::test
