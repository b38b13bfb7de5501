// Pictures for a terminal: a braille letter has 2 x 4 dots.
#include "tools/flexsnc/Plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexsn::cli {

namespace {

/// A field of dots that prints as braille letters.
class BrailleCanvas {
public:
  BrailleCanvas(int64_t columns, int64_t rows)
      : columns(columns), rows(rows), cells(static_cast<size_t>(columns * rows), 0) {}

  int64_t width() const { return columns * 2; }
  int64_t height() const { return rows * 4; }

  void set(int64_t x, int64_t y) {
    // Bits of the letter by position: the standard numbers dots 1-3 and 7 down the left side, 4-6 and 8 down the right.
    static constexpr unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x >= 0 && y >= 0 && x < width() && y < height())
      cells[static_cast<size_t>(y / 4 * columns + x / 2)] |= bits[y % 4][x % 2];
  }

  /// One line of text in UTF-8.
  std::string line(int64_t row) const {
    std::string text;
    for (int64_t column = 0; column < columns; ++column) {
      unsigned cell = cells[static_cast<size_t>(row * columns + column)];
      text += {'\xe2', static_cast<char>(0xa0 | cell >> 6), static_cast<char>(0x80 | (cell & 63))};
    }
    return text;
  }

private:
  int64_t columns, rows;
  std::vector<unsigned char> cells;
};

constexpr int64_t labelWidth = 8;

/// The canvas with a frame, labels at the left of some rows, and the time axis below.
class TerminalFrame {
public:
  TerminalFrame(const PlotData &data, bool color) : data(data), color(color) {
    text = fmt::format("{}{}{}  {}\n", on("1"), plotTitle(data), off(), plotSubtitle(data));
  }

  void edge(const char *leftCorner, const char *rightCorner, int64_t columns) {
    text += std::string(labelWidth, ' ') + on("2") + leftCorner;
    for (int64_t i = 0; i < columns; ++i)
      text += "─";
    text += rightCorner + off() + "\n";
  }

  void row(const std::string &label, const std::string &dots) {
    text += fmt::format("{:>{}} {}│{}{}{}{}│{}\n", label, labelWidth - 1, on("2"), off(), on("36"), dots, on("39;2"),
                        off());
  }

  /// Numbers under the lower edge, each centred under its step, as many as fit beside each other.
  void timeAxis(int64_t columns) {
    std::string numbers(static_cast<size_t>(columns + 2), ' ');
    double steps = static_cast<double>(std::max<int64_t>(data.steps(), 1));
    size_t free = 0;
    for (double step : ticks(0, steps, static_cast<int>(std::max<int64_t>(columns / 12, 2)), true)) {
      std::string number = fmt::format("{:.15g}", step);
      double center = step / steps * static_cast<double>(columns) + 1;
      auto begin = static_cast<size_t>(std::max(0.0, center - static_cast<double>(number.size()) / 2));
      begin = std::min(begin, numbers.size() - std::min(numbers.size(), number.size()));
      if (begin < free)
        continue;
      numbers.replace(begin, number.size(), number);
      free = begin + number.size() + 1;
    }
    std::string_view name = "step";
    if (free + name.size() < numbers.size())
      numbers.replace(numbers.size() - name.size(), name.size(), name);
    text += std::string(labelWidth, ' ') + numbers + "\n";
  }

  std::string text;

private:
  std::string on(const char *code) const { return color ? fmt::format("\x1b[{}m", code) : ""; }
  std::string off() const { return color ? "\x1b[0m" : ""; }

  const PlotData &data;
  bool color;
};

std::string terminalRaster(const PlotData &data, int64_t columns, bool color) {
  // A dot is a neuron and a step where they fit, else a bin of them; 16 lines hold 64 neurons dot by dot.
  int64_t neurons = std::max<int64_t>(data.neurons(), 1), steps = std::max<int64_t>(data.steps(), 1);
  columns = std::min(columns, (steps + 1) / 2);
  BrailleCanvas canvas(columns, std::min<int64_t>(16, (neurons + 3) / 4));
  SpikeGrid grid = spikeGrid(data, canvas.height(), canvas.width());
  for (int64_t row = 0; row < grid.rows; ++row)
    for (int64_t column = 0; column < grid.columns; ++column)
      if (grid.cells[static_cast<size_t>(row * grid.columns + column)] > 0)
        canvas.set(column, row);
  TerminalFrame frame(data, color);
  frame.edge("┌", "┐", columns);
  int64_t lines = canvas.height() / 4;
  for (int64_t line = 0; line < lines; ++line) {
    int64_t neuron = line * 4 * neurons / std::max(grid.rows, int64_t(1));
    bool labelled = line % 4 == 0 && neuron < neurons;
    frame.row(labelled ? fmt::format("{}", neuron) : "", canvas.line(line));
  }
  frame.edge("└", "┘", columns);
  frame.timeAxis(columns);
  return frame.text;
}

std::string terminalTrace(const PlotData &data, int64_t columns, bool color) {
  constexpr int64_t lines = 13;
  int64_t steps = data.steps();
  columns = std::min(columns, std::max<int64_t>((steps + 1) / 2, 16));
  BrailleCanvas canvas(columns, lines);
  std::vector<int64_t> shown = shownNeurons(data, 1);
  Range range = valueRange(data, shown);
  auto yOf = [&](double value) {
    return std::llround((1 - range.position(value)) * static_cast<double>(canvas.height() - 1));
  };
  // A vertical stroke from each value to the next keeps steep traces connected.
  double before = NAN;
  for (int64_t t = 0; t < steps && !shown.empty(); ++t) {
    double value = data.at(t, shown[0]);
    if (std::isfinite(value)) {
      int64_t x = t * canvas.width() / steps;
      int64_t from = yOf(std::isfinite(before) ? before : value), to = yOf(value);
      for (int64_t y = std::min(from, to); y <= std::max(from, to); ++y)
        canvas.set(x, y);
    }
    before = value;
  }
  TerminalFrame frame(data, color);
  frame.edge("┌", "┐", columns);
  for (int64_t line = 0; line < lines; ++line) {
    double value = range.high - range.half() * 2 * static_cast<double>(line) / (lines - 1);
    frame.row(line == 0 || line + 1 == lines || line == lines / 2 ? fmt::format("{:.4g}", value) : "",
              canvas.line(line));
  }
  frame.edge("└", "┘", columns);
  frame.timeAxis(columns);
  if (data.neurons() > 1)
    frame.text += fmt::format("{}neuron {} of {}\n", std::string(labelWidth + 1, ' '), shown[0], data.neurons());
  return frame.text;
}

} // namespace

std::string terminalPlot(const PlotData &data, int columns, bool color) {
  int64_t inside = std::max(columns, 40) - labelWidth - 2;
  return plotKind(data) == PlotKind::Raster ? terminalRaster(data, inside, color) : terminalTrace(data, inside, color);
}

} // namespace flexsn::cli
