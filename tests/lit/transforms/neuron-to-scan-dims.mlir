// Params with dims come in the order of what they vary with; those of neurons go through `site`.
// RUN: flexsn-opt %s --neuron-to-scan="kind=inference final=v" | FileCheck %s

// CHECK-LABEL: scan.kernel @shaped_inference inference
// CHECK-NEXT: operands [#scan.operand<"a", param, f32>, #scan.operand<"b", param, f32, [channel]>, #scan.operand<"n", param, i32, [neuron]>, #scan.operand<"c", param, f32, [step]>, #scan.operand<"d", param, f32, [step, neuron]>, #scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>, #scan.operand<"v", final, f32>]
// CHECK-NEXT: states ["v"]
// CHECK-NEXT: prologue {
// CHECK-NEXT: ^bb0(%a: f32):
// CHECK-NEXT:   scan.yield
// CHECK-NEXT: } site {
// CHECK-NEXT: ^bb0(%a: f32, %b: f32, %n: i32):
// CHECK-NEXT:   scan.yield %b, %n : f32, i32
// CHECK-NEXT: } init {
// CHECK-NEXT: ^bb0(%a: f32, %[[B:.*]]: f32, %[[N:.*]]: i32):
// CHECK-NEXT:   %[[START:.*]] = arith.mulf %a, %[[B]] : f32
// CHECK-NEXT:   scan.yield %[[START]] : f32
// CHECK-NEXT: } step {
// CHECK-NEXT: ^bb0(%a: f32, %[[B:.*]]: f32, %[[N:.*]]: i32, %c: f32, %d: f32, %x: f32, %v: f32):
// CHECK-NEXT:   %[[REAL:.*]] = arith.sitofp %[[N]] : i32 to f32
// CHECK-NEXT:   %[[A:.*]] = arith.mulf %x, %c : f32
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[A]], %d : f32
// CHECK-NEXT:   %[[T:.*]] = arith.mulf %[[S]], %[[REAL]] : f32
// CHECK-NEXT:   %[[U:.*]] = arith.mulf %[[T]], %[[B]] : f32
// CHECK-NEXT:   scan.yield %[[U]], %[[U]] : f32, f32
neuron.model @shaped {
  %c = neuron.param "c" [step] : f32
  %b = neuron.param "b" [channel] learnable : f32
  %a = neuron.param "a" : f32
  %d = neuron.param "d" [step, neuron] : f32
  %n = neuron.param "n" [neuron] : i32
  %x = neuron.input "x" : f32
  %v = neuron.state "v" : f32 init {
    %start = arith.mulf %a, %b : f32
    neuron.yield %start : f32
  }
  %real = arith.sitofp %n : i32 to f32
  %1 = arith.mulf %x, %c : f32
  %2 = arith.addf %1, %d : f32
  %3 = arith.mulf %2, %real : f32
  %4 = arith.mulf %3, %b : f32
  neuron.next "v" = %4 : f32
  neuron.output "y" = %4 : f32
}
