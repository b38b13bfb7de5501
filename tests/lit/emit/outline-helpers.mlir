// outline-helpers: what takes several operations is called, in the order of first use; what takes one stays.
// RUN: flexsn-opt %s --outline-helpers | FileCheck %s
// RUN: flexsn-opt %s --outline-helpers --lower-ops="keep-divisions=true" --simplify | FileCheck %s --check-prefix=LOWER

// CHECK: func.func private @exp.f32(%[[X:.*]]: f32) -> f32 {
// CHECK-NEXT: %[[E:.*]] = neuron.exp %[[X]] : f32
// CHECK-NEXT: return %[[E]] : f32
// CHECK: func.func private @spike.f32(%[[X:.*]]: f32) -> f32 {
// CHECK-NEXT: neuron.spike %[[X]] atan() : f32
// CHECK: func.func private @strict_spike.f32(%{{.*}}: f32) -> f32 {
// CHECK-NEXT: neuron.spike %{{.*}} atan() strict : f32
// CHECK: func.func private @power3.f32(
// CHECK: func.func private @inverse_power2.f32(
// CHECK: func.func private @min.i32(
// CHECK-NOT: func.func

// CHECK-LABEL: scan.kernel @Step
// CHECK: %[[A:.*]] = func.call @exp.f32(%x) : (f32) -> f32
// CHECK: func.call @exp.f32(%[[A]])
// CHECK: neuron.sqrt
// CHECK: neuron.min %{{.*}} : f32
// CHECK: func.call @spike.f32(%{{.*}}) : (f32) -> f32
// CHECK: func.call @strict_spike.f32(
// CHECK: neuron.ipow %{{.*}}, 2
// CHECK: func.call @power3.f32(
// CHECK: func.call @inverse_power2.f32(
// CHECK: func.call @min.i32(
// CHECK: scan.divide

// LOWER: func.func private @spike.f32(%[[X:.*]]: f32) -> f32 {
// LOWER: %[[FIRES:.*]] = arith.cmpf oge, %[[X]], %{{.*}} : f32
// LOWER-NEXT: {{.*}} = arith.constant
// LOWER: arith.select %[[FIRES]]
// LOWER-LABEL: scan.kernel @Step
// LOWER: math.sqrt
// LOWER: arith.minimumf
// LOWER: arith.mulf %[[M:.*]], %[[M]] : f32
// LOWER: scan.divide
scan.kernel @Step inference
    operands [#scan.operand<"k", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
    states ["n"]
prologue {
^bb0(%k: f32):
  %true = arith.constant true
  scan.yield %k, %true : f32, i1
} init {
^bb0(%k: f32, %r: f32, %exact: i1):
  %zero = arith.constant 0 : i32
  scan.yield %zero : i32
} step {
^bb0(%k: f32, %r: f32, %exact: i1, %x: f32, %n: i32):
  %alpha = arith.constant 2.0 : f32
  %a = neuron.exp %x : f32
  %b = neuron.exp %a : f32
  %c = neuron.sqrt %b : f32
  %m = neuron.min %c, %x : f32
  %s = neuron.spike %m atan(%alpha) : f32
  %t = neuron.spike %s atan(%alpha) strict : f32
  %p = neuron.ipow %m, 2 : f32
  %q = neuron.ipow %p, 3 : f32
  %u = neuron.ipow %q, -2 : f32
  %i = neuron.min %n, %n : i32
  %v = arith.addf %u, %t : f32
  %y = scan.divide %v by %k reciprocal %r exact %exact : f32
  scan.yield %i, %y : i32, f32
}

// A float64 function is the platform's, called where it stands; one that is made of it is a helper.
// CHECK: func.func private @sigmoid.f64(
// CHECK-LABEL: scan.kernel @Doubles
// CHECK: neuron.exp %{{.*}} : f64
// CHECK: func.call @sigmoid.f64(
scan.kernel @Doubles inference
    operands [#scan.operand<"x", input, f64>, #scan.operand<"y", output, f64>] states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f64):
  %a = neuron.exp %x : f64
  %b = neuron.sigmoid %a : f64
  scan.yield %b : f64
}
