// The two ways a case is run: by the compiled kernel and by the reference interpreter.
#pragma once

#include "compiler/frontend/Model.h"
#include "tests/conformance/Cases.h"
#include "tests/reference/Interpreter.h"
#include "tests/reference/Kernel.h"

#include <memory>
#include <string>

namespace flexsn::conformance {

/// Results by the keys of the case's arrays; or the reason why there are none.
struct Results {
  std::string refused;
  std::map<std::string, reference::Array> arrays;
};

/// What the case's inputs and outputs are made of.
reference::Cell dataCell(const Case &c);
/// The case's checked model; null, with the diagnostics in `error`, if the front end refuses it.
std::shared_ptr<const Model> checkedModel(const Case &c, std::string &error);
/// Where a parameter's array has the value of neuron `n` at step `t`; 0 for one without dims.
size_t paramIndex(const Case &c, const Param &param, size_t t, size_t n);
/// Values of parameters that the case sets, of one neuron at one step.
reference::Settings settings(const Case &c, const Model &model, size_t t, size_t n);
/// Whether a parameter that the case sets varies by step.
bool variesByStep(const Case &c, const Param &param);

/// Through libflexsn.so, from the case's own initial states or from those in `carried` ("final.NAME").
Results runKernel(const Case &c, const Model &model, const Results *carried = nullptr);
/// The arrays that the case runs a compiled kernel on.
reference::Kernel::Call callOf(const Case &c, const Model &model, const reference::Kernel &kernel,
                               const Results *carried = nullptr);
/// The same as runReferenceGradients, through libflexsn.so.
Results runKernelGradients(const Case &c, const Model &model, const Results *next = nullptr);
/// Through the interpreter.
Results runReference(const Case &c, const Model &model);
/// Gradients by "gin.NAME", "ginit.NAME" and "gparam.NAME", by the oracle. `next` are those of the case that continues
/// this one: what flows into the final states instead of the recorded numbers.
Results runReferenceGradients(const Case &c, const Model &model, const Results *next = nullptr);

} // namespace flexsn::conformance
