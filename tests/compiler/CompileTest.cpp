// The compiler's surface: programs, refusals with their places, printed stages, threads.
#include "tests/compiler/Testing.h"

#include <thread>

namespace flexsn {
namespace {

using namespace testing;

std::vector<std::string> refusals(const std::string &text, const Request &request) {
  std::shared_ptr<const Model> model = checked(text);
  Diagnostics diagnostics(*model->source);
  CpuProgram program;
  program.kernelSymbol = "untouched";
  EXPECT_FALSE(compileForCpu(*model, request, diagnostics, program));
  EXPECT_EQ(program.kernelSymbol, "untouched") << "a failure leaves nothing behind";
  return errors(diagnostics);
}

std::string printed(const std::string &text, const Request &request, EmitForm form, std::string_view stage = {}) {
  std::shared_ptr<const Model> model = checked(text);
  Diagnostics diagnostics(*model->source);
  std::string result;
  EXPECT_TRUE(emit(*model, request, form, stage, diagnostics, result))
      << fmt::format("{}", fmt::join(errors(diagnostics), "\n"));
  return result;
}

TEST(Compile, DescribesTheProgram) {
  std::shared_ptr<const Model> model = checked(lif);
  Diagnostics diagnostics(*model->source);
  Request request = spikes();
  request.outputs = {"s", "h"};
  request.initialStates = request.finalStates = {"v"};
  CpuProgram program;
  ASSERT_TRUE(compileForCpu(*model, request, diagnostics, program));
  std::string operands;
  for (const KernelOperand &operand : program.params)
    operands += fmt::format("{}:{}:{} ", operand.name, static_cast<int>(operand.role), storageName(operand.storage));
  for (const KernelOperand &operand : program.operands)
    operands += fmt::format("{}:{}:{} ", operand.name, static_cast<int>(operand.role), storageName(operand.storage));
  EXPECT_EQ(operands, "tau:0:f32 v_th:0:f32 v_reset:0:f32 x:1:f32 v:2:f32 s:3:f32 h:3:f32 v:4:f32 ");
  EXPECT_EQ(program.kernelSymbol, "LIF_inference");
  EXPECT_EQ(program.prologueSymbol, "LIF_inference_prologue");
  EXPECT_GE(program.invariantSlots, 3U);
  EXPECT_EQ(program.tile % program.width, 0U);
  EXPECT_GE(program.workspaceBytes, program.tile * sizeof(float));
  EXPECT_EQ(program.object.substr(0, 4), "\x7f"
                                         "ELF");
}

TEST(Compile, UnknownNamesGetTheNearestOrTheList) {
  Request request = spikes();
  request.outputs = {"s", "v_rset"};
  EXPECT_EQ(refusals(lif, request),
            std::vector<std::string>{"1:1: 'v_rset' is no name of LIF; did you mean 'v_reset'?"});
  request.outputs = {"membrane"};
  EXPECT_EQ(refusals(lif, request),
            std::vector<std::string>{"1:1: 'membrane' is no name of LIF; it has x, v, tau, v_th, v_reset, h, s"});
  request = spikes();
  request.finalStates = {"h"};
  EXPECT_EQ(refusals(lif, request), std::vector<std::string>{"1:1: 'h' is no state of LIF; it has v"});
}

TEST(Compile, ContradictionsOfARequestAreRefused) {
  Request request = spikes();
  request.outputs = {"s", "s"};
  EXPECT_EQ(refusals(lif, request), std::vector<std::string>{"1:1: the name 's' is asked for twice"});
  request = spikes();
  request.kernel = KernelKind::FinalState;
  EXPECT_EQ(refusals(lif, request),
            std::vector<std::string>{"1:1: a final-state kernel delivers no output; ask for an inference kernel"});
  request.kernel = KernelKind::Backward;
  EXPECT_EQ(refusals(lif, request), std::vector<std::string>{"1:1: a backward kernel is asked for no gradient"});
  request.gradInputs = {"y"};
  request.gradInitials = {"v"};
  EXPECT_EQ(
      refusals(lif, request),
      (std::vector<std::string>{"1:1: 'y' is no input of LIF; it has x",
                                "1:1: the gradient of the initial state 'v' is asked for, which no tensor gives"}));
  request = spikes();
  request.data = Storage::I32;
  EXPECT_EQ(refusals(lif, request), std::vector<std::string>{"1:1: i32 is no type of data; use f32, f64, f16 or bf16"});
  request = spikes();
  request.target.cpu = "skylak";
  std::vector<std::string> found = refusals(lif, request);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("'skylak' is not a CPU that LLVM knows"), std::string::npos) << found[0];
}

TEST(Compile, NumbersBeyondFloat32AreRefusedWhereItIsTheComputeType) {
  const std::string text = R"(neuron M:
  input x
  state v = -1e300
  param p = 1e39, q = inf, r = 3.4e38
  param k = 2 in [0, 1e39] clamp
  h = v + x * (1e40 * 1e-10) + 3e38
  s = spike(h - 1e39 + p, atan(alpha=4e38))
  v = h * q * r * k
  output s
)";
  Request request = spikes();
  EXPECT_EQ(refusals(text, request),
            std::vector<std::string>{"4:9: the default 1e+39 of 'p' is out of float32's range, which ends at 3.4e38"});
  std::string fitting = text;
  fitting.replace(fitting.find("p = 1e39"), 8, "p = 1   ");
  EXPECT_EQ(refusals(fitting, request), (std::vector<std::string>{
                                            "3:13: -1e+300 is out of float32's range, which ends at 3.4e38",
                                            "5:18: 1e+39 is out of float32's range, which ends at 3.4e38",
                                            "7:17: 1e+39 is out of float32's range, which ends at 3.4e38",
                                            "7:38: 4e+38 is out of float32's range, which ends at 3.4e38",
                                        }));
  request.data = Storage::F64;
  EXPECT_FALSE(printed(text, request, EmitForm::Assembly).empty());
}

