// Numbers in the language's spelling, for the printers of models and expressions.
#pragma once

#include "compiler/frontend/Model.h"

#include <string>

namespace flexsn {

/// The shortest spelling that reads back to the same bits; a float always has a point or an exponent, an int never.
std::string printNumber(double number, Type type);

} // namespace flexsn
