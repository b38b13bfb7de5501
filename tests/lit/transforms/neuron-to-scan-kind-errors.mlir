// RUN: flexsn-opt %s -verify-diagnostics --neuron-to-scan="kind=sideways"

// expected-error @below {{'sideways' is no kind of kernel that this pass makes}}
module {
}
