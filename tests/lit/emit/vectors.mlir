// emit-cpu: how a step's scalar ops stand on vectors.
// RUN: flexsn-opt %s --emit-cpu | FileCheck %s

func.func private @exp(f64) -> f64

// Bools are bytes: any other than 0 is true, true is 1.
// CHECK-LABEL: llvm.func @Bools(
// CHECK: %[[BYTES:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<4xi8>
// CHECK: %[[A:.*]] = arith.cmpi ne, %[[BYTES]], %{{.*}} : vector<4xi8>
// CHECK: %[[NOT:.*]] = arith.xori %[[A]], %{{.*}} : vector<4xi1>
// CHECK: %[[OUT:.*]] = arith.extui %[[NOT]] : vector<4xi1> to vector<4xi8>
// CHECK: llvm.store %[[OUT]], %{{.*}} {alignment = 1 : i64}
scan.kernel @Bools inference operands [#scan.operand<"a", input, bool>, #scan.operand<"y", output, bool>] states []
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%a: i1):
  %true = arith.constant true
  %y = arith.xori %a, %true : i1
  scan.yield %y : i1
}

// A platform function takes one element after the other.
// CHECK-LABEL: llvm.func @Calls(
// CHECK: %[[X:.*]] = llvm.load %{{.*}} -> vector<2xf64>
// CHECK: %[[X0:.*]] = vector.extract %[[X]][0]
// CHECK: %[[Y0:.*]] = func.call @exp(%[[X0]])
// CHECK: vector.insert %[[Y0]], %{{.*}} [0]
// CHECK: vector.extract %[[X]][1]
// CHECK: func.call @exp
scan.kernel @Calls inference operands [#scan.operand<"x", input, f64>, #scan.operand<"y", output, f64>] states []
    schedule #scan.cpu<tile = 1024, width = 2>
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f64):
  %y = func.call @exp(%x) : (f64) -> f64
  scan.yield %y : f64
}

// The then side runs if a lane needs it; the lanes choose.
// CHECK-LABEL: llvm.func @Branch(
// CHECK: %[[C:.*]] = arith.cmpf oge, %{{.*}} : vector<4xf32>
// CHECK: %[[OTHER:.*]] = arith.addf
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[C]] : vector<4xi1> into i1
// CHECK: %[[Y:.*]] = scf.if %[[ANY]] -> (vector<4xf32>)
// CHECK: %[[RARE:.*]] = arith.divf
// CHECK: %[[CHOSEN:.*]] = arith.select %[[C]], %[[RARE]], %[[OTHER]] : vector<4xi1>, vector<4xf32>
// CHECK: scf.yield %[[CHOSEN]]
// CHECK: else
// CHECK: scf.yield %[[OTHER]]
scan.kernel @Branch inference operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>] states []
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  %zero = arith.constant 0.000000e+00 : f32
  %c = arith.cmpf oge, %x, %zero : f32
  %y = scf.if %c -> f32 {
    %rare = arith.divf %x, %zero : f32
    scf.yield %rare : f32
  } else {
    %other = arith.addf %x, %x : f32
    scf.yield %other : f32
  }
  scan.yield %y : f32
}

// An input that the step does not use is not read; a kernel without schedule is not touched.
// CHECK-LABEL: llvm.func @Unused(
// CHECK-NOT: -> vector<4xf32>
// CHECK: scan.kernel @Unscheduled
scan.kernel @Unused inference operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>] states []
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  %y = arith.constant 2.500000e+00 : f32
  scan.yield %y : f32
}
scan.kernel @Unscheduled inference operands [#scan.operand<"x", input, f32>, #scan.operand<"y", output, f32>] states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  scan.yield %x : f32
}
