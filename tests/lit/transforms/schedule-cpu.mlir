// Tile and width follow from the vector registers, the compute type, and how many rows a step touches.
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(scan.kernel(schedule-cpu{vector-bits=256}))" | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(scan.kernel(schedule-cpu{vector-bits=512}))" | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(scan.kernel(schedule-cpu{cache-bytes=1}))" | FileCheck %s --check-prefixes=SMALL
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(scan.kernel(schedule-cpu{vector-bits=256 streaming=true}))" | FileCheck %s --check-prefix=STREAM

// CHECK-LABEL: scan.kernel @three_rows_of_floats
// AVX2: schedule #scan.cpu<tile = 4096, width = 8, reason = "8 lanes of 32 bits fill a vector register; 4096 neurons x 3 rows (states, inputs, outputs) x 4 bytes are 48 KiB of 64 KiB">
// AVX512: schedule #scan.cpu<tile = 4096, width = 16,
// SMALL: schedule #scan.cpu<tile = 256, width = 4,
scan.kernel @three_rows_of_floats inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"v", output, f32>] states ["v"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %v: f32):
  %v1 = arith.addf %v, %x : f32
  scan.yield %v1, %v1 : f32, f32
}

// CHECK-LABEL: scan.kernel @one_row_of_doubles
// AVX2: schedule #scan.cpu<tile = 8192, width = 4,
// AVX512: schedule #scan.cpu<tile = 8192, width = 8,
scan.kernel @one_row_of_doubles final_state
    operands [#scan.operand<"v", final, f64>] states ["v"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f64
  scan.yield %zero : f64
} step {
^bb0(%v: f64):
  scan.yield %v : f64
}

// CHECK-LABEL: scan.kernel @no_row_at_all
// AVX2: schedule #scan.cpu<tile = 8192, width = 8,
scan.kernel @no_row_at_all inference operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// A strided kernel keeps a row of offsets an operand beside them.
// CHECK-LABEL: scan.kernel @strided_rows
// AVX2: schedule #scan.cpu<tile = 2048, width = 8, reason = "8 lanes of 32 bits fill a vector register; 2048 neurons x 3 rows (states, inputs, outputs) x 4 bytes and 2 offsets are 56 KiB of 64 KiB">
scan.kernel @strided_rows inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"v", output, f32>] states ["v"]
    layout strided
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %v: f32):
  %v1 = arith.addf %v, %x : f32
  scan.yield %v1, %v1 : f32, f32
}

// Outputs that are not kept leave room for two steps of inputs.
// STREAM: scan.kernel @three_rows_of_floats
// STREAM: schedule #scan.cpu<tile = 2048, width = 8, streaming = true,
// STREAM: scan.kernel @one_row_of_doubles
// STREAM: schedule #scan.cpu<tile = 4096, width = 4, streaming = true,
// STREAM-LABEL: scan.kernel @two_inputs_streamed
// STREAM: schedule #scan.cpu<tile = 1024, width = 8, streaming = true, reason = "8 lanes of 32 bits fill a vector register; 1024 neurons x 5 rows (states, inputs of this step and the next) x 4 bytes are 20 KiB of 32 KiB">
scan.kernel @two_inputs_streamed inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"y", input, f32>, #scan.operand<"v", output, f32>]
    states ["v"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %y: f32, %v: f32):
  %z = arith.addf %x, %y : f32
  %v1 = arith.addf %v, %z : f32
  scan.yield %v1, %v1 : f32, f32
}

// What a chunk keeps, and inputs that both ways read, stay with a tile from one way to the other.
// With streaming it is in the first-level cache.
// CHECK-LABEL: scan.kernel @backward
// STREAM-LABEL: scan.kernel @backward
// STREAM: schedule #scan.cpu<tile = 256, width = 8, streaming = true, reason = "8 lanes of 32 bits fill a vector register; 256 neurons x 76 bytes (states, gradients, sums; 4 for each of 16 steps) are 19 KiB of 32 KiB">
// AVX2: schedule #scan.cpu<tile = 1024, width = 8, reason = "8 lanes of 32 bits fill a vector register; 1024 neurons x 76 bytes (states, gradients, sums; 4 for each of 16 steps) are 76 KiB of 128 KiB">
scan.kernel @backward backward
    operands [#scan.operand<"k", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"v", checkpoint, f32>,
              #scan.operand<"y", grad_output, f32>, #scan.operand<"k", grad_param, f32>]
    states ["v"] every 16 carried ["v"] sums [0]
prologue {
^bb0(%k: f32):
  scan.yield
} init {
^bb0(%k: f32):
  scan.yield %k : f32
} step {
^bb0(%k: f32, %x: f32, %v: f32):
  scan.yield %x, %v : f32, f32
} adjoint {
^bb0(%k: f32, %x: f32, %kept: f32, %gy: f32, %gv: f32):
  %g = arith.mulf %kept, %gv : f32
  scan.yield %gv, %g : f32, f32
} init_adjoint {
^bb0(%k: f32, %gv: f32):
  %nothing = arith.constant -0.000000e+00 : f32
  scan.yield %nothing : f32
} epilogue {
^bb0(%k: f32, %sum: f32):
  scan.yield %sum : f32
}
