// A surrogate that no text can name has no derivative.
// RUN: flexsn-opt %s -verify-diagnostics --pass-pipeline="builtin.module(scan.kernel(differentiate))"

scan.kernel @Unknown backward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"s", grad_output, f32>,
              #scan.operand<"x", grad_input, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  // expected-error @below {{has an unknown surrogate: staircase}}
  %s = neuron.spike %x staircase() : f32
  scan.yield %s : f32
}
