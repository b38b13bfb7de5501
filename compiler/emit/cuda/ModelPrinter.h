// A kernel's regions as one C++ struct: what the skeletons of templates/ take as Model.
#pragma once

#include "compiler/emit/cuda/CodeText.h"
#include "compiler/emit/cuda/Names.h"
#include "dialects/Scan/Scan.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>

namespace flexsn::cuda {

/// The C++ type of an element in memory: float, double, int, f16, bf16, int8, bool8.
llvm::StringRef storedType(scan::Storage storage);
/// That of a value of the step's that lies in memory as it is.
llvm::StringRef storedType(mlir::Type type);

/// What the printed code needs of templates/.
struct Needs {
  bool extrema = false, division = false;
};

/// One private function that outline-helpers made, as a device function.
mlir::LogicalResult printHelper(CodeText &text, mlir::func::FuncOp helper, Needs &needs);

/// The struct `name`. `model` gives the statements' own words.
mlir::LogicalResult printModel(CodeText &text, scan::KernelOp kernel, llvm::StringRef name, const Model &model,
                               Needs &needs);

} // namespace flexsn::cuda
