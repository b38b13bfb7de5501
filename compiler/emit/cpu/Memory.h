// Loads and stores of kernel values: the storage in memory, the compute type in registers.
#pragma once

#include "compiler/emit/cpu/Conversions.h"
#include "dialects/Scan/Scan.h"

#include <mlir/IR/Builders.h>

namespace flexsn::cpu {

/// The element type in memory, 16-bit floats as their bits; null where the storage has no form on a CPU (bits).
mlir::Type memoryType(scan::Storage storage, mlir::MLIRContext *context);

/// The storage of values of a compute type in the workspace and in the slots of params and invariants.
scan::Storage storageOf(mlir::Type compute);

/// Who owns memory: operands are the caller's and may begin at any address; the workspace's rows are aligned.
enum class Place : uint8_t { Operand, Workspace };

/// Makes the memory operations of a function: with a width of 0 on scalars, else on vectors of that many neighbouring
/// elements. In the workspace the alignment of an element is assumed.
class Memory {
public:
  Memory(mlir::OpBuilder &builder, mlir::Location location, Place place, unsigned width = 0,
         bool halfInstructions = false)
      : builder(builder), location(location), place(place), width(width),
        conversions(builder, location, halfInstructions) {}

  /// The address `bytes` behind `base`.
  mlir::Value offset(mlir::Value base, mlir::Value bytes);
  mlir::Value offset(mlir::Value base, int64_t bytes);
  /// The address of element `index` behind `base`.
  mlir::Value element(mlir::Value base, mlir::Value index, scan::Storage storage);

  /// `storage` at `address` as the compute type. Lanes whose bit in `mask` (null: all are set) is not set are not
  /// touched, and 0.
  mlir::Value load(mlir::Value address, scan::Storage storage, mlir::Value mask = {});
  void store(mlir::Value value, mlir::Value address, scan::Storage storage, mlir::Value mask = {});

  /// The two halves of `load` and `store`: elements as they lie in memory, and the compute type.
  mlir::Value loadStored(mlir::Value address, scan::Storage storage, mlir::Value mask);
  void storeStored(mlir::Value stored, mlir::Value address, scan::Storage storage, mlir::Value mask);
  mlir::Value decoded(mlir::Value stored, scan::Storage storage);
  mlir::Value encoded(mlir::Value value, scan::Storage storage);
  /// A store past the caches of a whole vector; `address` is a multiple of its size.
  void stream(mlir::Value value, mlir::Value address, scan::Storage storage);
  /// Stores of other threads' that wait for those of this one wait for the streamed ones too, from here on.
  void finishStreams();
  /// Brings the cache line of `address`, which need not be mapped, into the second level: on its way into the first one
  /// it would hold a buffer that loads and streamed stores wait for.
  void prefetch(mlir::Value address);

  /// A field of the structs of runtime/KernelAbi.h.
  mlir::Value loadPointer(mlir::Value base, int64_t bytes);
  mlir::Value loadLong(mlir::Value base, int64_t bytes);

  mlir::Value longConstant(int64_t value);

  /// `element`, or the vector of it.
  mlir::Type shaped(mlir::Type element);
  mlir::Value zeros(mlir::Type type);

private:
  mlir::Value converted(mlir::Value value, scan::Storage storage);
  unsigned alignmentOf(scan::Storage storage) const;

  mlir::OpBuilder &builder;
  mlir::Location location;
  Place place;
  unsigned width;
  Conversions conversions;
};

} // namespace flexsn::cpu
