// emit-cpu: 16-bit floats are integers in memory and float32 in registers; int8 outputs saturate.
// RUN: flexsn-opt %s --emit-cpu | FileCheck %s
// RUN: flexsn-opt %s --emit-cpu=half-instructions | FileCheck %s --check-prefix=NATIVE

// CHECK-LABEL: llvm.func @Narrow(
// CHECK: %[[BITS:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<4xi16>
// CHECK: %[[WIDE:.*]] = arith.extui %[[BITS]] : vector<4xi16> to vector<4xi32>
// CHECK: arith.shli %[[WIDE]]
// CHECK: %[[X:.*]] = arith.bitcast %{{.*}} : vector<4xi32> to vector<4xf32>
// CHECK: %[[Y:.*]] = arith.addf %[[X]], %[[X]] : vector<4xf32>
// No conversion of floats is left to the target: it may lack one, or flush what is small.
// CHECK-NOT: arith.truncf
// CHECK-NOT: arith.extf
// CHECK: arith.bitcast %[[Y]] : vector<4xf32> to vector<4xi32>
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : vector<4xi16>
// CHECK: arith.cmpf uno, %[[Y]], %[[Y]]
// CHECK: arith.fptosi %{{.*}} : vector<4xf32> to vector<4xi32>
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : vector<4xi8>

// With instructions for float16, bfloat16 stays integer arithmetic.
// NATIVE-LABEL: llvm.func @Narrow(
// NATIVE-NOT: arith.extf
// NATIVE: %[[HALF:.*]] = arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
// NATIVE: arith.bitcast %[[HALF]] : vector<4xf16> to vector<4xi16>
// NATIVE: llvm.return
scan.kernel @Narrow inference
    operands [#scan.operand<"x", input, bf16>, #scan.operand<"y", output, f16>, #scan.operand<"n", output, i8>] states []
    schedule #scan.cpu<tile = 1024, width = 4>
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32):
  %y = arith.addf %x, %x : f32
  scan.yield %y, %y : f32, f32
}
