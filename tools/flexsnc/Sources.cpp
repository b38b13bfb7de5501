#include "tools/flexsnc/Sources.h"

#include "tools/flexsnc/Failure.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace flexsn::cli {

namespace {

struct ArgumentSpec {
  const char *name;
  std::optional<double> standard; ///< value when left out; without one it must be given
  double low, high;
  bool whole; ///< a whole number
};

/// What the value of one step and neuron depends on.
struct Position {
  int64_t step, neuron, steps;
};

/// A source: its arguments (T and N come on top) and its value at a position, for arguments in the order of the list.
struct SourceSpec {
  const char *name;
  const char *meaning;
  std::vector<ArgumentSpec> arguments;
  double (*value)(const std::vector<double> &arguments, Position at);
};

/// Values of a source's arguments by name.
using Arguments = std::map<std::string, double, std::less<>>;

constexpr double anyValue = 1e300;
constexpr double countLimit = 9007199254740992.0; // 2^53: whole numbers are exact in a double up to here

/// Sebastiano Vigna's splitmix64 finaliser: a counter in, well mixed bits out.
uint64_t mix(uint64_t bits) {
  bits += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/// Uniform in [0, 1), a function of its three numbers alone: the array does not depend on the order of its making.
double uniformAt(uint64_t seed, int64_t step, int64_t neuron) {
  uint64_t bits = mix(mix(mix(seed) ^ static_cast<uint64_t>(step)) ^ static_cast<uint64_t>(neuron));
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// Number of events of a Poisson process in one step, by inversion of the distribution.
double poissonValue(const std::vector<double> &arguments, Position at) {
  double rate = arguments[0], amplitude = arguments[1];
  double uniform = uniformAt(static_cast<uint64_t>(arguments[2]), at.step, at.neuron);
  double probability = std::exp(-rate), below = probability;
  int count = 0;
  // The tail is cut where its probability is under the resolution of the uniform number.
  for (int limit = static_cast<int>(rate) * 10 + 50; uniform >= below && count < limit; ++count) {
    probability *= rate / (count + 1);
    below += probability;
  }
  return amplitude * count;
}

double constantValue(const std::vector<double> &arguments, Position) { return arguments[0]; }

double stepValue(const std::vector<double> &arguments, Position at) {
  double value = arguments[0], change = arguments[1], before = arguments[2];
  return static_cast<double>(at.step) < change ? before : value;
}

/// From `start` in the first step to `stop` in the last one, both exactly.
double rampValue(const std::vector<double> &arguments, Position at) {
  double stop = arguments[0], start = arguments[1];
  int64_t last = at.steps - 1;
  if (at.step == last && last > 0)
    return stop;
  return last > 0 ? start + (stop - start) * (static_cast<double>(at.step) / static_cast<double>(last)) : start;
}

const std::vector<SourceSpec> &sources() {
  static const std::vector<SourceSpec> list = {
      {"poisson",
       "random spike counts, `rate` a step on average, times amplitude",
       {{"rate", std::nullopt, 0, 100, false},
        {"amplitude", 1, -anyValue, anyValue, false},
        {"seed", 0, 0, countLimit, true}},
       poissonValue},
      {"constant", "the same value always", {{"value", std::nullopt, -anyValue, anyValue, false}}, constantValue},
      {"step",
       "`before` until step `at`, `value` from there on",
       {{"value", std::nullopt, -anyValue, anyValue, false},
        {"at", std::nullopt, 0, countLimit, true},
        {"before", 0, -anyValue, anyValue, false}},
       stepValue},
      {"ramp",
       "a straight line over time, ends included",
       {{"stop", std::nullopt, -anyValue, anyValue, false}, {"start", 0, -anyValue, anyValue, false}},
       rampValue},
  };
  return list;
}

/// The arguments of a source with T and N, which all have.
std::vector<ArgumentSpec> argumentsOf(const SourceSpec &source) {
  std::vector<ArgumentSpec> specs = source.arguments;
  specs.push_back({"T", std::nullopt, 1, countLimit, true});
  specs.push_back({"N", std::nullopt, 0, countLimit, true});
  return specs;
}

const SourceSpec &findSource(std::string_view name) {
  std::vector<std::string> names;
  for (const SourceSpec &source : sources()) {
    if (name == source.name)
      return source;
    names.emplace_back(source.name);
  }
  failUsage(fmt::format("'{}' is no built-in source{}", printable(name), didYouMean(name, names)),
            fmt::format("sources are {}", enumerate(names)));
}

double parseArgument(const SourceSpec &source, const ArgumentSpec &spec, std::string_view text) {
  std::optional<double> value = parseNumber(text);
  bool fits = value && *value >= spec.low && *value <= spec.high && (!spec.whole || *value == std::trunc(*value));
  if (fits)
    return *value;
  std::string range = spec.high == anyValue     ? ""
                      : spec.high == countLimit ? fmt::format(" from {}", spec.low)
                                                : fmt::format(" from {} to {}", spec.low, spec.high);
  const char *kind = spec.whole ? "whole " : range.empty() ? "finite " : "";
  failUsage(
      fmt::format("{}: '{}' must be a {}number{}, not '{}'", source.name, spec.name, kind, range, printable(text)));
}

/// `name=value` pairs into values; arguments may also stand in order without their names.
Arguments parseArguments(const SourceSpec &source, std::string_view text) {
  std::vector<ArgumentSpec> specs = argumentsOf(source);
  Arguments values;
  size_t position = 0;
  for (const std::string &piece : splitList(text)) {
    size_t equals = piece.find('=');
    std::string name(equals == std::string::npos ? "" : trimmed(std::string_view(piece).substr(0, equals)));
    std::string_view value = equals == std::string::npos ? piece : trimmed(std::string_view(piece).substr(equals + 1));
    if (equals == std::string::npos) {
      if (position >= source.arguments.size())
        failUsage(fmt::format("{}: '{}' needs a name, as in T=100", source.name, printable(piece)));
      name = source.arguments[position++].name;
    }
    const ArgumentSpec *found = nullptr;
    std::vector<std::string> names;
    for (const ArgumentSpec &spec : specs) {
      names.emplace_back(spec.name);
      if (name == spec.name)
        found = &spec;
    }
    if (!found)
      failUsage(fmt::format("{} has no argument '{}'{}", source.name, printable(name), didYouMean(name, names)),
                fmt::format("its arguments are {}", enumerate(names)));
    if (!values.emplace(name, parseArgument(source, *found, value)).second)
      failUsage(fmt::format("{}: '{}' is given twice", source.name, name));
  }
  return values;
}

} // namespace

bool isSource(std::string_view text) {
  size_t open = text.find('(');
  if (open == 0 || open == std::string_view::npos || text.back() != ')')
    return false;
  std::string_view name = text.substr(0, open);
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; });
}

