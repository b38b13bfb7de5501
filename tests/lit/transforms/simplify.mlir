// Nothing is computed twice or in vain.
// RUN: flexsn-opt %s --simplify | FileCheck %s

// CHECK-LABEL: neuron.model @repeated_ops_are_one
neuron.model @repeated_ops_are_one {
  %x = neuron.input "x" : f32
  %y = neuron.input "y" : f32
  // CHECK: %[[EXP:.*]] = neuron.exp %x : f32
  // CHECK-NOT: neuron.exp
  %a = neuron.exp %x : f32
  %b = neuron.exp %x : f32
  // CHECK: %[[SUM:.*]] = arith.addf %[[EXP]], %y : f32
  // CHECK-NOT: arith.addf
  %c = arith.addf %a, %y : f32
  %d = arith.addf %y, %b : f32
  // CHECK: %[[MUL:.*]] = arith.mulf %[[SUM]], %[[SUM]] : f32
  %e = arith.mulf %c, %d : f32
  neuron.output "e" = %e : f32
}

// CHECK-LABEL: neuron.model @unused_chains_go_at_once
neuron.model @unused_chains_go_at_once {
  // CHECK: neuron.param "k"
  %k = neuron.param "k" : f32
  // CHECK-NEXT: neuron.input "x"
  %x = neuron.input "x" : f32
  // CHECK-NEXT: neuron.output
  %a = neuron.exp %x : f32
  %b = arith.mulf %a, %k : f32
  %c = neuron.spike %b atan(%k) : f32
  neuron.output "x" = %x : f32
}

// CHECK-LABEL: neuron.model @signed_zeros_are_two_constants
neuron.model @signed_zeros_are_two_constants {
  %x = neuron.input "x" : f32
  // CHECK-DAG: arith.constant 0.000000e+00 : f32
  // CHECK-DAG: arith.constant -0.000000e+00 : f32
  %p = arith.constant 0.0 : f32
  %n = arith.constant -0.0 : f32
  %a = arith.divf %x, %p : f32
  %b = arith.divf %x, %n : f32
  neuron.output "a" = %a : f32
  neuron.output "b" = %b : f32
}

// CHECK-LABEL: neuron.model @surrogates_differ_by_name_and_strictness
neuron.model @surrogates_differ_by_name_and_strictness {
  %x = neuron.input "x" : f32
  %k = neuron.param "k" : f32
  // CHECK-COUNT-3: neuron.spike
  %a = neuron.spike %x atan(%k) : f32
  %b = neuron.spike %x sigmoid(%k) : f32
  %c = neuron.spike %x sigmoid(%k) strict : f32
  neuron.output "a" = %a : f32
  neuron.output "b" = %b : f32
  neuron.output "c" = %c : f32
}

// CHECK-LABEL: neuron.model @draws_of_two_sites_stay_two
neuron.model @draws_of_two_sites_stay_two {
  // CHECK-COUNT-2: neuron.random uniform
  %a = neuron.random uniform site 0 : f32
  %b = neuron.random uniform site 1 : f32
  neuron.output "a" = %a : f32
  neuron.output "b" = %b : f32
}
