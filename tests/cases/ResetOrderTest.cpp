// jeshraghian/snntorch#341, #364, #205: text and code disagreed on whether the reset is subtracted before or after the
// decay, and an option switched silently between the two.
#include "tests/cases/Support.h"

#include <cmath>

namespace flexsn::cases {
namespace {

constexpr const char *text = R"(
neuron DecayFirst:
  input x; output s; state u = 0
  param b = 0.8, th = 1
  r = spike(u - th)
  u = b*u + x - r*th
  s = spike(u - th)
neuron ResetFirst:
  input x; output s; state u = 0
  param b = 0.8, th = 1
  r = spike(u - th)
  u = b*(u - r*th) + x
  s = spike(u - th)
)";
constexpr size_t steps = 60;

struct Trace {
  std::vector<float> u, s;
};

/// u and s of one neuron over time, the same in every copy.
Trace run(const std::string &model, int64_t n, Math math) {
  Options options;
  options.math = math;
  options.outputs = {"u", "s"};
  Neuron neuron = File::parse(text, "order.fsn").model(model).compile(Device::cpu(), options);
  std::vector<float> x(steps * n, 0.21f);
  Guarded<float> u(steps * n), s(steps * n);
  Call call;
  call.inputs = {view(x, {steps, n})};
  call.outputs = {u.view({steps, n}), s.view({steps, n})};
  neuron.inference(call);
  EXPECT_TRUE(u.intact() && s.intact());
  Trace trace;
  for (size_t t = 0; t < steps; ++t) {
    trace.u.push_back(u[t * n]);
    trace.s.push_back(s[t * n]);
  }
  EXPECT_EQ(u.values(), repeated(trace.u, n));
  EXPECT_EQ(s.values(), repeated(trace.s, n));
  return trace;
}

std::vector<size_t> spikes(const Trace &trace) {
  std::vector<size_t> at;
  for (size_t t = 0; t < trace.s.size(); ++t)
    if (trace.s[t] != 0)
      at.push_back(t);
  return at;
}

/// The same expressions in this file's float arithmetic, which is compiled without contraction.
std::vector<float> expected(bool decayFirst) {
  const float x = 0.21f, b = 0.8f, th = 1;
  std::vector<float> u;
  float now = 0;
  for (size_t t = 0; t < steps; ++t) {
    float r = now - th >= 0;
    now = decayFirst ? b * now + x - r * th : b * (now - r * th) + x;
    u.push_back(now);
  }
  return u;
}

void near(float got, double want) { EXPECT_LE(std::fabs(got - want), 2e-6 * std::fabs(want)); }

TEST(ResetOrder, BothClimbAlikeAndPartAtTheFirstSpike) {
  for (int64_t n : copies)
    for (Math math : {Math::standard, Math::strict}) {
      Trace decay = run("DecayFirst", n, math), reset = run("ResetFirst", n, math);
      const double climb[] = {0.21, 0.378, 0.5124, 0.61992, 0.705936};
      for (size_t t = 0; t < std::size(climb); ++t) {
        near(decay.u[t], climb[t]);
        near(reset.u[t], climb[t]);
      }
      near(decay.u[13], 1.0038205);
      near(reset.u[13], 1.0038205);
      near(decay.u[14], 0.0130564);
      near(decay.u[15], 0.2204451);
      near(reset.u[14], 0.2130564);
      near(reset.u[15], 0.3804451);
      EXPECT_EQ(spikes(decay), (std::vector<size_t>{13, 28, 43, 58}));
      EXPECT_EQ(spikes(reset), (std::vector<size_t>{13, 27, 41, 55}));
    }
}

TEST(ResetOrder, TheTextsOrderOfOperationsIsKeptToTheBit) {
  for (int64_t n : copies)
    for (Math math : {Math::standard, Math::strict}) {
      EXPECT_TRUE(sameBits(run("DecayFirst", n, math).u, expected(true)));
      EXPECT_TRUE(sameBits(run("ResetFirst", n, math).u, expected(false)));
    }
}

} // namespace
} // namespace flexsn::cases
