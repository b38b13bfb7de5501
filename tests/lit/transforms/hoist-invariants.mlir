// What follows from the parameters alone is computed once a launch.
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(scan.kernel(hoist-invariants))" | FileCheck %s

// CHECK-LABEL: scan.kernel @chains_move_and_their_ends_are_invariants
// CHECK: prologue {
// CHECK-NEXT: ^bb0(%w: f32, %tau: f32):
// CHECK-NEXT:   %[[K:.*]] = neuron.sigmoid %w : f32
// CHECK-NEXT:   %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:   %[[REST:.*]] = arith.subf %[[ONE]], %[[K]] : f32
// CHECK-NEXT:   %[[BIG:.*]] = arith.cmpf ogt, %[[REST]], %tau : f32
// CHECK-NEXT:   scan.yield %[[K]], %[[REST]], %[[BIG]] : f32, f32, i1
// CHECK-NEXT: } init {
// What init and step both computed is one invariant.
// CHECK-NEXT: ^bb0(%w: f32, %tau: f32, %[[K:.*]]: f32, %[[REST:.*]]: f32, %[[BIG:.*]]: i1):
// CHECK-NEXT:   scan.yield %[[K]] : f32
// CHECK-NEXT: } step {
// CHECK-NEXT: ^bb0(%w: f32, %tau: f32, %[[K:.*]]: f32, %[[REST:.*]]: f32, %[[BIG:.*]]: i1, %x: f32, %v: f32):
// CHECK-NEXT:   %[[A:.*]] = arith.mulf %v, %[[K]] : f32
// CHECK-NEXT:   %[[B:.*]] = arith.mulf %x, %[[REST]] : f32
// CHECK-NEXT:   %[[H:.*]] = arith.select %[[BIG]], %[[A]], %[[B]] : f32
// A constant and a plain parameter stay where they are used.
// CHECK-NEXT:   %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:   %[[C:.*]] = arith.mulf %[[H]], %[[TWO]] : f32
// CHECK-NEXT:   %[[D:.*]] = arith.divf %[[C]], %tau : f32
// CHECK-NEXT:   scan.yield %[[D]] : f32
scan.kernel @chains_move_and_their_ends_are_invariants inference
    operands [#scan.operand<"w", param, f32>, #scan.operand<"tau", param, f32>, #scan.operand<"x", input, f32>]
    states ["v"]
prologue {
^bb0(%w: f32, %tau: f32):
  scan.yield
} init {
^bb0(%w: f32, %tau: f32):
  %k = neuron.sigmoid %w : f32
  scan.yield %k : f32
} step {
^bb0(%w: f32, %tau: f32, %x: f32, %v: f32):
  %k = neuron.sigmoid %w : f32
  %one = arith.constant 1.0 : f32
  %rest = arith.subf %one, %k : f32
  %big = arith.cmpf ogt, %rest, %tau : f32
  %a = arith.mulf %v, %k : f32
  %b = arith.mulf %x, %rest : f32
  %h = arith.select %big, %a, %b : f32
  %two = arith.constant 2.0 : f32
  %c = arith.mulf %h, %two : f32
  %d = arith.divf %c, %tau : f32
  scan.yield %d : f32
}

// CHECK-LABEL: scan.kernel @random_numbers_stay
// CHECK: prologue {
// CHECK-NEXT: ^bb0(%p: f32):
// CHECK-NEXT:   scan.yield
// CHECK: step {
// CHECK-NEXT: ^bb0(%p: f32):
// CHECK-NEXT:   %[[S:.*]] = neuron.random bernoulli(%p) site 0 : f32
// CHECK-NEXT:   scan.yield %[[S]] : f32
scan.kernel @random_numbers_stay inference
    operands [#scan.operand<"p", param, f32>, #scan.operand<"s", output, f32>] states []
prologue {
^bb0(%p: f32):
  scan.yield
} init {
^bb0(%p: f32):
  scan.yield
} step {
^bb0(%p: f32):
  %s = neuron.random bernoulli(%p) site 0 : f32
  scan.yield %s : f32
}

// CHECK-LABEL: scan.kernel @an_invariant_may_be_a_result
// CHECK: scan.yield %[[E:.*]] : f32
// CHECK: step {
// CHECK-NEXT: ^bb0(%p: f32, %[[E:.*]]: f32):
// CHECK-NEXT:   scan.yield %[[E]] : f32
scan.kernel @an_invariant_may_be_a_result inference
    operands [#scan.operand<"p", param, f32>, #scan.operand<"s", output, f32>] states []
prologue {
^bb0(%p: f32):
  scan.yield
} init {
^bb0(%p: f32):
  scan.yield
} step {
^bb0(%p: f32):
  %s = neuron.exp %p : f32
  scan.yield %s : f32
}

// A prologue that has invariants keeps them, under their numbers; new ones stand behind, and one that is computed again
// is the one that there is.
// CHECK-LABEL: scan.kernel @gradients_have_invariants_too
// CHECK: sums [1]
// CHECK: ^bb0(%w: f32):
// CHECK-NEXT: %[[OLD:.*]] = neuron.sigmoid %w : f32
// CHECK-NEXT: %[[NEW:.*]] = arith.mulf %[[OLD]], %w : f32
// CHECK-NEXT: scan.yield %[[OLD]], %[[NEW]] : f32, f32
// CHECK: step {
// CHECK-NEXT: ^bb0(%w: f32, %[[K:.*]]: f32, %{{.*}}: f32, %x: f32):
// CHECK-NEXT: scan.yield %[[K]] : f32
// CHECK: adjoint {
// CHECK-NEXT: ^bb0(%w: f32, %{{.*}}: f32, %[[KW:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %[[G:.*]]: f32):
// CHECK-NEXT: %[[GX:.*]] = arith.mulf %[[G]], %[[KW]] : f32
// CHECK-NEXT: scan.yield %[[GX]], %[[GX]] : f32, f32
// CHECK: init_adjoint {
// CHECK-NEXT: ^bb0(%w: f32, %{{.*}}: f32, %[[KW:.*]]: f32):
// CHECK-NEXT: scan.yield %[[KW]] : f32
// CHECK: epilogue {
// CHECK-NEXT: ^bb0(%w: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT: scan.yield %[[SUM]] : f32
scan.kernel @gradients_have_invariants_too backward
    operands [#scan.operand<"w", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>,
              #scan.operand<"x", grad_input, f32>, #scan.operand<"w", grad_param, f32>]
    states []
    carried []
    sums [1]
prologue {
^bb0(%w: f32):
  %k = neuron.sigmoid %w : f32
  scan.yield %k : f32
} init {
^bb0(%w: f32, %k: f32):
  scan.yield
} step {
^bb0(%w: f32, %k: f32, %x: f32):
  %again = neuron.sigmoid %w : f32
  scan.yield %again : f32
} adjoint {
^bb0(%w: f32, %k: f32, %x: f32, %kept: f32, %g: f32):
  %kw = arith.mulf %k, %w : f32
  %gx = arith.mulf %g, %kw : f32
  scan.yield %gx, %gx : f32, f32
} init_adjoint {
^bb0(%w: f32, %k: f32):
  %kw = arith.mulf %k, %w : f32
  scan.yield %kw : f32
} epilogue {
^bb0(%w: f32, %sum: f32):
  scan.yield %sum : f32
}
