#include "runtime/Parameters.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

namespace flexsn {

const char *transformName(Transform transform) {
  switch (transform) {
  case Transform::None: return "";
  case Transform::Sigmoid: return "sigmoid";
  case Transform::Softplus: return "softplus";
  case Transform::Exp: return "exp";
  case Transform::Tanh: return "tanh";
  }
  return "";
}

/// The values that a transform gives: an open interval.
static Bounds image(Transform transform) {
  Bounds bounds{};
  bounds.lowOpen = bounds.highOpen = true;
  bounds.low = transform == Transform::Tanh ? -1 : 0;
  bounds.high =
      transform == Transform::Sigmoid || transform == Transform::Tanh ? 1 : std::numeric_limits<double>::infinity();
  return bounds;
}

static double transformed(Transform transform, double raw) {
  switch (transform) {
  case Transform::Sigmoid: return 1 / (1 + std::exp(-raw));
  case Transform::Softplus: return raw > 0 ? raw + std::log1p(std::exp(-raw)) : std::log1p(std::exp(raw));
  case Transform::Exp: return std::exp(raw);
  case Transform::Tanh: return std::tanh(raw);
  case Transform::None: break;
  }
  return raw;
}

/// The stored value whose transform is `value`, in double; rounded once afterwards.
static double inverse(Transform transform, double value) {
  switch (transform) {
  case Transform::Sigmoid: return std::log(value) - std::log1p(-value);
  case Transform::Softplus: return value + std::log(-std::expm1(-value));
  case Transform::Exp: return std::log(value);
  case Transform::Tanh: return std::atanh(value);
  case Transform::None: break;
  }
  return value;
}

/// NaN lies in no interval.
static bool within(double value, const Bounds &bounds) {
  return (bounds.lowOpen ? value > bounds.low : value >= bounds.low) &&
         (bounds.highOpen ? value < bounds.high : value <= bounds.high);
}

static std::string intervalText(const Bounds &bounds) {
  return fmt::format("{}{}, {}{}", bounds.lowOpen ? '(' : '[', bounds.low, bounds.high, bounds.highOpen ? ')' : ']');
}

void checkStorable(double value, Type type, Storage data, const std::string &label) {
  constexpr double lowest = std::numeric_limits<int32_t>::min(), highest = std::numeric_limits<int32_t>::max();
  bool whole = value >= lowest && value <= highest && value == std::trunc(value); // false for NaN
  if (type == Type::Int && !whole)
    fail(FLEXSN_ERROR_VALUE, "{} is {}, but an int is a whole number from {:.0f} to {:.0f}", label, value, lowest,
         highest);
  if (type == Type::Bool && value != 0 && value != 1)
    fail(FLEXSN_ERROR_VALUE, "{} is {}, but a bool is 0 or 1", label, value);
  if (type == Type::Float && data != Storage::F64 && std::isfinite(value) && !std::isfinite(static_cast<float>(value)))
    fail(FLEXSN_ERROR_VALUE, "{} is {}, which is out of float32's range", label, value);
}

/// Checks one value and gives the stored one. A clamped parameter takes every number: the kernel clamps it.
double storedValue(const Param &param, const NamedNumber &given, Storage data, const std::string &label) {
  bool raw = given.name != param.value->name;
  double value = raw ? transformed(param.transform, given.value) : given.value;
  if (!raw && param.transform != Transform::None && !within(value, image(param.transform)))
    fail(FLEXSN_ERROR_VALUE, "{} is {}, but {} only gives values in {}", label, value, transformName(param.transform),
         intervalText(image(param.transform)));
  if (param.bounds && !param.bounds->clamp && !param.learnable && !within(value, *param.bounds)) {
    const std::string &name = param.value->name;
    std::string what = raw ? fmt::format("{}, which makes '{}' {}, but '{}'", given.value, name, value, name)
                           : fmt::format("{}, but", value);
    fail(FLEXSN_ERROR_VALUE, "{} is {} must lie in {}", label, what, intervalText(*param.bounds));
  }
  double stored = raw ? given.value : inverse(param.transform, given.value);
  checkStorable(stored, param.value->type, data, label);
  return stored;
}

namespace {

/// Finds parameters by the names that set them.
class ParameterIndex {
public:
  explicit ParameterIndex(const Model &model) : model(model) {
    // Own names come first, so that a parameter may itself be called raw_x.
    for (size_t i = 0; i < model.params.size(); ++i)
      places.emplace(model.params[i].value->name, i);
    for (size_t i = 0; i < model.params.size(); ++i)
      places.emplace(model.params[i].operandName(), i);
  }

