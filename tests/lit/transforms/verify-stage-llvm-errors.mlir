// RUN: flexsn-opt %s -verify-diagnostics --verify-stage="stage=llvm"

// expected-error @below {{internal error: stage 'llvm' leaves func.func behind}}
func.func @llvm_leaves_no_function_of_another_dialect() {
  return
}
