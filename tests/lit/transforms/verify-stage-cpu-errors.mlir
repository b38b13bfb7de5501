// RUN: flexsn-opt %s -verify-diagnostics --verify-stage="stage=cpu"

// expected-error @below {{internal error: stage 'cpu' leaves scan.kernel behind}}
scan.kernel @cpu_leaves_no_kernel inference operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
