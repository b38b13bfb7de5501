// RUN: flexsn-opt --divide-by-invariants %s | FileCheck %s
// RUN: flexsn-opt --divide-by-invariants --hoist-invariants %s | FileCheck %s --check-prefix=HOISTED

// A parameter: its reciprocal and whether that is exact are asked for beside the division, and move to the prologue.
// CHECK-LABEL: scan.kernel @Param
// CHECK: } step {
// CHECK: %[[ROUNDED:.*]] = arith.divf %{{.*}}, %tau : f32
// CHECK: %[[ERROR:.*]] = math.fma %[[ROUNDED]], %tau, %{{.*}} : f32
// CHECK: %[[INSIDE:.*]] = arith.andi
// CHECK: %[[UNROUNDED:.*]] = arith.cmpf oeq, %[[ERROR]], %{{.*}} : f32
// CHECK: %[[EXACT:.*]] = arith.andi %[[INSIDE]], %[[UNROUNDED]] : i1
// CHECK: %[[RECIPROCAL:.*]] = arith.select %[[INSIDE]], %[[ROUNDED]], %{{.*}} : f32
// CHECK: scan.divide %x by %tau reciprocal %[[RECIPROCAL]] exact %[[EXACT]] : f32
// HOISTED-LABEL: scan.kernel @Param
// HOISTED: arith.divf
// HOISTED: scan.yield %{{.*}}, %{{.*}} : i1, f32
// HOISTED: } step {
// HOISTED-NOT: arith.divf
// HOISTED: scan.divide %x by %tau
scan.kernel @Param inference
    operands [#scan.operand<"tau", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
    states []
prologue {
^bb0(%tau: f32):
  scan.yield
} init {
^bb0(%tau: f32):
  scan.yield
} step {
^bb0(%tau: f32, %x: f32):
  %y = arith.divf %x, %tau : f32
  scan.yield %y : f32
}

// What follows from parameters and constants is as good; two divisions by it share one reciprocal in the prologue.
// HOISTED-LABEL: scan.kernel @Derived
// HOISTED: arith.divf
// HOISTED-NOT: arith.divf
// HOISTED: } step {
// HOISTED: scan.divide %x by %[[D:.*]] reciprocal %[[R:.*]] exact %[[E:.*]] : f64
// HOISTED: scan.divide %{{.*}} by %[[D]] reciprocal %[[R]] exact %[[E]] : f64
scan.kernel @Derived inference
    operands [#scan.operand<"tau", param, f64>, #scan.operand<"x", input, f64>, #scan.operand<"y", output, f64>]
    states []
prologue {
^bb0(%tau: f64):
  scan.yield
} init {
^bb0(%tau: f64):
  scan.yield
} step {
^bb0(%tau: f64, %x: f64):
  %three = arith.constant 3.0 : f64
  %d = arith.mulf %tau, %three : f64
  %a = arith.divf %x, %d : f64
  %b = arith.divf %a, %d : f64
  scan.yield %b : f64
}

// A power of two among the constants: a product. Its inverse must be a normal number.
// CHECK-LABEL: scan.kernel @Constants
// CHECK: %[[QUARTER:.*]] = arith.constant -2.500000e-01 : f32
// CHECK: %[[A:.*]] = arith.mulf %x, %[[QUARTER]] : f32
// CHECK: %[[INEXACT:.*]] = arith.constant false
// CHECK: %[[THIRD:.*]] = arith.constant 0.333333343 : f32
// CHECK: %[[B:.*]] = scan.divide %[[A]] by %{{.*}} reciprocal %[[THIRD]] exact %[[INEXACT]] : f32
// CHECK: %[[C:.*]] = arith.divf %[[B]], %{{.*}} : f32
// CHECK: arith.divf %[[C]], %{{.*}} : f32
scan.kernel @Constants inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  %four = arith.constant -4.0 : f32
  %three = arith.constant 3.0 : f32
  %minus = arith.constant -3.0 : f32
  %zero = arith.constant 0.0 : f32
  %a = arith.divf %x, %four : f32
  %b = arith.divf %a, %three : f32
  %c = arith.divf %b, %minus : f32
  %d = arith.divf %c, %zero : f32
  scan.yield %d : f32
}

// Neither a quotient of two invariants, which is one itself, nor one by a value of the step.
// CHECK-LABEL: scan.kernel @Others
// CHECK: } step {
// CHECK-NOT: scan.divide
// HOISTED-LABEL: scan.kernel @Others
scan.kernel @Others inference
    operands [#scan.operand<"tau", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
    states []
prologue {
^bb0(%tau: f32):
  scan.yield
} init {
^bb0(%tau: f32):
  scan.yield
} step {
^bb0(%tau: f32, %x: f32):
  %one = arith.constant 1.0 : f32
  %rate = arith.divf %one, %tau : f32
  %y = arith.divf %rate, %x : f32
  scan.yield %y : f32
}

// On the way back as on the way forward; an invariant of a filled prologue is a divisor like a parameter.
// CHECK-LABEL: scan.kernel @Adjoint
// CHECK: } step {
// CHECK: scan.divide %x by %{{.*}} reciprocal
// CHECK: } adjoint {
// CHECK: scan.divide %{{.*}} by %{{.*}} reciprocal
// CHECK-NEXT: scan.yield
// CHECK: } init_adjoint {
scan.kernel @Adjoint backward
    operands [#scan.operand<"tau", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>,
              #scan.operand<"x", grad_input, f32>]
    states []
    carried []
    sums []
prologue {
^bb0(%tau: f32):
  %d = arith.addf %tau, %tau : f32
  scan.yield %d : f32
} init {
^bb0(%tau: f32, %d: f32):
  scan.yield
} step {
^bb0(%tau: f32, %d: f32, %x: f32):
  %q = arith.divf %x, %d : f32
  scan.yield %q : f32
} adjoint {
^bb0(%tau: f32, %d: f32, %x: f32, %q: f32, %g: f32):
  %p = arith.mulf %g, %q : f32
  %gx = arith.divf %p, %d : f32
  scan.yield %gx : f32
} init_adjoint {
^bb0(%tau: f32, %d: f32):
  scan.yield
} epilogue {
^bb0(%tau: f32):
  scan.yield
}
