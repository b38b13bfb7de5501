// Pictures of one result over time: spikes as a raster, other values as traces; as SVG and for a terminal.
#pragma once

#include "tools/flexsnc/Array.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flexsn::cli {

/// What a picture shows. The array's dimension 0 is time; the others together count the neurons.
struct PlotData {
  std::string model; ///< "LIF"
  std::string name;  ///< "s"
  const Array *array = nullptr;
  bool counts = false; ///< an int of the model: whole numbers above 1 are spike counts too

  int64_t steps() const { return array->shape.empty() ? 0 : array->shape[0]; }
  int64_t neurons() const {
    int64_t count = steps();
    return count > 0 ? array->size() / count : 0;
  }
  double at(int64_t step, int64_t neuron) const { return array->at(step * neurons() + neuron); }
};

enum class PlotKind : uint8_t { Raster, Trace };

/// Raster if all values are 0 or 1, or spike counts up to 255; traces for everything else.
PlotKind plotKind(const PlotData &data);

/// A complete SVG document.
std::string svgPlot(const PlotData &data);

/// Lines of text with braille dots, at most `columns` wide (at least 40 are used); with ANSI colours if wanted.
std::string terminalPlot(const PlotData &data, int columns, bool color);

// ---- What both pictures share ----

/// Spikes summed into cells of equal size: row 0 holds neuron 0, column 0 step 0. With more cells than steps or neurons
/// asked for, a cell is one step of one neuron.
struct SpikeGrid {
  int64_t rows = 0, columns = 0;
  std::vector<double> cells; ///< row-major
  std::vector<double> rate;  ///< per column: spikes per neuron and step
  double peak = 0;           ///< largest cell
};
SpikeGrid spikeGrid(const PlotData &data, int64_t rows, int64_t columns);

/// Sum of the finite values of the array: the number of spikes of a raster.
double total(const PlotData &data);

/// At most `count` neurons, spread evenly over all of them: those whose traces are drawn.
std::vector<int64_t> shownNeurons(const PlotData &data, int64_t count);

/// An interval of values that is drawn. Halves are subtracted, since high - low may exceed the largest double.
struct Range {
  double low = 0, high = 1;
  double half() const { return high / 2 - low / 2; }
  /// Where a value lies: 0 at the low end, 1 at the high end, never outside.
  double position(double value) const {
    double part = (value / 2 - low / 2) / half();
    return part > 1 ? 1 : part > 0 ? part : 0;
  }
};
/// The interval of the finite values of the given neurons; wide enough to divide by.
Range valueRange(const PlotData &data, const std::vector<int64_t> &neurons);

/// The values of an array in figures.
struct Census {
  Range range;                     ///< of the finite values; NaN for both ends if there is none
  uint64_t nans = 0, infinite = 0; ///< how many are not finite
};
Census census(const Array &array);

/// ", 3 NaN, 1 infinite" with what there is, behind `before` if that is not empty.
std::string withOddValues(std::string before, const Census &census);

/// Round numbers (1, 2 or 5 times a power of ten apart) inside [low, high], at most `count` of them; whole numbers if
/// asked.
std::vector<double> ticks(double low, double high, int count, bool whole);

/// "LIF: s" and "64 neurons, 100 steps, 1,234 spikes, 0.193 per neuron and step"
std::string plotTitle(const PlotData &data);
std::string plotSubtitle(const PlotData &data);

} // namespace flexsn::cli
