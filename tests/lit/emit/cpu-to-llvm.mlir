// cpu-to-llvm: the LLVM dialect alone, and nothing that the code generator would contract.
// RUN: flexsn-opt %s --lower-ops --emit-cpu --cpu-to-llvm | FileCheck %s

// CHECK-NOT: fastmath
// CHECK-NOT: fmuladd
// CHECK-NOT: scf.
// CHECK-NOT: arith.
// CHECK-NOT: unrealized_conversion_cast

// CHECK: llvm.func @sin(f64) -> f64
// CHECK-LABEL: llvm.func @Mixed(
// CHECK: llvm.fmul %{{.*}} : vector<4xf64>
// CHECK: llvm.fadd %{{.*}} : vector<4xf64>
// CHECK: llvm.intr.fma(%{{.*}}) : (vector<4xf64>, vector<4xf64>, vector<4xf64>) -> vector<4xf64>
// CHECK: llvm.call @sin
scan.kernel @Mixed inference operands [#scan.operand<"x", input, f64>, #scan.operand<"y", output, f64>] states []
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f64):
  %product = arith.mulf %x, %x : f64
  %sum = arith.addf %product, %x : f64
  %fused = math.fma %sum, %x, %x : f64
  %y = neuron.sin %fused : f64
  scan.yield %y : f64
}
