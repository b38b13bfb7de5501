// A product in a sum or difference becomes part of an fma; nothing else does.
// RUN: flexsn-opt %s --contract --verify-stage="stage=contract" | FileCheck %s

// CHECK-LABEL: neuron.model @sums_and_differences
neuron.model @sums_and_differences {
  %a = neuron.input "a" : f32
  %b = neuron.input "b" : f32
  %c = neuron.input "c" : f32
  // CHECK: %[[SUM:.*]] = math.fma %a, %b, %c : f32
  %p0 = arith.mulf %a, %b : f32
  %s0 = arith.addf %p0, %c : f32
  // CHECK-NEXT: %[[SWAPPED:.*]] = math.fma %a, %b, %c : f32
  %p1 = arith.mulf %a, %b : f32
  %s1 = arith.addf %c, %p1 : f32
  // CHECK-NEXT: %[[MINUS_C:.*]] = arith.negf %c : f32
  // CHECK-NEXT: %[[LESS:.*]] = math.fma %a, %b, %[[MINUS_C]] : f32
  %p2 = arith.mulf %a, %b : f32
  %s2 = arith.subf %p2, %c : f32
  // CHECK-NEXT: %[[MINUS_A:.*]] = arith.negf %a : f32
  // CHECK-NEXT: %[[FROM:.*]] = math.fma %[[MINUS_A]], %b, %c : f32
  %p3 = arith.mulf %a, %b : f32
  %s3 = arith.subf %c, %p3 : f32
  neuron.output "s0" = %s0 : f32
  neuron.output "s1" = %s1 : f32
  neuron.output "s2" = %s2 : f32
  neuron.output "s3" = %s3 : f32
}

// CHECK-LABEL: neuron.model @of_two_products_the_left_one
neuron.model @of_two_products_the_left_one {
  %a = neuron.input "a" : f32
  %b = neuron.input "b" : f32
  // CHECK: %[[RIGHT:.*]] = arith.mulf %b, %b : f32
  // CHECK-NEXT: %{{.*}} = math.fma %a, %a, %[[RIGHT]] : f32
  %left = arith.mulf %a, %a : f32
  %right = arith.mulf %b, %b : f32
  %sum = arith.addf %left, %right : f32
  neuron.output "sum" = %sum : f32
}

// Whether a product is also asked for must not change the sum: kernels of one model compute the same.
// CHECK-LABEL: neuron.model @a_product_with_two_uses_is_computed_beside
neuron.model @a_product_with_two_uses_is_computed_beside {
  %a = neuron.input "a" : f32
  // CHECK: %[[P:.*]] = arith.mulf %a, %a : f32
  %p = arith.mulf %a, %a : f32
  // CHECK-NEXT: math.fma %a, %a, %a : f32
  %s = arith.addf %p, %a : f32
  // CHECK: neuron.output "p" = %[[P]]
  neuron.output "p" = %p : f32
  neuron.output "s" = %s : f32
}

// CHECK-LABEL: neuron.model @a_product_less_itself_is_nothing
neuron.model @a_product_less_itself_is_nothing {
  %a = neuron.input "a" : f32
  // CHECK: %[[P:.*]] = arith.mulf %a, %a : f32
  %p = arith.mulf %a, %a : f32
  // CHECK-NEXT: arith.subf %[[P]], %[[P]] : f32
  %s = arith.subf %p, %p : f32
  neuron.output "s" = %s : f32
}

// CHECK-LABEL: neuron.model @a_product_added_to_itself_stays
neuron.model @a_product_added_to_itself_stays {
  %a = neuron.input "a" : f32
  // CHECK: %[[P:.*]] = arith.mulf %a, %a : f32
  %p = arith.mulf %a, %a : f32
  // CHECK-NEXT: arith.addf %[[P]], %[[P]] : f32
  %s = arith.addf %p, %p : f32
  neuron.output "s" = %s : f32
}

// CHECK-LABEL: neuron.model @ints_stay
neuron.model @ints_stay {
  %i = neuron.input "i" : i32
  // CHECK: arith.muli
  %p = arith.muli %i, %i : i32
  // CHECK: arith.addi
  %s = arith.addi %p, %i : i32
  %f = arith.sitofp %s : i32 to f32
  neuron.output "f" = %f : f32
}

// CHECK-LABEL: neuron.model @initial_values_too
neuron.model @initial_values_too {
  %k = neuron.param "k" : f32
  // CHECK: neuron.state "v" : f32 init {
  // CHECK-NEXT: math.fma %k, %k, %k : f32
  %v = neuron.state "v" : f32 init {
    %p = arith.mulf %k, %k : f32
    %s = arith.addf %p, %k : f32
    neuron.yield %s : f32
  }
  neuron.next "v" = %v : f32
}

// CHECK-LABEL: neuron.model @the_value_of_a_surrogate_and_not_its_gradient
neuron.model @the_value_of_a_surrogate_and_not_its_gradient {
  %x = neuron.input "x" : f32
  // CHECK: value {
  // CHECK: math.fma
  // CHECK: grad
  // CHECK: arith.mulf
  // CHECK: arith.addf
  %s = neuron.surrogate "s"(%x) : (f32) -> f32 value {
  ^bb0(%y: f32):
    %p = arith.mulf %y, %y : f32
    %v = arith.addf %p, %y : f32
    neuron.yield %v : f32
  } grad wrt [0] {
  ^bb0(%y: f32):
    %p = arith.mulf %y, %y : f32
    %g = arith.addf %p, %y : f32
    neuron.yield %g : f32
  }
  neuron.output "s" = %s : f32
}
