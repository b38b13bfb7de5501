// RUN: flexsn-opt %s -verify-diagnostics --neuron-to-scan="data=f64"

// expected-error @below {{'f64' is no narrower storage of floats}}
module {
}
