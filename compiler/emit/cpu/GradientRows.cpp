#include "compiler/emit/cpu/GradientRows.h"

#include "compiler/emit/cpu/SumTree.h"
#include "compiler/emit/cpu/Vectorize.h"
#include "runtime/KernelAbi.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/IR/Matchers.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too
using scan::Role;
using scan::Storage;

void GradientRows::bind() {
  scan::KernelOp kernel = frame.kernel;
  for (auto [name, type, row] : llvm::zip_equal(kernel.carriedNames(), kernel.carriedTypes(), frame.layout.carriedRows))
    states.push_back(
        {storageOf(type), frame.row(row), frame.find(Role::GradFinal, name), frame.find(Role::GradInitial, name)});
  for (Operand *operand : frame.operandsOf(Role::GradInitial))
    if (!llvm::is_contained(kernel.carriedNames(), operand->name()))
      uncarried.push_back(operand);
  SmallVector<mlir::Type> summands = kernel.summandTypes();
  ArrayRef<mlir::Type> types(summands);
  for (auto [type, row] : llvm::zip_equal(types.take_front(frame.layout.sumRows.size()), frame.layout.sumRows))
    sums.push_back({storageOf(type), frame.row(row), {}});
  for (auto [type, row] : llvm::zip_equal(types.drop_front(sums.size()), frame.layout.siteSumRows))
    siteSums.push_back({storageOf(type), frame.row(row), frame.row(row)});
  for (Operand *operand : frame.operandsOf(Role::GradParam))
    if (operand->attribute.variation() == scan::Variation::Neuron)
      siteGradients.push_back(operand);
}

// ---- Gradients of states --------------------------------------------------------------------------------------------

Value GradientRows::zero(Storage storage) {
  return frame.rows.zeros(frame.rows.shaped(memoryType(storage, frame.builder.getContext())));
}

Value GradientRows::load(const Carried &carried, Value index) {
  return frame.rows.load(frame.rows.element(carried.row, index, carried.storage), carried.storage);
}

void GradientRows::store(const Carried &carried, Value index, Value value) {
  frame.rows.store(value, frame.rows.element(carried.row, index, carried.storage), carried.storage);
}

LogicalResult GradientRows::seed(Value first) {
  if (states.empty() && siteSums.empty())
    return success();
  SmallVector<Value> finals;
  for (const Carried &carried : states)
    finals.push_back(carried.final ? frame.rowOf(*carried.final, first) : Value());
  return loops.forEachVector([&](Value index, Value mask) {
    for (auto [carried, row] : llvm::zip_equal(states, finals))
      store(carried, index, carried.final ? frame.load(*carried.final, row, index, mask) : zero(carried.storage));
    clear(siteSums, index);
    return success();
  });
}

void GradientRows::mapArguments(Value index, Region &region, IRMapping &values) {
  for (auto [argument, carried] : llvm::zip_equal(region.getArguments().take_back(states.size()), states))
    if (!argument.use_empty())
      values.map(argument, load(carried, index));
}

void GradientRows::storeResults(Value index, ValueRange results, const IRMapping &values) {
  for (auto [carried, result] : llvm::zip_equal(states, results))
    store(carried, index, values.lookup(result));
}

LogicalResult GradientRows::cut() {
  return loops.forEachVector([&](Value index, Value) {
    for (const Carried &carried : states)
      store(carried, index, zero(carried.storage));
    return success();
  });
}

// ---- Sums -----------------------------------------------------------------------------------------------------------

LogicalResult GradientRows::clearSums() {
  Value none = frame.scalars.longConstant(0), span = frame.scalars.longConstant(spanOf(frame.kernel));
  return loops.forRange(none, span, frame.width, [&](Value index) {
    clear(sums, index);
    return success();
  });
}

void GradientRows::clear(ArrayRef<Sum> cleared, Value index) {
  for (const Sum &sum : cleared) {
    mlir::Type type = memoryType(sum.storage, frame.builder.getContext());
    Value nothing = neutralOf(frame.builder, frame.location, type, frame.width);
    frame.rows.store(nothing, frame.rows.element(sum.row, index, sum.storage), sum.storage);
  }
}

void GradientRows::enterTile(Value inSpan) {
  for (Sum &sum : sums)
    sum.inTile = frame.rows.element(sum.row, inSpan, sum.storage);
}

