// lower-ops: one function per op that it takes, and what is left of it.
// RUN: flexsn-opt %s --lower-ops | FileCheck %s
// RUN: flexsn-opt %s --lower-ops=fused-instructions | FileCheck %s --check-prefix=FUSED
// RUN: flexsn-opt %s --lower-ops='fused-instructions refined-divisions=0' | FileCheck %s --check-prefix=MANY

// No op of the neuron dialect is left.
// CHECK-NOT: neuron.

// Platform functions are declared in front, in the order of their names.
// CHECK: func.func private @expm1(f64) -> f64
// CHECK: func.func private @pow(f64, f64) -> f64

// CHECK-LABEL: @spikeFiresAtZero
func.func @spikeFiresAtZero(%x: f32, %alpha: f32) -> f32 {
  // CHECK: arith.cmpf oge, %arg0
  // CHECK: arith.select
  %s = neuron.spike %x atan(%alpha) : f32
  return %s : f32
}

// CHECK-LABEL: @strictSpikeFiresAboveZero
func.func @strictSpikeFiresAboveZero(%x: f32, %alpha: f32) -> f32 {
  // CHECK: arith.cmpf ogt, %arg0
  %s = neuron.spike %x atan(%alpha) strict : f32
  return %s : f32
}

// CHECK-LABEL: @quantIsRoundOfClip
func.func @quantIsRoundOfClip(%x: f32, %low: f32, %high: f32) -> f32 {
  // CHECK: %[[MAX:.*]] = arith.maximumf %arg0, %arg1
  // CHECK: %[[MIN:.*]] = arith.minimumf %[[MAX]], %arg2
  // CHECK: math.roundeven %[[MIN]]
  %r = neuron.quant %x, %low, %high : f32
  return %r : f32
}

// CHECK-LABEL: @gradientControlIsItsOperand
func.func @gradientControlIsItsOperand(%x: f32, %k: f32, %c: i1) -> (f32, f32, i1) {
  // CHECK-NEXT: return %arg0, %arg0, %arg2
  %a = neuron.detach %x : f32
  %b = neuron.gscale %x, %k : f32
  %d = neuron.detach %c : i1
  return %a, %b, %d : f32, f32, i1
}

// CHECK-LABEL: @surrogateIsItsValueRegion
func.func @surrogateIsItsValueRegion(%x: f32) -> f32 {
  // CHECK: %[[S:.*]] = arith.maximumf
  // CHECK-NEXT: %[[R:.*]] = arith.addf %[[S]], %arg0
  // CHECK-NEXT: return %[[R]]
  %s = neuron.surrogate "ramp"(%x) : (f32) -> f32 value {
  ^bb0(%y: f32):
    %inner = neuron.surrogate "inner"(%y) : (f32) -> f32 value {
    ^bb0(%z: f32):
      %m = neuron.relu %z : f32
      neuron.yield %m : f32
    } grad wrt [0] {
    ^bb0(%z: f32):
      neuron.yield %z : f32
    }
    %sum = arith.addf %inner, %y : f32
    neuron.yield %sum : f32
  } grad wrt [0] {
  ^bb0(%y: f32):
    %g = neuron.exp %y : f32
    neuron.yield %g : f32
  }
  return %s : f32
}

// Saturation stands in front of the conversion: arith.fptosi sees numbers inside the int's range alone.
// CHECK-LABEL: @toIntSaturates
func.func @toIntSaturates(%x: f32) -> i32 {
  // CHECK-DAG: arith.cmpf oge, %arg0
  // CHECK-DAG: arith.cmpf olt, %arg0
  // CHECK-DAG: arith.cmpf une, %arg0, %arg0
  // CHECK: %[[INSIDE:.*]] = arith.select
  // CHECK: arith.fptosi %[[INSIDE]]
  %i = neuron.to_int %x : f32
  return %i : i32
}

// CHECK-LABEL: @intPowerIsProductsFromTheLeft
func.func @intPowerIsProductsFromTheLeft(%x: f32) -> f32 {
  // CHECK: %[[TWO:.*]] = arith.mulf %arg0, %arg0
  // CHECK: %[[THREE:.*]] = arith.mulf %[[TWO]], %arg0
  // CHECK: arith.divf %{{.*}}, %[[THREE]]
  %r = neuron.ipow %x, -3 : f32
  return %r : f32
}

// The divisor is never 0, nor -1 under the smallest int.
// CHECK-LABEL: @intDivisionIsDefined
func.func @intDivisionIsDefined(%x: i32, %y: i32) -> (i32, i32) {
  // CHECK: %[[SAFE:.*]] = arith.select
  // CHECK: arith.divsi %arg0, %[[SAFE]]
  // CHECK-NOT: arith.remsi
  %q = neuron.floordiv %x, %y : i32
  %r = neuron.remainder %x, %y : i32
  return %q, %r : i32, i32
}

