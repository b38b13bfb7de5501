// A checked model as a Python function over PyTorch: what autograd's gradients are recorded of.
#pragma once

#include "compiler/frontend/Model.h"

#include <string>

namespace flexsn::test {

/// `def NAME(raw, given, inputs, steps)`, of stored parameters, initial states (or none) and inputs by name; it returns
/// the outputs of all steps and the final states by name. It calls the functions of autograd.py, and does nothing that
/// the language does not: each node of an expression is one call or operator. Aborts at a construct that random models
/// do not have.
std::string printForPyTorch(const Model &model);

} // namespace flexsn::test
