// Registration of the dialect and its attributes.
#include "dialects/Scan/Scan.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

#include "dialects/Scan/ScanDialect.cpp.inc"
#include "dialects/Scan/ScanEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Scan/ScanAttrs.cpp.inc"

namespace flexsn::scan {

void ScanDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Scan/ScanAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Scan/ScanOps.cpp.inc"
      >();
}

LogicalResult CpuScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned tile, unsigned width,
                                      BoolAttr, StringAttr) {
  if (!llvm::isPowerOf2_32(width) || width > 64)
    return emitError() << "width " << width << " is no power of two up to 64";
  if (tile == 0 || tile % width != 0)
    return emitError() << "tile " << tile << " is no multiple of the width " << width;
  return success();
}

LogicalResult CudaScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned neurons, unsigned chunk,
                                       unsigned threads, unsigned blocks, unsigned dividing, BoolAttr, StringAttr) {
  if (!llvm::isPowerOf2_32(neurons) || neurons > 16)
    return emitError() << "neurons " << neurons << " is no power of two up to 16";
  if (!llvm::isPowerOf2_32(chunk) || chunk > 32)
    return emitError() << "chunk " << chunk << " is no power of two up to 32";
  if (threads == 0 || threads % 32 != 0 || threads > 1024)
    return emitError() << "threads " << threads << " is no multiple of 32 up to 1024";
  if (blocks == 0 || blocks > 32)
    return emitError() << "blocks " << blocks << " is not from 1 to 32";
  if (dividing != 0 && (!llvm::isPowerOf2_32(dividing) || dividing > chunk))
    return emitError() << "dividing " << dividing << " is no power of two up to the chunk, " << chunk;
  return success();
}

Variation OperandAttr::variation() const {
  if (llvm::is_contained(getDims(), neuron::Dim::Step))
    return Variation::Step;
  return getDims().empty() ? Variation::None : Variation::Neuron;
}

bool OperandAttr::hasPlaces(Layout layout) const {
  if (getRole() != Role::Param)
    return layout == Layout::Strided && getRole() != Role::Checkpoint && getRole() != Role::GradParam;
  return llvm::any_of(getDims(), [](neuron::Dim dim) { return dim != neuron::Dim::Step; });
}

bool computesAs(Storage storage, mlir::Type type) {
  switch (storage) {
  case Storage::F16:
  case Storage::BF16:
  case Storage::F32: return type.isF32();
  case Storage::F64: return type.isF64();
  case Storage::I8: // a saturating store of a whole float
    return type.isF32() || type.isF64();
  case Storage::I32: return type.isInteger(32);
  case Storage::Bool: return type.isInteger(1);
  case Storage::Bits: // reserved
    return false;
  }
  llvm_unreachable("all storages are covered");
}

Storage storageFor(mlir::Type type) {
  if (type.isF64())
    return Storage::F64;
  if (type.isF32())
    return Storage::F32;
  return type.isInteger(1) ? Storage::Bool : Storage::I32;
}

unsigned bytesOf(Storage storage) {
  switch (storage) {
  case Storage::F64: return 8;
  case Storage::F32:
  case Storage::I32: return 4;
  case Storage::F16:
  case Storage::BF16: return 2;
  case Storage::I8:
  case Storage::Bool:
  case Storage::Bits: return 1;
  }
  llvm_unreachable("all storages are covered");
}

} // namespace flexsn::scan
