// What a backward kernel cannot be asked for, each at its declaration; one kernel a run.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics --neuron-to-scan="kind=backward grad-final=c grad-input=n grad-param=missing"

neuron.model @ints_have_no_gradient {
  %c = neuron.state "c" : f32 init {
    %zero = arith.constant 0.0 : f32
    neuron.yield %zero : f32
  }
  neuron.next "c" = %c : f32
  // expected-error @below {{'n' is no float and has no gradient}}
  %n = neuron.input "n" : i32
  %f = arith.sitofp %n : i32 to f32
  neuron.output "y" = %f : f32
}

// -----

// expected-error @below {{'missing' is no parameter of no_such_parameter}}
neuron.model @no_such_parameter {
  %c = neuron.state "c" : f32 init {
    %zero = arith.constant 0.0 : f32
    neuron.yield %zero : f32
  }
  neuron.next "c" = %c : f32
  %n = neuron.input "n" : f32
  neuron.output "y" = %n : f32
}

// -----

neuron.model @int_states_have_none_either {
  // expected-error @below {{'c' is no float and has no gradient}}
  %c = neuron.state "c" : i32 init {
    %zero = arith.constant 0 : i32
    neuron.yield %zero : i32
  }
  neuron.next "c" = %c : i32
}
