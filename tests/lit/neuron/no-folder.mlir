// A function of a constant is not folded: a host's libm must not decide bits (neuron-7).
// RUN: flexsn-opt %s --canonicalize --sccp | FileCheck %s

// CHECK-LABEL: func.func @functions_of_constants_stay
func.func @functions_of_constants_stay() -> (f32, f32, f32, f32) {
  // CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
  %one = arith.constant 1.0 : f32
  // CHECK: %[[EXP:.*]] = neuron.exp %[[ONE]] : f32
  %exp = neuron.exp %one : f32
  // CHECK: %[[SQRT:.*]] = neuron.sqrt %[[ONE]] : f32
  %sqrt = neuron.sqrt %one : f32
  // CHECK: %[[POWER:.*]] = neuron.ipow %[[ONE]], 2 : f32
  %power = neuron.ipow %one, 2 : f32
  // CHECK: %[[MIN:.*]] = neuron.min %[[ONE]], %[[ONE]] : f32
  %min = neuron.min %one, %one : f32
  // CHECK: return %[[EXP]], %[[SQRT]], %[[POWER]], %[[MIN]]
  return %exp, %sqrt, %power, %min : f32, f32, f32, f32
}