Array makeSource(std::string_view text, std::optional<int64_t> steps, std::optional<int64_t> neurons) {
  size_t open = text.find('(');
  const SourceSpec &source = findSource(text.substr(0, open));
  Arguments values = parseArguments(source, text.substr(open + 1, text.size() - open - 2));
  for (auto [name, size] : {std::pair("T", steps), std::pair("N", neurons)})
    if (size && !values.emplace(name, static_cast<double>(*size)).second)
      failUsage(fmt::format("{}: '{}' is given twice, in the source and by --{}", source.name, name, name));
  for (const ArgumentSpec &spec : argumentsOf(source)) {
    if (values.contains(spec.name))
      continue;
    if (!spec.standard)
      failUsage(
          fmt::format("{} needs '{}'", source.name, spec.name),
          fmt::format("its arguments are {}", sourceHelp()[static_cast<size_t>(&source - sources().data())].usage));
    values.emplace(spec.name, *spec.standard);
  }
  std::vector<int64_t> shape = {static_cast<int64_t>(values.at("T")), static_cast<int64_t>(values.at("N"))};
  Array array = makeArray(Element::F64, shape);
  char *at = array.bytes.data();
  std::vector<double> inOrder;
  for (const ArgumentSpec &spec : source.arguments)
    inOrder.push_back(values.at(spec.name));
  for (int64_t t = 0; t < shape[0]; ++t)
    for (int64_t n = 0; n < shape[1]; ++n, at += sizeof(double)) {
      double value = source.value(inOrder, {t, n, shape[0]});
      std::memcpy(at, &value, sizeof value);
    }
  return array;
}

std::vector<SourceHelp> sourceHelp() {
  std::vector<SourceHelp> help;
  for (const SourceSpec &source : sources()) {
    std::vector<std::string> arguments;
    for (const ArgumentSpec &spec : argumentsOf(source))
      arguments.push_back(spec.standard ? fmt::format("{}={}", spec.name, *spec.standard) : spec.name);
    help.push_back({fmt::format("{}({})", source.name, fmt::join(arguments, ", ")), source.meaning});
  }
  return help;
}

} // namespace flexsn::cli
