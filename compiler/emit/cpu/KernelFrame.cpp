#include "compiler/emit/cpu/KernelFrame.h"

#include "compiler/emit/cpu/SumTree.h"
#include "compiler/emit/cpu/Vectorize.h"
#include "compiler/transforms/Invariants.h"
#include "runtime/KernelAbi.h"

#include <cstddef>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too
using scan::Role;
using scan::Storage;

// ---- What the call brings -------------------------------------------------------------------------------------------

void KernelFrame::buildFunctions() {
  if (!layout.placeRows.empty())
    placesFunction = buildPlaces(builder, kernel);
  if (!layout.sumRows.empty())
    sumFunction = buildSum(builder, kernel);
}

void KernelFrame::load(Value call) {
  Value array = scalars.loadPointer(call, offsetof(CpuCall, operands));
  steps = scalars.loadLong(call, offsetof(CpuCall, steps));
  begin = scalars.loadLong(call, offsetof(CpuCall, begin));
  end = scalars.loadLong(call, offsetof(CpuCall, end));
  extents = scalars.offset(call, offsetof(CpuCall, extents));
  loadOperands(array);
  if (!operandsOf(Role::Param).empty())
    paramExtents = scalars.offset(call, offsetof(CpuCall, paramExtents));
  loadUniforms(scalars.loadPointer(call, offsetof(CpuCall, invariants)));
  workspace = scalars.loadPointer(call, offsetof(CpuCall, workspace));
  if (layout.sumRows.empty())
    return;
  partials = scalars.loadPointer(call, offsetof(CpuCall, partials));
  partialStride = scalars.loadLong(call, offsetof(CpuCall, partialStride));
}

static bool isSequence(Role role) {
  return role == Role::Input || role == Role::Output || role == Role::Checkpoint || role == Role::GradOutput ||
         role == Role::GradInput;
}

void KernelFrame::loadOperands(Value array) {
  for (auto attribute : kernel.getOperandList().getAsRange<scan::OperandAttr>()) {
    if (attribute.isUniform()) // a slot of prologue or epilogue
      continue;
    auto at = static_cast<int64_t>(operands.size() * sizeof(CpuOperand));
    Operand operand{attribute, scalars.offset(array, at), {}, {}, {}, {}};
    operand.data = scalars.loadPointer(array, at + int64_t{offsetof(CpuOperand, data)});
    if (isSequence(operand.role()) || attribute.variation() == scan::Variation::Step)
      operand.timeStride = scalars.loadLong(array, at + int64_t{offsetof(CpuOperand, timeStride)});
    if (operand.role() == Role::Initial && !isStrided())
      operand.elementStride = scalars.loadLong(array, at + int64_t{offsetof(CpuOperand, elementStride)});
    operands.push_back(operand);
  }
}

/// Params and invariants, from the slots that the prologue wrote: in every lane, and as scalars for an `init` that
/// reads nothing else.
void KernelFrame::loadUniforms(Value slots) {
  IRMapping scalarValues;
  Region &init = kernel.getInit();
  bool isInLanes = kernel.hasSites(); // else declared values are the same for all neurons
  for (unsigned slot = 0; slot < kernel.uniformCount(); ++slot) {
    SmallVector<BlockArgument> inLanes;
    for (Region *region : regionsWithUniforms(kernel))
      if ((region != &init || isInLanes) && !region->getArgument(slot).use_empty())
        inLanes.push_back(region->getArgument(slot));
    BlockArgument inInit = init.getArgument(slot);
    if (inInit.use_empty() && inLanes.empty())
      continue;
    Value value = scalars.load(scalars.offset(slots, 8 * static_cast<int64_t>(slot)), storageOf(inInit.getType()));
    scalarValues.map(inInit, value);
    if (inLanes.empty())
      continue;
    Value vector = splat(builder, location, value, width);
    for (BlockArgument each : inLanes)
      uniforms.map(each, vector);
  }
  if (!isInLanes)
    makeDeclared(scalarValues);
}

