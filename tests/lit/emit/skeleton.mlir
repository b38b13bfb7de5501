// emit-cpu: tiles, initial states, time, vectors, the ragged vector, final states (docs/skeleton.md).
// RUN: flexsn-opt %s --lower-ops --emit-cpu | FileCheck %s

scan.kernel @Decay inference
    operands [#scan.operand<"tau", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"v", initial, f32>,
              #scan.operand<"y", output, f32>, #scan.operand<"v", final, f32>]
    states ["v"]
    schedule #scan.cpu<tile = 2048, width = 8>
prologue {
^bb0(%tau: f32):
  %one = arith.constant 1.000000e+00 : f32
  %rate = arith.divf %one, %tau : f32
  scan.yield %rate : f32
} init {
^bb0(%tau: f32, %rate: f32):
  %zero = arith.constant 0.000000e+00 : f32
  scan.yield %zero : f32
} step {
^bb0(%tau: f32, %rate: f32, %x: f32, %v: f32):
  %decay = arith.mulf %v, %rate : f32
  %v1 = arith.addf %decay, %x : f32
  scan.yield %v1, %v1 : f32, f32
}

// The prologue copies the params and puts the invariants behind them, in 8-byte slots.
// CHECK-LABEL: llvm.func @Decay_prologue(
// CHECK-SAME: %[[PARAMS:.*]]: !llvm.ptr, %[[SLOTS:.*]]: !llvm.ptr)
// CHECK: %[[TAU:.*]] = llvm.load %[[PARAMS]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK: llvm.store %[[TAU]], %[[SLOTS]]
// CHECK: %[[RATE:.*]] = arith.divf %{{.*}}, %[[TAU]] : f32
// CHECK: llvm.store %[[RATE]]

// CHECK-LABEL: llvm.func @Decay(
// What all neurons share is put into every lane once, outside of the loops.
// CHECK: %[[RATES:.*]] = vector.broadcast %{{.*}} : f32 to vector<8xf32>
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i64
// CHECK: %[[MASK:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : vector<8xi32>

// Initial states: one value for all neurons, or one a neuron.
// CHECK: scf.for
// CHECK: scf.if %{{.*}} -> (vector<8xf32>)
// CHECK: vector.broadcast
// CHECK: else
// CHECK: llvm.load
// CHECK: llvm.store

// Time is outside of the vectors; operands may begin anywhere; the state stays in the workspace; the step's ops stand one to one.
// CHECK: scf.for %[[TIME:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i64
// CHECK: arith.muli %[[TIME]]
// CHECK: scf.for
// CHECK: %[[X:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK: %[[DECAY:.*]] = arith.mulf %[[V]], %[[RATES]] : vector<8xf32>
// CHECK: %[[NEXT:.*]] = arith.addf %[[DECAY]], %[[X]] : vector<8xf32>
// CHECK: llvm.store %[[NEXT]]
// CHECK: llvm.store %[[NEXT]]

// The ragged vector touches the lanes that exist; rows of the workspace are whole.
// CHECK: scf.if
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]], %{{.*}} {alignment = 1 : i32}
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: llvm.store
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[MASK]] {alignment = 1 : i32}

// Final states come from the workspace.
// CHECK: scf.for
// CHECK: llvm.load
// CHECK: llvm.store
// CHECK: llvm.intr.masked.store
// CHECK: llvm.return
