// emit-cpu, the backward kernel of a training step: spans, tiles, chunks from the last to the first, both ways through
// each, and sums over groups of neurons (docs/skeleton.md).
// RUN: flexsn-opt %s --split-input-file --lower-ops --emit-cpu | FileCheck %s

scan.kernel @Square backward
    operands [#scan.operand<"k", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"v", initial, f32>,
              #scan.operand<"v", checkpoint, f32>, #scan.operand<"y", grad_output, f32>,
              #scan.operand<"v", grad_final, f32>, #scan.operand<"x", grad_input, f32>,
              #scan.operand<"v", grad_initial, f32>, #scan.operand<"k", grad_param, f32>]
    states ["v"]
    every 8
    truncate 5
    carried ["v"]
    sums [0]
    schedule #scan.cpu<tile = 512, width = 8>
prologue {
^bb0(%k: f32):
  scan.yield
} init {
^bb0(%k: f32):
  scan.yield %k : f32
} step {
^bb0(%k: f32, %x: f32, %v: f32):
  %h = arith.addf %x, %v : f32
  %v1 = arith.mulf %h, %h : f32
  %over = arith.cmpf ogt, %h, %k : f32
  scan.yield %v1, %h, %over : f32, f32, i1
} adjoint {
^bb0(%k: f32, %x: f32, %h: f32, %over: i1, %gy: f32, %gv: f32):
  %g = arith.select %over, %gy, %gv : f32
  %half = arith.mulf %g, %h : f32
  %gh = arith.addf %half, %half : f32
  scan.yield %gh, %gh, %half : f32, f32, f32
} init_adjoint {
^bb0(%k: f32, %gv: f32):
  %nothing = arith.constant -0.000000e+00 : f32
  scan.yield %nothing : f32
} epilogue {
^bb0(%k: f32, %gk: f32):
  %twice = arith.addf %gk, %gk : f32
  scan.yield %twice : f32
}

// Params and sums to gradients of params.
// CHECK-LABEL: llvm.func @Square_epilogue(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[SUMS:.*]]: !llvm.ptr, %[[GRADS:.*]]: !llvm.ptr)
// CHECK: %[[SUM:.*]] = llvm.load %[[SUMS]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK: %[[TWICE:.*]] = arith.addf %[[SUM]], %[[SUM]]
// CHECK: llvm.store %[[TWICE]], %[[GRADS]]

// 1024 neurons: neighbours are added until one vector is left, then inside of it.
// CHECK-LABEL: llvm.func internal @Square_sum(
// CHECK-COUNT-7: scf.for
// CHECK: %[[EVEN:.*]] = vector.shuffle %[[LEFT:.*]], %[[LEFT]] [0, 2, 4, 6]
// CHECK: %[[ODD:.*]] = vector.shuffle %[[LEFT]], %[[LEFT]] [1, 3, 5, 7]
// CHECK: arith.addf %[[EVEN]], %[[ODD]] : vector<4xf32>
// CHECK: vector.shuffle %{{.*}} [0, 2]
// CHECK: vector.shuffle %{{.*}} [0]
// CHECK: vector.extract

// CHECK-LABEL: llvm.func @Square(
// A span has whole groups; its sums begin with -0, which changes none.
// CHECK: scf.for %[[SPAN:.*]] = %{{.*}} to %{{.*}} step %c1024
// CHECK: arith.constant dense<-0.000000e+00> : vector<8xf32>
// CHECK: scf.for %[[FIRST:.*]] = %[[SPAN]] to %{{.*}} step %c512
// CHECK: arith.subi %[[FIRST]], %[[SPAN]]
// Gradients begin with that of the final state.
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// Chunks from the last to the first: states as at the beginning, or from the checkpoint.
// CHECK: scf.for %[[DONE:.*]] = %c0{{.*}} to %{{.*}} step %c1
// CHECK: %[[CHUNK:.*]] = arith.subi %{{.*}}, %[[DONE]]
// CHECK: arith.minsi
// CHECK: scf.if
// CHECK: } else {
// There: the step's ops, and what is kept goes into the workspace, bools as bytes.
// CHECK: %[[H:.*]] = arith.addf %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK: %[[V1:.*]] = arith.mulf %[[H]], %[[H]]
// CHECK: %[[OVER:.*]] = arith.cmpf ogt, %[[H]]
// CHECK: llvm.store %[[V1]], %{{.*}} {alignment = 4 : i64}
// CHECK: llvm.store %[[H]], %{{.*}} {alignment = 4 : i64}
// CHECK: %[[BYTES:.*]] = arith.extui %[[OVER]]
// CHECK: llvm.store %[[BYTES]], %{{.*}} {alignment = 1 : i64} : vector<8xi8>
// And back: the adjoint's; sums are read, added to and written.
// CHECK: %[[G:.*]] = arith.select
// CHECK: %[[HALF:.*]] = arith.mulf %[[G]]
// CHECK: %[[GH:.*]] = arith.addf %[[HALF]], %[[HALF]]
// CHECK: llvm.store %[[GH]], %{{.*}} {alignment = 4 : i64}
// CHECK: arith.addf %{{.*}}, %[[HALF]] : vector<8xf32>
// CHECK: llvm.store %[[GH]], %{{.*}} {alignment = 1 : i64}
// Neurons that do not exist leave their sums alone.
// CHECK: llvm.intr.masked.store %{{.*}} {alignment = 4 : i32}
// CHECK: llvm.intr.masked.store %{{.*}} {alignment = 1 : i32}
// truncate 5.
// CHECK: arith.remui %{{.*}}, %c5_i64
// CHECK: scf.if
// The gradient of the initial state; init_adjoint adds nothing.
// CHECK-NOT: arith.addf {{.*}} : vector
// CHECK: scf.for %[[GROUP:.*]] = %[[SPAN]] to %{{.*}} step %c1024
// CHECK: %[[NUMBER:.*]] = arith.divui %[[GROUP]]
// CHECK: %[[TOTAL:.*]] = llvm.call @Square_sum
// CHECK: llvm.store %[[TOTAL]]
// CHECK: llvm.return

// -----

// Without states there is nothing to compute again in chunks: both ways are one, and values go on in registers.
scan.kernel @Product backward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>, #scan.operand<"x", grad_input, f32>]
    states []
    carried []
    sums []
    schedule #scan.cpu<tile = 512, width = 8, streaming = true>
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  %h = arith.mulf %x, %x : f32
  scan.yield %h : f32
} adjoint {
^bb0(%x: f32, %h: f32, %gy: f32):
  %g = arith.mulf %h, %gy : f32
  %gx = arith.addf %g, %x : f32
  scan.yield %gx : f32
} init_adjoint {
  scan.yield
} epilogue {
  scan.yield
}

