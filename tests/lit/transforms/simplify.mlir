// Nothing is computed twice or in vain, and nothing decides nothing.
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

// What decides nothing goes, and with it what only the side never taken needs.
// CHECK-LABEL: neuron.model @selections_that_select_nothing
neuron.model @selections_that_select_nothing {
  %x = neuron.input "x" : f32
  %y = neuron.input "y" : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %true = arith.constant true
  %c = arith.cmpf ogt, %x, %y : f32
  // CHECK: %[[SUM:.*]] = arith.addf %x, %y : f32
  // CHECK-NOT: neuron.exp
  // CHECK-NOT: arith.select
  // CHECK-NOT: arith.cmpf
  %exp = neuron.exp %y : f32
  %constant = arith.cmpf olt, %zero, %one : f32
  %a = arith.select %constant, %x, %exp : f32
  %once = arith.addf %x, %y : f32
  %twice = arith.addf %y, %x : f32
  %b = arith.select %c, %once, %twice : f32
  // CHECK: neuron.output "a" = %x
  neuron.output "a" = %a : f32
  // CHECK: neuron.output "b" = %[[SUM]]
  neuron.output "b" = %b : f32
}

// CHECK-LABEL: neuron.model @negations_of_negations
neuron.model @negations_of_negations {
  %x = neuron.input "x" : f32
  %y = neuron.input "y" : f32
  %true = arith.constant true
  // CHECK: %[[C:.*]] = arith.cmpf ogt, %x, %y : f32
  // CHECK-NOT: arith.xori
  %c = arith.cmpf ogt, %x, %y : f32
  %not = arith.xori %c, %true : i1
  %again = arith.xori %not, %true : i1
  // CHECK: %[[CHOICE:.*]] = arith.select %[[C]], %x, %y : f32
  %choice = arith.select %again, %x, %y : f32
  // CHECK: %[[SUM:.*]] = arith.addf %x, %y : f32
  // CHECK-NOT: arith.negf
  // CHECK-NOT: arith.subf
  %minus = arith.negf %y : f32
  %plus = arith.negf %minus : f32
  %sum = arith.subf %x, %minus : f32
  // CHECK: neuron.output "choice" = %[[CHOICE]]
  neuron.output "choice" = %choice : f32
  // CHECK: neuron.output "plus" = %y
  neuron.output "plus" = %plus : f32
  // CHECK: neuron.output "sum" = %[[SUM]]
  neuron.output "sum" = %sum : f32
}
