// RUN: flexsn-opt %s -verify-diagnostics --neuron-to-scan="kind=backward"

// expected-error @below {{'backward' is no kind of kernel that this pass makes}}
module {
}
