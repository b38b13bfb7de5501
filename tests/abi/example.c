/* The C interface's example, and the way from text to spikes in C. */
#include <flexsn/flexsn.h>

#include <stdio.h>
#include <string.h>

static const char *const text = "neuron LIF:\n"
                                "  input x\n"
                                "  state v = 0\n"
                                "  param tau = 2.0\n"
                                "  h = v + (x - v) / tau\n"
                                "  s = spike(h - 1.0)\n"
                                "  v = h * (1 - s)\n"
                                "  output s\n";

int main(void) {
  // clang-format off
  flexsn_model *model; flexsn_neuron *lif;
  if (flexsn_model_parse(text, strlen(text), "lif.fsn", &model) != FLEXSN_OK) { fputs(flexsn_last_error(), stderr); return 1; }
  flexsn_options options = {sizeof options};
  flexsn_neuron_compile(model, flexsn_cpu(), &options, &lif);
  // clang-format on
  flexsn_model_free(model);

  enum { T = 4, N = 2 };
  float x[T][N] = {{1.5f, 4}, {1.5f, 0}, {1.5f, 4}, {1.5f, 0}}, s[T][N], v[N];
  int64_t sequence[] = {T, N}, step[] = {N};
  DLTensor input = {x, flexsn_cpu(), 2, {kDLFloat, 32, 1}, sequence, NULL, 0};
  DLTensor output = {s, flexsn_cpu(), 2, {kDLFloat, 32, 1}, sequence, NULL, 0};
  DLTensor last = {v, flexsn_cpu(), 1, {kDLFloat, 32, 1}, step, NULL, 0};
  const DLTensor *inputs[] = {&input}, *outputs[] = {&output};
  flexsn_named tau = {"tau", NULL, 2}, state = {"v", &last, 0};
  flexsn_call call = {sizeof call};
  call.inputs = inputs;
  call.input_count = 1;
  call.outputs = outputs;
  call.output_count = 1;
  call.params = &tau;
  call.param_count = 1;
  call.final_states = &state;
  call.final_state_count = 1;
  flexsn_status status = flexsn_neuron_run(lif, FLEXSN_INFERENCE, &call);
  flexsn_neuron_free(lif);
  if (status != FLEXSN_OK) {
    fprintf(stderr, "%s\n", flexsn_last_error());
    return 1;
  }

  const float spikes[T][N] = {{0, 1}, {1, 0}, {0, 1}, {1, 0}};
  if (memcmp(s, spikes, sizeof s) != 0 || v[0] != 0 || v[1] != 0) {
    fputs("other spikes than expected\n", stderr);
    return 1;
  }
  return 0;
}
