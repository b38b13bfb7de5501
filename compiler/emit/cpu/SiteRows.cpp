#include "compiler/emit/cpu/SiteRows.h"

#include "compiler/emit/cpu/Vectorize.h"

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too

Value SiteRows::elementOf(size_t site, Value index, scan::Storage storage) {
  return frame.rows.element(frame.row(frame.layout.siteRows[site]), index, storage);
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
      frame.rows.store(values.lookup(value), elementOf(number, index, storage), storage);
    }
    return success();
  });
}

void SiteRows::mapParams(Value first, Value index, Value mask, Region &region, IRMapping &values) {
  SmallVector<Operand *> params = frame.paramsOf(scan::Variation::Neuron);
  auto arguments = region.getArguments().slice(frame.kernel.uniformCount(), params.size());
  for (auto [argument, param] : llvm::zip_equal(arguments, params))
    if (!argument.use_empty())
      values.map(argument, frame.load(*param, frame.rowOf(*param, first), index, mask));
}

void SiteRows::mapArguments(Value index, Region &region, IRMapping &values) {
  auto arguments = region.getArguments().slice(frame.kernel.uniformCount(), frame.layout.siteRows.size());
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    scan::Storage storage = storageOf(argument.getType());
    if (!argument.use_empty())
      values.map(argument, frame.rows.load(elementOf(number, index, storage), storage));
  }
}

} // namespace flexsn::cpu
