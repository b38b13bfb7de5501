// What backward kernels lack that have no schedule for GPUs.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics --pass-pipeline="builtin.module(scan.kernel(schedule-cuda))"

// expected-error @below {{a backward kernel has no schedule before it has an adjoint}}
scan.kernel @no_adjoint backward operands [#scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  scan.yield %x : f32
}
