// What a backward kernel cannot be asked for, each at its declaration; one kernel a run.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics --neuron-to-scan="kind=backward grad-input=n grad-param=missing"

neuron.model @ints_have_no_gradient {
  // expected-error @below {{'n' is no float and has no gradient}}
  %n = neuron.input "n" : i32
  %f = arith.sitofp %n : i32 to f32
  neuron.output "y" = %f : f32
}

// -----

// expected-error @below {{'missing' is no parameter of no_such_parameter}}
neuron.model @no_such_parameter {
  %n = neuron.input "n" : f32
  neuron.output "y" = %n : f32
}
