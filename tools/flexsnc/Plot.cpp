#include "tools/flexsnc/Plot.h"

#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexsn::cli {

PlotKind plotKind(const PlotData &data) {
  double most = data.counts ? 255 : 1;
  for (int64_t i = 0, count = data.array->size(); i < count; ++i) {
    double value = data.array->at(i);
    bool spikes = value >= 0 && value <= most && value == std::trunc(value); // NaN is none
    if (!spikes)
      return PlotKind::Trace;
  }
  return PlotKind::Raster;
}

SpikeGrid spikeGrid(const PlotData &data, int64_t rows, int64_t columns) {
  SpikeGrid grid;
  int64_t steps = data.steps(), neurons = data.neurons();
  grid.rows = std::min(rows, neurons);
  grid.columns = std::min(columns, steps);
  grid.cells.assign(static_cast<size_t>(grid.rows * grid.columns), 0);
  grid.rate.assign(static_cast<size_t>(grid.columns), 0);
  if (grid.cells.empty())
    return grid;
  std::vector<int64_t> width(static_cast<size_t>(grid.columns), 0);
  for (int64_t t = 0; t < steps; ++t) {
    int64_t column = t * grid.columns / steps;
    ++width[static_cast<size_t>(column)];
    for (int64_t n = 0; n < neurons; ++n) {
      double value = data.at(t, n);
      grid.cells[static_cast<size_t>(n * grid.rows / neurons * grid.columns + column)] += value;
      grid.rate[static_cast<size_t>(column)] += value;
    }
  }
  for (size_t column = 0; column < grid.rate.size(); ++column)
    grid.rate[column] /= static_cast<double>(std::max<int64_t>(width[column], 1) * neurons);
  grid.peak = *std::max_element(grid.cells.begin(), grid.cells.end());
  return grid;
}

double total(const PlotData &data) {
  double sum = 0;
  for (int64_t i = 0, count = data.array->size(); i < count; ++i)
    if (double value = data.array->at(i); std::isfinite(value))
      sum += value;
  return sum;
}

std::vector<int64_t> shownNeurons(const PlotData &data, int64_t count) {
  int64_t neurons = data.neurons();
  count = std::min(count, neurons);
  std::vector<int64_t> shown;
  for (int64_t i = 0; i < count; ++i)
    shown.push_back((2 * i + 1) * neurons / (2 * count));
  return shown;
}

Census census(const Array &array) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Census result{{none, none}};
  for (int64_t i = 0, count = array.size(); i < count; ++i) {
    double value = array.at(i);
    result.nans += std::isnan(value);
    result.infinite += std::isinf(value);
    if (std::isfinite(value)) {
      result.range.low = std::fmin(result.range.low, value); // fmin and fmax prefer a number to NaN
      result.range.high = std::fmax(result.range.high, value);
    }
  }
  return result;
}

std::string withOddValues(std::string before, const Census &census) {
  for (auto [count, word] : {std::pair(census.nans, "NaN"), std::pair(census.infinite, "infinite")})
    if (count > 0)
      before += fmt::format("{}{} {}", before.empty() ? "" : ", ", grouped(count), word);
  return before;
}

Range valueRange(const PlotData &data, const std::vector<int64_t> &neurons) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  double low = infinite, high = -infinite;
  for (int64_t t = 0, steps = data.steps(); t < steps; ++t)
    for (int64_t n : neurons)
      if (double value = data.at(t, n); std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  if (low > high)
    return {};
  // A constant gets room on both sides; what lies beyond 1e300 is drawn at the edge.
  double margin = low == 0 && high == 0 ? 1 : low == high ? std::fabs(low) * 0.1 : 0;
  constexpr double limit = 1e300, narrowest = 1e-290;
  if (high / 2 - low / 2 + margin < narrowest)
    margin = narrowest;
  return {std::clamp(low, -limit, limit * 0.5) - margin, std::clamp(high, -limit * 0.5, limit) + margin};
}

std::vector<double> ticks(double low, double high, int count, bool whole) {
  double raw = (high / count - low / count);
  double power = std::pow(10, std::floor(std::log10(std::max(raw, 1e-300))));
  double distance = 10 * power;
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) {
      distance = factor * power;
      break;
    }
  if (whole)
    distance = std::max(1.0, distance);
  std::vector<double> list;
  double first = std::ceil(low / distance - 1e-9);
  for (int i = 0; i <= count; ++i) {
    double value = (first + i) * distance;
    if (value > high + distance * 1e-9)
      break;
    list.push_back(value == 0 ? 0 : value); // -0 prints as "-0"
  }
  return list;
}

std::string plotTitle(const PlotData &data) { return fmt::format("{}: {}", data.model, data.name); }

std::string plotSubtitle(const PlotData &data) {
  std::string text = fmt::format("{}, {}", counted(static_cast<uint64_t>(data.neurons()), "neuron"),
                                 counted(static_cast<uint64_t>(data.steps()), "step"));
  if (plotKind(data) == PlotKind::Raster) {
    double spikes = total(data);
    double size = static_cast<double>(std::max<int64_t>(data.array->size(), 1));
    text +=
        fmt::format(", {}, {:.3g} per neuron and step", counted(static_cast<uint64_t>(spikes), "spike"), spikes / size);
  }
  return withOddValues(std::move(text), census(*data.array));
}

} // namespace flexsn::cli
