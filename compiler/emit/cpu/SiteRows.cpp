#include "compiler/emit/cpu/SiteRows.h"

#include "compiler/emit/cpu/Vectorize.h"

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too

Value SiteRows::elementOf(size_t row, Value index, scan::Storage storage) {
  return frame.rows.element(frame.row(row), index, storage);
}

LogicalResult SiteRows::fill(Value first) {
  scan::KernelOp kernel = frame.kernel;
  if (!kernel.hasSites())
    return success();
  return loops.forEachVector([&](Value index, Value mask) {
    IRMapping values = frame.uniforms;
    mapParams(first, index, mask, kernel.getSite(), values);
    if (failed(cloneOntoVectors(frame.builder, kernel.getSite().front(), frame.width, values)))
      return failure();
    for (auto [number, value] : llvm::enumerate(kernel.yieldOf(kernel.getSite()).getValues())) {
      scan::Storage storage = storageOf(value.getType());
      frame.rows.store(values.lookup(value), elementOf(frame.layout.siteRows[number], index, storage), storage);
    }
    return success();
  });
}

LogicalResult SiteRows::handOver() {
  const KernelLayout &layout = frame.layout;
  if (layout.siteRowsBack.empty())
    return success();
  return loops.forEachVector([&](Value index, Value) {
    for (auto [from, to, type] : llvm::zip_equal(layout.siteRows, layout.siteRowsBack, frame.kernel.siteTypes())) {
      scan::Storage storage = storageOf(type);
      frame.rows.store(frame.rows.load(elementOf(from, index, storage), storage), elementOf(to, index, storage),
                       storage);
    }
    return success();
  });
}

bool SiteRows::readsParams(Region &region) {
  if (region.empty())
    return false;
  size_t params = frame.kernel.paramsOf(scan::Variation::Neuron).size();
  return llvm::any_of(region.getArguments().slice(frame.kernel.uniformCount(), params),
                      [](BlockArgument argument) { return !argument.use_empty(); });
}

void SiteRows::mapParams(Value first, Value index, Value mask, Region &region, IRMapping &values) {
  SmallVector<Operand *> params = frame.paramsOf(scan::Variation::Neuron);
  auto arguments = region.getArguments().slice(frame.kernel.uniformCount(), params.size());
  for (auto [argument, param] : llvm::zip_equal(arguments, params))
    if (!argument.use_empty())
      values.map(argument, frame.load(*param, frame.rowOf(*param, first), index, mask));
}

void SiteRows::mapArguments(Value index, Region &region, IRMapping &values) {
  const KernelLayout &layout = frame.layout;
  bool isBack = &region == &frame.kernel.getAdjoint() || &region == &frame.kernel.getInitAdjoint();
  const std::vector<size_t> &rows = isBack && !layout.siteRowsBack.empty() ? layout.siteRowsBack : layout.siteRows;
  auto arguments = region.getArguments().slice(frame.kernel.uniformCount(), rows.size());
  for (auto [row, argument] : llvm::zip_equal(rows, arguments)) {
    scan::Storage storage = storageOf(argument.getType());
    if (!argument.use_empty())
      values.map(argument, frame.rows.load(elementOf(row, index, storage), storage));
  }
}

} // namespace flexsn::cpu
