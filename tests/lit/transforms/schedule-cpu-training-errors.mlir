// RUN: flexsn-opt %s -verify-diagnostics --pass-pipeline="builtin.module(scan.kernel(schedule-cpu))"

// expected-error @below {{a backward kernel has no schedule before it has an adjoint}}
scan.kernel @too_early backward operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
