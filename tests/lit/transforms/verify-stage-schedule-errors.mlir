// RUN: flexsn-opt %s -verify-diagnostics --verify-stage="stage=schedule"

// expected-error @below {{internal error: stage 'schedule' leaves scan.kernel behind}}
scan.kernel @every_kernel_is_scheduled inference operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
