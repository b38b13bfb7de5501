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

// -----

// expected-error @below {{operand 'w' is out of order; params without dims, of neurons alone, of steps (scan-1)}}
scan.kernel @gradients_of_params_are_in_order backward
    operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"t", param, f32, [step]>,
              #scan.operand<"t", grad_param, f32, [step]>, #scan.operand<"w", grad_param, f32, [channel]>]
    states []
prologue {
  scan.yield
} site {
^bb0(%w: f32):
  scan.yield
} init {
  scan.yield
} step {
^bb0(%t: f32):
  scan.yield
}

// -----

// expected-error @below {{scan-8: has site_adjoint where it has no site, or site alone}}
scan.kernel @a_site_has_an_adjoint backward
    operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"x", input, f32>,
              #scan.operand<"x", grad_input, f32>]
    states []
    carried []
    sums []
prologue {
  scan.yield
} site {
^bb0(%w: f32):
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  scan.yield
} adjoint {
^bb0(%x: f32):
  scan.yield %x : f32
} init_adjoint {
  scan.yield
} epilogue {
  scan.yield
}

// -----

// expected-error @below {{scan-8: site_adjoint does not yield the gradients that its kernel wants of it}}
scan.kernel @a_site_adjoint_yields_gradients backward
    operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"w", grad_param, f32, [channel]>]
    states []
    carried []
    sums []
prologue {
  scan.yield
} site {
^bb0(%w: f32):
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
} adjoint {
  scan.yield
} init_adjoint {
  scan.yield
} site_adjoint {
^bb0(%w: f32):
  scan.yield
} epilogue {
  scan.yield
}

// -----

// expected-error @below {{scan-8: site_adjoint takes a sum of type 'i32'}}
scan.kernel @sums_are_floats backward
    operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"w", grad_param, f32, [channel]>]
    states []
    carried []
    sums []
prologue {
  scan.yield
} site {
^bb0(%w: f32):
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
} adjoint {
  scan.yield
} init_adjoint {
  scan.yield
} site_adjoint {
^bb0(%w: f32, %sum: i32):
  scan.yield %w : f32
} epilogue {
  scan.yield
}
