// Texts, what they are made of, what the compiler makes of them, and the lists.
#include "tests/abi/Support.h"

#include <cfenv>
#include <cmath>
#include <set>

namespace flexsn::test {
namespace {

TEST(File, HoldsEveryModelOfItsText) {
  std::string two = std::string(lif) + "neuron Other:\n  input y\n  s = spike(y)\n  output s\n";
  File file = File::parse(two, "two.fsn");
  EXPECT_EQ(file.names(), (std::vector<std::string>{"LIF", "Other"}));
  EXPECT_EQ(file.model("Other").inputs()[0].name, "y");
  EXPECT_EQ(file.model(0).name(), "LIF");
  EXPECT_EQ(messageOf([&] { file.model(); }), "two.fsn holds 2 models: LIF, Other; name the one to take");
  EXPECT_EQ(messageOf([&] { file.model("Othr"); }),
            "two.fsn has no model 'Othr'; its models are LIF, Other; did you mean 'Other'?");
  Error error = errorOf([&] { file.model(2); });
  EXPECT_EQ(error.code(), Code::argument);
  EXPECT_EQ(error.message(), "there is no model 2; the file holds 2");
  EXPECT_EQ(messageOf([&] { Model::parse(two, "two.fsn"); }),
            "two.fsn holds 2 models: LIF, Other; name the one to take");
}

TEST(File, AllErrorsOfATextComeAtOnceInItsOrder) {
  Error error =
      errorOf([] { File::parse("neuron A:\n  input x\n  s = spke(x)\n  t = spike(y)\n  output s\n", "a.fsn"); });
  EXPECT_EQ(error.code(), Code::model);
  ASSERT_EQ(error.diagnostics().size(), 2u) << error.message();
  EXPECT_EQ(error.diagnostics()[0].line, 3u);
  EXPECT_EQ(error.diagnostics()[1].line, 4u);
  EXPECT_EQ(error.message(), error.diagnostics()[0].rendered + error.diagnostics()[1].rendered);
}

TEST(File, WarningsAreThereAfterASuccessAndLintsAreARequestsOwn) {
  const char *text = "neuron A:\n  input x, unused\n  s = spike(x)\n  output s\n";
  File file = File::parse(text);
  ASSERT_EQ(file.diagnostics().size(), 1u);
  EXPECT_EQ(file.diagnostics()[0].name, "unused-input");
  EXPECT_EQ(file.diagnostics()[0].severity, Severity::warning);
  Lints quiet, strict, one;
  quiet.disabled = {"unused-input"};
  EXPECT_TRUE(File::parse(text, "<text>", quiet).diagnostics().empty());
  strict.all_errors = true;
  one.errors = {"unused-input"};
  for (const Lints &lints : {strict, one})
    EXPECT_EQ(errorOf([&] { File::parse(text, "<text>", lints); }).code(), Code::model);
  quiet.disabled = {"unused-inputs"};
  Error error = errorOf([&] { File::parse(text, "<text>", quiet); });
  EXPECT_EQ(error.code(), Code::value);
  EXPECT_EQ(error.message().find("flexsn has no lint 'unused-inputs'; its lints are "), 0u) << error.message();
  EXPECT_NE(error.message().find("; did you mean 'unused-input'?"), std::string::npos) << error.message();
}

TEST(File, AnyBytesAreOnlyAnError) {
  std::string bytes;
  for (int i = 0; i < 4096; ++i)
    bytes += static_cast<char>((i * 131) % 256);
  for (const std::string &text : {bytes, std::string(), std::string("\0\0", 2), std::string(5 << 20, 'x')})
    EXPECT_NE(messageOf([&] { Model::parse(text, "any.fsn"); }), "");
}

TEST(Model, SizesBeyondTheLimitAreRefusedUnread) {
  for (size_t size : {SIZE_MAX, SIZE_MAX / 2, size_t{5} << 20}) {
    flexsn_model *model = nullptr;
    EXPECT_EQ(flexsn_model_parse("neuron A:", size, "any.fsn", &model), FLEXSN_ERROR_MODEL);
    EXPECT_NE(std::string(flexsn_last_error()).find("the file is too large"), std::string::npos);
    EXPECT_EQ(flexsn_diagnostic_count(), 1u);
  }
}

TEST(Model, NoNameIsCutAtANulByte) {
  const std::string cut("tau\0x", 5), v("v\0", 2), s("s\0", 2);
  const std::string words = "a name or option has a NUL byte behind 'tau'";
  Model model = Model::parse(lif);
  Neuron neuron = model.compile();
  std::vector<float> x(4), out(4);
  Call call;
  call.inputs = {view(x, {2, 2})};
  call.outputs = {view(out, {2, 2})};
  call.params = {{cut, 3.0}};
  EXPECT_EQ(messageOf([&] { neuron.inference(call); }), words);
  call.params = {};
  call.initial_states = {{v, 0.5}};
  EXPECT_EQ(errorOf([&] { neuron.inference(call); }).code(), Code::value);
  EXPECT_EQ(errorOf([&] { neuron.prepare(Kernel::inference, {v}); }).code(), Code::value);
  Options options;
  options.outputs = {s};
  EXPECT_EQ(errorOf([&] { model.compile(Device::cpu(), options); }).code(), Code::value);
  options = {};
  options.surrogate = std::string("atan()\0", 7);
  EXPECT_EQ(errorOf([&] { model.compile(Device::cpu(), options); }).code(), Code::value);
  options = {};
  options.constants = {{cut, 1}};
  EXPECT_EQ(messageOf([&] { model.compile(Device::cpu(), options); }), words);
  Emit what;
  what.arch = std::string("native\0", 7);
  EXPECT_EQ(errorOf([&] { model.emit(what); }).code(), Code::value);
  what = {};
  what.stop_after = std::string("import\0", 7);
  EXPECT_EQ(errorOf([&] { model.emit(what); }).code(), Code::value);
  EXPECT_EQ(messageOf([&] { Model::parse(lif, cut); }), words);
  Lints lints;
  lints.errors = {cut};
  EXPECT_EQ(messageOf([&] { Model::parse(lif, "lif.fsn", lints); }), words);
  EXPECT_EQ(messageOf([&] { File::parse(lif).model(cut); }), words);
}

TEST(Model, SaysWhatItIsMadeOf) {
  Model model = Model::parse(R"(neuron Parts:
  input x, on: bool, n: int
  state v = v_reset, c: int = 2
  param v_reset = -0.5 frozen, tau = 2.0 learnable in [1, 100), k = 0.5 as sigmoid, g = 1 in (0, inf) clamp
  h = v + (x - v) / tau * k * g
  s = spike(h) if on else 0
  c = c + n
  q = quant(h, 0, 4)
  v = h
  output s, q, c
)");
  std::vector<Part> inputs = model.inputs(), states = model.states(), params = model.params();
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].name, "x");
  EXPECT_EQ(inputs[0].type, Type::floating);
  EXPECT_EQ(inputs[0].lanes, 1u);
  EXPECT_EQ(inputs[1].type, Type::boolean);
  EXPECT_EQ(inputs[2].type, Type::integer);
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[0].initial, "v_reset");
  EXPECT_EQ(states[1].type, Type::integer);
  ASSERT_EQ(params.size(), 4u);
  EXPECT_EQ(params[0].flags, uint32_t(FLEXSN_FROZEN));
  EXPECT_EQ(params[0].default_value, -0.5);
  EXPECT_EQ(params[0].low, -INFINITY);
  EXPECT_EQ(params[0].dims, 0u);
  EXPECT_EQ(params[1].flags, uint32_t(FLEXSN_LEARNABLE | FLEXSN_HIGH_OPEN | FLEXSN_CLAMP));
  EXPECT_EQ(params[1].low, 1);
  EXPECT_EQ(params[1].high, 100);
  EXPECT_EQ(params[2].operand, "raw_k");
  EXPECT_EQ(params[2].transform, "sigmoid");
  EXPECT_EQ(params[3].flags, uint32_t(FLEXSN_LOW_OPEN | FLEXSN_HIGH_OPEN | FLEXSN_CLAMP));
  ASSERT_EQ(model.outputs().size(), 3u);
  EXPECT_EQ(model.outputs()[1].type, Type::integer); // a whole float, delivered as an int is
  std::vector<std::string> names = model.names();
  for (const char *name : {"h", "s", "q", "v", "c"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

TEST(Model, CompileTakesNamesOfTheModelAlone) {
  Options options;
  options.outputs = {"hh"};
  EXPECT_EQ(messageOf([&] {
              Model::parse(lif).compile(Device::cpu(), options);
            }).find("LIF has no name 'hh'; its names are "),
            0u);
  options.outputs = {"s", "s"};
  EXPECT_EQ(messageOf([&] { Model::parse(lif).compile(Device::cpu(), options); }),
            "LIF: output 's' is asked for twice");
}

TEST(Model, SomethingMustBeAskedFor) {
  Options nothing;
  nothing.outputs.emplace();
  Model::parse(lif).compile(Device::cpu(), nothing); // final states can be
  Model stateless = Model::parse("neuron A:\n  input x\n  s = spike(x)\n  output s\n");
  EXPECT_EQ(messageOf([&] { stateless.compile(Device::cpu(), nothing); }),
            "A: the call asks for no output and no final state");
  Emit what;
  what.kernel = Kernel::final_state;
  EXPECT_EQ(messageOf([&] { stateless.emit(what); }), "A: the kernel has no output, and the model no state");
}

TEST(Model, OptionsThatChangeTheTextBelongToTheRequest) {
  Model model = Model::parse("neuron C:\n  input x\n  const K = 2\n  y = x * K\n  output y\n");
  Options options;
  options.constants = {{"K", 5}};
  float x[1] = {3}, y[1];
  Call call;
  call.inputs = {view(x, {1})};
  call.outputs = {view(y, {1})};
  model.compile(Device::cpu(), options).inference(call);
  EXPECT_EQ(y[0], 15);
  model.compile().inference(call);
  EXPECT_EQ(y[0], 6);
  options.constants = {{"J", 5}};
  EXPECT_EQ(errorOf([&] { model.compile(Device::cpu(), options); }).code(), Code::model);
  Options surrogate;
  surrogate.surrogate = "no_such(alpha=1)";
  EXPECT_EQ(errorOf([&] { Model::parse(lif).compile(Device::cpu(), surrogate); }).code(), Code::model);
  surrogate.surrogate = "sigmoid(alpha=4.0)";
  Model::parse(lif).compile(Device::cpu(), surrogate);
}

TEST(Model, WhatCannotBeLoweredIsRefusedAtCompile) {
  Model model = Model::parse("neuron D:\n  input x\n  state v = 0\n  v = v + x * prev(x)\n  output v\n", "d.fsn");
  Error error = errorOf([&] { model.compile(); });
  EXPECT_EQ(error.code(), Code::model);
  ASSERT_FALSE(error.diagnostics().empty());
  EXPECT_EQ(error.diagnostics()[0].line, 4u);
  EXPECT_EQ(error.message().find("d.fsn:4:"), 0u) << error.message();
}

TEST(Emit, EveryFormAndEveryStage) {
  Model model = Model::parse(lif);
  EXPECT_NE(model.emit().find("neuron.model"), std::string::npos);
  Emit what;
  what.form = Form::scan;
  EXPECT_NE(model.emit(what).find("scan.kernel"), std::string::npos);
  what.form = Form::llvm;
  EXPECT_NE(model.emit(what).find("define"), std::string::npos);
  what.form = Form::assembly;
  EXPECT_NE(model.emit(what).find(".globl"), std::string::npos);
  what.form = Form::object;
  EXPECT_EQ(model.emit(what).substr(1, 3), "ELF");
  std::vector<Entry> stages = list(List::stages);
  EXPECT_GE(stages.size(), 8u);
  for (const Entry &stage : stages) {
    Emit stop;
    stop.stop_after = stage.name;
    EXPECT_FALSE(model.emit(stop).empty()) << stage.name;
    EXPECT_EQ(model.emit(stop), model.emit(stop)) << stage.name;
  }
  what.stop_after = "scedule";
  EXPECT_NE(messageOf([&] { model.emit(what); }).find("did you mean 'schedule'?"), std::string::npos);
}

TEST(Emit, TheKernelIsTheOneAskedFor) {
  Model model = Model::parse(lif);
  Emit what;
  what.form = Form::scan;
  EXPECT_EQ(model.emit(what).find("final_state"), std::string::npos);
  what.initial_states = what.final_states = {"v"};
  EXPECT_NE(model.emit(what).find("initial"), std::string::npos);
  what.kernel = Kernel::final_state;
  what.final_states.clear(); // all of them
  EXPECT_NE(model.emit(what).find("final_state"), std::string::npos);
  what.initial_states = {"w"};
  EXPECT_EQ(messageOf([&] { model.emit(what); }).find("LIF has no state 'w'"), 0u);
  what.initial_states.clear();
  what.arch = "no-such-cpu";
  Error error = errorOf([&] { model.emit(what); });
  EXPECT_EQ(error.code(), Code::argument);
  EXPECT_NE(error.message().find("no-such-cpu"), std::string::npos);
}

TEST(Emit, TextEndsWithOneLineEnd) {
  Model model = Model::parse(lif);
  Emit what;
  for (Form form : {Form::neuron, Form::scan, Form::llvm, Form::assembly}) {
    what.form = form;
    std::string text = model.emit(what);
    ASSERT_GT(text.size(), 2u);
    EXPECT_TRUE(text.back() == '\n' && text[text.size() - 2] != '\n') << static_cast<int>(form);
  }
}

TEST(Explain, TellsFactsOfEveryKind) {
  Model model = Model::parse(lif, "lif.fsn");
  Explanation facts = model.explain();
  std::vector<std::string> operands;
  for (const Fact &fact : facts.operands)
    operands.push_back(fact.name + " " + fact.category + " " + fact.detail);
  EXPECT_EQ(operands, (std::vector<std::string>{"tau param f32 one value", "v_th param f32 one value",
                                                "x input f32 [T, N]", "s output f32 [T, N]"}));
  ASSERT_EQ(facts.states.size(), 1u);
  EXPECT_EQ(facts.states[0].detail, "0.0");
  EXPECT_EQ(facts.memory[0].name, "step");
  EXPECT_EQ(facts.memory[0].value, 8);
  EXPECT_EQ(facts.schedule[0].name, "tile");
  EXPECT_GT(facts.schedule[0].value, 0);
  EXPECT_FALSE(facts.launch.empty()); // the reciprocal of tau
  EXPECT_TRUE(facts.neuron.empty());
  EXPECT_FALSE(facts.step.empty());
  ASSERT_FALSE(facts.remarks.empty());
  EXPECT_GT(facts.remarks[0].line, 0u);

  Emit what;
  what.initial_states = what.final_states = {"v"};
  Options options;
  options.dtype = DType::f64;
  facts = model.explain(what, options);
  EXPECT_EQ(facts.memory[0].value, 16);
  EXPECT_EQ(facts.memory[2].name, "once");
  EXPECT_EQ(facts.memory[2].value, 16);
}

TEST(Explain, RefusesWhatMakesNoSense) {
  Model model = Model::parse(lif);
  Emit what;
  what.form = Form::llvm;
  EXPECT_EQ(errorOf([&] { model.explain(what); }).code(), Code::argument);
  what = {};
  what.stop_after = "scan";
  EXPECT_EQ(errorOf([&] { model.explain(what); }).code(), Code::argument);
  what = {};
  what.wanted = {"x"}; // of an inference kernel
  EXPECT_EQ(errorOf([&] { model.explain(what); }).code(), Code::argument);
  what = {};
  what.arch = "no-such-cpu";
  EXPECT_EQ(errorOf([&] { model.explain(what); }).code(), Code::argument);
  what = {};
  what.initial_states = {"w"};
  EXPECT_EQ(messageOf([&] { model.explain(what); }).find("LIF has no state 'w'"), 0u);
  EXPECT_EQ(flexsn_explanation_count(nullptr, FLEXSN_FACT_STEP), 0u);
  flexsn_explanation *explanation = nullptr;
  ASSERT_EQ(flexsn_model_explain(model.capi(), flexsn_cpu(), nullptr, nullptr, &explanation), FLEXSN_OK);
  flexsn_fact fact{};
  fact.struct_size = sizeof fact;
  EXPECT_EQ(flexsn_explanation_count(explanation, static_cast<flexsn_fact_kind>(99)), 0u);
  EXPECT_EQ(flexsn_explanation_get(explanation, FLEXSN_FACT_STEP, 99, &fact), FLEXSN_ERROR_ARGUMENT);
  fact.struct_size = 8;
  EXPECT_EQ(flexsn_explanation_get(explanation, FLEXSN_FACT_STEP, 0, &fact), FLEXSN_ERROR_ARGUMENT);
  EXPECT_EQ(flexsn_explanation_get(nullptr, FLEXSN_FACT_STEP, 0, &fact), FLEXSN_ERROR_ARGUMENT);
  flexsn_explanation_free(explanation);
  flexsn_explanation_free(nullptr);
}

TEST(Lists, AreTrueAndWithoutDoubles) {
  for (List kind : {List::models, List::surrogates, List::functions, List::lints, List::stages, List::facts}) {
    std::set<std::string> names;
    for (const Entry &entry : list(kind))
      EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(names.empty());
  }
  std::vector<Entry> surrogates = list(List::surrogates);
  auto atan =
      std::find_if(surrogates.begin(), surrogates.end(), [](const Entry &entry) { return entry.name == "atan"; });
  ASSERT_NE(atan, surrogates.end());
  EXPECT_EQ(atan->usage, "atan(alpha=2.0)");
  for (const Entry &entry : surrogates) { // each is written as the language takes it
    Options options;
    options.surrogate = entry.usage;
    Model::parse(lif).compile(Device::cpu(), options);
  }
  std::vector<Entry> facts = list(List::facts);
  EXPECT_EQ(facts[0].name, "version");
  EXPECT_EQ(facts[0].usage, version());
}

TEST(Lists, ShippedModelsParseCompileAndHaveAHeadline) {
  for (const Entry &entry : list(List::models)) {
    Model model = Model::shipped(entry.name);
    EXPECT_EQ(model.name(), entry.name);
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_LT(entry.summary.size(), 60u) << entry.summary;
  }
  std::string message = messageOf([] { Model::shipped("lif"); });
  EXPECT_EQ(message.find("no model 'lif' is shipped; there are "), 0u) << message;
}

// Whoever debugs numbers lets them trap: neither a constant that overflows nor a parameter that float32 cannot hold
// may end the process.
TEST(Model, IsParsedAndRunUnderACallersTraps) {
  std::vector<float> x{1}, y{0};
  Call call;
  call.inputs = {view(x, {1, 1})};
  call.outputs = {view(y, {1, 1})};
  ASSERT_NE(::feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW), -1);
  EXPECT_THROW(Model::parse("neuron M:\n  input x\n  y = x + exp(1000) + log(0)\n  output y\n"), Error);
  EXPECT_THROW(Model::parse("neuron M:\n  input x\n  param p = 1e39\n  y = x + p\n  output y\n").compile(), Error);
  EXPECT_THROW(Model::parse("neuron M:\n  input x\n  y = x + 1e39\n  output y\n").compile(), Error);
  Model::parse("neuron M:\n  input x\n  param p = inf\n  y = x + p\n  output y\n").compile().inference(call);
  int traps = ::fegetexcept();
  ::fedisableexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(traps, FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW); // as the caller had them
  EXPECT_TRUE(std::isinf(y[0]));
}

} // namespace
} // namespace flexsn::test
