// RUN: flexsn-opt %s --split-input-file -verify-diagnostics --neuron-to-scan="data=f16 int8=b"

neuron.model @bool_as_byte {
  %x = neuron.input "x" : f32
  %b = arith.cmpf ogt, %x, %x : f32
  // expected-error @below {{output 'b' is a bool, which is stored as one}}
  neuron.output "b" = %b : i1
}

// -----

// expected-error @below {{'b' is no output of no_output}}
neuron.model @no_output {
  %x = neuron.input "x" : f32
  neuron.output "x" = %x : f32
}

// -----

neuron.model @doubles {
  // expected-error @below {{a value of type 'f64' cannot be stored as f16}}
  %x = neuron.input "x" : f64
  neuron.output "b" = %x : f64
}
