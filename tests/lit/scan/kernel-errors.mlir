// The rules of a kernel, each by its label.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{has the state 'v' twice (scan-1)}}
scan.kernel @states_are_unique inference
    operands []
    states ["v", "v"]
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{operand 'tau' is out of order; params, inputs, initials, outputs, finals, checkpoints, gradients (scan-1)}}
scan.kernel @operands_are_in_order inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"tau", param, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{has the input 'x' twice (scan-1)}}
scan.kernel @operands_are_unique inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"x", input, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{operand 'v' is no state (scan-1)}}
scan.kernel @finals_are_states inference
    operands [#scan.operand<"v", final, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{operand 'v' is no state (scan-1)}}
scan.kernel @initials_are_states inference
    operands [#scan.operand<"v", initial, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{operand 'x': bits and lengths are reserved words (scan-1)}}
scan.kernel @bits_are_reserved inference
    operands [#scan.operand<"x", input, bits>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{operand 'x': bits and lengths are reserved words (scan-1)}}
scan.kernel @lengths_are_reserved inference
    operands [#scan.operand<"x", lengths, i32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{operand 'x' has dims and is no param (scan-1)}}
scan.kernel @dims_belong_to_params inference
    operands [#scan.operand<"x", input, f32, [channel]>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{of kind final_state has the output 's' (scan-5)}}
scan.kernel @final_state_has_no_output final_state
    operands [#scan.operand<"s", output, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{prologue does not take one value per param without dims (scan-2)}}
scan.kernel @prologue_takes_params inference
    operands [#scan.operand<"tau", param, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{init does not yield one value per state (scan-3)}}
scan.kernel @init_yields_states inference
    operands []
    states ["v"]
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{init does not take params, invariants and site values (scan-3)}}
scan.kernel @init_takes_params inference
    operands [#scan.operand<"tau", param, f32>]
    states []
prologue {
^bb0(%tau: f32):
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{init does not take params, invariants and site values (scan-3)}}
scan.kernel @init_takes_invariants inference
    operands [#scan.operand<"tau", param, f32>]
    states []
prologue {
^bb0(%tau: f32):
  scan.yield %tau : f32
} init {
^bb0(%tau: f32):
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{step does not take params, invariants, site values, inputs and states (scan-4)}}
scan.kernel @step_takes_inputs inference
    operands [#scan.operand<"x", input, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{step does not take params, invariants, site values, inputs and states (scan-4)}}
scan.kernel @step_takes_states inference
    operands [#scan.operand<"tau", param, f32>]
    states ["v"]
prologue {
^bb0(%tau: f32):
  scan.yield
} init {
^bb0(%tau: f32):
  scan.yield %tau : f32
} step {
^bb0(%tau: f32, %v: i32):
  scan.yield %tau : f32
}

// -----

// expected-error @below {{step does not yield the new states, then the outputs (scan-4)}}
scan.kernel @step_yields_outputs inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"s", output, f32>]
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

// expected-error @below {{operand 'x' is stored as f64 and computed as 'f32' (scan-4)}}
scan.kernel @storage_holds_the_compute_type inference
    operands [#scan.operand<"x", input, f64>]
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

// expected-error @below {{operand 's' is stored as f32 and computed as 'i1' (scan-4)}}
scan.kernel @bools_are_stored_as_bools inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"s", output, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  %s = arith.cmpf oge, %x, %x : f32
  scan.yield %s : i1
}

// -----

scan.kernel @regions_have_no_effect inference operands [#scan.operand<"x", input, f32>] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  %size = arith.constant 1 : i64
  // expected-error @below {{has an effect and cannot stand in a kernel (scan-6)}}
  %0 = llvm.alloca %size x f32 : (i64) -> !llvm.ptr
  llvm.store %x, %0 : f32, !llvm.ptr
  scan.yield
}

// -----

scan.kernel @no_fast_math inference operands [#scan.operand<"x", input, f32>] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  // expected-error @below {{carries fast-math flags (neuron-2)}}
  %0 = arith.mulf %x, %x fastmath<fast> : f32
  scan.yield
}

// -----

// expected-error @below {{tile 100 is no multiple of the width 8}}
scan.kernel @tiles_hold_whole_vectors inference operands [] states [] schedule #scan.cpu<tile = 100, width = 8> prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{width 6 is no power of two up to 64}}
scan.kernel @widths_are_powers_of_two inference operands [] states [] schedule #scan.cpu<tile = 96, width = 6> prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{neurons 3 is no power of two up to 16}}
scan.kernel @gpu_neurons inference operands [] states [] schedule #scan.cuda<neurons = 3, chunk = 8, threads = 128, blocks = 6> prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{chunk 64 is no power of two up to 32}}
scan.kernel @gpu_chunk inference operands [] states [] schedule #scan.cuda<neurons = 4, chunk = 64, threads = 128, blocks = 6> prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{threads 100 is no multiple of 32 up to 1024}}
scan.kernel @gpu_threads inference operands [] states [] schedule #scan.cuda<neurons = 4, chunk = 8, threads = 100, blocks = 6> prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{blocks 0 is not from 1 to 32}}
scan.kernel @gpu_blocks inference operands [] states [] schedule #scan.cuda<neurons = 4, chunk = 8, threads = 128, blocks = 0> prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// -----

// expected-error @below {{dividing 16 is no power of two up to the chunk, 8}}
scan.kernel @gpu_dividing inference operands [] states [] schedule #scan.cuda<neurons = 4, chunk = 8, threads = 128, blocks = 4, dividing = 16> prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