TEST(Compile, WhatIsNotLoweredYetIsRefusedAtItsPlaceAllAtOnce) {
  Request request;
  request.outputs = {"s"};
  EXPECT_EQ(refusals(R"(neuron M:
  input x
  state v = uniform()
  param tau = 2.0, w[channel] = 1.0
  dt = 0.1
  dv/dt = (x*w - v)/tau
  s = spike(v - prev(x))
  refractory 2 hold v
  output s
)",
                     request),
            (std::vector<std::string>{
                "3:13: random numbers are parsed and checked, but not compiled yet",
                "6:3: differential equations are parsed and checked, but not compiled yet",
                "7:17: values of earlier steps (prev) are parsed and checked, but not compiled yet",
                "8:3: refractory periods are parsed and checked, but not compiled yet",
            }));
}

TEST(Compile, EveryStagePrints) {
  for (const StageInfo &stage : stages()) {
    EXPECT_FALSE(stage.help.empty());
    EXPECT_FALSE(printed(lif, spikes(), EmitForm::Mlir, stage.name).empty()) << stage.name;
  }
  EXPECT_NE(printed(lif, spikes(), EmitForm::Assembly).find("LIF_inference"), std::string::npos);
}

TEST(Compile, StagesThatDoNotExistAreRefused) {
  std::shared_ptr<const Model> model = checked(lif);
  std::string text;
  Diagnostics misspelt(*model->source);
  EXPECT_FALSE(emit(*model, spikes(), EmitForm::Mlir, "simplyfy", misspelt, text));
  EXPECT_EQ(errors(misspelt),
            std::vector<std::string>{"1:1: 'simplyfy' is no stage of the compiler; did you mean 'simplify'?"});
  Diagnostics early(*model->source);
  EXPECT_FALSE(emit(*model, spikes(), EmitForm::Object, "scan", early, text));
  EXPECT_EQ(errors(early), std::vector<std::string>{"1:1: machine code exists only after the stage 'llvm'"});
}

TEST(Compile, OnlyFastMathContracts) {
  // No division, which is refined by fused multiply-adds in every mode.
  const std::string text =
      "neuron A:\n  input x\n  state v = 0\n  param k = 0.5\n  v = v * k + x\n  s = v\n  output s\n";
  Request request = spikes();
  std::string standard = printed(text, request, EmitForm::Llvm);
  EXPECT_EQ(standard.find("llvm.fma"), std::string::npos) << "neither fma nor fmuladd";
  request.math = MathMode::Fast;
  EXPECT_NE(printed(text, request, EmitForm::Llvm).find("llvm.fma."), std::string::npos);
}

TEST(Compile, OutputIsTheSameByteForByte) {
  for (EmitForm form : {EmitForm::Mlir, EmitForm::Llvm, EmitForm::Assembly, EmitForm::Object})
    EXPECT_EQ(printed(lif, spikes(), form), printed(lif, spikes(), form));
}

TEST(Compile, LongChainsOfStatementsNeedNoStack) {
  std::string text = "neuron Chain:\n  input x\n  state v = 0\n  a = x\n";
  for (int i = 0; i < 20000; ++i)
    text += "  a = a * x\n";
  text += "  v = a\n  output a\n";
  Request request;
  request.outputs = {"a"};
  EXPECT_NE(printed(text, request, EmitForm::Mlir, "schedule").find("arith.mulf"), std::string::npos);
}

TEST(Compile, EquationsThatRepeatTooMuchAreRefused) {
  std::string text = "neuron Shared:\n  input x\n  dt = 0.1\n";
  for (int i = 0; i < 600; ++i)
    text += fmt::format("  state v{} = 0\n", i);
  text += "  a0 = x\n";
  for (int i = 0; i < 600; ++i)
    text += fmt::format("  a{1} = a{0} + v{0}\n  dv{0}/dt = a{1}\n  b{0} = v{0}\n", i, i + 1);
  text += "  output b0\n";
  Request request;
  request.outputs = {"b0"};
  std::vector<std::string> found = refusals(text, request);
  ASSERT_FALSE(found.empty());
  EXPECT_NE(found[0].find("the differential equations of this model are too large"), std::string::npos) << found[0];
}

TEST(Compile, StepsThatWouldTakeMinutesAreRefused) {
  std::string text = "neuron Wide:\n  input x\n";
  for (int i = 0; i < 600; ++i)
    text += fmt::format("  state v{} = 0\n", i);
  text += "  output v0\n";
  Request request;
  request.outputs = {"v0"};
  EXPECT_EQ(refusals(text, request),
            std::vector<std::string>{"1:1: the step has 602 states, inputs and outputs; a kernel takes at most 512"});
  text = "neuron Long:\n  input x\n  a = x\n";
  for (int i = 0; i < 30'001; ++i)
    text += "  a = x - a\n";
  text += "  output a\n";
  request.outputs = {"a"};
  std::vector<std::string> found = refusals(text, request);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("operations long; a kernel takes at most 30000"), std::string::npos) << found[0];
}

TEST(Compile, ManyThreadsAtOnce) {
  std::shared_ptr<const Model> model = checked(lif);
  std::vector<std::string> objects(4);
  std::vector<std::thread> threads;
  for (std::string &object : objects)
    threads.emplace_back([&] {
      Diagnostics diagnostics(*model->source);
      CpuProgram program;
      if (compileForCpu(*model, spikes(), diagnostics, program))
        object = program.object;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(objects[0].empty());
  for (const std::string &object : objects)
    EXPECT_EQ(object, objects[0]);
}

} // namespace
} // namespace flexsn
