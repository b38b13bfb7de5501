// Every model of the collection as a backward kernel: whatever is wanted, its gradient regions fit the kernel, for
// scan-8 is verified after each pass.
#include "tests/compiler/Testing.h"

#include <fstream>
#include <iterator>

namespace flexsn {
namespace {

using namespace testing;

std::vector<std::shared_ptr<const Model>> zoo() {
  std::ifstream file(FLEXSN_ZOO, std::ios::binary);
  auto source = std::make_shared<const Source>("zoo.fsn", std::string(std::istreambuf_iterator<char>(file), {}));
  Diagnostics diagnostics(*source);
  return check(source, parse(*source, diagnostics), {}, diagnostics);
}

std::string words(const Diagnostics &diagnostics) { return fmt::format("{}", fmt::join(errors(diagnostics), "\n")); }

/// All of a kind that is a float.
struct Floats {
  std::vector<std::string> inputs, states, params;

  explicit Floats(const Model &model) {
    for (const Input &input : model.inputs)
      if (input.value->type == Type::Float)
        inputs.push_back(input.value->name);
    for (const State &state : model.states)
      if (state.value->type == Type::Float)
        states.push_back(state.value->name);
    for (const Param &param : model.params)
      if (param.value->type == Type::Float)
        params.push_back(param.operandName());
  }
};

/// The kernel after the stage `scan`; empty, and the words in `problem`, if it is refused.
std::string backward(const Model &model, Request request, std::string &problem) {
  request.kernel = KernelKind::Backward;
  for (const Output &output : model.outputs)
    request.outputs.push_back(output.name);
  Diagnostics diagnostics(*model.source);
  std::string text;
  if (!emit(model, request, EmitForm::Mlir, "scan", diagnostics, text))
    problem = words(diagnostics);
  return text;
}

TEST(Backward, EveryModelHasEveryGradient) {
  size_t covered = 0, refused = 0;
  for (const auto &model : zoo()) {
    Floats all(*model);
    for (Storage data : {Storage::F32, Storage::F64})
      for (unsigned wanted = 1; wanted < 8; ++wanted) {
        Request request;
        request.data = data;
        if (wanted & 1)
          request.gradInputs = all.inputs;
        if (wanted & 2)
          request.gradInitials = request.initialStates = all.states;
        if (wanted & 4) {
          request.gradParams = all.params;
          request.gradFinals = all.states;
        }
        std::string problem, text = backward(*model, request, problem);
        bool isLater = problem.find("not compiled yet") != std::string::npos;
        EXPECT_TRUE(!text.empty() || isLater) << model->name << ": " << problem;
        ++(isLater ? refused : covered);
        for (const std::string &name : request.gradInputs)
          EXPECT_EQ(text.find(fmt::format("\"{}\", grad_input", name)) == std::string::npos, isLater)
              << model->name << text;
      }
  }
  EXPECT_GE(covered, 23u * 14);
  EXPECT_GT(refused, 0u);
}

/// What no wanted gradient reaches is not computed, and no state is carried for it.
TEST(Backward, ComputesWhatIsWantedAlone) {
  auto model = checked("neuron M:\n  input x, z\n  state v = 0, w = 0\n  param k = 0.5\n"
                       "  v = k * v + x\n  w = w + exp(z)\n  output v, w\n");
  Request request;
  request.gradInputs = {"x"};
  std::string problem, text = backward(*model, request, problem);
  EXPECT_EQ(problem, "");
  EXPECT_NE(text.find("carried [\"v\"]"), std::string::npos) << text;
  std::string adjoint = text.substr(text.find("adjoint {"));
  EXPECT_EQ(adjoint.find("exp"), std::string::npos) << text;
  request.gradInputs = {"z"};
  text = backward(*model, request, problem);
  EXPECT_NE(text.find("carried [\"w\"]"), std::string::npos) << text;
}

} // namespace
} // namespace flexsn
