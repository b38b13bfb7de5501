// emit-cpu, the forward kernel of a training step: in front of every 8th step but the first the state goes into a row of
// its checkpoint (docs/skeleton.md).
// RUN: flexsn-opt %s --lower-ops --emit-cpu | FileCheck %s

scan.kernel @Sum forward
    operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>, #scan.operand<"v", checkpoint, f32>]
    states ["v"]
    layout strided
    every 8
    schedule #scan.cpu<tile = 2048, width = 8>
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.000000e+00 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %v: f32):
  %v1 = arith.addf %v, %x : f32
  scan.yield %v1, %v1 : f32, f32
}

// CHECK-LABEL: llvm.func @Sum(
// Input and output have places; the checkpoint lies dense.
// CHECK: llvm.call @Sum_places
// CHECK: llvm.call @Sum_places
// CHECK-NOT: llvm.call @Sum_places
// CHECK: scf.for %[[TIME:.*]] = %c0{{.*}} to %{{.*}} step %c1{{.*}} : i64
// CHECK: %[[CHUNK:.*]] = arith.divui %[[TIME]], %c8_i64
// CHECK: %[[BEGIN:.*]] = arith.muli %[[CHUNK]], %c8_i64
// CHECK: %[[AT:.*]] = arith.cmpi eq, %[[TIME]], %[[BEGIN]]
// CHECK: %[[LATER:.*]] = arith.cmpi sgt, %[[TIME]], %{{.*}}
// CHECK: %[[WRITES:.*]] = arith.andi %[[AT]], %[[LATER]]
// CHECK: scf.if %[[WRITES]]
// CHECK: %[[ROW:.*]] = arith.subi %[[CHUNK]], %c1_i64
// CHECK: arith.muli %[[ROW]]
// CHECK: scf.for
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: llvm.store %[[V]], %{{.*}} {alignment = 1 : i64}
// CHECK: llvm.intr.masked.store
// The step comes behind.
// CHECK: arith.addf
// CHECK: llvm.return
