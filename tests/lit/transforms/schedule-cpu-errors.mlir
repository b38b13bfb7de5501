// RUN: flexsn-opt %s -verify-diagnostics --pass-pipeline="builtin.module(scan.kernel(schedule-cpu{vector-bits=96}))"

// expected-error @below {{vector-bits 96 is no power of two up to 2048}}
scan.kernel @odd_registers inference operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
