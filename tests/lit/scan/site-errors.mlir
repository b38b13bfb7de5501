// Params with dims and the region `site`, each rule by its label.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{operand 'g' is out of order; params without dims, of neurons alone, of steps (scan-1)}}
scan.kernel @params_are_in_order inference
    operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"g", param, f32>]
    states []
prologue {
^bb0(%g: f32):
  scan.yield
} site {
^bb0(%g: f32, %w: f32):
  scan.yield
} init {
^bb0(%g: f32):
  scan.yield
} step {
^bb0(%g: f32):
  scan.yield
}

// -----

// expected-error @below {{site is there where there are params with dims of neurons alone (scan-11)}}
scan.kernel @params_of_neurons_have_a_site inference
    operands [#scan.operand<"w", param, f32, [channel]>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{site is there where there are params with dims of neurons alone (scan-11)}}
scan.kernel @others_have_none inference
    operands [#scan.operand<"w", param, f32, [step, channel]>]
    states []
prologue {
  scan.yield
} site {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%w: f32):
  scan.yield
}

// -----

// expected-error @below {{site does not take params, invariants and the params of a neuron (scan-11)}}
scan.kernel @site_takes_params inference
    operands [#scan.operand<"w", param, f32, [channel]>]
    states []
prologue {
  scan.yield
} site {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{init does not take params, invariants and site values (scan-3)}}
scan.kernel @init_takes_site_values inference
    operands [#scan.operand<"w", param, f32, [channel]>]
    states []
prologue {
  scan.yield
} site {
^bb0(%w: f32):
  scan.yield %w : f32
} init {
  scan.yield
} step {
^bb0(%w: f32):
  scan.yield
}

// -----

// expected-error @below {{operand 'w' is stored as f64 and computed as 'f32' (scan-4)}}
scan.kernel @params_with_dims_are_stored_as_computed inference
    operands [#scan.operand<"w", param, f64, [neuron]>]
    states []
prologue {
  scan.yield
} site {
^bb0(%w: f32):
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
