// RUN: flexsn-opt %s -verify-diagnostics --verify-stage="stage=simplify"

neuron.model @simplify_leaves_nothing_unused {
  %x = neuron.input "x" : f32
  // expected-error @below {{internal error: stage 'simplify' leaves arith.addf behind}}
  %y = arith.addf %x, %x : f32
}
