// emit-cpu: params with dims are found by places, whatever the layout; those of neurons once a tile.
// RUN: flexsn-opt %s --emit-cpu | FileCheck %s

// CHECK-LABEL: llvm.func internal @Shaped_places(
// CHECK-LABEL: llvm.func @Shaped(
// Of the two that vary by neuron; one of a value a step has no places.
// CHECK-COUNT-2: llvm.call @Shaped_places(
// CHECK-NOT: llvm.call
// The site values of a tile, by gathers or vectors, into their row.
// CHECK: scf.for
// CHECK: %[[W:.*]] = scf.if %{{.*}} -> (vector<4xf32>)
// CHECK: llvm.intr.masked.gather
// CHECK: %[[SITE:.*]] = arith.mulf %[[W]], %[[W]] : vector<4xf32>
// CHECK: llvm.store %[[SITE]], %{{.*}} {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// The states begin with what `init` makes of them.
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// Each step reads what varies by step where it lies, one value for all in one load; then the row.
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[ONE:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> f32
// CHECK: %[[G:.*]] = vector.broadcast %[[ONE]] : f32 to vector<4xf32>
// CHECK: %[[C:.*]] = scf.if %{{.*}} -> (vector<4xf32>)
// CHECK: llvm.intr.masked.gather
// CHECK: else
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: scf.yield
// CHECK: %[[X:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[K:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[A:.*]] = arith.mulf %[[X]], %[[G]]
// CHECK: %[[B:.*]] = arith.addf %[[A]], %[[C]]
// CHECK: arith.mulf %[[B]], %[[K]]
scan.kernel @Shaped inference
    operands [#scan.operand<"w", param, f32, [channel]>, #scan.operand<"g", param, f32, [step]>,
              #scan.operand<"c", param, f32, [step, channel]>, #scan.operand<"x", input, f32>,
              #scan.operand<"y", output, f32>]
    states ["v"]
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} site {
^bb0(%w: f32):
  %k = arith.mulf %w, %w : f32
  scan.yield %k : f32
} init {
^bb0(%k: f32):
  scan.yield %k : f32
} step {
^bb0(%k: f32, %g: f32, %c: f32, %x: f32, %v: f32):
  %0 = arith.mulf %x, %g : f32
  %1 = arith.addf %0, %c : f32
  %2 = arith.mulf %1, %k : f32
  %3 = arith.addf %2, %v : f32
  scan.yield %3, %3 : f32, f32
}
