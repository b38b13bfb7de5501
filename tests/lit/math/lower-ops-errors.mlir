// RUN: flexsn-opt %s --lower-ops --split-input-file --verify-diagnostics

func.func @lanesAreGoneByNow(%x: vector<4xf32>) -> f32 {
  // expected-error@+1 {{has no form in a kernel}}
  %r = neuron.sum %x : vector<4xf32>
  return %r : f32
}

// -----

// expected-error@+1 {{has the name of the platform function 'exp'}}
func.func @exp(%x: f32) -> f32 {
  return %x : f32
}
func.func @callsThePlatform(%x: f64) -> f64 {
  %r = neuron.exp %x : f64
  return %r : f64
}
