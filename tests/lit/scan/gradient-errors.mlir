// The rules of a backward kernel, each by its label.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{of kind inference has gradients (scan-5)}}
scan.kernel @gradients_are_a_backward_kernels inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"x", grad_input, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  scan.yield
}

// -----

// expected-error @below {{of kind final_state has checkpoints (scan-5)}}
scan.kernel @checkpoints_are_for_training final_state
    operands [#scan.operand<"v", checkpoint, f32>]
    states ["v"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%v: f32):
  scan.yield %v : f32
}

// -----

// expected-error @below {{of kind backward has the output 'y' (scan-5)}}
scan.kernel @outputs_are_a_forward_kernels backward
    operands [#scan.operand<"y", output, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
}

// -----

// expected-error @below {{scan-8: carries the gradient of 'b' as 'i1', which is no float state}}
scan.kernel @bools_carry_none backward
    operands []
    states ["b"]
    carried ["b"]
    sums []
prologue {
  scan.yield
} init {
  %no = arith.constant false
  scan.yield %no : i1
} step {
^bb0(%b: i1):
  scan.yield %b : i1
} adjoint {
^bb0(%g: i1):
  scan.yield %g : i1
} init_adjoint {
^bb0(%g: i1):
  scan.yield
} epilogue {
  scan.yield
}

// -----

// expected-error @below {{scan-8: adds up gradients of number 1, which is no float param or invariant}}
scan.kernel @sums_are_of_uniforms backward
    operands [#scan.operand<"k", param, f32>]
    states []
    carried []
    sums [1]
prologue {
^bb0(%k: f32):
  scan.yield
} init {
^bb0(%k: f32):
  scan.yield
} step {
^bb0(%k: f32):
  scan.yield
} adjoint {
^bb0(%k: f32):
  scan.yield %k : f32
} init_adjoint {
^bb0(%k: f32):
  scan.yield %k : f32
} epilogue {
^bb0(%k: f32, %sum: f32):
  scan.yield
}

// -----

// expected-error @below {{scan-8: adjoint does not yield the gradients that its kernel wants of it}}
scan.kernel @adjoints_yield_what_is_wanted backward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>,
              #scan.operand<"x", grad_input, f32>]
    states []
    carried []
    sums []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  scan.yield
} adjoint {
^bb0(%x: f32, %g: f32):
  scan.yield
} init_adjoint {
  scan.yield
} epilogue {
  scan.yield
}

// -----

// expected-error @below {{scan-8: epilogue does not take the values that its kernel has for it}}
scan.kernel @epilogues_take_the_sums backward
    operands [#scan.operand<"k", param, f32>, #scan.operand<"k", grad_param, f32>]
    states []
    carried []
    sums [0]
prologue {
^bb0(%k: f32):
  scan.yield
} init {
^bb0(%k: f32):
  scan.yield
} step {
^bb0(%k: f32):
  scan.yield
} adjoint {
^bb0(%k: f32):
  scan.yield %k : f32
} init_adjoint {
^bb0(%k: f32):
  scan.yield %k : f32
} epilogue {
^bb0(%k: f32):
  scan.yield %k : f32
}

// -----

// expected-error @below {{scan-8: carries the gradient of 'v' as 'f64', which is no float state}}
scan.kernel @gradients_have_their_states_type backward
    operands []
    states ["v"]
    carried ["v"]
    sums []
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%v: f32):
  scan.yield %v : f32
} adjoint {
^bb0(%g: f64):
  scan.yield %g : f64
} init_adjoint {
^bb0(%g: f64):
  scan.yield
} epilogue {
  scan.yield
}

// -----

// expected-error @below {{scan-8: carries the gradient of 'v' twice}}
scan.kernel @states_are_carried_once backward
    operands []
    states []
    carried ["v", "v"]
    sums []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
} adjoint {
^bb0(%g: f32, %h: f32):
  scan.yield %g, %h : f32, f32
} init_adjoint {
^bb0(%g: f32, %h: f32):
  scan.yield
} epilogue {
  scan.yield
}

// -----

// expected-error @below {{scan-8: the gradient of 'v' is stored as f64 and carried as 'f32'}}
scan.kernel @carried_gradients_fit_their_memory backward
    operands [#scan.operand<"v", grad_final, f64>]
    states []
    carried ["v"]
    sums []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
} adjoint {
^bb0(%g: f32):
  scan.yield %g : f32
} init_adjoint {
^bb0(%g: f32):
  scan.yield
} epilogue {
  scan.yield
}

// -----

// expected-error @below {{scan-8: adjoint does not take the gradients of the carried states}}
scan.kernel @adjoints_take_what_is_carried backward
    operands []
    states []
    carried ["v"]
    sums []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
} adjoint {
  scan.yield
} init_adjoint {
  scan.yield
} epilogue {
  scan.yield
}
