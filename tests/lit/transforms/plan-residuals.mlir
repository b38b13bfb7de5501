// What a training step saves, keeps of a step, and computes again.
// RUN: flexsn-opt %s --plan-residuals | FileCheck %s
// RUN: flexsn-opt %s --plan-residuals="registers=64" | FileCheck %s --check-prefix=GPU
// RUN: flexsn-opt %s --plan-residuals="cache-bytes=32768" | FileCheck %s --check-prefix=SMALL
// RUN: flexsn-opt %s --plan-residuals="cache-bytes=1" | FileCheck %s --check-prefix=NONE
// RUN: flexsn-opt %s --plan-residuals="recomputed-operations=0" | FileCheck %s --check-prefix=DEAR
// RUN: flexsn-opt %s --plan-residuals="effort=1" | FileCheck %s --check-prefix=SHORT
// RUN: flexsn-opt %s --plan-residuals --plan-residuals | FileCheck %s

// The forward kernel of the same name saves the states that the backward one starts from.
// CHECK-LABEL: scan.kernel @Square_forward forward
// CHECK-NEXT: operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>, #scan.operand<"v", checkpoint, f32>]
// CHECK-NEXT: states ["count", "v"]
// CHECK-NEXT: every 16
// CHECK-NEXT: plan "1 value of a step kept for the way back; states are saved every 16 steps: 1024 neurons x 16 steps x 8 bytes (kept, inputs) are 128 of 256 KiB"
// GPU-LABEL: scan.kernel @Square_forward forward
// GPU: every 8
// GPU-NEXT: plan "1 value of a step kept for the way back; states are saved every 8 steps: 2 neurons x 8 steps x 2 words are 32 of 64 registers"
// SMALL-LABEL: scan.kernel @Square_forward forward
// SMALL: every 4
// NONE-LABEL: scan.kernel @Square_forward forward
// NONE: every 1
// NONE-NEXT: plan "1 value of a step kept for the way back; states are saved at each step: {{.*}} are 8 of 0 KiB"
// Without time to search, the old states that the gradients follow from are kept.
// SHORT-LABEL: scan.kernel @Square_backward
// SHORT: plan "1 value of a step kept for the way back, the old states: the step is too long to find the best
// SHORT: scan.yield %{{.*}}, %v : f32, f32
// SHORT-NEXT: } adjoint {
// SHORT-NEXT: ^bb0(%[[X:.*]]: f32, %[[V:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
// SHORT-NEXT: arith.addf %[[X]], %[[V]] : f32
// The square of h serves the new state alone, at one operation.
// DEAR-LABEL: scan.kernel @Square_forward forward
// DEAR: every 1
// DEAR-NEXT: plan "1 value of a step kept for the way back; states are saved at each step, since to compute them again takes 1 operations"
scan.kernel @Square_forward forward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
    states ["count", "v"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.000000e+00 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%x: f32, %count: f32, %v: f32):
  %more = arith.addf %count, %v : f32
  %h = arith.addf %x, %v : f32
  %v1 = arith.mulf %h, %h : f32
  scan.yield %more, %v1, %v1 : f32, f32, f32
}

// h is kept, not the old state, from which it would have to be computed again; `count` is no state here.
// CHECK-LABEL: scan.kernel @Square_backward backward
// CHECK-NEXT: operands [#scan.operand<"x", input, f32>, #scan.operand<"v", checkpoint, f32>, #scan.operand<"y", grad_output, f32>, #scan.operand<"x", grad_input, f32>, #scan.operand<"count", grad_initial, f32>]
// CHECK-NEXT: states ["v"]
// CHECK-NEXT: every 16
// CHECK-NEXT: plan
// CHECK-NEXT: carried ["count", "v"]
// CHECK: init {
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant
// CHECK-NEXT: scan.yield %[[ZERO]] : f32
// CHECK-NEXT: } step {
// CHECK-NEXT: ^bb0(%x: f32, %v: f32):
// CHECK-NEXT: %[[H:.*]] = arith.addf %x, %v : f32
// CHECK-NEXT: %[[V:.*]] = arith.mulf %[[H]], %[[H]] : f32
// CHECK-NEXT: scan.yield %[[V]], %[[H]] : f32, f32
// CHECK-NEXT: } adjoint {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[H:.*]]: f32, %[[GY:.*]]: f32, %[[GC:.*]]: f32, %[[GV:.*]]: f32):
// CHECK-NEXT: %[[G:.*]] = arith.addf %[[GY]], %[[GV]] : f32
// CHECK-NEXT: %[[HALF:.*]] = arith.mulf %[[G]], %[[H]] : f32
// CHECK-NEXT: %[[GH:.*]] = arith.addf %[[HALF]], %[[HALF]] : f32
// CHECK-NEXT: scan.yield %[[GH]], %[[GC]], %[[GH]] : f32, f32, f32
scan.kernel @Square_backward backward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"count", initial, f32>, #scan.operand<"y", grad_output, f32>,
              #scan.operand<"x", grad_input, f32>, #scan.operand<"count", grad_initial, f32>]
    states ["count", "v"]
    carried ["count", "v"]
    sums []
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.000000e+00 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%x: f32, %count: f32, %v: f32):
  %more = arith.addf %count, %v : f32
  %h = arith.addf %x, %v : f32
  %v1 = arith.mulf %h, %h : f32
  scan.yield %more, %v1, %count, %v : f32, f32, f32, f32
} adjoint {
^bb0(%x: f32, %count: f32, %v: f32, %grad_y: f32, %grad_count: f32, %grad_v: f32):
  %h = arith.addf %x, %v : f32
  %grad = arith.addf %grad_y, %grad_v : f32
  %half = arith.mulf %grad, %h : f32
  %grad_h = arith.addf %half, %half : f32
  scan.yield %grad_h, %grad_count, %grad_h : f32, f32, f32
} init_adjoint {
^bb0(%grad_count: f32, %grad_v: f32):
  scan.yield
} epilogue {
  scan.yield
}

