// What the two kernels of a training step agree on, each rule by its label.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{of kind inference has checkpoints (scan-9)}}
scan.kernel @every_is_for_training inference
    operands []
    states ["v", "w"]
    every 4
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%v: f32, %w: f32):
  scan.yield %v, %w : f32, f32
}

// -----

// expected-error @below {{has no 'every' for its checkpoints (scan-9)}}
scan.kernel @checkpoints_have_a_distance forward
    operands [#scan.operand<"v", checkpoint, f32>]
    states ["v", "w"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%v: f32, %w: f32):
  scan.yield %v, %w : f32, f32
}

// -----

// expected-error @below {{has 'every' without checkpoints (scan-9)}}
scan.kernel @distances_are_of_checkpoints forward
    operands []
    states ["v", "w"]
    every 4
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%v: f32, %w: f32):
  scan.yield %v, %w : f32, f32
}

// -----

// expected-error @below {{checkpoint 'v' is out of the states' order (scan-9)}}
scan.kernel @checkpoints_follow_the_states forward
    operands [#scan.operand<"w", checkpoint, f32>, #scan.operand<"v", checkpoint, f32>]
    states ["v", "w"]
    every 4
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%v: f32, %w: f32):
  scan.yield %v, %w : f32, f32
}

// -----

// expected-error @below {{checkpoint 'v' is not stored as its state is computed (scan-9)}}
scan.kernel @checkpoints_keep_every_bit forward
    operands [#scan.operand<"v", checkpoint, f16>]
    states ["v", "w"]
    every 4
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%v: f32, %w: f32):
  scan.yield %v, %w : f32, f32
}

// -----

// expected-error @below {{has a state without a checkpoint (scan-9)}}
scan.kernel @a_backward_kernel_needs_all_its_states backward
    operands [#scan.operand<"v", checkpoint, f32>]
    states ["v", "w"]
    every 4
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%v: f32, %w: f32):
  scan.yield %v, %w : f32, f32
}

// -----

// expected-error @below {{of kind forward has no gradients to cut (scan-10)}}
scan.kernel @cuts_are_of_gradients forward
    operands []
    states ["v", "w"]
    truncate 4
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%v: f32, %w: f32):
  scan.yield %v, %w : f32, f32
}

// -----

// expected-error @below {{attribute 'every' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
scan.kernel @steps_are_positive forward
    operands [#scan.operand<"v", checkpoint, f32>]
    states ["v", "w"]
    every 0
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%v: f32, %w: f32):
  scan.yield %v, %w : f32, f32
}
