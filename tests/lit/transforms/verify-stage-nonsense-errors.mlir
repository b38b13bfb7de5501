// RUN: flexsn-opt %s -verify-diagnostics --verify-stage="stage=nonsense"

// expected-error @below {{'nonsense' is no stage of the pipeline}}
module {
}
