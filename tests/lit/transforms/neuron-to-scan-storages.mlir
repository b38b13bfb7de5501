// The storage of an operand follows from its type.
// RUN: flexsn-opt %s --neuron-to-scan | FileCheck %s

// CHECK-LABEL: scan.kernel @every_storage_inference inference
// CHECK-NEXT: operands [#scan.operand<"x", input, f64>, #scan.operand<"i", input, i32>, #scan.operand<"b", output, bool>, #scan.operand<"x", output, f64>]
neuron.model @every_storage {
  %x = neuron.input "x" : f64
  %i = neuron.input "i" : i32
  %b = arith.cmpf ogt, %x, %x : f64
  neuron.output "b" = %b : i1
  neuron.output "x" = %x : f64
}
