// RUN: flexsn-opt %s -split-input-file -verify-diagnostics --verify-stage="stage=scan"

scan.kernel @scan_leaves_nothing_for_gradients inference operands [#scan.operand<"x", input, f32>] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  // expected-error @below {{internal error: stage 'scan' leaves neuron.detach behind}}
  %0 = neuron.detach %x : f32
  scan.yield
}

// -----

// expected-error @below {{internal error: stage 'scan' leaves neuron.model behind}}
neuron.model @scan_leaves_no_model {
  %x = neuron.input "x" : f32
}

// -----

// expected-error @below {{internal error: stage 'scan' leaves scan.kernel behind}}
scan.kernel @scan_leaves_no_kernel_without_its_gradients backward operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