  size_t find(const std::string &name) const {
    if (auto at = places.find(name); at != places.end())
      return at->second;
    std::vector<std::string> known;
    for (const Param &param : model.params)
      known.push_back(param.value->name);
    failUnknown(model.name, "parameter", "parameters", name, known);
  }

private:
  const Model &model;
  std::map<std::string, size_t> places;
};

} // namespace

std::vector<std::optional<size_t>> settersOf(const Model &model, const std::vector<std::string> &names) {
  std::vector<std::optional<size_t>> setBy(model.params.size());
  if (names.empty())
    return setBy;
  ParameterIndex index(model);
  for (size_t n = 0; n < names.size(); ++n) {
    size_t i = index.find(names[n]);
    if (setBy[i]) {
      const std::string &before = names[*setBy[i]];
      fail(FLEXSN_ERROR_VALUE, "{}: parameter '{}' is given twice{}", model.name, model.params[i].value->name,
           before == names[n] ? "" : fmt::format(", as '{}' and as '{}'", before, names[n]));
    }
    setBy[i] = n;
  }
  return setBy;
}

double storedDefault(const Param &param) { return inverse(param.transform, param.defaultValue); }

std::string parameterLabel(const Model &model, const std::string &name) {
  return fmt::format("{}: parameter '{}'", model.name, name);
}

std::vector<double> storedParameters(const Model &model, const std::vector<NamedNumber> &given, Storage data) {
  std::vector<std::string> names;
  for (const NamedNumber &number : given)
    names.push_back(number.name);
  std::vector<std::optional<size_t>> setBy = settersOf(model, names);
  std::vector<double> stored;
  for (size_t i = 0; i < model.params.size(); ++i) {
    const Param &param = model.params[i];
    stored.push_back(setBy[i] ? storedValue(param, given[*setBy[i]], data, parameterLabel(model, names[*setBy[i]]))
                              : storedDefault(param));
  }
  return stored;
}

template <class T> static uint64_t bytesOf(T value) {
  uint64_t result = 0;
  std::memcpy(&result, &value, sizeof value);
  return result;
}

uint64_t slot(double value, Storage storage) {
  switch (storage) {
  case Storage::F32: return bytesOf(static_cast<float>(value));
  case Storage::F64: return bytesOf(value);
  case Storage::I32: return bytesOf(static_cast<int32_t>(value));
  case Storage::Bool: return bytesOf(static_cast<uint8_t>(value != 0));
  case Storage::F16:
  case Storage::BF16:
  case Storage::I8: break; // storages of sequences, never of a parameter or a state
  }
  fail(FLEXSN_ERROR_INTERNAL, "a number cannot be stored as {}", storageName(storage));
}

std::vector<uint64_t> parameterSlots(const Model &model, const std::vector<double> &stored,
                                     const std::vector<KernelOperand> &operands) {
  std::vector<uint64_t> slots;
  // Programs keep the declared order: the search for a name goes on where the last one ended, all the way round.
  size_t i = 0, count = model.params.size();
  for (const KernelOperand &operand : operands) {
    size_t tried = 0;
    for (; tried < count && model.params[i].operandName() != operand.name; ++tried)
      i = (i + 1) % count;
    if (tried == count)
      fail(FLEXSN_ERROR_INTERNAL, "the program of {} wants an unknown parameter '{}'", model.name, operand.name);
    slots.push_back(slot(stored[i], operand.storage));
  }
  return slots;
}

} // namespace flexsn