/// Declared values that depend on params and invariants alone: once for all neurons.
void KernelFrame::makeDeclared(IRMapping &scalarValues) {
  for (Operation &op : kernel.getInit().front().without_terminator())
    builder.clone(op, scalarValues);
  for (Value value : kernel.yieldOf(kernel.getInit()).getValues())
    declared.push_back(splat(builder, location, scalarValues.lookup(value), width));
}

void KernelFrame::bindPlaces() {
  auto rows = layout.placeRows.begin();
  for (Operand &operand : operands)
    if (hasPlaces(operand)) {
      operand.places = {row(rows->offsets), row(rows->firsts)};
      ++rows;
    }
}

SmallVector<Operand *> KernelFrame::operandsOf(Role role) {
  SmallVector<Operand *> found;
  for (Operand &operand : operands)
    if (operand.role() == role)
      found.push_back(&operand);
  return found;
}

SmallVector<Operand *> KernelFrame::paramsOf(scan::Variation variation) {
  SmallVector<Operand *> found = operandsOf(Role::Param);
  llvm::erase_if(found, [&](Operand *param) { return param->attribute.variation() != variation; });
  return found;
}

SmallVector<Operand *> KernelFrame::readsOf() {
  SmallVector<Operand *> found = paramsOf(scan::Variation::Step);
  llvm::append_range(found, operandsOf(Role::Input));
  return found;
}

SmallVector<Operand *> KernelFrame::gradReadsOf() {
  SmallVector<Operand *> found = operandsOf(Role::GradParam);
  llvm::erase_if(found, [&](Operand *param) { return param->attribute.variation() != scan::Variation::Step; });
  llvm::append_range(found, operandsOf(Role::GradInput));
  return found;
}

Operand *KernelFrame::find(Role role, StringRef name) {
  auto *found =
      llvm::find_if(operands, [&](const Operand &operand) { return operand.role() == role && operand.name() == name; });
  return found == operands.end() ? nullptr : found;
}

// ---- Operands in memory ---------------------------------------------------------------------------------------------

void KernelFrame::findPlaces(Value first, Value count) {
  for (const Operand &operand : operands) {
    if (!hasPlaces(operand))
      continue;
    Value item = scalars.longConstant(bytesOf(operand.storage()));
    Value space = operand.role() == Role::Param ? paramExtents : extents;
    LLVM::CallOp::create(
        builder, location, placesFunction,
        ValueRange{operand.address, space, first, count, item, operand.places.offsets, operand.places.firsts});
  }
}

Value KernelFrame::rowOf(const Operand &operand, Value first, Value time) {
  Value row = operand.data;
  if (time)
    row = scalars.offset(row, Value(arith::MulIOp::create(builder, location, time, operand.timeStride)));
  return hasPlaces(operand) || isShared(operand) ? row : scalars.element(row, first, operand.storage());
}

Value KernelFrame::load(const Operand &operand, Value row, Value index, Value mask) {
  Storage storage = operand.storage();
  if (isShared(operand)) {
    Memory one(builder, location, Place::Operand);
    return splat(builder, location, one.load(row, storage), width);
  }
  return hasPlaces(operand) ? strided.load(row, operand.places, index, storage, mask)
                            : vectors.load(vectors.element(row, index, storage), storage, mask);
}

void KernelFrame::store(Value value, const Operand &operand, Value row, Value index, Value mask) {
  Storage storage = operand.storage();
  if (hasPlaces(operand))
    strided.store(value, row, operand.places, index, storage, mask);
  else
    vectors.store(value, vectors.element(row, index, storage), storage, mask);
}

void KernelFrame::storeResult(Value value, const Operand &operand, Value row, Value index, Value mask) {
  if (isStreaming() && !mask && operand.role() != Role::GradParam) // which is added up next
    vectors.stream(value, vectors.element(row, index, operand.storage()), operand.storage());
  else
    store(value, operand, row, index, mask);
}

} // namespace flexsn::cpu
