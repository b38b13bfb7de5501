// The storage of an operand follows from its type, unless the request has another one for sequences.
// RUN: flexsn-opt %s --neuron-to-scan | FileCheck %s
// RUN: sed 's/f64/f32/g' %s | flexsn-opt --neuron-to-scan="data=bf16 int8=n initial=v final=v layout=strided" | FileCheck %s --check-prefix=NARROW

// CHECK-LABEL: scan.kernel @every_storage_inference inference
// CHECK-NEXT: operands [#scan.operand<"x", input, f64>, #scan.operand<"i", input, i32>, #scan.operand<"b", output, bool>, #scan.operand<"x", output, f64>, #scan.operand<"n", output, f64>]
// CHECK-NEXT: states ["v"]
// CHECK-NEXT: prologue
// States are stored as they are computed.
// NARROW: operands [#scan.operand<"x", input, bf16>, #scan.operand<"i", input, i32>, #scan.operand<"v", initial, f32>, #scan.operand<"b", output, bool>, #scan.operand<"x", output, bf16>, #scan.operand<"n", output, i8>, #scan.operand<"v", final, f32>]
// NARROW-NEXT: states ["v"]
// NARROW-NEXT: layout strided
neuron.model @every_storage {
  %x = neuron.input "x" : f64
  %i = neuron.input "i" : i32
  %v = neuron.state "v" : f64 init {
    %zero = arith.constant 0.000000e+00 : f64
    neuron.yield %zero : f64
  }
  %b = arith.cmpf ogt, %x, %v : f64
  %n = arith.sitofp %i : i32 to f64
  neuron.next "v" = %x : f64
  neuron.output "b" = %b : i1
  neuron.output "x" = %x : f64
  neuron.output "n" = %n : f64
}
