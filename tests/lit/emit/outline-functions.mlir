// outline-functions: what a kernel uses very often is called; emit-cpu makes the form for vectors.
// RUN: flexsn-opt %s --outline-functions="inline-uses=1" | FileCheck %s
// RUN: flexsn-opt %s --outline-functions --lower-ops --emit-cpu | FileCheck %s --check-prefix=INLINE
// RUN: flexsn-opt %s --outline-functions="inline-uses=1" --lower-ops --emit-cpu --cpu-to-llvm | FileCheck %s --check-prefix=VECTOR

// INLINE-NOT: func.func

// One operand twice is still two arguments.
// CHECK: func.func private @pow.f32(%[[X:.*]]: f32, %[[Y:.*]]: f32) -> f32 attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK-NEXT: %[[POWER:.*]] = neuron.pow %[[X]], %[[Y]] : f32
// CHECK-NEXT: return %[[POWER]]
// CHECK: func.func private @exp.f32(

// The scalar form stays where the prologue calls it, and is gone where it does not.
// VECTOR-NOT: @pow.f32(
// VECTOR-DAG: llvm.func internal @exp.f32.x4(%{{.*}}: vector<4xf32>) -> vector<4xf32>
// VECTOR-DAG: llvm.func internal @exp.f32(%{{.*}}: f32) -> f32
// VECTOR-DAG: llvm.func internal @pow.f32.x4(%{{.*}}: vector<4xf32>, %{{.*}}: vector<4xf32>) -> vector<4xf32>

// CHECK-LABEL: scan.kernel @Often
// CHECK: func.call @exp.f32(%{{.*}}) : (f32) -> f32
// CHECK: func.call @exp.f32(
// CHECK: func.call @pow.f32(
// CHECK: func.call @pow.f32(
// CHECK: neuron.sin
// CHECK: neuron.sqrt
// CHECK: neuron.sqrt
// VECTOR-LABEL: llvm.func @Often(
// VECTOR: llvm.call @exp.f32.x4(%{{.*}}) : (vector<4xf32>) -> vector<4xf32>
scan.kernel @Often inference
    operands [#scan.operand<"k", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
    states []
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
^bb0(%k: f32):
  %e = neuron.exp %k : f32
  scan.yield %e : f32
} init {
^bb0(%k: f32, %e: f32):
  scan.yield
} step {
^bb0(%k: f32, %e: f32, %x: f32):
  %a = neuron.exp %x : f32
  %b = neuron.pow %a, %a : f32
  %c = neuron.pow %b, %e : f32
  %d = neuron.sin %c : f32
  %r = neuron.sqrt %d : f32
  %s = neuron.sqrt %r : f32
  scan.yield %s : f32
}
