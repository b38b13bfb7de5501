// Words of the language and of its neighbours: what may not be a name, and what people write elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flexsn {

/// What to write here for a name that is at home elsewhere (`True`, `xi`, `ms`), or empty.
std::string_view habitOfName(std::string_view name);
/// What to write here for a function that is at home elsewhere (`heaviside`, `clamp`, `randn`), or empty.
std::string_view habitOfFunction(std::string_view name);
/// What to write here for a surrogate that this language spells otherwise (`poisson_pass`), or empty.
std::string_view habitOfSurrogate(std::string_view name);
/// Whether a word is a physical unit (`volt`, `mV`, `ms`); numbers carry none here.
bool isUnit(std::string_view word);
/// The word with its ASCII capitals made small: names that differ in nothing else are easily confused.
std::string lowered(std::string_view word);

/// Names of functions and operators, in the order of their lists: candidates for did-you-mean.
std::vector<std::string> functionNames();
std::vector<std::string> surrogateNames();

} // namespace flexsn
