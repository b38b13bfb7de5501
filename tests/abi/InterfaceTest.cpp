// The C interface's own promises: arguments, structs, lifetimes of strings, one error a thread.
#include "tests/abi/Support.h"

#include <cstring>
#include <thread>

namespace flexsn::test {
namespace {

flexsn_model *parse(const char *text = lif) {
  flexsn_model *model = nullptr;
  EXPECT_EQ(flexsn_model_parse(text, std::strlen(text), "lif.fsn", &model), FLEXSN_OK) << flexsn_last_error();
  return model;
}

flexsn_neuron *compile() {
  flexsn_model *model = parse();
  flexsn_neuron *neuron = nullptr;
  EXPECT_EQ(flexsn_neuron_compile(model, flexsn_cpu(), nullptr, &neuron), FLEXSN_OK) << flexsn_last_error();
  flexsn_model_free(model);
  return neuron;
}

/// The words of a call that must be refused as FLEXSN_ERROR_ARGUMENT.
std::string argument(flexsn_status status) {
  EXPECT_EQ(status, FLEXSN_ERROR_ARGUMENT);
  return flexsn_last_error();
}

TEST(CInterface, NullIsRefusedEverywhere) {
  flexsn_file *file = nullptr;
  flexsn_model *model = nullptr, *real = parse();
  flexsn_neuron *neuron = nullptr, *ready = compile();
  flexsn_bound *bound = nullptr;
  flexsn_call call{};
  call.struct_size = sizeof call;
  char *text = nullptr;
  size_t size = 0;
  flexsn_part part{};
  EXPECT_EQ(argument(flexsn_file_parse(nullptr, 3, "x", nullptr, &file)), "text is NULL");
  EXPECT_EQ(argument(flexsn_file_parse("", 0, "x", nullptr, nullptr)), "out is NULL");
  EXPECT_EQ(argument(flexsn_file_model(nullptr, nullptr, &model)), "file is NULL");
  EXPECT_EQ(argument(flexsn_file_model_at(nullptr, 0, &model)), "file is NULL");
  EXPECT_EQ(argument(flexsn_model_parse(nullptr, 3, "x", &model)), "text is NULL");
  EXPECT_EQ(argument(flexsn_model_parse("", 0, "x", nullptr)), "out is NULL");
  EXPECT_EQ(argument(flexsn_model_part(nullptr, FLEXSN_INPUT, 0, &part)), "model is NULL");
  EXPECT_EQ(argument(flexsn_model_part(real, FLEXSN_INPUT, 0, nullptr)), "flexsn_part is NULL");
  EXPECT_EQ(argument(flexsn_neuron_compile(nullptr, flexsn_cpu(), nullptr, &neuron)), "model is NULL");
  EXPECT_EQ(argument(flexsn_neuron_compile(real, flexsn_cpu(), nullptr, nullptr)), "out is NULL");
  EXPECT_EQ(argument(flexsn_neuron_prepare(nullptr, FLEXSN_INFERENCE, nullptr, 0, nullptr, 0)), "neuron is NULL");
  EXPECT_EQ(argument(flexsn_neuron_prepare(ready, FLEXSN_INFERENCE, nullptr, 1, nullptr, 0)), "initial_states is NULL");
  EXPECT_EQ(argument(flexsn_neuron_run(nullptr, FLEXSN_INFERENCE, &call)), "neuron is NULL");
  EXPECT_EQ(argument(flexsn_neuron_run(ready, FLEXSN_INFERENCE, nullptr)), "call is NULL");
  EXPECT_EQ(argument(flexsn_neuron_bind(ready, FLEXSN_INFERENCE, &call, nullptr)), "out is NULL");
  EXPECT_EQ(argument(flexsn_neuron_bind(ready, FLEXSN_INFERENCE, nullptr, &bound)), "call is NULL");
  EXPECT_EQ(argument(flexsn_model_emit(nullptr, flexsn_cpu(), nullptr, nullptr, &text, &size)), "model is NULL");
  EXPECT_EQ(argument(flexsn_model_emit(real, flexsn_cpu(), nullptr, nullptr, nullptr, &size)), "out_text is NULL");
  EXPECT_EQ(argument(flexsn_model_emit(real, flexsn_cpu(), nullptr, nullptr, &text, nullptr)), "out_size is NULL");
  EXPECT_EQ(argument(flexsn_list_get(FLEXSN_LIST_STAGES, 0, nullptr)), "flexsn_entry is NULL");
  EXPECT_EQ(argument(flexsn_statistics_get(nullptr)), "flexsn_statistics is NULL");
  EXPECT_EQ(argument(flexsn_cache_settings_get(nullptr)), "flexsn_cache_settings is NULL");
  EXPECT_EQ(argument(flexsn_cache_inspect(FLEXSN_CACHE_LIST, nullptr)), "out is NULL");
  EXPECT_EQ(argument(flexsn_cache_report_entry(nullptr, 0, nullptr)), "report is NULL");
  EXPECT_EQ(flexsn_bound_run(nullptr), FLEXSN_ERROR_ARGUMENT);
  EXPECT_EQ(flexsn_file_model_count(nullptr), 0u);
  EXPECT_EQ(flexsn_model_part_count(nullptr, FLEXSN_INPUT), 0u);
  EXPECT_EQ(flexsn_model_name(nullptr), nullptr);
  flexsn_file_free(nullptr);
  flexsn_bound_free(nullptr);
  flexsn_string_free(nullptr);
  flexsn_neuron_free(ready);
  flexsn_model_free(real);
}

TEST(CInterface, ArraysAndNamesOfACallMayNotBeNull) {
  flexsn_neuron *neuron = compile();
  std::vector<float> x(4), s(4);
  Tensor input = view(x, {4}), output = view(s, {4});
  DLTensor in = input, out = output;
  const DLTensor *inputs[] = {&in}, *outputs[] = {&out}, *missing[] = {nullptr};
  flexsn_named nameless{nullptr, nullptr, 1};
  auto run = [&](auto spoil) {
    flexsn_call call{sizeof call, inputs, 1, outputs, 1, nullptr, 0, nullptr, 0, nullptr, 0, 0, 0, 0, nullptr};
    spoil(call);
    EXPECT_NE(flexsn_neuron_run(neuron, FLEXSN_INFERENCE, &call), FLEXSN_OK);
    return std::string(flexsn_last_error());
  };
  EXPECT_EQ(run([](flexsn_call &call) { call.inputs = nullptr; }), "call.inputs is NULL");
  EXPECT_EQ(run([](flexsn_call &call) { call.outputs = nullptr; }), "call.outputs is NULL");
  EXPECT_EQ(run([](flexsn_call &call) { call.param_count = 1; }), "call.params is NULL");
  EXPECT_EQ(run([](flexsn_call &call) { call.initial_state_count = 1; }), "call.initial_states is NULL");
  EXPECT_EQ(run([](flexsn_call &call) { call.final_state_count = 1; }), "call.final_states is NULL");
  EXPECT_EQ(run([&](flexsn_call &call) { call.inputs = missing; }), "LIF: input 'x' is NULL");
  EXPECT_EQ(run([&](flexsn_call &call) { call.outputs = missing; }), "LIF: output 's' is NULL");
  EXPECT_EQ(run([&](flexsn_call &call) { call.params = &nameless, call.param_count = 1; }),
            "call.params[].name is NULL");
  EXPECT_EQ(run([&](flexsn_call &call) { call.initial_states = &nameless, call.initial_state_count = 1; }),
            "call.initial_states[].name is NULL");
  EXPECT_EQ(run([&](flexsn_call &call) { call.final_states = &nameless, call.final_state_count = 1; }),
            "call.final_states[].name is NULL");
  flexsn_call old{96, inputs,  1, outputs, 1,  nullptr, 0,      nullptr,
                  0,  nullptr, 0, 0,       -7, 1,       nullptr}; // of a header without these
  old.gradients = reinterpret_cast<const flexsn_gradients *>(&old);
  EXPECT_EQ(flexsn_neuron_run(neuron, FLEXSN_INFERENCE, &old), FLEXSN_OK) << flexsn_last_error();
  EXPECT_EQ(run([](flexsn_call &call) { call.reserved = 1; }), "call.reserved is 1, but must be 0");
  EXPECT_EQ(run([](flexsn_call &call) { call.struct_size = 8; }),
            "flexsn_call: struct_size is 8, but it is at least 96; set it to sizeof the struct");
  flexsn_neuron_free(neuron);
}

TEST(CInterface, EnumeratorsThatDoNotExist) {
  flexsn_model *model = parse();
  flexsn_neuron *neuron = nullptr;
  flexsn_options options{};
  options.struct_size = sizeof options;
  options.dtype = 9;
  EXPECT_EQ(argument(flexsn_neuron_compile(model, flexsn_cpu(), &options, &neuron)),
            "options.dtype: there is no enumerator 9");
  options.dtype = FLEXSN_F32;
  options.math = -1;
  EXPECT_EQ(argument(flexsn_neuron_compile(model, flexsn_cpu(), &options, &neuron)),
            "options.math: there is no enumerator -1");
  options.math = FLEXSN_MATH_STANDARD;
  options.out_dtype = 2;
  EXPECT_EQ(argument(flexsn_neuron_compile(model, flexsn_cpu(), &options, &neuron)),
            "options.out_dtype: there is no enumerator 2");
  options.out_dtype = FLEXSN_OUT_DATA;
  options.dims_count = 1;
  EXPECT_EQ(argument(flexsn_neuron_compile(model, flexsn_cpu(), &options, &neuron)), "options.dims is NULL");
  flexsn_param_dims dims[] = {{"tau", FLEXSN_DIM_CHANNEL, 0}, {"tau", FLEXSN_DIM_STEP, 0}};
  options.dims = dims;
  options.dims_count = 2;
  EXPECT_EQ(flexsn_neuron_compile(model, flexsn_cpu(), &options, &neuron), FLEXSN_ERROR_VALUE);
  EXPECT_EQ(std::string(flexsn_last_error()), "the dims of 'tau' are given twice");
  dims[0].name = nullptr;
  EXPECT_EQ(argument(flexsn_neuron_compile(model, flexsn_cpu(), &options, &neuron)), "options.dims[].name is NULL");
  EXPECT_EQ(neuron, nullptr);
  flexsn_neuron *ready = compile();
  EXPECT_EQ(argument(flexsn_neuron_prepare(ready, static_cast<flexsn_kernel>(77), nullptr, 0, nullptr, 0)),
            "kernel: there is no enumerator 77");
  flexsn_part part{};
  part.struct_size = sizeof part;
  EXPECT_EQ(argument(flexsn_model_part(model, static_cast<flexsn_part_kind>(5), 0, &part)),
            "there is no part 0 of kind 5");
  EXPECT_EQ(argument(flexsn_model_part(model, FLEXSN_INPUT, 1, &part)), "there is no part 1 of kind 0");
  EXPECT_EQ(flexsn_list_count(static_cast<flexsn_list_kind>(6)), 0u);
  flexsn_cache_report *report = nullptr;
  EXPECT_EQ(argument(flexsn_cache_inspect(static_cast<flexsn_cache_action>(3), &report)),
            "action: there is no enumerator 3");
  flexsn_entry entry{};
  entry.struct_size = sizeof entry;
  EXPECT_EQ(argument(flexsn_list_get(static_cast<flexsn_list_kind>(6), 0, &entry)), "there is no entry 0 in list 6");
  flexsn_neuron_free(ready);
  flexsn_model_free(model);
}

TEST(CInterface, WhatThisVersionDoesNotHaveIsRefusedByName) {
  flexsn_model *model = parse();
  flexsn_neuron *neuron = nullptr, *ready = compile();
  EXPECT_EQ(flexsn_neuron_compile(model, DLDevice{kDLCUDA, 1}, nullptr, &neuron), FLEXSN_ERROR_UNSUPPORTED);
  EXPECT_EQ(flexsn_last_error(), "device cuda:1 is not in flexsn " + version() + "; flexsn_cpu() is");
  EXPECT_EQ(flexsn_neuron_compile(model, DLDevice{kDLCPU, 1}, nullptr, &neuron), FLEXSN_ERROR_VALUE);
  EXPECT_STREQ(flexsn_last_error(), "there is no CPU 1; flexsn_cpu() is CPU 0");
  struct {
    flexsn_options known;
    int64_t later;
  } grown{};
  grown.known.struct_size = sizeof grown;
  EXPECT_EQ(flexsn_neuron_compile(model, flexsn_cpu(), &grown.known, &neuron), FLEXSN_OK) << flexsn_last_error();
  flexsn_neuron_free(neuron);
  grown.later = 1;
  EXPECT_EQ(flexsn_neuron_compile(model, flexsn_cpu(), &grown.known, &neuron), FLEXSN_ERROR_UNSUPPORTED);
  EXPECT_EQ(flexsn_last_error(), "flexsn_options: byte 80 is set, which flexsn " + version() +
                                     " does not know; it is older than the header");
  flexsn_neuron_free(ready);
  flexsn_model_free(model);
}

TEST(CInterface, TheLastErrorIsThisThreadsAndOfItsLastCall) {
  flexsn_model *model = nullptr;
  EXPECT_EQ(flexsn_model_parse("neuron", 6, "a.fsn", &model), FLEXSN_ERROR_MODEL);
  std::string here = flexsn_last_error();
  EXPECT_EQ(here.find("a.fsn:1:"), 0u) << here;
  EXPECT_EQ(here.back(), '\n');
  std::thread([] {
    EXPECT_STREQ(flexsn_last_error(), "");
    EXPECT_EQ(flexsn_diagnostic_count(), 0u);
  }).join();
  EXPECT_EQ(flexsn_last_error(), here); // asking changes nothing
  EXPECT_GT(flexsn_diagnostic_count(), 0u);
  EXPECT_EQ(flexsn_bound_run(nullptr), FLEXSN_ERROR_ARGUMENT);
  EXPECT_EQ(flexsn_last_error(), here); // neither does a run
  flexsn_model_free(parse());
  EXPECT_STREQ(flexsn_last_error(), "");
  EXPECT_EQ(flexsn_diagnostic_count(), 0u);
}

TEST(CInterface, DiagnosticsAreStructs) {
  const char *text = "neuron LIF:\n  input x\n  s = spke(x)\n  output s\n";
  flexsn_model *model = nullptr;
  ASSERT_EQ(flexsn_model_parse(text, std::strlen(text), nullptr, &model), FLEXSN_ERROR_MODEL);
  ASSERT_EQ(flexsn_diagnostic_count(), 1u);
  flexsn_diagnostic d{};
  EXPECT_EQ(flexsn_diagnostic_get(0, &d), FLEXSN_ERROR_ARGUMENT); // no struct_size
  d.struct_size = sizeof d;
  EXPECT_EQ(flexsn_diagnostic_get(1, &d), FLEXSN_ERROR_ARGUMENT);
  EXPECT_EQ(flexsn_diagnostic_get(0, nullptr), FLEXSN_ERROR_ARGUMENT);
  ASSERT_EQ(flexsn_diagnostic_get(0, &d), FLEXSN_OK);
  EXPECT_STREQ(d.file, "<text>");
  EXPECT_STREQ(d.name, "");
  EXPECT_STREQ(d.message, "unknown function 'spke'; did you mean 'spike'?");
  EXPECT_EQ(d.severity, FLEXSN_SEVERITY_ERROR);
  EXPECT_EQ(d.line, 3u);
  EXPECT_EQ(d.column, 7u);
  EXPECT_EQ(d.end_line, 3u);
  EXPECT_EQ(d.end_column, 11u);
  ASSERT_NE(d.fix, nullptr);
  EXPECT_STREQ(d.fix, "spike");
  EXPECT_EQ(d.fix_line, 3u);
  EXPECT_EQ(d.fix_column, 7u);
  EXPECT_EQ(d.fix_end_column, 11u);
  EXPECT_EQ(std::string(d.rendered).find("<text>:3:7: error: unknown function 'spke'"), 0u) << d.rendered;
  EXPECT_EQ(std::string(d.rendered), flexsn_last_error());
  EXPECT_NE(std::string(d.colored).find("\x1b["), std::string::npos);
}

TEST(CInterface, EmitGivesAStringWithItsSize) {
  flexsn_model *model = parse();
  char *text = nullptr;
  size_t size = 0;
  ASSERT_EQ(flexsn_model_emit(model, flexsn_cpu(), nullptr, nullptr, &text, &size), FLEXSN_OK) << flexsn_last_error();
  EXPECT_EQ(std::strlen(text), size);
  EXPECT_NE(std::string(text).find("neuron.model"), std::string::npos);
  flexsn_string_free(text);
  flexsn_model_free(model);
}

} // namespace
} // namespace flexsn::test
