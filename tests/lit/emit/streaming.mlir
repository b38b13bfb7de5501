// emit-cpu, streaming: whole vectors of outputs go past the caches, the next rows of inputs that are read are fetched
// ahead, and a fence closes the kernel (docs/skeleton.md).
// RUN: flexsn-opt %s --lower-ops --emit-cpu | FileCheck %s

scan.kernel @Sum inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"unused", input, f32>, #scan.operand<"v", output, f32>,
              #scan.operand<"fires", output, bool>]
    states ["v"]
    schedule #scan.cpu<tile = 4096, width = 8, streaming = true>
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.000000e+00 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %unused: f32, %v: f32):
  %v1 = arith.addf %v, %x : f32
  %fires = arith.cmpf ogt, %v1, %x : f32
  scan.yield %v1, %v1, %fires : f32, f32, i1
}

// CHECK-LABEL: llvm.func @Sum(
// The step and the tile that come next.
// CHECK: arith.select %[[MORE:[^,]*]], %{{.*}} : i64
// CHECK: arith.select %[[MORE]], %{{.*}} : i64
// The vectors of a tile in turn from its four quarters.
// CHECK: arith.divui
// CHECK: %[[QUARTER:.*]] = arith.muli
// CHECK: scf.for %[[FROM:.*]] = %{{.*}} to %[[QUARTER]]
// CHECK: scf.for %{{.*}} = %[[FROM]] to %{{.*}} step %[[QUARTER]]
// CHECK: llvm.intr.prefetch
// CHECK-NOT: llvm.intr.prefetch
// The state stays, the outputs go.
// CHECK: llvm.store %[[V:.*]], %{{.*}} {alignment = 4 : i64} : vector<8xf32>
// CHECK: llvm.store %[[V]], %{{.*}} {alignment = 32 : i64, nontemporal} : vector<8xf32>
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64, nontemporal} : vector<8xi8>
// The ragged vector is masked and goes the common way.
// CHECK: scf.if
// CHECK-NOT: nontemporal
// CHECK: llvm.intr.masked.store
// CHECK: llvm.intr.masked.store
// CHECK-NOT: nontemporal
// CHECK: llvm.return
