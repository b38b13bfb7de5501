// What varies by neuron alone is computed once a neuron.
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(scan.kernel(hoist-invariants,hoist-site-values))" | FileCheck %s

// CHECK-LABEL: scan.kernel @chains_move_and_their_ends_are_site_values
// CHECK: prologue {
// CHECK-NEXT: ^bb0(%g: f32):
// CHECK-NEXT:   %[[G:.*]] = neuron.exp %g : f32
// CHECK-NEXT:   scan.yield %[[G]] : f32
// CHECK-NEXT: } site {
// CHECK-NEXT: ^bb0(%g: f32, %[[G:.*]]: f32, %w: f32, %b: f32):
// CHECK-NEXT:   %[[K:.*]] = neuron.sigmoid %w : f32
// CHECK-NEXT:   %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:   %[[REST:.*]] = arith.subf %[[ONE]], %[[K]] : f32
// CHECK-NEXT:   %[[SCALED:.*]] = arith.mulf %[[REST]], %[[G]] : f32
// What nobody reads, %w, is no site value; what is read as it is stays one.
// CHECK-NEXT:   scan.yield %b, %[[K]], %[[SCALED]] : f32, f32, f32
// CHECK-NEXT: } init {
// What init and step both computed is one site value.
// CHECK-NEXT: ^bb0(%g: f32, %[[G:.*]]: f32, %[[B:.*]]: f32, %[[K:.*]]: f32, %[[SCALED:.*]]: f32):
// CHECK-NEXT:   scan.yield %[[K]] : f32
// CHECK-NEXT: } step {
// CHECK-NEXT: ^bb0(%g: f32, %[[G:.*]]: f32, %[[B:.*]]: f32, %[[K:.*]]: f32, %[[SCALED:.*]]: f32, %c: f32, %x: f32, %v: f32):
// CHECK-NEXT:   %[[X:.*]] = arith.mulf %x, %[[SCALED]] : f32
// CHECK-NEXT:   %[[V:.*]] = arith.mulf %v, %[[K]] : f32
// CHECK-NEXT:   %[[H:.*]] = arith.addf %[[V]], %[[X]] : f32
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[H]], %[[B]] : f32
// What varies by step stays, and so does what depends on it.
// CHECK-NEXT:   %[[E:.*]] = neuron.exp %c : f32
// CHECK-NEXT:   %[[Y:.*]] = arith.mulf %[[S]], %[[E]] : f32
// CHECK-NEXT:   scan.yield %[[Y]] : f32
scan.kernel @chains_move_and_their_ends_are_site_values inference
    operands [#scan.operand<"g", param, f32>, #scan.operand<"w", param, f32, [channel]>,
              #scan.operand<"b", param, f32, [neuron]>, #scan.operand<"c", param, f32, [step, channel]>,
              #scan.operand<"x", input, f32>]
    states ["v"]
prologue {
^bb0(%g: f32):
  scan.yield
} site {
^bb0(%g: f32, %w: f32, %b: f32):
  scan.yield %w, %b : f32, f32
} init {
^bb0(%g: f32, %w: f32, %b: f32):
  %k = neuron.sigmoid %w : f32
  scan.yield %k : f32
} step {
^bb0(%g: f32, %w: f32, %b: f32, %c: f32, %x: f32, %v: f32):
  %k = neuron.sigmoid %w : f32
  %one = arith.constant 1.0 : f32
  %rest = arith.subf %one, %k : f32
  %gain = neuron.exp %g : f32
  %scaled = arith.mulf %rest, %gain : f32
  %0 = arith.mulf %x, %scaled : f32
  %1 = arith.mulf %v, %k : f32
  %2 = arith.addf %1, %0 : f32
  %3 = arith.addf %2, %b : f32
  %e = neuron.exp %c : f32
  %4 = arith.mulf %3, %e : f32
  scan.yield %4 : f32
}

// CHECK-LABEL: scan.kernel @random_numbers_stay
// CHECK: site {
// CHECK-NEXT: ^bb0(%p: f32):
// CHECK-NEXT:   scan.yield %p : f32
// CHECK: step {
// CHECK-NEXT: ^bb0(%[[P:.*]]: f32):
// CHECK-NEXT:   %[[S:.*]] = neuron.random bernoulli(%[[P]]) site 0 : f32
scan.kernel @random_numbers_stay inference
    operands [#scan.operand<"p", param, f32, [neuron]>, #scan.operand<"s", output, f32>] states []
prologue {
  scan.yield
} site {
^bb0(%p: f32):
  scan.yield %p : f32
} init {
^bb0(%p: f32):
  scan.yield
} step {
^bb0(%p: f32):
  %s = neuron.random bernoulli(%p) site 0 : f32
  scan.yield %s : f32
}

// CHECK-LABEL: scan.kernel @a_second_run_changes_nothing
// CHECK: site {
// CHECK-NEXT: ^bb0(%w: f32):
// CHECK-NEXT:   %[[K:.*]] = neuron.exp %w : f32
// CHECK-NEXT:   scan.yield %[[K]] : f32
// CHECK: step {
// CHECK-NEXT: ^bb0(%[[K:.*]]: f32):
// CHECK-NEXT:   scan.yield %[[K]] : f32
scan.kernel @a_second_run_changes_nothing inference
    operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"s", output, f32>] states []
prologue {
  scan.yield
} site {
^bb0(%w: f32):
  %k = neuron.exp %w : f32
  scan.yield %w, %k : f32, f32
} init {
^bb0(%w: f32, %k: f32):
  scan.yield
} step {
^bb0(%w: f32, %k: f32):
  %s = neuron.exp %w : f32
  scan.yield %s : f32
}

// CHECK-LABEL: scan.kernel @without_sites
// CHECK-NOT: site {
scan.kernel @without_sites inference operands [#scan.operand<"p", param, f32>] states [] prologue {
^bb0(%p: f32):
  scan.yield
} init {
^bb0(%p: f32):
  scan.yield
} step {
^bb0(%p: f32):
  scan.yield
}
