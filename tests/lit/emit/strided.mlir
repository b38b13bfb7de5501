// emit-cpu: a strided kernel finds the places of a tile's neurons once, then accesses vectors or single elements.
// RUN: flexsn-opt %s --emit-cpu | FileCheck %s

// The odometer: a chain of divisions, then mostly a vector at once; a look at the lanes of the others.
// CHECK-LABEL: llvm.func internal @Twice_places(
// CHECK-COUNT-5: arith.divui
// CHECK-NOT: arith.divui
// CHECK: scf.for
// CHECK: arith.cmpi ule
// CHECK: scf.if
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr
// CHECK: scf.if
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<4xi64>, !llvm.ptr
// CHECK: else
// CHECK: scf.for
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr
// CHECK: %[[BESIDE:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : vector<4xi64>
// CHECK: %[[BEHIND:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : vector<4xi64>
// CHECK: %[[EACH:.*]] = arith.ori %[[BESIDE]], %[[BEHIND]]
// CHECK: vector.reduction <and>, %[[EACH]]
// CHECK: llvm.return

// CHECK-LABEL: llvm.func @Twice(
// Once a tile and operand.
// CHECK-COUNT-2: llvm.call @Twice_places(
// CHECK-NOT: llvm.call
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[X:.*]] = scf.if %{{.*}} -> (vector<4xf32>)
// CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i8
// CHECK: %[[ALL:.*]] = arith.constant dense<true> : vector<4xi1>
// CHECK: llvm.intr.masked.gather %{{.*}}, %[[ALL]], %{{.*}} {alignment = 1 : i32}
// CHECK: else
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[X]]
// CHECK: scf.if
// CHECK: llvm.intr.masked.scatter %[[Y]]
// CHECK: else
// CHECK: llvm.store %[[Y]], %{{.*}} {alignment = 1 : i64}
// The ragged vector touches the lanes that exist.
// CHECK: scf.if
// CHECK: llvm.intr.masked.gather %{{.*}}, %[[MASK:.*]], %{{.*}} {alignment = 1 : i32}
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]]
// CHECK: llvm.intr.masked.scatter %{{.*}}, %{{.*}}, %[[MASK]]
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[MASK]]
scan.kernel @Twice inference operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>] states []
    layout strided
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  %y = arith.addf %x, %x : f32
  scan.yield %y : f32
}
