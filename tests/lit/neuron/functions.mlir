// Every function of the language prints as it was read.
// RUN: flexsn-opt %s | flexsn-opt | FileCheck %s

// CHECK-LABEL: func.func @functions_of_one_float
func.func @functions_of_one_float(%x: f32) {
  // CHECK: neuron.abs %{{.*}} : f32
  %abs = neuron.abs %x : f32
  // CHECK: neuron.sqrt %{{.*}} : f32
  %sqrt = neuron.sqrt %x : f32
  // CHECK: neuron.rsqrt %{{.*}} : f32
  %rsqrt = neuron.rsqrt %x : f32
  // CHECK: neuron.exp %{{.*}} : f32
  %exp = neuron.exp %x : f32
  // CHECK: neuron.expm1 %{{.*}} : f32
  %expm1 = neuron.expm1 %x : f32
  // CHECK: neuron.exprel %{{.*}} : f32
  %exprel = neuron.exprel %x : f32
  // CHECK: neuron.log %{{.*}} : f32
  %log = neuron.log %x : f32
  // CHECK: neuron.log1p %{{.*}} : f32
  %log1p = neuron.log1p %x : f32
  // CHECK: neuron.log2 %{{.*}} : f32
  %log2 = neuron.log2 %x : f32
  // CHECK: neuron.sin %{{.*}} : f32
  %sin = neuron.sin %x : f32
  // CHECK: neuron.cos %{{.*}} : f32
  %cos = neuron.cos %x : f32
  // CHECK: neuron.tan %{{.*}} : f32
  %tan = neuron.tan %x : f32
  // CHECK: neuron.tanh %{{.*}} : f32
  %tanh = neuron.tanh %x : f32
  // CHECK: neuron.atan %{{.*}} : f32
  %atan = neuron.atan %x : f32
  // CHECK: neuron.sinh %{{.*}} : f32
  %sinh = neuron.sinh %x : f32
  // CHECK: neuron.cosh %{{.*}} : f32
  %cosh = neuron.cosh %x : f32
  // CHECK: neuron.asin %{{.*}} : f32
  %asin = neuron.asin %x : f32
  // CHECK: neuron.acos %{{.*}} : f32
  %acos = neuron.acos %x : f32
  // CHECK: neuron.erf %{{.*}} : f32
  %erf = neuron.erf %x : f32
  // CHECK: neuron.erfc %{{.*}} : f32
  %erfc = neuron.erfc %x : f32
  // CHECK: neuron.sigmoid %{{.*}} : f32
  %sigmoid = neuron.sigmoid %x : f32
  // CHECK: neuron.softplus %{{.*}} : f32
  %softplus = neuron.softplus %x : f32
  // CHECK: neuron.relu %{{.*}} : f32
  %relu = neuron.relu %x : f32
  // CHECK: neuron.floor %{{.*}} : f32
  %floor = neuron.floor %x : f32
  // CHECK: neuron.ceil %{{.*}} : f32
  %ceil = neuron.ceil %x : f32
  // CHECK: neuron.round %{{.*}} : f32
  %round = neuron.round %x : f32
  // CHECK: neuron.trunc %{{.*}} : f32
  %trunc = neuron.trunc %x : f32
  // CHECK: neuron.sign %{{.*}} : f32
  %sign = neuron.sign %x : f32
  // CHECK: %[[NAN:.*]] = neuron.isnan %{{.*}} : f32
  %isnan = neuron.isnan %x : f32
  // CHECK: arith.extui %[[NAN]] : i1 to i32
  %int = arith.extui %isnan : i1 to i32
  return
}

// CHECK-LABEL: func.func @functions_of_several_doubles
func.func @functions_of_several_doubles(%x: f64, %y: f64, %z: f64) {
  // CHECK: neuron.min %{{.*}}, %{{.*}} : f64
  %min = neuron.min %x, %y : f64
  // CHECK: neuron.max %{{.*}}, %{{.*}} : f64
  %max = neuron.max %x, %y : f64
  // CHECK: neuron.clip %{{.*}}, %{{.*}}, %{{.*}} : f64
  %clip = neuron.clip %x, %y, %z : f64
  // CHECK: neuron.atan2 %{{.*}}, %{{.*}} : f64
  %atan2 = neuron.atan2 %x, %y : f64
  // CHECK: neuron.pow %{{.*}}, %{{.*}} : f64
  %pow = neuron.pow %x, %y : f64
  // CHECK: neuron.fmod %{{.*}}, %{{.*}} : f64
  %fmod = neuron.fmod %x, %y : f64
  return
}

// CHECK-LABEL: func.func @arithmetic_beyond_arith
func.func @arithmetic_beyond_arith(%x: f32, %y: f32, %i: i32, %j: i32) {
  // CHECK: neuron.floordiv %{{.*}}, %{{.*}} : f32
  %0 = neuron.floordiv %x, %y : f32
  // CHECK: neuron.remainder %{{.*}}, %{{.*}} : i32
  %1 = neuron.remainder %i, %j : i32
  // CHECK: neuron.ipow %{{.*}}, -3 : f32
  %2 = neuron.ipow %x, -3 : f32
  // CHECK: neuron.ipow %{{.*}}, 2 : i32
  %3 = neuron.ipow %i, 2 : i32
  // CHECK: %[[INT:.*]] = neuron.to_int %{{.*}} : f32
  %4 = neuron.to_int %x : f32
  // CHECK: arith.addi %[[INT]], %{{.*}} : i32
  %5 = arith.addi %4, %i : i32
  return
}

// CHECK-LABEL: func.func @ints_where_the_language_has_them
func.func @ints_where_the_language_has_them(%i: i32, %j: i32) {
  // CHECK: neuron.abs %{{.*}} : i32
  %0 = neuron.abs %i : i32
  // CHECK: neuron.min %{{.*}}, %{{.*}} : i32
  %1 = neuron.min %i, %j : i32
  // CHECK: neuron.max %{{.*}}, %{{.*}} : i32
  %2 = neuron.max %i, %j : i32
  // CHECK: neuron.clip %{{.*}}, %{{.*}}, %{{.*}} : i32
  %3 = neuron.clip %i, %j, %j : i32
  // CHECK: neuron.sign %{{.*}} : i32
  %4 = neuron.sign %i : i32
  // CHECK: neuron.relu %{{.*}} : i32
  %5 = neuron.relu %i : i32
  return
}

// CHECK-LABEL: func.func @lanes
func.func @lanes(%x: vector<4xf32>, %y: vector<4xf32>) {
  // CHECK: neuron.exp %{{.*}} : vector<4xf32>
  %0 = neuron.exp %x : vector<4xf32>
  // CHECK: neuron.isnan %{{.*}} : vector<4xf32>
  %1 = neuron.isnan %x : vector<4xf32>
  // CHECK: neuron.to_int %{{.*}} : vector<4xf32>
  %2 = neuron.to_int %x : vector<4xf32>
  // CHECK: neuron.sum %{{.*}} : vector<4xf32>
  %3 = neuron.sum %x : vector<4xf32>
  // CHECK: neuron.dot %{{.*}}, %{{.*}} : vector<4xf32>
  %4 = neuron.dot %x, %y : vector<4xf32>
  // CHECK: %[[LANE:.*]] = neuron.lane %{{.*}}[3] : vector<4xf32>
  %5 = neuron.lane %x[3] : vector<4xf32>
  // CHECK: neuron.splat %[[LANE]] : vector<4xf32>
  %6 = neuron.splat %5 : vector<4xf32>
  return
}