// Where gradients read nothing of the step, nothing is kept, computed or saved.
// CHECK-LABEL: scan.kernel @Linear_backward backward
// CHECK-NEXT: operands [#scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>, #scan.operand<"v", grad_final, f32>, #scan.operand<"x", grad_input, f32>]
// CHECK-NEXT: states []
// CHECK-NEXT: plan "no value of a step is kept for the way back; no state is needed there, so nothing is saved"
// CHECK-NEXT: carried ["v"]
// CHECK: } step {
// CHECK-NEXT: ^bb0(%x: f32):
// CHECK-NEXT: scan.yield
// CHECK-NEXT: } adjoint {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[GY:.*]]: f32, %[[GV:.*]]: f32):
scan.kernel @Linear_backward backward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"v", initial, f32>, #scan.operand<"y", grad_output, f32>,
              #scan.operand<"v", grad_final, f32>, #scan.operand<"w", grad_final, f32>,
              #scan.operand<"x", grad_input, f32>]
    states ["v", "w"]
    carried ["v"]
    sums []
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.000000e+00 : f32
  scan.yield %zero, %zero : f32, f32
} step {
^bb0(%x: f32, %v: f32, %w: f32):
  %v1 = arith.addf %x, %v : f32
  scan.yield %v1, %w, %v : f32, f32, f32
} adjoint {
^bb0(%x: f32, %v: f32, %grad_y: f32, %grad_v: f32):
  %grad = arith.addf %grad_y, %grad_v : f32
  scan.yield %grad, %grad : f32, f32
} init_adjoint {
^bb0(%grad_v: f32):
  scan.yield
} epilogue {
  scan.yield
}

// An exponential is dear: its value is kept. A comparison is cheap to keep, but not as cheap as nothing: it follows
// from what is kept.
// CHECK-LABEL: scan.kernel @Exponential_backward
// CHECK: } step {
// CHECK: %[[E:.*]] = neuron.exp
// CHECK: scan.yield %{{.*}}, %[[E]] : f32, f32
// CHECK-NEXT: } adjoint {
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[E:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK-NOT: neuron.exp
// CHECK: arith.cmpf ogt, %[[E]]
scan.kernel @Exponential_backward backward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>,
              #scan.operand<"x", grad_input, f32>]
    states ["v"]
    carried ["v"]
    sums []
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.000000e+00 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %v: f32):
  %h = arith.addf %x, %v : f32
  %e = neuron.exp %h : f32
  scan.yield %e, %v : f32, f32
} adjoint {
^bb0(%x: f32, %v: f32, %grad_y: f32, %grad_v: f32):
  %h = arith.addf %x, %v : f32
  %e = neuron.exp %h : f32
  %one = arith.constant 1.000000e+00 : f32
  %above = arith.cmpf ogt, %e, %one : f32
  %grad = arith.addf %grad_y, %grad_v : f32
  %grad_h = arith.mulf %grad, %e : f32
  %taken = arith.select %above, %grad_h, %grad : f32
  scan.yield %taken, %taken : f32, f32
} init_adjoint {
^bb0(%grad_v: f32):
  scan.yield
} epilogue {
  scan.yield
}

// Of an int that a gradient depends on, the comparison is kept, as a bool.
// CHECK-LABEL: scan.kernel @Count_backward
// CHECK: operands [{{.*}}#scan.operand<"n", checkpoint, i32>
// CHECK: scan.yield %{{.*}}, %{{.*}} : i32, i1
// CHECK: ^bb0(%{{.*}}: i1, %{{.*}}: f32):
// CHECK-NEXT: arith.constant 0.0
// CHECK-NEXT: arith.select
scan.kernel @Count_backward backward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>,
              #scan.operand<"x", grad_input, f32>]
    states ["n"]
    carried []
    sums []
prologue {
  scan.yield
} init {
  %zero = arith.constant 0 : i32
  scan.yield %zero : i32
} step {
^bb0(%x: f32, %n: i32):
  %one = arith.constant 1 : i32
  %more = arith.addi %n, %one : i32
  scan.yield %more, %n : i32, i32
} adjoint {
^bb0(%x: f32, %n: i32, %grad_y: f32):
  %one = arith.constant 1 : i32
  %above = arith.cmpi sgt, %n, %one : i32
  %zero = arith.constant 0.000000e+00 : f32
  %grad = arith.select %above, %grad_y, %zero : f32
  scan.yield %grad : f32
} init_adjoint {
  scan.yield
} epilogue {
  scan.yield
}
