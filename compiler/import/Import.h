// From the checked model and a request to the neuron dialect.
#pragma once

#include "compiler/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace flexsn {

/// Reports what `request` wants and `model` does not have: names of outputs and states (with the nearest one), names
/// wanted twice, outputs of a final-state kernel, data types that no kernel computes in, defaults that a compute type
/// cannot hold. False if anything was reported.
bool checkRequest(const Model &model, const Request &request, Diagnostics &diagnostics);

/// A module with one neuron.model: the step in text order, in the request's compute type, with the wanted outputs.
/// Every op has its place in the text as a file-line-column range; what the text gives a name carries it (NameLoc). The
/// request has passed `checkRequest`. Null, and a finding, for a model that grows beyond all limits, or has a constant
/// that the compute type cannot hold.
mlir::OwningOpRef<mlir::ModuleOp> importModel(const Model &model, const Request &request, mlir::MLIRContext &context,
                                              Diagnostics &diagnostics);

} // namespace flexsn
