// RUN: flexsn-opt %s -verify-diagnostics --verify-stage="stage=cuda"

func.func @cuda_leaves_no_function_of_the_language(%x: f32) -> f32 {
  // expected-error @below {{internal error: stage 'cuda' leaves neuron.exp behind}}
  %y = neuron.exp %x : f32
  return %y : f32
}
