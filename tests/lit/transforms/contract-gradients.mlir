// Of a backward kernel the gradients alone are contracted, not what is computed of the step again.
// RUN: flexsn-opt %s --contract | FileCheck %s

// CHECK-LABEL: scan.kernel @Gradients
// CHECK: prologue {
// CHECK-NOT: math.fma
// CHECK: } adjoint {
// CHECK-NEXT: ^bb0(%k: f32, %[[I:.*]]: f32, %[[X:.*]]: f32, %[[KEPT:.*]]: f32, %[[G:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[X]], %[[KEPT]] : f32
// CHECK-NEXT: %[[H:.*]] = arith.addf %[[P]], %[[I]] : f32
// CHECK-NEXT: %[[GX:.*]] = math.fma %[[G]], %[[H]], %[[G]] : f32
// A product of the step, though only a gradient reads the sum.
// CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-NEXT: %[[GK:.*]] = arith.addf %[[Q]], %[[GX]] : f32
// CHECK-NEXT: scan.yield %[[GX]], %[[GK]] : f32, f32
// CHECK-NEXT: } init_adjoint {
// CHECK-NOT: math.fma
// CHECK: } epilogue {
// CHECK-NEXT: ^bb0(%k: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT: %[[GRAD:.*]] = math.fma %[[SUM]], %k, %[[SUM]] : f32
// CHECK-NEXT: scan.yield %[[GRAD]] : f32
scan.kernel @Gradients backward
    operands [#scan.operand<"k", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>,
              #scan.operand<"x", grad_input, f32>, #scan.operand<"k", grad_param, f32>]
    states []
    carried []
    sums [0]
prologue {
^bb0(%k: f32):
  %p = arith.mulf %k, %k : f32
  %i = arith.addf %p, %k : f32
  scan.yield %i : f32
} init {
^bb0(%k: f32, %i: f32):
  scan.yield
} step {
^bb0(%k: f32, %i: f32, %x: f32):
  %p = arith.mulf %x, %k : f32
  %h = arith.addf %p, %i : f32
  scan.yield %h : f32
} adjoint {
^bb0(%k: f32, %i: f32, %x: f32, %kept: f32, %g: f32):
  %p = arith.mulf %x, %kept : f32
  %h = arith.addf %p, %i : f32
  %gh = arith.mulf %g, %h : f32
  %gx = arith.addf %gh, %g : f32
  %q = arith.mulf %x, %x : f32
  %gk = arith.addf %q, %gx : f32
  scan.yield %gx, %gk : f32, f32
} init_adjoint {
^bb0(%k: f32, %i: f32):
  %p = arith.mulf %k, %i : f32
  %s = arith.addf %p, %i : f32
  scan.yield %s : f32
} epilogue {
^bb0(%k: f32, %sum: f32):
  %p = arith.mulf %sum, %k : f32
  %grad = arith.addf %p, %sum : f32
  scan.yield %grad : f32
}
