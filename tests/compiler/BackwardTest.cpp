// Every model of the collection as a backward kernel: whatever is wanted, its gradient regions fit the kernel, for
// scan-8 to scan-10 are verified after each pass; and what is not wanted is not in it.
#include "tests/compiler/TrainingRequests.h"

namespace flexsn {
namespace {

using namespace testing;

std::string backward(const Model &model, const Request &request, std::string &problem) {
  return kernelText(model, request, KernelKind::Backward, problem);
}

TEST(Backward, EveryModelHasEveryGradient) {
  size_t covered = 0, refused = 0;
  for (const auto &model : zoo())
    for (Storage data : {Storage::F32, Storage::F64})
      for (unsigned wanted = 1; wanted <= everyWanted; ++wanted) {
        Request request = training(*model, data, wanted);
        if (request.gradInputs.empty() && request.gradInitials.empty() && request.gradParams.empty())
          continue; // the model has none of what is wanted
        std::string problem, text = backward(*model, request, problem);
        bool isLater = problem.find("not compiled yet") != std::string::npos;
        EXPECT_TRUE(!text.empty() || isLater) << model->name << ": " << problem;
        ++(isLater ? refused : covered);
        for (const std::string &name : request.gradInputs)
          EXPECT_EQ(text.find(fmt::format("\"{}\", grad_input", name)) == std::string::npos, isLater)
              << model->name << text;
      }
  EXPECT_GE(covered, 23u * 14);
  EXPECT_GT(refused, 0u);
}

/// What no wanted gradient reaches is not computed, no state is carried for it, and none saved.
TEST(Backward, ComputesWhatIsWantedAlone) {
  auto model = checked("neuron M:\n  input x, z\n  state v = 0, w = 0\n  param k = 0.5\n"
                       "  v = k * v * v + x\n  w = w + exp(z)\n  output v, w\n");
  Request request;
  request.outputs = {"v", "w"};
  request.gradInputs = {"x"};
  std::string problem, text = backward(*model, request, problem);
  EXPECT_EQ(problem, "");
  EXPECT_NE(text.find("carried [\"v\"]"), std::string::npos) << text;
  EXPECT_NE(text.find("states [\"v\"]"), std::string::npos) << text;
  EXPECT_EQ(text.find("neuron.exp"), std::string::npos) << text;
  request.gradInputs = {"z"};
  text = backward(*model, request, problem);
  EXPECT_NE(text.find("carried [\"w\"]"), std::string::npos) << text;
  EXPECT_NE(text.find("states []"), std::string::npos) << text; // d exp(z) follows from z alone
  EXPECT_EQ(text.find("every"), std::string::npos) << text;
}

/// A state that no other value follows from is carried for its final gradient, beside others.
TEST(Backward, EveryFinalStateHasItsGradient) {
  auto model = checked("neuron M:\n  input x\n  state h = 0, last = 0\n  h = 0.5 * h + x\n  last = 2 * x + h\n"
                       "  output h\n");
  Request request;
  request.outputs = {"h"};
  request.gradFinals = {"h", "last"};
  request.gradInputs = {"x"};
  std::string problem, text = backward(*model, request, problem);
  EXPECT_EQ(problem, "");
  EXPECT_NE(text.find("carried [\"h\", \"last\"]"), std::string::npos) << text;
}

/// An output that nobody asks for has no gradient, and what it alone depends on is not there.
TEST(Backward, OutputsThatAreNotDeliveredCostNothing) {
  auto model = checked("neuron M:\n  input x, z\n  state v = 0, w = 0\n  v = v * v + x\n  w = tanh(w + z)\n"
                       "  output v, w\n");
  Request request;
  request.outputs = {"v"};
  request.gradInputs = {"x", "z"};
  std::string problem, text = backward(*model, request, problem);
  EXPECT_EQ(problem, "");
  EXPECT_EQ(text.find("\"w\""), std::string::npos) << text;
  EXPECT_EQ(text.find("tanh"), std::string::npos) << text;
  EXPECT_NE(text.find("\"z\", grad_input"), std::string::npos) << text; // zeros, but asked for
}

/// Of what standard mode contracts, strict keeps every rounding; fast has the forward's decisions in both kernels.
TEST(Backward, IsContractedWhereTheModeAllowsIt) {
  auto model = checked("neuron M:\n  input x\n  state v = 0\n  param a = 0.5\n  v = v * a + tanh(v) * x\n  output v\n");
  Request request = training(*model, Storage::F32, ofInputs);
  auto fused = [&](MathMode math, KernelKind kind) {
    request.math = math;
    std::string problem, text = kernelText(*model, request, kind, problem);
    EXPECT_EQ(problem, "");
    std::string step = text.substr(text.find("step {")); // the prologue has one that finds exact reciprocals
    return std::pair(step.substr(0, step.find("} adjoint")).find("math.fma") != std::string::npos,
                     step.find("math.fma", std::min(step.find("} adjoint"), step.size())) != std::string::npos);
  };
  EXPECT_EQ(fused(MathMode::Strict, KernelKind::Backward), std::pair(false, false));
  EXPECT_EQ(fused(MathMode::Standard, KernelKind::Backward), std::pair(false, true));
  EXPECT_EQ(fused(MathMode::Standard, KernelKind::Forward), std::pair(false, false));
  EXPECT_EQ(fused(MathMode::Fast, KernelKind::Backward), std::pair(true, true));
  EXPECT_EQ(fused(MathMode::Fast, KernelKind::Forward), std::pair(true, false));
}

/// What both kernels say of checkpoints is the same, whatever is wanted.
TEST(Backward, AgreesWithTheForwardOnWhatIsSaved) {
  auto saved = [](const std::string &text) {
    std::string lines;
    for (size_t at = text.find(", checkpoint"); at != std::string::npos; at = text.find(", checkpoint", at + 1))
      lines += text.substr(text.rfind('<', at), at - text.rfind('<', at));
    if (size_t at = text.find("\n   every"); at != std::string::npos)
      lines += text.substr(at, text.find("prologue", at) - at).substr(0, text.find('\n', at + 1) - at);
    return lines;
  };
  size_t some = 0, none = 0;
  for (const auto &model : zoo())
    for (unsigned wanted : {ofInputs, ofInitials, ofParamsAndFinals, everyWanted}) {
      Request request = training(*model, Storage::F32, wanted);
      std::string problem, back = backward(*model, request, problem);
      if (!problem.empty())
        continue;
      std::string ahead = kernelText(*model, request, KernelKind::Forward, problem);
      EXPECT_EQ(saved(ahead), saved(back)) << model->name << problem;
      ++(saved(back).empty() ? none : some);
    }
  EXPECT_GT(some, 60u);
  EXPECT_GT(none, 0u);
}

} // namespace
} // namespace flexsn
