#include "compiler/frontend/Names.h"

#include "compiler/frontend/Functions.h"
#include "compiler/frontend/Surrogates.h"

#include <algorithm>

namespace flexsn {

namespace {
struct Habit {
  std::string_view word, hint;
};

// Sorted by where people come from: Python, Brian, numpy and torch.
constexpr Habit nameHabits[] = {
    {"True", "write true"},
    {"False", "write false"},
    {"None", "leave the value out"},
    {"nan", "no expression gives NaN on purpose"},
    {"NaN", "no expression gives NaN on purpose"},
    {"Infinity", "write inf"},
    {"PI", "write pi"},
    {"Pi", "write pi"},
    {"xi", "write normal() for white noise, times sqrt(dt) in a difference equation"},
    {"t", "count the steps in a state, as in 'state n: int = 0' and 'n += 1'"},
};

constexpr Habit functionHabits[] = {
    {"heaviside", "write spike(x), or x >= 0 where no gradient is wanted"},
    {"clamp", "write clip(x, low, high)"},
    {"rand", "write uniform()"},
    {"random", "write uniform()"},
    {"randn", "write normal()"},
    {"gauss", "write normal()"},
    {"poisson", "write bernoulli(rate * dt)"},
    {"round_", "write round(x)"},
    {"int", "write trunc(x)"},
    {"float", "a number in arithmetic is a float where it has to be; leave it out"},
    {"bool", "write x != 0"},
    {"ln", "write log(x)"},
    {"log10", "write log(x) / log(10)"},
    {"exp2", "write 2**x"},
    {"square", "write x**2"},
    {"cbrt", "write x**(1 / 3)"},
    {"fabs", "write abs(x)"},
    {"maximum", "write max(a, b)"},
    {"minimum", "write min(a, b)"},
    {"fmax", "write max(a, b)"},
    {"fmin", "write min(a, b)"},
    {"power", "write x**y"},
    {"arctan", "write atan(x)"},
    {"arcsin", "write asin(x)"},
    {"arccos", "write acos(x)"},
    {"remainder", "write a % b"},
    {"mod", "write a % b"},
    {"floor_divide", "write a // b"},
    {"logical_and", "write a and b"},
    {"logical_or", "write a or b"},
    {"logical_not", "write not a"},
    {"stop_gradient", "write detach(x)"},
    {"mean", "write sum(x) / K"},
};

constexpr Habit surrogateHabits[] = {
    {"poisson_pass", "write bernoulli(p), which draws the spike itself"},
    {"PoissonPass", "write bernoulli(p), which draws the spike itself"},
    {"MultiLevelSpikeCount", "write quant(x, 0, max_spike_count)"},
    {"multi_level_spike_count", "write quant(x, 0, max_spike_count)"},
    {"straight_through", "write spike(x, deterministic_pass())"},
    {"straight_through_estimator", "write spike(x, deterministic_pass())"},
    {"boxcar", "write rect(alpha=1.0)"},
    {"ATan", "write atan(alpha=2.0)"},
    {"SoftSign", "write soft_sign(alpha=2.0)"},
    {"SuperSpike", "write super_spike(alpha=1.0)"},
    {"S2NN", "write s2nn(alpha=4.0, beta=1.0)"},
    {"QPseudoSpike", "write q_pseudo_spike(alpha=2.0)"},
};

constexpr std::string_view units[] = {
    "volt",    "mvolt",    "uvolt",    "V",        "mV",     "uV",      "second",
    "msecond", "usecond",  "ms",       "us",       "sec",    "amp",     "mamp",
    "uamp",    "namp",     "pamp",     "pA",       "nA",     "uA",      "mA",
    "siemens", "msiemens", "usiemens", "nsiemens", "nS",     "uS",      "mS",
    "farad",   "pfarad",   "nfarad",   "ufarad",   "pF",     "nF",      "uF",
    "ohm",     "kohm",     "Mohm",     "hertz",    "Hz",     "kHz",     "mole",
    "mmolar",  "metre",    "meter",    "umetre",   "kelvin", "celsius", "siemens_per_cm2",
};

template <size_t N> std::string_view find(const Habit (&habits)[N], std::string_view word) {
  for (const Habit &habit : habits)
    if (habit.word == word)
      return habit.hint;
  return {};
}
} // namespace

std::string_view habitOfName(std::string_view name) {
  if (isUnit(name))
    return "numbers carry no units, dt and time constants share one";
  return find(nameHabits, name);
}

std::string_view habitOfFunction(std::string_view name) { return find(functionHabits, name); }

std::string_view habitOfSurrogate(std::string_view name) { return find(surrogateHabits, name); }

std::string lowered(std::string_view word) {
  std::string result(word);
  for (char &c : result)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool isUnit(std::string_view word) { return std::find(std::begin(units), std::end(units), word) != std::end(units); }

std::vector<std::string> functionNames() {
  std::vector<std::string> names;
  for (const FunctionInfo &function : functions())
    names.emplace_back(function.name);
  for (const CallFormInfo &form : callForms())
    names.emplace_back(form.name);
  return names;
}

std::vector<std::string> surrogateNames() {
  std::vector<std::string> names;
  for (const SurrogateInfo &surrogate : surrogates())
    names.emplace_back(surrogate.name);
  return names;
}

} // namespace flexsn