void GradientRows::addSummands(Value index, Value mask, Region &region, const IRMapping &values) {
  ValueRange summands = frame.kernel.yieldOf(region).getValues().take_back(sums.size() + siteSums.size());
  add(sums, summands.take_front(sums.size()), index, mask, values);
  add(siteSums, summands.drop_front(sums.size()), index, mask, values);
}

/// Lanes behind the last neuron keep what changes no sum.
void GradientRows::add(ArrayRef<Sum> to, ValueRange summands, Value index, Value mask, const IRMapping &values) {
  for (auto [sum, summand] : llvm::zip_equal(to, summands)) {
    if (matchPattern(summand, m_NegZeroFloat())) // adds nothing
      continue;
    Value at = frame.rows.element(sum.inTile, index, sum.storage);
    Value before = frame.rows.load(at, sum.storage);
    Value after = arith::AddFOp::create(frame.builder, frame.location, before, values.lookup(summand));
    frame.rows.store(after, at, sum.storage, mask);
  }
}

/// By memory: the rows of the span are written over.
LogicalResult GradientRows::writePartials(Value spanFirst, Value spanEnd) {
  return loops.forRange(spanFirst, spanEnd, sumGroup, [&](Value first) {
    Memory &scalars = frame.scalars;
    Value inSpan = arith::SubIOp::create(frame.builder, frame.location, first, spanFirst);
    Value group = arith::DivUIOp::create(frame.builder, frame.location, first, scalars.longConstant(sumGroup));
    Value partials = frame.partials;
    for (const Sum &sum : sums) {
      Value row = scalars.element(sum.row, inSpan, sum.storage);
      Value total = LLVM::CallOp::create(frame.builder, frame.location, frame.sumFunction, row).getResult();
      scalars.store(total, scalars.element(partials, group, sum.storage), sum.storage);
      partials = scalars.offset(partials, frame.partialStride);
    }
    return success();
  });
}

// ---- In front of step 0 ---------------------------------------------------------------------------------------------

LogicalResult GradientRows::finish(Value first) {
  Region &region = frame.kernel.getInitAdjoint();
  auto at = [&](Operand *operand) { return operand ? frame.rowOf(*operand, first) : Value(); };
  SmallVector<Value> rows = llvm::map_to_vector(states, [&](const Carried &carried) { return at(carried.initial); });
  SmallVector<Value> zeroRows = llvm::map_to_vector(uncarried, at);
  bool hasParams = !sums.empty() || !siteSums.empty() || !siteGradients.empty();
  if (!hasParams && llvm::none_of(rows, [](Value row) { return row; }) && uncarried.empty())
    return success();
  return loops.forEachVector([&](Value index, Value mask) {
    IRMapping values = frame.uniforms;
    sites.mapArguments(index, region, values);
    mapArguments(index, region, values);
    if (failed(cloneOntoVectors(frame.builder, region.front(), frame.width, values)))
      return failure();
    addSummands(index, mask, region, values);
    if (failed(finishSites(first, index, mask)))
      return failure();
    for (auto [carried, row] : llvm::zip_equal(states, rows))
      if (carried.initial)
        frame.store(load(carried, index), *carried.initial, row, index, mask);
    for (auto [operand, row] : llvm::zip_equal(uncarried, zeroRows))
      frame.store(zero(operand->storage()), *operand, row, index, mask);
    return success();
  });
}

/// What a neuron has of the gradients of params with dims, and of those of params that `site` reads beside.
LogicalResult GradientRows::finishSites(Value first, Value index, Value mask) {
  Region &region = frame.kernel.getSiteAdjoint();
  if (region.empty())
    return success();
  IRMapping values = frame.uniforms;
  sites.mapParams(first, index, mask, region, values);
  for (auto [argument, sum] : llvm::zip_equal(region.getArguments().take_back(siteSums.size()), siteSums))
    values.map(argument, frame.rows.load(frame.rows.element(sum.row, index, sum.storage), sum.storage));
  if (failed(cloneOntoVectors(frame.builder, region.front(), frame.width, values)))
    return failure();
  ValueRange results = frame.kernel.yieldOf(region).getValues();
  for (auto [operand, result] : llvm::zip_equal(siteGradients, results.take_front(siteGradients.size())))
    frame.store(values.lookup(result), *operand, frame.rowOf(*operand, first), index, mask);
  add(sums, results.drop_front(siteGradients.size()), index, mask, values);
  return success();
}

} // namespace flexsn::cpu
