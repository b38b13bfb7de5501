// What single ops refuse.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics

func.func @lane_exists(%x: vector<4xf32>) {
  // expected-error @below {{reads lane 4 of 4}}
  %0 = neuron.lane %x[4] : vector<4xf32>
  return
}

// -----

func.func @whole_powers_are_small(%x: f32) {
  // expected-error @below {{exponent 9 is beyond -8 and 8; use neuron.pow}}
  %0 = neuron.ipow %x, 9 : f32
  return
}

// -----

func.func @ints_have_no_negative_power(%x: i32) {
  // expected-error @below {{has a negative exponent for an int}}
  %0 = neuron.ipow %x, -1 : i32
  return
}

// -----

func.func @bernoulli_has_a_probability() {
  // expected-error @below {{bernoulli needs a probability}}
  %0 = neuron.random bernoulli site 0 : f32
  return
}

// -----

func.func @uniform_has_no_probability(%p: f32) {
  // expected-error @below {{only bernoulli takes a probability}}
  %0 = neuron.random uniform(%p) site 0 : f32
  return
}

// -----

func.func @functions_are_not_for_bools(%x: i1) {
  // expected-error @below {{must be f32 or f64 or a vector of lanes of it}}
  %0 = neuron.exp %x : i1
  return
}

// -----

func.func @methods_are_known(%dt: f32, %v: f32) {
  // expected-error @below {{'rk45' is no integration method}}
  %0 = neuron.ode dt %dt (%y = %v by rk45) : f32 {
    neuron.yield %y : f32
  }
  return
}

// -----

func.func @substeps_are_positive(%dt: f32, %v: f32) {
  // expected-error @below {{has an unknown method or no substep}}
  %0 = neuron.ode dt %dt (%y = %v by euler substeps 0) : f32 {
    neuron.yield %y : f32
  }
  return
}

// -----

func.func @every_state_has_a_type(%dt: f32, %v: f32) {
  // expected-error @below {{has 2 states and 1 types}}
  %0 = neuron.ode dt %dt (%y = %v by euler, %z = %v by euler) : f32 {
    neuron.yield %y : f32
  }
  return
}

// -----

func.func @every_state_has_a_rate(%dt: f32, %v: f32) {
  // expected-error @below {{region does not take the states and yield a rate for each}}
  %0 = neuron.ode dt %dt (%y = %v by euler) : f32 {
    neuron.yield %y, %y : f32, f32
  }
  return
}

// -----

func.func @a_system_has_states(%dt: f32) {
  // expected-error @below {{has no state}}
  "neuron.ode"(%dt) <{methods = array<i32>, substeps = array<i32>}> ({
    "neuron.yield"() : () -> ()
  }) : (f32) -> ()
  return
}

// -----

func.func @methods_for_all_states(%dt: f32, %v: f32) {
  // expected-error @below {{needs a method and a number of substeps for each state}}
  %0 = "neuron.ode"(%dt, %v) <{methods = array<i32>, substeps = array<i32: 1>}> ({
  ^bb0(%y: f32):
    "neuron.yield"(%y) : (f32) -> ()
  }) : (f32, f32) -> f32
  return
}

// -----

func.func @dt_has_the_states_type(%dt: f64, %v: f32) {
  // expected-error @below {{dt is not a scalar of the states' float type}}
  %0 = "neuron.ode"(%dt, %v) <{methods = array<i32: 0>, substeps = array<i32: 1>}> ({
  ^bb0(%y: f32):
    "neuron.yield"(%y) : (f32) -> ()
  }) : (f64, f32) -> f32
  return
}

// -----

func.func @results_have_the_states_types(%dt: f32, %v: f32) {
  // expected-error @below {{results differ in type from the states}}
  %0 = "neuron.ode"(%dt, %v) <{methods = array<i32: 0>, substeps = array<i32: 1>}> ({
  ^bb0(%y: f32):
    "neuron.yield"(%y) : (f32) -> ()
  }) : (f32, f32) -> f64
  return
}

// -----

func.func @surrogate_regions_take_the_arguments(%x: f32) {
  // expected-error @below {{has a region that does not take the arguments}}
  %0 = neuron.surrogate "s"(%x) : (f32) -> f32 value {
  ^bb0(%y: f32, %z: f32):
    neuron.yield %y : f32
  } grad wrt [0] {
  ^bb0(%y: f32):
    neuron.yield %y : f32
  }
  return
}

// -----

func.func @surrogate_value_has_the_results_type(%x: f32) {
  // expected-error @below {{value region does not yield one 'f32'}}
  %0 = neuron.surrogate "s"(%x) : (f32) -> f32 value {
  ^bb0(%y: f32):
    neuron.yield %y, %y : f32, f32
  } grad wrt [0] {
  ^bb0(%y: f32):
    neuron.yield %y : f32
  }
  return
}

// -----

func.func @surrogate_gradients_match_wrt(%x: f32) {
  // expected-error @below {{grad region does not yield one value of the argument's type for each in wrt}}
  %0 = neuron.surrogate "s"(%x) : (f32) -> f32 value {
  ^bb0(%y: f32):
    neuron.yield %y : f32
  } grad wrt [] {
  ^bb0(%y: f32):
    neuron.yield %y : f32
  }
  return
}

// -----

func.func @surrogate_wrt_names_arguments_once(%x: f32) {
  // expected-error @below {{wrt does not name each argument at most once}}
  %0 = neuron.surrogate "s"(%x) : (f32) -> f32 value {
  ^bb0(%y: f32):
    neuron.yield %y : f32
  } grad wrt [0, 0] {
  ^bb0(%y: f32):
    neuron.yield %y, %y : f32, f32
  }
  return
}

// -----

func.func @surrogate_primitive_has_the_results_type(%x: f32) {
  // expected-error @below {{primitive region does not yield one 'f32'}}
  %0 = neuron.surrogate "s"(%x) : (f32) -> f32 value {
  ^bb0(%y: f32):
    neuron.yield %y : f32
  } grad wrt [0] {
  ^bb0(%y: f32):
    neuron.yield %y : f32
  } primitive {
  ^bb0(%y: f32):
    neuron.yield
  }
  return
}

// -----

func.func @spikes_have_the_type_of_their_operand(%x: f32) -> f32 {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = "neuron.spike"(%x, %x) <{surrogate = "atan"}> : (f32, f32) -> f64
  return %x : f32
}
