// The frame of a model, spikes, and what reaches beyond one evaluation of the step, print as they were read.
// RUN: flexsn-opt %s | flexsn-opt | FileCheck %s

// CHECK-LABEL: neuron.model @everything_stateful truncate 4 {
neuron.model @everything_stateful truncate 4 {
  // CHECK-NEXT: %tau = neuron.param "tau" [step, channel, neuron] learnable : f32
  %tau = neuron.param "tau" [step, channel, neuron] learnable : f32
  // CHECK-NEXT: %n = neuron.param "n" [neuron] : f32
  %n = neuron.param "n" [neuron] : f32
  // CHECK-NEXT: %dt = neuron.param "dt" : f32
  %dt = neuron.param "dt" : f32
  // CHECK-NEXT: %x = neuron.input "x" : f32
  %x = neuron.input "x" : f32
  // CHECK-NEXT: %v = neuron.state "v" : f32 init {
  // CHECK-NEXT:   %[[DRAW:.*]] = neuron.random uniform site 0 : f32
  // CHECK-NEXT:   neuron.yield %[[DRAW]] : f32
  // CHECK-NEXT: }
  %v = neuron.state "v" : f32 init {
    %u = neuron.random uniform site 0 : f32
    neuron.yield %u : f32
  }
  // CHECK: %count = neuron.state "count" : i32 init
  %count = neuron.state "count" : i32 init {
    %zero = arith.constant 0 : i32
    neuron.yield %zero : i32
  }
  // CHECK: %[[PREV:.*]] = neuron.prev "x" ago 2 : f32
  %before = neuron.prev "x" ago 2 : f32
  // CHECK-NEXT: %[[LATE:.*]] = neuron.delay "x" by %n within 8 : f32
  %late = neuron.delay "x" by %n within 8 : f32
  // CHECK-NEXT: %[[ODE:.*]]:2 = neuron.ode dt %dt (%[[Y:.*]] = %v by exact substeps 3, %[[Z:.*]] = %[[LATE]] by rk4) : f32, f32 {
  // CHECK-NEXT:   %[[RATE:.*]] = arith.addf %[[Y]], %[[Z]] : f32
  // CHECK-NEXT:   neuron.yield %[[RATE]], %[[Y]] : f32, f32
  // CHECK-NEXT: }
  %v1, %i1 = neuron.ode dt %dt (%y = %v by exact substeps 3, %z = %late by rk4) : f32, f32 {
    %rate = arith.addf %y, %z : f32
    neuron.yield %rate, %y : f32, f32
  }
  // CHECK-NEXT: %[[SPIKE:.*]] = neuron.spike %[[ODE]]#0 atan(%tau) : f32
  %s0 = neuron.spike %v1 atan(%tau) : f32
  // CHECK-NEXT: %[[SILENT:.*]] = neuron.refractory "s" of %[[SPIKE]] for %n : f32
  %s = neuron.refractory "s" of %s0 for %n : f32
  // CHECK-NEXT: neuron.next "v" = %[[ODE]]#0 hold "s" : f32
  neuron.next "v" = %v1 hold "s" : f32
  // CHECK-NEXT: neuron.next "count" = %count : i32
  neuron.next "count" = %count : i32
  // CHECK-NEXT: neuron.history "x" = %x : f32
  neuron.history "x" = %x : f32
  // CHECK-NEXT: neuron.output "s" = %[[SILENT]] : f32
  neuron.output "s" = %s : f32
  // CHECK-NEXT: neuron.output "i" = %[[PREV]] : f32
  neuron.output "i" = %before : f32
}

// CHECK-LABEL: func.func @spikes
func.func @spikes(%x: f32, %a: f32, %b: f32) {
  // CHECK: neuron.spike %{{.*}} rect(%{{.*}}) strict : f32
  %0 = neuron.spike %x rect(%a) strict : f32
  // CHECK: neuron.spike %{{.*}} piecewise(%{{.*}}, %{{.*}}) : f32
  %1 = neuron.spike %x piecewise(%a, %b) : f32
  // CHECK: neuron.spike %{{.*}} straight_through() : f32
  %2 = neuron.spike %x straight_through() : f32
  // CHECK: neuron.quant %{{.*}}, %{{.*}}, %{{.*}} : f32
  %3 = neuron.quant %x, %a, %b : f32
  // CHECK: neuron.detach %{{.*}} : f32
  %4 = neuron.detach %x : f32
  // CHECK: neuron.gscale %{{.*}}, %{{.*}} : f32
  %5 = neuron.gscale %x, %a : f32
  // CHECK: neuron.random normal site 7 : f32
  %6 = neuron.random normal site 7 : f32
  // CHECK: neuron.random bernoulli(%{{.*}}) site 8 : f32
  %7 = neuron.random bernoulli(%a) site 8 : f32
  return
}

// CHECK-LABEL: func.func @surrogate_with_all_its_regions
func.func @surrogate_with_all_its_regions(%x: f32, %a: f32) -> f32 {
  // CHECK: neuron.surrogate "ramp"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32 value {
  // CHECK: ^bb0(%[[X:.*]]: f32, %[[A:.*]]: f32):
  // CHECK:   neuron.yield %[[X]] : f32
  // CHECK: } grad wrt [1, 0] {
  // CHECK: ^bb0(%[[X:.*]]: f32, %[[A:.*]]: f32):
  // CHECK:   neuron.yield %[[A]], %[[X]] : f32, f32
  // CHECK: } primitive {
  // CHECK: ^bb0(%[[X:.*]]: f32, %[[A:.*]]: f32):
  // CHECK:   neuron.yield %[[A]] : f32
  %s = neuron.surrogate "ramp"(%x, %a) : (f32, f32) -> f32 value {
  ^bb0(%y: f32, %k: f32):
    neuron.yield %y : f32
  } grad wrt [1, 0] {
  ^bb0(%y: f32, %k: f32):
    neuron.yield %k, %y : f32, f32
  } primitive {
  ^bb0(%y: f32, %k: f32):
    neuron.yield %k : f32
  }
  return %s : f32
}