// CHECK-NOT: @Product_sum
// CHECK-LABEL: llvm.func @Product(
// CHECK: llvm.intr.prefetch
// CHECK: llvm.intr.prefetch
// CHECK: %[[X:.*]] = llvm.load
// CHECK-NEXT: %[[H:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[G:.*]] = arith.mulf %[[H]]
// CHECK: %[[GX:.*]] = arith.addf %[[G]], %[[X]]
// CHECK: llvm.store %[[GX]], %{{.*}} {alignment = 32 : i64, nontemporal}
// CHECK: llvm.call_intrinsic "llvm.x86.sse.sfence"

// -----

// A streaming kernel with chunks: whole tiles go through a pipeline, in which one loop over neurons goes back through a
// chunk and forwards through the next one.
scan.kernel @Pipeline backward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"v", checkpoint, f32>, #scan.operand<"y", grad_output, f32>,
              #scan.operand<"x", grad_input, f32>]
    states ["v"]
    every 8
    carried ["v"]
    sums []
    schedule #scan.cpu<tile = 512, width = 8, streaming = true>
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %v: f32):
  %h = arith.subf %v, %x : f32
  %v1 = arith.mulf %h, %h : f32
  scan.yield %v1, %h : f32, f32
} adjoint {
^bb0(%x: f32, %h: f32, %gy: f32, %gv: f32):
  %g = arith.divf %gv, %h : f32
  %gh = arith.addf %g, %gy : f32
  scan.yield %gh, %gh : f32, f32
} init_adjoint {
^bb0(%gv: f32):
  scan.yield
} epilogue {
  scan.yield
}

// CHECK-LABEL: llvm.func @Pipeline(
// CHECK: scf.for
// CHECK-COUNT-2: arith.minsi
// CHECK: %[[COMMON:.*]] = arith.minsi %[[AGAIN:.*]], %[[BACK:.*]] :
// Both chunks ask for their next step. A slot is read before it is written, and the gradient goes past the caches.
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[COMMON]] step
// CHECK: scf.for
// CHECK-NEXT: llvm.getelementptr
// CHECK-NEXT: llvm.intr.prefetch
// CHECK-NEXT: llvm.getelementptr
// CHECK-NEXT: llvm.intr.prefetch
// CHECK: arith.divf
// CHECK: llvm.store %{{.*}} {alignment = 32 : i64, nontemporal}
// CHECK: %[[H:.*]] = arith.subf
// CHECK: llvm.store %[[H]], %{{.*}} {alignment = 4 : i64}
// What one of them has more steps of.
// CHECK: scf.for %{{.*}} = %[[COMMON]] to %[[BACK]] step
// CHECK: arith.divf
// CHECK: scf.for %{{.*}} = %[[COMMON]] to %[[AGAIN]] step
// CHECK: arith.subf
// The tiles behind the pipeline's.
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c512
// CHECK: llvm.return
