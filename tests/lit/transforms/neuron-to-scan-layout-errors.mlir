// RUN: flexsn-opt %s -verify-diagnostics --neuron-to-scan="layout=diagonal"

// expected-error @below {{'diagonal' is no layout of operands}}
module {
}