// CHECK-LABEL: @floatRemainder
func.func @floatRemainder(%x: f64, %y: f64) -> (f64, f64, f64) {
  // CHECK: arith.remf %arg0, %arg1
  // CHECK: arith.remf %arg0, %arg1
  // CHECK: math.floor
  // CHECK: math.copysign
  // CHECK: arith.remf %arg0, %arg1
  %m = neuron.fmod %x, %y : f64
  %q = neuron.floordiv %x, %y : f64
  %r = neuron.remainder %x, %y : f64
  return %m, %q, %r : f64, f64, f64
}

// float32 functions are arithmetic; no function of math decides their bits.
// CHECK-LABEL: @expIsArithmetic
func.func @expIsArithmetic(%x: f32) -> f32 {
  // CHECK-NOT: math.exp
  // CHECK-COUNT-10: math.fma
  // CHECK-NOT: call
  // CHECK: return
  %r = neuron.exp %x : f32
  return %r : f32
}

// The large angles' reduction is computed only where it is needed.
// CHECK-LABEL: @sineBranchesOnLargeAngles
func.func @sineBranchesOnLargeAngles(%x: f32) -> f32 {
  // CHECK: %[[LARGE:.*]] = arith.cmpf oge, %{{.*}}, %{{.*}} : f32
  // CHECK: scf.if %[[LARGE]] -> (f32, f32, i32)
  %r = neuron.sin %x : f32
  return %r : f32
}

// On lanes one lane that needs it is enough; each lane still chooses by itself.
// CHECK-LABEL: @lanesBranchTogether
func.func @lanesBranchTogether(%x: vector<4xf32>) -> vector<4xf32> {
  // CHECK: %[[LARGE:.*]] = arith.cmpf oge, %{{.*}}, %{{.*}} : vector<4xf32>
  // CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[LARGE]]
  // CHECK: scf.if %[[ANY]]
  // CHECK: arith.select %[[LARGE]]
  %r = neuron.sin %x : vector<4xf32>
  return %r : vector<4xf32>
}

// CHECK-LABEL: @doublesCallThePlatform
func.func @doublesCallThePlatform(%x: f64, %y: f64) -> f64 {
  // CHECK: %[[A:.*]] = call @pow(%arg0, %arg1) : (f64, f64) -> f64
  // CHECK: return %[[A]]
  %r = neuron.pow %x, %y : f64
  return %r : f64
}

// CHECK-LABEL: @lanesCallOneByOne
func.func @lanesCallOneByOne(%x: vector<2xf64>) -> vector<2xf64> {
  // CHECK: vector.extract %arg0[0]
  // CHECK: call @expm1
  // CHECK: vector.insert
  // CHECK: vector.extract %arg0[1]
  // CHECK: call @expm1
  // CHECK: vector.insert
  %r = neuron.expm1 %x : vector<2xf64>
  return %r : vector<2xf64>
}

// A division by an invariant: the product where the reciprocal is exact, else a true division.
// CHECK-LABEL: scan.kernel @divide
// CHECK: %[[Q:.*]] = scf.if %arg1 -> (f32) {
// CHECK:   arith.mulf %x, %arg0
// CHECK: } else {
// CHECK:   arith.divf %x, %d
// CHECK: scan.yield %[[Q]]
// With fused multiply-adds it is refined, and divided where that could be wrong.
// FUSED-LABEL: scan.kernel @divide
// FUSED: scf.if %arg1 -> (f32) {
// FUSED:   arith.mulf %x, %arg0
// FUSED: } else {
// FUSED:   %[[GUESS:.*]] = arith.mulf %x, %arg0
// FUSED-COUNT-4: math.fma
// FUSED:   scf.if %{{.*}} -> (f32) {
// FUSED:     arith.divf %x, %d
// MANY-LABEL: scan.kernel @divide
// MANY-NOT: math.fma
// MANY: arith.divf
scan.kernel @divide inference
    operands [#scan.operand<"d", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>]
    states []
prologue {
^bb0(%d: f32):
  %exact = arith.constant true
  scan.yield %d, %exact : f32, i1
} init {
^bb0(%d: f32, %r: f32, %exact: i1):
  scan.yield
} step {
^bb0(%d: f32, %r: f32, %exact: i1, %x: f32):
  %y = scan.divide %x by %d reciprocal %r exact %exact : f32
  scan.yield %y : f32
}
