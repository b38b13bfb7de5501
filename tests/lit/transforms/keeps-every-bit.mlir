// What the standard pipeline must not touch (scan-7): algebra that is true for numbers and false for inf, NaN, -0 or rounding.
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(expand,simplify,neuron-to-scan,simplify,scan.kernel(hoist-invariants,schedule-cpu),lower-ops,simplify)" | FileCheck %s

// Every op below is still there behind the last pass that sees scalars, in its order.
// CHECK-LABEL: scan.kernel @identities_that_are_none_inference
// CHECK: step {
neuron.model @identities_that_are_none {
  %x = neuron.input "x" : f32
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[MINUS:.*]] = arith.constant -0.000000e+00 : f32
  // CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  // x * 0 is NaN for inf and -0 for -1
  // CHECK: %[[A:.*]] = arith.mulf %x, %[[ZERO]] : f32
  %a = arith.mulf %x, %zero : f32
  // x + 0 is +0 for -0
  // CHECK: %[[B:.*]] = arith.addf %x, %[[ZERO]] : f32
  %b = arith.addf %x, %zero : f32
  // x + -0 makes a signalling NaN quiet
  // CHECK: %[[C:.*]] = arith.addf %x, %[[MINUS]] : f32
  %c = arith.addf %x, %minus : f32
  // x - x is NaN for inf
  // CHECK: %[[D:.*]] = arith.subf %x, %x : f32
  %d = arith.subf %x, %x : f32
  // x / x is NaN for 0
  // CHECK: %[[E:.*]] = arith.divf %x, %x : f32
  %e = arith.divf %x, %x : f32
  // 0 - x is +0 for 0, where -x is -0
  // CHECK: %[[F:.*]] = arith.subf %[[ZERO]], %x : f32
  %f = arith.subf %zero, %x : f32
  // (x + 1) - 1 rounds
  // CHECK: %[[G:.*]] = arith.addf %x, %[[ONE]] : f32
  %g = arith.addf %x, %one : f32
  // CHECK: %[[H:.*]] = arith.subf %[[G]], %[[ONE]] : f32
  %h = arith.subf %g, %one : f32
  // x * 1 and x / 1
  // CHECK: %[[I:.*]] = arith.mulf %x, %[[ONE]] : f32
  %i = arith.mulf %x, %one : f32
  // CHECK: %[[J:.*]] = arith.divf %x, %[[ONE]] : f32
  %j = arith.divf %x, %one : f32
  // CHECK: scan.yield %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]], %[[H]], %[[I]], %[[J]]
  neuron.output "a" = %a : f32
  neuron.output "b" = %b : f32
  neuron.output "c" = %c : f32
  neuron.output "d" = %d : f32
  neuron.output "e" = %e : f32
  neuron.output "f" = %f : f32
  neuron.output "h" = %h : f32
  neuron.output "i" = %i : f32
  neuron.output "j" = %j : f32
}

// The hard reset is NaN for an infinite h: no selection, no factored form, no fma.
// CHECK-LABEL: scan.kernel @hard_reset_inference
// CHECK: step {
// CHECK-NOT: math.fma
neuron.model @hard_reset {
  %v_reset = neuron.param "v_reset" : f32
  %alpha = neuron.param "alpha" : f32
  %h = neuron.input "h" : f32
  // CHECK: %[[FIRES:.*]] = arith.cmpf oge, %h, %{{.*}} : f32
  // CHECK: %[[S:.*]] = arith.select %[[FIRES]]
  %s = neuron.spike %h atan(%alpha) : f32
  // CHECK: %[[A:.*]] = arith.mulf %[[S]], %v_reset : f32
  %a = arith.mulf %s, %v_reset : f32
  %one = arith.constant 1.0 : f32
  // CHECK: %[[REST:.*]] = arith.subf %{{.*}}, %[[S]] : f32
  %rest = arith.subf %one, %s : f32
  // CHECK: %[[B:.*]] = arith.mulf %[[REST]], %h : f32
  %b = arith.mulf %rest, %h : f32
  // CHECK: %[[V:.*]] = arith.addf %[[A]], %[[B]] : f32
  %v = arith.addf %a, %b : f32
  // CHECK: scan.yield %[[V]]
  neuron.output "v" = %v : f32
}

// A division by a parameter stays one: its reciprocal rounds twice.
// CHECK-LABEL: scan.kernel @division_by_a_parameter_inference
// CHECK: prologue {
// CHECK-NEXT: ^bb0(%tau: f32):
// CHECK-NEXT: scan.yield
// CHECK: step {
neuron.model @division_by_a_parameter {
  %tau = neuron.param "tau" : f32
  %x = neuron.input "x" : f32
  // CHECK: arith.divf %x, %tau : f32
  %y = arith.divf %x, %tau : f32
  neuron.output "y" = %y : f32
}
