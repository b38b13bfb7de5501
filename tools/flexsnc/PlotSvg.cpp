// Pictures as SVG. All numbers are printed with one decimal: small files, the same bytes everywhere.
#include "tools/flexsnc/Plot.h"
#include "tools/flexsnc/Svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace flexsn::cli {

namespace {

constexpr double left = svgLeft, right = 24, top = svgTop, axisHeight = 44;
constexpr double plotWidth = svgWidth - left - right;
constexpr std::array<const char *, 6> traceColors = {"#1f6fb4", "#d9603b", "#2f9e6e", "#8a5cb8", "#b58900", "#5a6570"};

/// A rectangle of the picture with the values at its lower and upper edge.
struct Panel {
  double y, height;
  Range range;
  double yOf(double value) const { return y + height * (1 - range.position(value)); }
};

class SvgWriter {
public:
  SvgWriter(const PlotData &data, double plotHeight)
      : data(data), height(top + plotHeight + axisHeight),
        svg(svgOpening(height, plotTitle(data), plotSubtitle(data))) {}

  template <class... Args> void append(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(svg), format, std::forward<Args>(args)...);
  }

  double xOf(double step) const {
    return left + step / static_cast<double>(std::max<int64_t>(data.steps(), 1)) * plotWidth;
  }

