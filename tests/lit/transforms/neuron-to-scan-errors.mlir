// What the request may ask for and the model does not have.
// RUN: flexsn-opt %s -verify-diagnostics -split-input-file --neuron-to-scan="final=v"

// expected-error @below {{'v' is no state of stateless}}
neuron.model @stateless {
  %x = neuron.input "x" : f32
  neuron.output "x" = %x : f32
}
