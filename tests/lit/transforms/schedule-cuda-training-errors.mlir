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

// -----

// expected-error @below {{a backward kernel for GPUs with 'w', a parameter with dims, is not compiled yet}}
scan.kernel @params_with_dims_are_later backward
    operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"x", input, f32>,
              #scan.operand<"y", grad_output, f32>, #scan.operand<"x", grad_input, f32>]
    states []
    carried []
    sums []
prologue {
  scan.yield
} site {
^bb0(%w: f32):
  scan.yield %w : f32
} init {
^bb0(%w: f32):
  scan.yield
} step {
^bb0(%w: f32, %x: f32):
  scan.yield
} adjoint {
^bb0(%w: f32, %x: f32, %gy: f32):
  %gx = arith.mulf %gy, %w : f32
  scan.yield %gx : f32
} init_adjoint {
^bb0(%w: f32):
  scan.yield
} epilogue {
  scan.yield
}

// -----

// expected-error @below {{a backward kernel for GPUs with 'g', a parameter with dims, is not compiled yet}}
scan.kernel @those_of_steps_too backward
    operands [#scan.operand<"g", param, f32, [step]>, #scan.operand<"x", input, f32>,
              #scan.operand<"y", grad_output, f32>, #scan.operand<"x", grad_input, f32>]
    states []
    carried []
    sums []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%g: f32, %x: f32):
  scan.yield
} adjoint {
^bb0(%g: f32, %x: f32, %gy: f32):
  %gx = arith.mulf %gy, %g : f32
  scan.yield %gx : f32
} init_adjoint {
  scan.yield
} epilogue {
  scan.yield
}
