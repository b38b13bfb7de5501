// A backward kernel: what is wanted has its gradients, and nothing else is computed.
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(neuron-to-scan{kind=backward grad-input=x grad-param=tau,raw_k,v0 grad-final=v},simplify,scan.kernel(hoist-invariants,differentiate),simplify)" | FileCheck %s
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(neuron-to-scan{kind=backward grad-param=raw_k},simplify,scan.kernel(hoist-invariants,differentiate),simplify)" | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: scan.kernel @Leaky_backward
// CHECK: operands [{{.*}}#scan.operand<"x", input, f32>, #scan.operand<"y", grad_output, f32>, #scan.operand<"v", grad_final, f32>, #scan.operand<"x", grad_input, f32>, #scan.operand<"tau", grad_param, f32>, #scan.operand<"raw_k", grad_param, f32>, #scan.operand<"v0", grad_param, f32>]
// The state w is never read by an output: its gradient is not carried. sigmoid(raw_k) is invariant number 3.
// CHECK: carried ["v"]
// CHECK: sums [0, 2, 3]
// CHECK: step {
// CHECK: scan.yield %{{.*}}, %{{.*}}, %v, %w : f32, f32, f32, f32
// CHECK: } adjoint {
// CHECK-NEXT: ^bb0(%tau: f32, %raw_k: f32, %v0: f32, %[[K:.*]]: f32, %[[X:.*]]: f32, %[[V:.*]]: f32, %{{.*}}: f32, %[[GY:.*]]: f32, %[[GV:.*]]: f32):
// CHECK-NEXT: %[[D:.*]] = arith.subf %[[X]], %[[V]]
// CHECK-NEXT: %[[Q:.*]] = arith.divf %[[D]], %tau
// CHECK-NEXT: %[[G:.*]] = arith.addf %[[GY]], %[[GV]]
// CHECK-NEXT: %[[GQ:.*]] = arith.mulf %[[G]], %[[K]]
// CHECK-NEXT: %[[GK:.*]] = arith.mulf %[[G]], %[[Q]]
// CHECK-NEXT: %[[GX:.*]] = arith.divf %[[GQ]], %tau
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[GX]], %[[Q]]
// CHECK-NEXT: %[[GTAU:.*]] = arith.negf %[[P]]
// CHECK-NEXT: %[[M:.*]] = arith.negf %[[GX]]
// CHECK-NEXT: %[[GOLD:.*]] = arith.addf %[[G]], %[[M]]
// CHECK-NEXT: %[[NONE:.*]] = arith.constant -0.0
// CHECK-NEXT: scan.yield %[[GX]], %[[GOLD]], %[[GTAU]], %[[NONE]], %[[GK]]
// CHECK: } init_adjoint {
// CHECK-NEXT: ^bb0(%tau: f32, %raw_k: f32, %v0: f32, %{{.*}}: f32, %[[G0:.*]]: f32):
// CHECK: scan.yield %{{.*}}, %[[G0]], %{{.*}} : f32, f32, f32
// The sum of k's gradients goes through the sigmoid once.
// CHECK: } epilogue {
// CHECK-NEXT: ^bb0(%tau: f32, %raw_k: f32, %v0: f32, %[[STAU:.*]]: f32, %[[SV0:.*]]: f32, %[[SK:.*]]: f32):
// CHECK-NEXT: %[[S:.*]] = neuron.sigmoid %raw_k
// CHECK: %[[SLOPE:.*]] = arith.mulf %{{.*}}, %[[S]]
// CHECK-NEXT: %[[RAW:.*]] = arith.mulf %[[SK]], %[[SLOPE]]
// CHECK-NEXT: scan.yield %[[STAU]], %[[RAW]], %[[SV0]]

// ONE-LABEL: scan.kernel @Leaky_backward
// ONE: carried ["v"]
// ONE: sums [3]
// ONE: } adjoint {
// ONE: scan.yield %{{.*}}, %{{.*}} : f32, f32
// ONE-NEXT: } init_adjoint {
neuron.model @Leaky {
  %x = neuron.input "x" : f32
  %tau = neuron.param "tau" : f32
  %raw = neuron.param "raw_k" : f32
  %v0 = neuron.param "v0" : f32
  %v = neuron.state "v" : f32 init {
    neuron.yield %v0 : f32
  }
  %w = neuron.state "w" : f32 init {
    neuron.yield %v0 : f32
  }
  %k = neuron.sigmoid %raw : f32
  %d = arith.subf %x, %v : f32
  %q = arith.divf %d, %tau : f32
  %p = arith.mulf %q, %k : f32
  %h = arith.addf %v, %p : f32
  %w1 = arith.addf %w, %h : f32
  neuron.next "v" = %h : f32
  neuron.next "w" = %w1 : f32
  neuron.output "y" = %h : f32
}
