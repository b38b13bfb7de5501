// RUN: flexsn-opt %s --emit-cpu --split-input-file --verify-diagnostics

// expected-error@+1 {{operand 'w' has dims, which have no form on a CPU}}
scan.kernel @ShapedParam inference operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"y", output, f32>]
    states [] schedule #scan.cpu<tile = 1024, width = 4>
prologue {
^bb0(%w: f32):
  scan.yield
} init {
^bb0(%w: f32):
  scan.yield
} step {
^bb0(%w: f32):
  scan.yield %w : f32
}

// -----

// expected-error@+1 {{of kind backward has no form on a CPU}}
scan.kernel @Backward backward operands [#scan.operand<"y", grad_output, f32>] states []
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} init {
  scan.yield
} step {
  %y = arith.constant 2.500000e+00 : f32
  scan.yield %y : f32
}

// -----

scan.kernel @NotLowered inference operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>] states []
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  %c = arith.constant true
  %y = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    // expected-error@+1 {{has no vector form}}
    %z = arith.constant dense<1.0> : vector<4xf32>
    scf.yield %x : f32
  }
  scan.yield %y : f32
}
