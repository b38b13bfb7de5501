// Scalar ops of a kernel's region, cloned onto vectors: one lane, one neuron.
#pragma once

#include <mlir/IR/Builders.h>
#include <mlir/IR/IRMapping.h>

namespace flexsn::cpu {

/// The vector of `width` elements of a scalar type.
mlir::VectorType vectorOf(mlir::Type scalar, unsigned width);

/// `scalar` in every lane.
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location location, mlir::Value scalar, unsigned width);

/// Clones the ops of `block`, but for its terminator, onto vectors of `width` lanes. `values` maps what the block reads
/// to vectors, and receives what it computes. An op without a vector form is an error at its location.
mlir::LogicalResult cloneOntoVectors(mlir::OpBuilder &builder, mlir::Block &block, unsigned width,
                                     mlir::IRMapping &values);

} // namespace flexsn::cpu
