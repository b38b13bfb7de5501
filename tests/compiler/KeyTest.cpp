// What decides a program's key, and what leaves no trace in it.
#include "tests/compiler/Testing.h"

namespace flexsn {
namespace {

using namespace testing;

std::string keyOf(const std::string &text, const Request &request = spikes(), const CheckOptions &options = {}) {
  return programKey(*checked(text, options), request);
}

/// `lif` with `from` replaced by `to`, which must occur.
std::string lifWith(const std::string &from, const std::string &to) {
  std::string text = lif;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Key, IsTheHexOfASha256) {
  std::string key = keyOf(lif);
  EXPECT_EQ(key.size(), 64U);
  EXPECT_EQ(key.find_first_not_of("0123456789abcdef"), std::string::npos) << key;
}

TEST(Key, LayoutOfTheTextLeavesNoTrace) {
  EXPECT_EQ(keyOf(lif), keyOf("# a comment\n\n" + std::string(lif)));
  EXPECT_EQ(keyOf(lif), keyOf(lifWith("  input x\n", "  input   x   # the current\n\n")));
  EXPECT_EQ(keyOf(lif), keyOf(lifWith("tau\n  s =", "tau; s =")));
}

TEST(Key, ParameterValuesAreNoPartOfIt) {
  EXPECT_EQ(keyOf(lif), keyOf(lifWith("tau = 2.0", "tau = 3.0")));
  EXPECT_EQ(keyOf(lif), keyOf(lifWith("v_th = 1.0", "v_th = -1e30")));
}

TEST(Key, WhatTheStepComputesIsPartOfIt) {
  const std::string key = keyOf(lif);
  EXPECT_NE(key, keyOf(lifWith("(1 - s)", "(1.0000001 - s)")));
  EXPECT_NE(key, keyOf(lifWith("spike(h - v_th)", "spike(h - v_th, sigmoid(4.0))")));
  EXPECT_NE(key, keyOf(lifWith("spike(h - v_th)", "spike(h - v_th, atan(2.5))")));
  EXPECT_NE(key, keyOf(lifWith("spike(h - v_th)", "spike(h - v_th, strict=true)")));
  EXPECT_NE(key, keyOf(lifWith("v_reset * s", "v_reset * detach(s)")));
  EXPECT_NE(key, keyOf(lifWith("tau = 2.0", "tau = 2.0 learnable")));
  EXPECT_NE(key, keyOf(lifWith("neuron LIF", "neuron LIF2"))) << "the name is in the kernel's symbol";
}

TEST(Key, OptionsThatChangeTheStepArePartOfIt) {
  CheckOptions surrogate;
  surrogate.surrogate = "atan(alpha=3)";
  EXPECT_NE(keyOf(lif), keyOf(lif, spikes(), surrogate));
  CheckOptions dims;
  dims.dims["tau"] = {Dim::Neuron};
  EXPECT_NE(keyOf(lif), keyOf(lif, spikes(), dims));
}

TEST(Key, EveryFieldOfTheRequestIsPartOfIt) {
  std::vector<Request> requests(14, spikes());
  requests[1].kernel = KernelKind::FinalState;
  requests[2].data = Storage::F64;
  requests[3].math = MathMode::Fast;
  requests[4].outputs = {"s", "h"};
  requests[5].outputs = {"h", "s"};
  requests[6].initialStates = {"v"};
  requests[7].finalStates = {"v"};
  requests[8].target.cpu = "x86-64";
  requests[9].target = {"x86-64", "+avx"};
  requests[10].layout = Layout::Strided;
  requests[11].streaming = true;
  requests[12].data = Storage::BF16;
  requests[13].int8Outputs = {"s"};
  std::vector<std::string> keys;
  for (const Request &request : requests)
    keys.push_back(keyOf(lif, request));
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end());
}

TEST(Key, NamesDoNotRunTogether) {
  Request one = spikes(), two = spikes();
  one.outputs = {"ab", "c"};
  two.outputs = {"a", "bc"};
  EXPECT_NE(keyOf(lif, one), keyOf(lif, two));
  one.outputs = {"s", "v"};
  two.outputs = {"s"};
  two.initialStates = {"v"};
  EXPECT_NE(keyOf(lif, one), keyOf(lif, two));
}

TEST(Key, AnEmptyTargetIsThisMachine) {
  Request request = spikes();
  request.target = hostTarget();
  EXPECT_FALSE(request.target.cpu.empty());
  EXPECT_EQ(keyOf(lif), keyOf(lif, request));
}

TEST(Key, VersionsAreKnown) {
  EXPECT_EQ(llvmVersion().substr(0, 3), "22.");
  EXPECT_NE(buildId().find('-'), std::string_view::npos) << buildId();
}

} // namespace
} // namespace flexsn
