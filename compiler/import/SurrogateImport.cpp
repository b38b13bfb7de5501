#include "compiler/import/SurrogateImport.h"

#include "compiler/frontend/SurrogateFormulas.h"
#include "compiler/import/ExprImport.h"

#include "mlir/IR/Matchers.h"

#include <cassert>

using namespace mlir;

namespace flexsn {

/// The number that the op gives for a series' number of terms; 0 where it is none that the parameter takes. A spike of
/// lanes has it in each of them.
static unsigned countFrom(mlir::Value argument, const SurrogateParameter &parameter) {
  if (auto splat = argument.getDefiningOp<neuron::SplatOp>())
    argument = splat.getX();
  APFloat number(0.0);
  if (!matchPattern(argument, m_ConstantFloat(&number)) || !parameter.takes(number.convertToDouble()))
    return 0;
  return static_cast<unsigned>(number.convertToDouble());
}

/// The formula that the op's name and arguments choose; null, and an error, where there is none.
static const SurrogateFormula *formulaOf(neuron::SpikeOp spike) {
  const SurrogateInfo *surrogate = findSurrogate(spike.getSurrogate());
  if (!surrogate) {
    spike.emitOpError() << "has an unknown surrogate: " << spike.getSurrogate();
    return nullptr;
  }
  const size_t parameters = surrogate->parameters.size();
  if (spike.getArguments().size() != parameters) {
    spike.emitOpError() << "has " << spike.getArguments().size() << " arguments of the " << parameters << " that "
                        << spike.getSurrogate() << " takes";
    return nullptr;
  }
  const SurrogateParameter *count = surrogate->count();
  if (!count)
    return &surrogateFormula(*surrogate);
  const unsigned terms = countFrom(spike.getArguments()[count - surrogate->parameters.data()], *count);
  if (terms == 0) {
    spike.emitOpError() << "has a value of " << StringRef(count->name) << " that is no constant it takes";
    return nullptr;
  }
  return &surrogateFormula(*surrogate, terms);
}

mlir::Value importSurrogateGradient(OpBuilder &builder, mlir::Location location, neuron::SpikeOp spike) {
  const SurrogateFormula *formula = formulaOf(spike);
  if (!formula)
    return {};
  mlir::Type type = spike.getX().getType();
  Diagnostics findings(*formula->model->source); // of numbers beyond float32, which no formula has
  ExprImport expressions(builder, *formula->model, neuron::floatIn(type), findings);
  expressions.placeAt(location);
  expressions.bind(formula->x, spike.getX());
  for (auto [parameter, argument] : llvm::zip_equal(formula->parameters, spike.getArguments()))
    expressions.bind(parameter, argument);
  auto vector = llvm::dyn_cast<VectorType>(type);
  mlir::Value gradient = expressions.emitLanewise(*formula->gradient, vector ? vector.getDimSize(0) : 1);
  assert(!expressions.hasFailed() && "a number of the formula is beyond the compute type");
  return gradient;
}

} // namespace flexsn
