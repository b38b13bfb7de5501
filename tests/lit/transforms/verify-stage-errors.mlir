// What a stage may not leave behind is an error of the compiler, at its place.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics --verify-stage="stage=expand"

neuron.model @expand_leaves_no_history {
  %x = neuron.input "x" : f32
  // expected-error @below {{internal error: stage 'expand' leaves neuron.prev behind}}
  %y = neuron.prev "x" ago 1 : f32
  neuron.history "x" = %x : f32
}

// -----

neuron.model @expand_leaves_no_lanes {
  // expected-error @below {{internal error: stage 'expand' leaves neuron.input behind}}
  %x = neuron.input "x" : vector<2xf32>
}

// -----

neuron.model @expand_leaves_no_fma {
  %x = neuron.input "x" : f32
  // expected-error @below {{internal error: stage 'expand' leaves math.fma behind}}
  %y = math.fma %x, %x, %x : f32
}

// -----

// expected-error @below {{internal error: stage 'expand' leaves scan.kernel behind}}
scan.kernel @expand_leaves_no_kernel inference operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
