// The two kernels of a training step print as they were read.
// RUN: flexsn-opt %s | flexsn-opt | FileCheck %s

// CHECK-LABEL: scan.kernel @saves_one_of_two_states forward
// CHECK-NEXT: operands [#scan.operand<"v", checkpoint, f64>]
// CHECK-NEXT: states ["n", "v"]
// CHECK-NEXT: every 16
// CHECK-NEXT: plan "as measured"
// CHECK-NEXT: prologue
scan.kernel @saves_one_of_two_states forward
    operands [#scan.operand<"v", checkpoint, f64>]
    states ["n", "v"]
    every 16
    plan "as measured"
prologue {
  scan.yield
} init {
  %none = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f64
  scan.yield %none, %zero : i32, f64
} step {
^bb0(%n: i32, %v: f64):
  scan.yield %n, %v : i32, f64
}

// A gradient may be carried through a state that nothing needs the value of.
// CHECK-LABEL: scan.kernel @carries_what_is_no_state backward
// CHECK-NEXT: operands [#scan.operand<"n", checkpoint, i32>, #scan.operand<"v", grad_final, f64>, #scan.operand<"v", grad_initial, f64>]
// CHECK-NEXT: states ["n"]
// CHECK-NEXT: every 1
// CHECK-NEXT: truncate 8
// CHECK-NEXT: carried ["v"]
// CHECK-NEXT: sums []
// CHECK-NEXT: prologue
scan.kernel @carries_what_is_no_state backward
    operands [#scan.operand<"n", checkpoint, i32>, #scan.operand<"v", grad_final, f64>,
              #scan.operand<"v", grad_initial, f64>]
    states ["n"]
    every 1
    truncate 8
    carried ["v"]
    sums []
prologue {
  scan.yield
} init {
  %none = arith.constant 0 : i32
  scan.yield %none : i32
} step {
^bb0(%n: i32):
  %one = arith.constant 1 : i32
  %more = arith.addi %n, %one : i32
  %odd = arith.cmpi sgt, %n, %one : i32
  scan.yield %more, %odd : i32, i1
} adjoint {
^bb0(%odd: i1, %g: f64):
  %zero = arith.constant 0.0 : f64
  %before = arith.select %odd, %g, %zero : f64
  scan.yield %before : f64
} init_adjoint {
^bb0(%g: f64):
  scan.yield
} epilogue {
  scan.yield
}
