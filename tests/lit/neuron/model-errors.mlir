// The rules of a model's frame, each by its label.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics

neuron.model @one_float_type_per_model {
  %x = neuron.input "x" : f32
  // expected-error @below {{has a result of type 'f64' in a model of 'f32' (neuron-1)}}
  %y = neuron.input "y" : f64
}

// -----

neuron.model @no_fast_math {
  %x = neuron.input "x" : f32
  // expected-error @below {{carries fast-math flags (neuron-2)}}
  %y = arith.addf %x, %x fastmath<contract> : f32
}

// -----

neuron.model @names_are_unique {
  %x = neuron.input "x" : f32
  // expected-error @below {{names 'x' a second time (neuron-3)}}
  %y = neuron.input "x" : f32
}

// -----

neuron.model @outputs_are_unique {
  %x = neuron.input "x" : f32
  neuron.output "x" = %x : f32
  // expected-error @below {{names 'x' a second time (neuron-3)}}
  neuron.output "x" = %x : f32
}

// -----

neuron.model @histories_are_unique {
  %x = neuron.input "x" : f32
  neuron.history "x" = %x : f32
  // expected-error @below {{names 'x' a second time (neuron-3)}}
  neuron.history "x" = %x : f32
}

// -----

neuron.model @every_state_goes_on {
  // expected-error @below {{'v' has no neuron.next (neuron-3)}}
  %v = neuron.state "v" : f32 init {
    %zero = arith.constant 0.0 : f32
    neuron.yield %zero : f32
  }
}

// -----

neuron.model @next_names_a_state {
  %x = neuron.input "x" : f32
  // expected-error @below {{names no state: 'v' (neuron-3)}}
  neuron.next "v" = %x : f32
}

// -----

neuron.model @next_has_the_states_type {
  %n = neuron.state "n" : i32 init {
    %zero = arith.constant 0 : i32
    neuron.yield %zero : i32
  }
  %x = neuron.input "x" : f32
  // expected-error @below {{gives 'f32' to the state 'n' of type 'i32' (neuron-3)}}
  neuron.next "n" = %x : f32
}

// -----

neuron.model @prev_needs_a_history {
  // expected-error @below {{looks back on 'x', which has no neuron.history (neuron-3)}}
  %y = neuron.prev "x" ago 1 : f32
}

// -----

neuron.model @delay_needs_a_history_of_its_type {
  %d = neuron.param "d" : f32
  %x = neuron.input "x" : i32
  // expected-error @below {{is of type 'f32', the history of 'x' of 'i32' (neuron-3)}}
  %y = neuron.delay "x" by %d within 4 : f32
  neuron.history "x" = %x : i32
}

// -----

neuron.model @hold_needs_a_refractory {
  %v = neuron.state "v" : f32 init {
    %zero = arith.constant 0.0 : f32
    neuron.yield %zero : f32
  }
  // expected-error @below {{holds by 's', which has no neuron.refractory (neuron-3)}}
  neuron.next "v" = %v hold "s" : f32
}

// -----

neuron.model @dims_have_one_order {
  // expected-error @below {{dims are step, channel, neuron, each at most once and in this order (neuron-4)}}
  %p = neuron.param "p" [neuron, channel] : f32
}

// -----

neuron.model @dims_stand_once {
  // expected-error @below {{dims are step, channel, neuron, each at most once and in this order (neuron-4)}}
  %p = neuron.param "p" [channel, channel] : f32
}

// -----

neuron.model @dims_are_known {
  // expected-error @below {{'batch' is no dim; dims are step, channel, neuron}}
  %p = neuron.param "p" [batch] : f32
}

// -----

neuron.model @initial_value_has_the_states_type {
  // expected-error @below {{init region does not yield one 'f32' (neuron-5)}}
  %v = neuron.state "v" : f32 init {
    %zero = arith.constant 0 : i32
    neuron.yield %zero : i32
  }
  neuron.next "v" = %v : f32
}

// -----

neuron.model @initial_value_reads_no_input {
  %x = neuron.input "x" : f32
  %twice = arith.addf %x, %x : f32
  %v = neuron.state "v" : f32 init {
    // expected-error @below {{in the initial value of 'v' reads more than parameters (neuron-5)}}
    neuron.yield %twice : f32
  }
  neuron.next "v" = %v : f32
}

// -----

neuron.model @initial_value_is_of_no_step {
  %w = neuron.param "w" [step, channel] : f32
  %twice = arith.addf %w, %w : f32
  %v = neuron.state "v" : f32 init {
    // expected-error @below {{in the initial value of 'v' reads more than parameters (neuron-5)}}
    %y = arith.addf %twice, %twice : f32
    neuron.yield %y : f32
  }
  neuron.next "v" = %v : f32
}

// -----

neuron.model @initial_value_has_no_history {
  %v = neuron.state "v" : f32 init {
    // expected-error @below {{cannot stand in an initial value (neuron-5)}}
    %y = neuron.prev "v" ago 1 : f32
    neuron.yield %y : f32
  }
  neuron.next "v" = %v : f32
  neuron.history "v" = %v : f32
}

// -----

neuron.model @int_outputs_are_converted {
  %n = neuron.input "n" : i32
  // expected-error @below {{'n' is an int; convert it to the float type (neuron-6)}}
  neuron.output "n" = %n : i32
}

// -----

// expected-error @below {{expects parent op 'neuron.model'}}
%x = neuron.input "x" : f32

// -----

neuron.model @truncation_is_positive attributes {} {
}

// -----

// expected-error @below {{attribute 'truncate' failed to satisfy constraint}}
"neuron.model"() <{sym_name = "negative_truncation", truncate = -1 : i32}> ({
^bb0:
}) : () -> ()
