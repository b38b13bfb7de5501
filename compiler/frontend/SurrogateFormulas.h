// The formulas of Surrogates.def as checked expressions, for whoever computes with them: the import of gradients, the
// reference of the tests.
#pragma once

#include "compiler/frontend/Model.h"
#include "compiler/frontend/Surrogates.h"

namespace flexsn {

/// A built-in surrogate's formulas: trees of scalars that read `x` and `parameters` and nothing else.
struct SurrogateFormula {
  std::shared_ptr<const Model> model; ///< owns all nodes; no step of it is ever run
  const Value *x = nullptr;
  std::vector<const Value *> parameters; ///< in the entry's order, the count among them
  const Expr *gradient = nullptr;        ///< the derivative at x
  const Expr *primitive = nullptr;       ///< null where the entry has none: then who needs it integrates the gradient
};

/// The formulas of `surrogate`, an entry of surrogates(). `count` is the value of the parameter surrogate.count(),
/// which it takes; without such a parameter it has no meaning. Made at first use and kept for ever. Thread-safe.
const SurrogateFormula &surrogateFormula(const SurrogateInfo &surrogate, unsigned count = 1);

} // namespace flexsn
