// A model of what one evaluation of the step can compute passes unchanged.
// RUN: flexsn-opt %s --expand --verify-stage="stage=expand" | FileCheck %s

// CHECK-LABEL: neuron.model @plain_step truncate 2
neuron.model @plain_step truncate 2 {
  // CHECK: neuron.param "tau" learnable : f32
  %tau = neuron.param "tau" learnable : f32
  %x = neuron.input "x" : f32
  %v = neuron.state "v" : f32 init {
    neuron.yield %tau : f32
  }
  // CHECK: neuron.spike
  %s = neuron.spike %v atan(%tau) : f32
  // CHECK: neuron.detach
  %d = neuron.detach %s : f32
  // CHECK: arith.mulf
  %h = arith.mulf %d, %x : f32
  neuron.next "v" = %h : f32
  neuron.output "s" = %s : f32
}
