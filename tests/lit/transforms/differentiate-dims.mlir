// Gradients of params with dims: those of neurons by sums over steps that go through `site_adjoint`, those of steps by
// `adjoint`, step by step. A param of one value that `site` reads has its part there too.
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(neuron-to-scan{kind=backward grad-input=x grad-param=g,w,raw_a,b},scan.kernel(hoist-invariants,hoist-site-values,differentiate))" | FileCheck %s
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(neuron-to-scan{kind=backward grad-input=x},scan.kernel(hoist-invariants,hoist-site-values,differentiate))" | FileCheck %s --check-prefix=NONE

// In the order of the params' variation, whatever was asked for first.
// CHECK-LABEL: scan.kernel @Gated_backward
// CHECK-NEXT: operands
// CHECK-SAME: "x", grad_input, f32>, #scan.operand<"g", grad_param, f32>
// CHECK-SAME: "raw_a", grad_param, f32, [channel]>, #scan.operand<"b", grad_param, f32, [neuron]>
// CHECK-SAME: "w", grad_param, f32, [step, channel]>
// CHECK: carried ["v"]
// CHECK: sums [0]
// CHECK: } adjoint {
// CHECK-NEXT: ^bb0(%g: f32, %[[B:.*]]: f32, %[[GA:.*]]: f32, %[[W:.*]]: f32, %[[X:.*]]: f32, %[[V:.*]]: f32, %[[GY:.*]]: f32, %[[GNEXT:.*]]: f32):
// CHECK: %[[GV1:.*]] = arith.addf %[[GY]], %[[GNEXT]]
// CHECK-NEXT: %[[GX:.*]] = arith.mulf %[[GV1]], %[[W]]
// CHECK-NEXT: %[[GW:.*]] = arith.mulf %[[GV1]], %[[X]]
// CHECK-NEXT: %[[GV:.*]] = arith.mulf %[[GV1]], %[[GA]]
// CHECK-NEXT: %[[OFGA:.*]] = arith.mulf %[[GV1]], %[[V]]
// What changes no sum is -0.
// CHECK: %[[NOTHING:.*]] = arith.constant -0.0
// CHECK: scan.yield %[[GW]], %[[GX]], %[[GV]], %{{.*}}, %{{.*}}, %[[OFGA]]
// CHECK: } init_adjoint {
// CHECK-NEXT: ^bb0(%g: f32, %{{.*}}: f32, %{{.*}}: f32, %[[G0:.*]]: f32):
// CHECK: scan.yield %{{.*}}, %[[G0]], %{{.*}}
// CHECK: } site_adjoint {
// CHECK-NEXT: ^bb0(%[[G:.*]]: f32, %[[RAW:.*]]: f32, %{{.*}}: f32, %[[SUMB:.*]]: f32, %[[SUMGA:.*]]: f32):
// CHECK-NEXT: %[[A:.*]] = neuron.sigmoid %[[RAW]]
// CHECK: %[[OFG:.*]] = arith.mulf %[[SUMGA]], %[[A]]
// CHECK-NEXT: %[[OFA:.*]] = arith.mulf %[[SUMGA]], %[[G]]
// CHECK: %[[OFRAW:.*]] = arith.mulf %[[OFA]], %{{.*}}
// CHECK-NEXT: scan.yield %[[OFRAW]], %[[SUMB]], %[[OFG]]
// CHECK: } epilogue {
// CHECK-NEXT: ^bb0(%g: f32, %[[SUMG:.*]]: f32):
// CHECK-NEXT: scan.yield %[[SUMG]] : f32

// Nothing is added up where no such gradient is wanted.
// NONE-LABEL: scan.kernel @Gated_backward
// NONE: sums []
// NONE: } site_adjoint {
// NONE-NEXT: ^bb0(%g: f32, %{{.*}}: f32, %{{.*}}: f32):
// NONE: scan.yield{{$}}
neuron.model @Gated {
  %x = neuron.input "x" : f32
  %g = neuron.param "g" : f32
  %raw = neuron.param "raw_a" [channel] : f32
  %b = neuron.param "b" [neuron] : f32
  %w = neuron.param "w" [step, channel] : f32
  %v = neuron.state "v" : f32 init {
    neuron.yield %b : f32
  }
  %a = neuron.sigmoid %raw : f32
  %ga = arith.mulf %g, %a : f32
  %d = arith.mulf %v, %ga : f32
  %xw = arith.mulf %x, %w : f32
  %v1 = arith.addf %d, %xw : f32
  neuron.next "v" = %v1 : f32
  neuron.output "y" = %v1 : f32
}
