// A model is left as it is: its functions are lowered in kernels alone.
// RUN: flexsn-opt %s --lower-ops | FileCheck %s

neuron.model @Exp {
  %x = neuron.input "x" : f32
  // CHECK: neuron.exp
  %y = neuron.exp %x : f32
  neuron.output "y" = %y : f32
}
