// A model becomes the kernel that was asked for.
// RUN: flexsn-opt %s --neuron-to-scan="kind=inference initial=v final=u,v" | FileCheck %s
// RUN: flexsn-opt %s --neuron-to-scan="kind=backward initial=v final=u grad-final=v grad-input=x grad-initial=v grad-param=k" | FileCheck %s --check-prefix=PAIR
// RUN: flexsn-opt %s --neuron-to-scan="kind=forward int8=s" | FileCheck %s --check-prefix=BYTES
// RUN: sed /neuron.output/d %s | flexsn-opt --neuron-to-scan="kind=final_state final=v" | FileCheck %s --check-prefix=FINAL

// CHECK-LABEL: scan.kernel @two_states_inference inference
// CHECK-NEXT: operands [#scan.operand<"k", param, f32>, #scan.operand<"n", param, i32>, #scan.operand<"x", input, f32>, #scan.operand<"on", input, bool>, #scan.operand<"v", initial, f32>, #scan.operand<"fires", output, bool>, #scan.operand<"s", output, f32>, #scan.operand<"u", final, f32>, #scan.operand<"v", final, f32>]
// CHECK-NEXT: states ["v", "u"]
// CHECK-NEXT: prologue {
// CHECK-NEXT: ^bb0(%k: f32, %n: i32):
// CHECK-NEXT:   scan.yield
// CHECK-NEXT: } init {
// CHECK-NEXT: ^bb0(%k: f32, %n: i32):
// A parameter's transform is computed in `init` too, once for all states.
// CHECK-NEXT:   %[[W:.*]] = neuron.sigmoid %k : f32
// CHECK-NEXT:   %[[TWICE:.*]] = arith.addf %[[W]], %[[W]] : f32
// CHECK-NEXT:   scan.yield %[[W]], %[[TWICE]] : f32, f32
// CHECK-NEXT: } step {
// CHECK-NEXT: ^bb0(%k: f32, %n: i32, %x: f32, %on: i1, %v: f32, %u: f32):
// CHECK-NEXT:   %[[W:.*]] = neuron.sigmoid %k : f32
// CHECK-NEXT:   %[[H:.*]] = arith.mulf %x, %[[W]] : f32
// What steers gradients alone is gone, and a surrogate is its value.
// CHECK-NEXT:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %[[ABOVE:.*]] = arith.cmpf oge, %[[H]], %[[ZERO]] : f32
// CHECK-NEXT:   %[[S:.*]] = arith.uitofp %[[ABOVE]] : i1 to f32
// CHECK-NEXT:   %[[V:.*]] = arith.subf %[[H]], %[[S]] : f32
// CHECK-NEXT:   scan.yield %[[V]], %u, %on, %[[S]] : f32, f32, i1, f32

// FINAL-LABEL: scan.kernel @two_states_final_state final_state
// FINAL-NEXT: operands [#scan.operand<"k", param, f32>, #scan.operand<"n", param, i32>, #scan.operand<"x", input, f32>, #scan.operand<"on", input, bool>, #scan.operand<"v", final, f32>]
// FINAL: } step {
// FINAL: scan.yield %{{.*}}, %u : f32, f32

// Both kernels of a training step, whichever is asked for. A bool has no gradient, and the final states that are written
// are the forward's.
// PAIR-LABEL: scan.kernel @two_states_forward forward
// PAIR-NEXT: operands [{{.*}}#scan.operand<"v", initial, f32>, #scan.operand<"fires", output, bool>, #scan.operand<"s", output, f32>, #scan.operand<"u", final, f32>]
// PAIR-NOT: neuron.surrogate
// PAIR-LABEL: scan.kernel @two_states_backward backward
// PAIR-NEXT: operands [{{.*}}#scan.operand<"v", initial, f32>, #scan.operand<"s", grad_output, f32>, #scan.operand<"v", grad_final, f32>, #scan.operand<"x", grad_input, f32>, #scan.operand<"v", grad_initial, f32>, #scan.operand<"k", grad_param, f32>]
// PAIR: neuron.detach
// PAIR: neuron.surrogate
// PAIR-NOT: neuron.model

// Nor has what is stored as bytes.
// BYTES-LABEL: scan.kernel @two_states_forward forward
// BYTES: #scan.operand<"s", output, i8>
// BYTES-LABEL: scan.kernel @two_states_backward backward
// BYTES-NOT: grad_output
// BYTES: states
neuron.model @two_states {
  %k = neuron.param "k" : f32
  %n = neuron.param "n" : i32
  %w = neuron.sigmoid %k : f32
  %x = neuron.input "x" : f32
  %on = neuron.input "on" : i1
  %v = neuron.state "v" : f32 init {
    neuron.yield %w : f32
  }
  %u = neuron.state "u" : f32 init {
    %twice = arith.addf %w, %w : f32
    neuron.yield %twice : f32
  }
  %h = arith.mulf %x, %w : f32
  %d = neuron.detach %h : f32
  %g = neuron.gscale %d, %w : f32
  %s = neuron.surrogate "step"(%g) : (f32) -> f32 value {
  ^bb0(%y: f32):
    %zero = arith.constant 0.0 : f32
    %above = arith.cmpf oge, %y, %zero : f32
    %value = arith.uitofp %above : i1 to f32
    neuron.yield %value : f32
  } grad wrt [0] {
  ^bb0(%y: f32):
    neuron.yield %y : f32
  }
  %v1 = arith.subf %h, %s : f32
  neuron.next "u" = %u : f32
  neuron.output "fires" = %on : i1
  neuron.next "v" = %v1 : f32
  neuron.output "s" = %s : f32
}
