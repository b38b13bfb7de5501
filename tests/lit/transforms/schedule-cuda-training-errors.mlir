// RUN: flexsn-opt %s -verify-diagnostics --pass-pipeline="builtin.module(scan.kernel(schedule-cuda))"

// expected-error @below {{training kernels (forward and backward) are not compiled for GPUs yet}}
scan.kernel @training forward operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
