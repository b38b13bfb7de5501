// Of the two kernels of a training step the wanted one stays.
// RUN: flexsn-opt %s --select-kernel="kind=forward" | FileCheck %s
// RUN: not flexsn-opt %s --select-kernel="kind=sideways" 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: 'sideways' is no kind of kernel

// CHECK-NOT: backward
// CHECK: scan.kernel @M_forward forward
// CHECK-NOT: backward
scan.kernel @M_forward forward operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
scan.kernel @M_backward backward operands [] states [] prologue {
  scan.yield
} init {
  scan.yield
} step {
  scan.yield
}