  /// Frame, horizontal grid lines with their values, and the name of the axis beside them.
  void frame(const Panel &panel, const std::vector<double> &values, const char *name) {
    for (double value : values) {
      double y = panel.yOf(value);
      append("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"#e6eaed\"/>\n", left, y, plotWidth);
      append("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.6g}</text>\n", left - 8, y + 4, value);
    }
    append("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#9aa4ab\"/>\n",
           left, panel.y, plotWidth, panel.height);
    append("<text transform=\"translate(16 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
           panel.y + panel.height / 2, name);
  }

  void timeAxis() {
    double y = height - axisHeight;
    for (double step : ticks(0, static_cast<double>(data.steps()), 10, true))
      append("<path d=\"M{0:.1f} {1:.1f}v5\" stroke=\"#9aa4ab\"/>\n<text x=\"{0:.1f}\" y=\"{2:.1f}\" "
             "text-anchor=\"middle\">{3:.15g}</text>\n",
             xOf(step), y, y + 18, step);
    append("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">step</text>\n", left + plotWidth / 2, y + 36);
  }

  std::string finish() {
    svg += "</svg>\n";
    return std::move(svg);
  }

private:
  const PlotData &data;
  double height;
  std::string svg;
};

/// One path per shade, so that a picture has a handful of elements however many spikes there are.
void drawSpikes(SvgWriter &writer, const SpikeGrid &grid, const Panel &panel) {
  double cellWidth = plotWidth / static_cast<double>(grid.columns),
         cellHeight = panel.height / static_cast<double>(grid.rows);
  // Small cells touch; large ones leave a gap, so that neighbouring spikes can be told apart.
  double width = cellWidth > 2.5 ? cellWidth * 0.72 : cellWidth,
         height = cellHeight > 2.5 ? cellHeight * 0.82 : cellHeight;
  constexpr int shades = 5;
  std::array<std::string, shades> paths;
  for (int64_t row = 0; row < grid.rows; ++row)
    for (int64_t column = 0; column < grid.columns; ++column) {
      double count = grid.cells[static_cast<size_t>(row * grid.columns + column)];
      if (count <= 0)
        continue;
      auto shade = static_cast<size_t>(std::clamp(std::ceil(count / grid.peak * shades) - 1, 0.0, shades - 1.0));
      fmt::format_to(std::back_inserter(paths[shade]), "M{:.1f} {:.1f}h{:.2f}v{:.2f}h-{:.2f}z",
                     left + static_cast<double>(column) * cellWidth + (cellWidth - width) / 2,
                     panel.y + static_cast<double>(row) * cellHeight + (cellHeight - height) / 2, width, height, width);
    }
  for (size_t shade = 0; shade < shades; ++shade)
    if (!paths[shade].empty())
      writer.append("<path fill=\"#17344f\" fill-opacity=\"{:.1f}\" d=\"{}\"/>\n", 0.2 * static_cast<double>(shade + 1),
                    paths[shade]);
}

/// The mean rate of all neurons over time, as an area.
void drawRate(SvgWriter &writer, const SpikeGrid &grid, const Panel &panel) {
  double cellWidth = plotWidth / static_cast<double>(grid.columns);
  std::string path = fmt::format("M{:.1f} {:.1f}", left, panel.yOf(0));
  for (double rate : grid.rate)
    fmt::format_to(std::back_inserter(path), "V{:.1f}h{:.2f}", panel.yOf(rate), cellWidth);
  writer.append("<path fill=\"#d9603b\" fill-opacity=\"0.75\" d=\"{}V{:.1f}z\"/>\n", path, panel.yOf(0));
}

std::string svgRaster(const PlotData &data) {
  SpikeGrid grid = spikeGrid(data, 400, 870);
  double rasterHeight = std::clamp(static_cast<double>(data.neurons()) * 4.0, 60.0, 480.0);
  constexpr double gap = 18, rateHeight = 64;
  SvgWriter writer(data, rasterHeight + gap + rateHeight);
  Panel raster{top, rasterHeight, {static_cast<double>(std::max<int64_t>(data.neurons(), 1)), 0}}; // neuron 0 on top
  double peak = grid.rate.empty() ? 0 : *std::max_element(grid.rate.begin(), grid.rate.end());
  Panel rate{top + rasterHeight + gap, rateHeight, {0, peak > 0 ? peak * 1.1 : 1}};
  writer.frame(raster, ticks(0, raster.range.low, std::clamp(static_cast<int>(rasterHeight / 40), 1, 8), true),
               "neuron");
  writer.frame(rate, ticks(0, rate.range.high, 2, false), "rate");
  if (!grid.cells.empty()) {
    drawSpikes(writer, grid, raster);
    drawRate(writer, grid, rate);
  }
  writer.timeAxis();
  return writer.finish();
}

/// One neuron's values as line segments; a value that is not finite interrupts the line. With many steps only the
/// extremes of each pixel column are drawn, which look the same.
std::string tracePath(const PlotData &data, const SvgWriter &writer, const Panel &panel, int64_t neuron) {
  int64_t steps = data.steps(), columns = std::min<int64_t>(steps, 1740); // two columns a pixel
  std::string path;
  bool drawing = false;
  auto point = [&](double step, double value) {
    bool finite = std::isfinite(value);
    if (finite)
      fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", drawing ? "L" : "M", writer.xOf(step + 0.5),
                     panel.yOf(value));
    drawing = finite;
  };
  for (int64_t column = 0, begin = 0; column < columns; ++column) {
    int64_t end = (column + 1) * steps / columns, low = begin, high = begin;
    for (int64_t t = begin; t < end; ++t) {
      if (!(data.at(t, neuron) >= data.at(low, neuron)))
        low = t;
      if (!(data.at(t, neuron) <= data.at(high, neuron)))
        high = t;
    }
    point(static_cast<double>(std::min(low, high)), data.at(std::min(low, high), neuron));
    if (low != high)
      point(static_cast<double>(std::max(low, high)), data.at(std::max(low, high), neuron));
    begin = end;
  }
  return path;
}

std::string svgTrace(const PlotData &data) {
  std::vector<int64_t> shown = shownNeurons(data, traceColors.size());
  constexpr double plotHeight = 280;
  SvgWriter writer(data, plotHeight);
  Range range = valueRange(data, shown);
  double margin = range.half() * 0.1;
  Panel panel{top, plotHeight, {range.low - margin, range.high + margin}};
  writer.frame(panel, ticks(panel.range.low, panel.range.high, 6, false), "value");
  double x = svgWidth - right;
  for (size_t i = shown.size(); i-- > 0;) {
    std::string path = tracePath(data, writer, panel, shown[i]);
    if (!path.empty())
      writer.append(
          "<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\" stroke-linejoin=\"round\" stroke-linecap=\"round\" "
          "d=\"{}\"/>\n",
          traceColors[i], path);
    writer.append("<text x=\"{:.1f}\" y=\"43\" text-anchor=\"end\" fill=\"{}\" font-weight=\"600\">{}{}</text>\n", x,
                  traceColors[i], i == 0 ? "neuron " : "", shown[i]);
    x -= 10 + 8 * static_cast<double>(fmt::formatted_size("{}", shown[i]));
  }
  writer.timeAxis();
  return writer.finish();
}

} // namespace

std::string svgPlot(const PlotData &data) {
  return plotKind(data) == PlotKind::Raster ? svgRaster(data) : svgTrace(data);
}

} // namespace flexsn::cli
