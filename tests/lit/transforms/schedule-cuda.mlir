// Neurons, chunk and blocks follow from the width of the sequences, the states and inputs, and the registers.
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(scan.kernel(schedule-cuda))" | FileCheck %s
// RUN: flexsn-opt %s --pass-pipeline="builtin.module(scan.kernel(schedule-cuda{scalar=true}))" | FileCheck %s --check-prefix=SCALAR

// CHECK-LABEL: scan.kernel @one_state_of_floats
// CHECK: schedule #scan.cuda<neurons = 4, chunk = 8, threads = 128, blocks = 6, reason = "4 neighbours of 4 bytes are 16 bytes of an access; the loads of 8 steps are under way at once; about 59 of 80 registers for 6 blocks of 128 threads a multiprocessor">
// SCALAR-LABEL: scan.kernel @one_state_of_floats
// SCALAR: schedule #scan.cuda<neurons = 4, chunk = 8, threads = 128, blocks = 6, scalar = true, reason = "4 neurons a thread, a warp's width apart;
scan.kernel @one_state_of_floats inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"v", output, f32>] states ["v"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %v: f32):
  %v1 = arith.addf %v, %x : f32
  scan.yield %v1, %v1 : f32, f32
}

// CHECK-LABEL: scan.kernel @halves
// CHECK: schedule #scan.cuda<neurons = 8, chunk = 4, threads = 128, blocks = 6,
// SCALAR-LABEL: scan.kernel @halves
// SCALAR: schedule #scan.cuda<neurons = 4, chunk = 8, threads = 128, blocks = 6,
scan.kernel @halves inference
    operands [#scan.operand<"x", input, bf16>, #scan.operand<"v", output, bf16>] states ["v"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%x: f32, %v: f32):
  %v1 = arith.addf %v, %x : f32
  scan.yield %v1, %v1 : f32, f32
}

// CHECK-LABEL: scan.kernel @two_states_of_doubles
// CHECK: schedule #scan.cuda<neurons = 2, chunk = 4, threads = 128, blocks = 4,
scan.kernel @two_states_of_doubles inference
    operands [#scan.operand<"x", input, f64>, #scan.operand<"v", output, f64>] states ["v", "w"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f64
  scan.yield %zero, %zero : f64, f64
} step {
^bb0(%x: f64, %v: f64, %w: f64):
  %v1 = arith.addf %v, %x : f64
  scan.yield %v1, %w, %v1 : f64, f64, f64
}

// Many steps of many functions would take long to compile; the input that no step reads costs nothing.
// CHECK-LABEL: scan.kernel @many_functions
// CHECK: schedule #scan.cuda<neurons = 2, chunk = 1, threads = 128, blocks = 6, reason = "2 neighbours of 4 bytes are 8 bytes of an access; about {{.*}}; the rule's 4 neurons and 8 steps at once would be too long a program">
scan.kernel @many_functions inference
    operands [#scan.operand<"x", input, f32>, #scan.operand<"unread", input, f32>, #scan.operand<"y", output, f32>]
    states []
prologue {
  scan.yield
} init {
  scan.yield
} step {
^bb0(%x: f32, %unread: f32):
  %a = neuron.exp %x : f32
  %b = neuron.sin %a : f32
  %c = neuron.pow %b, %x : f32
  %d = neuron.erf %c : f32
  %e = neuron.tanh %d : f32
  %f = neuron.exp %e : f32
  %g = neuron.atan %f : f32
  scan.yield %g : f32
}

// A step that divides by what the launch brings has two loops; that of divisions takes fewer steps at once.
// CHECK-LABEL: scan.kernel @divisions
// CHECK: schedule #scan.cuda<neurons = 4, chunk = 8, threads = 128, blocks = 6, dividing = 4, reason = "4 neighbours of 4 bytes are 16 bytes of an access; the loads of 8 steps are under way at once; 4 steps at once where a divisor's reciprocal is not exact; about
scan.kernel @divisions inference
    operands [#scan.operand<"d", param, f32>, #scan.operand<"x", input, f32>, #scan.operand<"v", output, f32>]
    states ["v"]
prologue {
^bb0(%d: f32):
  %one = arith.constant 1.0 : f32
  %reciprocal = arith.divf %one, %d : f32
  %exact = arith.constant false
  scan.yield %reciprocal, %exact : f32, i1
} init {
^bb0(%d: f32, %reciprocal: f32, %exact: i1):
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%d: f32, %reciprocal: f32, %exact: i1, %x: f32, %v: f32):
  %y = scan.divide %x by %d reciprocal %reciprocal exact %exact : f32
  %v1 = arith.addf %v, %y : f32
  scan.yield %v1, %v1 : f32, f32
}

// Nobody loads anything.
// CHECK-LABEL: scan.kernel @no_input
// CHECK: reason = "4 neighbours of 4 bytes are 16 bytes of an access; no input is read; about
scan.kernel @no_input inference operands [#scan.operand<"v", output, f32>] states ["v"]
prologue {
  scan.yield
} init {
  %zero = arith.constant 0.0 : f32
  scan.yield %zero : f32
} step {
^bb0(%v: f32):
  %one = arith.constant 1.0 : f32
  %v1 = arith.addf %v, %one : f32
  scan.yield %v1, %v1 : f32, f32
}
