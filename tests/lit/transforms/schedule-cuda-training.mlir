// A backward kernel's chunk is as long as the steps between checkpoints, a forward kernel's divides these; neurons and
// blocks of a backward kernel follow from the registers of what is kept.
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(scan.kernel(schedule-cuda))" | FileCheck %s
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(scan.kernel(schedule-cuda{scalar=true}))" | FileCheck %s --check-prefix=SCALAR

// CHECK-LABEL: scan.kernel @saves_every_second forward
// CHECK: schedule #scan.cuda<neurons = 4, chunk = 2, threads = 128, blocks = 6,
scan.kernel @saves_every_second forward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"v", output, f32>, #scan.operand<"v", checkpoint, f32>]
    states ["v"]
    every 2
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %v: f32):
  %v1 = arith.mulf %v, %x : f32
  scan.yield %v1, %v1 : f32, f32
}

// CHECK-LABEL: scan.kernel @one_state backward
// CHECK: schedule #scan.cuda<neurons = 2, chunk = 8, threads = 128, blocks = 4, reason = "2 neurons a thread; 8 steps at once, as many as lie between checkpoints; about {{[0-9]+}} of 128 registers for 4 blocks of 128 threads a multiprocessor">
// SCALAR-LABEL: scan.kernel @one_state backward
// SCALAR: schedule #scan.cuda<neurons = 2, chunk = 8, threads = 128, blocks = 4, scalar = true,
scan.kernel @one_state backward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"v", checkpoint, f32>,
              #scan.operand<"v", grad_output, f32>, #scan.operand<"x", grad_input, f32>]
    states ["v"]
    every 8
    carried ["v"]
    sums []
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %v: f32):
  %v1 = arith.mulf %v, %x : f32
  scan.yield %v1, %v : f32, f32
} adjoint {
^bb0(%x: f32, %v: f32, %gv: f32, %g: f32):
  %sum = arith.addf %gv, %g : f32
  %gx = arith.mulf %sum, %v : f32
  %before = arith.mulf %sum, %x : f32
  scan.yield %gx, %before : f32, f32
} init_adjoint {
^bb0(%g: f32):
  scan.yield
} epilogue {
  scan.yield
}

// Without states there are no checkpoints, and any chunk will do. Doubles fill an access alone.
// CHECK-LABEL: scan.kernel @no_state backward
// CHECK: schedule #scan.cuda<neurons = 2, chunk = 4, threads = 128, blocks = 3, reason = "2 neurons a thread; 4 steps at once; about
scan.kernel @no_state backward
    operands [#scan.operand<"x", input, f64>, #scan.operand<"y", grad_output, f64>, #scan.operand<"x", grad_input, f64>]
    states []
    carried []
    sums []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f64):
  scan.yield
} adjoint {
^bb0(%x: f64, %gy: f64):
  %gx = arith.mulf %gy, %x : f64
  scan.yield %gx : f64
} init_adjoint {
  scan.yield
} epilogue {
  scan.yield
}
