// A kernel with every role and part prints as it was read, its values under the model's names.
// RUN: flexsn-opt %s | flexsn-opt | FileCheck %s

// CHECK-LABEL: scan.kernel @every_role inference
// CHECK-NEXT: operands [#scan.operand<"tau", param, f32>, #scan.operand<"n", param, i32>, #scan.operand<"w", param, f32, [channel]>, #scan.operand<"u", param, f32, [step, neuron]>, #scan.operand<"x", input, f16>, #scan.operand<"on", input, bool>, #scan.operand<"v", initial, bf16>, #scan.operand<"s", output, i8>, #scan.operand<"v", final, f32>]
// CHECK-NEXT: states ["v", "count"]
// CHECK-NEXT: layout strided
// CHECK-NEXT: schedule #scan.cpu<tile = 2048, width = 8, reason = "as measured">
// CHECK-NEXT: prologue {
// CHECK-NEXT: ^bb0(%tau: f32, %n: i32):
// CHECK-NEXT:   %[[SQUARE:.*]] = arith.mulf %tau, %tau : f32
// CHECK-NEXT:   scan.yield %[[SQUARE]] : f32
// CHECK-NEXT: } site {
// CHECK-NEXT: ^bb0(%tau: f32, %n: i32, %[[SQUARE:.*]]: f32, %w: f32):
// CHECK-NEXT:   %[[RATE:.*]] = arith.divf %w, %[[SQUARE]] : f32
// CHECK-NEXT:   scan.yield %[[RATE]] : f32
// CHECK-NEXT: } init {
// CHECK-NEXT: ^bb0(%tau: f32, %n: i32, %[[SQUARE:.*]]: f32, %[[RATE:.*]]: f32):
// CHECK-NEXT:   scan.yield %[[RATE]], %n : f32, i32
// CHECK-NEXT: } step {
// CHECK-NEXT: ^bb0(%tau: f32, %n: i32, %[[SQUARE:.*]]: f32, %[[RATE:.*]]: f32, %u: f32, %x: f32, %on: i1, %v: f32, %count: i32):
// CHECK-NEXT:   %[[NEW:.*]] = arith.select %on, %x, %u : f32
// CHECK-NEXT:   scan.yield %[[NEW]], %count, %[[RATE]] : f32, i32, f32
scan.kernel @every_role inference
    operands [#scan.operand<"tau", param, f32>, #scan.operand<"n", param, i32>,
              #scan.operand<"w", param, f32, [channel]>, #scan.operand<"u", param, f32, [step, neuron]>,
              #scan.operand<"x", input, f16>, #scan.operand<"on", input, bool>,
              #scan.operand<"v", initial, bf16>, #scan.operand<"s", output, i8>, #scan.operand<"v", final, f32>]
    states ["v", "count"]
    layout strided
    schedule #scan.cpu<tile = 2048, width = 8, reason = "as measured">
prologue {
^bb0(%tau: f32, %n: i32):
  %square = arith.mulf %tau, %tau : f32
  scan.yield %square : f32
} site {
^bb0(%tau: f32, %n: i32, %square: f32, %w: f32):
  %rate = arith.divf %w, %square : f32
  scan.yield %rate : f32
} init {
^bb0(%tau: f32, %n: i32, %square: f32, %rate: f32):
  scan.yield %rate, %n : f32, i32
} step {
^bb0(%tau: f32, %n: i32, %square: f32, %rate: f32, %u: f32, %x: f32, %on: i1, %v: f32, %count: i32):
  %new = arith.select %on, %x, %u : f32
  scan.yield %new, %count, %rate : f32, i32, f32
}

// CHECK-LABEL: scan.kernel @nothing final_state
// CHECK-NEXT: operands []
// CHECK-NEXT: states []
// CHECK-NEXT: prologue {
scan.kernel @nothing final_state operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}

// CHECK-LABEL: scan.kernel @divide inference
// CHECK: ^bb0(%d: f64, %[[RECIPROCAL:.*]]: f64, %[[EXACT:.*]]: i1, %x: f64):
// CHECK-NEXT: %{{.*}} = scan.divide %x by %d reciprocal %[[RECIPROCAL]] exact %[[EXACT]] : f64
scan.kernel @divide inference
    operands [#scan.operand<"d", param, f64>, #scan.operand<"x", input, f64>, #scan.operand<"y", output, f64>]
    states []
prologue {
^bb0(%d: f64):
  %one = arith.constant 1.0 : f64
  %reciprocal = arith.divf %one, %d : f64
  %exact = arith.constant false
  scan.yield %reciprocal, %exact : f64, i1
} init {
^bb0(%d: f64, %reciprocal: f64, %exact: i1):
  scan.yield
} step {
^bb0(%d: f64, %reciprocal: f64, %exact: i1, %x: f64):
  %y = scan.divide %x by %d reciprocal %reciprocal exact %exact : f64
  scan.yield %y : f64
}

// CHECK-LABEL: scan.kernel @on_a_gpu final_state
// CHECK: schedule #scan.cuda<neurons = 4, chunk = 8, threads = 128, blocks = 6, scalar = true, reason = "as measured">
scan.kernel @on_a_gpu final_state operands [] states []
    schedule #scan.cuda<neurons = 4, chunk = 8, threads = 128, blocks = 6, scalar = true, reason = "as measured">
prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
