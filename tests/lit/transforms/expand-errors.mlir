// Each construct that cannot be compiled yet is refused by its name (neuron-8), all of them in one run.
// RUN: flexsn-opt %s -split-input-file -verify-diagnostics --expand

neuron.model @all_at_once {
  %n = neuron.param "n" : f32
  %dt = neuron.param "dt" : f32
  %x = neuron.input "x" : f32
  %v = neuron.state "v" : f32 init {
    // expected-error @below {{random numbers are parsed and checked, but not compiled yet}}
    %u = neuron.random uniform site 0 : f32
    neuron.yield %u : f32
  }
  // expected-error @below {{values of earlier steps (prev) are parsed and checked, but not compiled yet}}
  %before = neuron.prev "x" ago 1 : f32
  // expected-error @below {{delays are parsed and checked, but not compiled yet}}
  %late = neuron.delay "x" by %n within 4 : f32
  // expected-error @below {{differential equations are parsed and checked, but not compiled yet}}
  %v1 = neuron.ode dt %dt (%y = %v by euler) : f32 {
    // expected-error @below {{random numbers are parsed and checked, but not compiled yet}}
    %noise = neuron.random normal site 1 : f32
    neuron.yield %noise : f32
  }
  %s0 = neuron.spike %v1 atan(%n) : f32
  // expected-error @below {{refractory periods are parsed and checked, but not compiled yet}}
  %s = neuron.refractory "s" of %s0 for %n : f32
  neuron.next "v" = %v1 hold "s" : f32
  neuron.history "x" = %x : f32
  neuron.output "s" = %s : f32
}

// -----

neuron.model @vectors_at_their_declarations {
  // expected-error @below {{vectors are parsed and checked, but not compiled yet}}
  %x = neuron.input "x" : vector<4xf32>
  // expected-error @below {{vectors are parsed and checked, but not compiled yet}}
  %w = neuron.param "w" : vector<4xf32>
  %y = arith.mulf %x, %w : vector<4xf32>
  %sum = neuron.sum %y : vector<4xf32>
  neuron.output "sum" = %sum : f32
}

// -----

neuron.model @vectors_without_a_declaration {
  %x = neuron.input "x" : f32
  // expected-error @below {{vectors are parsed and checked, but not compiled yet}}
  %y = neuron.splat %x : vector<4xf32>
  %z = neuron.exp %y : vector<4xf32>
  %sum = neuron.sum %z : vector<4xf32>
  neuron.output "sum" = %sum : f32
}
