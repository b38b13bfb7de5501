// Pictures: every spike is drawn, nothing leaves the frame, and strange values do no harm.
#include "tools/flexsnc/Plot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace flexsn::cli;

namespace {

template <class Value> Array makeValues(int64_t steps, int64_t neurons, Value value) {
  Array array = makeArray(Element::F64, {steps, neurons});
  for (int64_t t = 0; t < steps; ++t)
    for (int64_t n = 0; n < neurons; ++n) {
      double x = value(t, n);
      std::memcpy(array.bytes.data() + static_cast<size_t>(t * neurons + n) * sizeof x, &x, sizeof x);
    }
  return array;
}

PlotData plotOf(const Array &array) { return {"LIF", "s", &array}; }

size_t occurrences(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

size_t letters(const std::string &line) {
  return static_cast<size_t>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// Number of braille dots in a text: U+2800 + 8 bits is E2, A0 + 2 bits, 80 + 6 bits.
size_t dots(const std::string &text) {
  size_t count = 0;
  for (size_t i = 0; i + 2 < text.size(); ++i)
    if (text[i] == '\xe2' && (text[i + 1] & 0xfc) == 0xa0)
      count += static_cast<size_t>(__builtin_popcount(text[i + 1] & 3) + __builtin_popcount(text[i + 2] & 63));
  return count;
}

/// The values of every attribute of that name. (std::regex recurses once a character and overflows the stack.)
std::vector<std::string> attributes(const std::string &svg, const std::string &name) {
  std::vector<std::string> values;
  std::string opening = " " + name + "=\"";
  for (size_t at = svg.find(opening); at != std::string::npos; at = svg.find(opening, at + 1)) {
    size_t begin = at + opening.size();
    values.push_back(svg.substr(begin, svg.find('"', begin) - begin));
  }
  return values;
}

struct Point {
  double x, y;
};

/// The points of the absolute commands M and L of a path.
std::vector<Point> pointsOf(const std::string &path) {
  std::vector<Point> points;
  for (size_t at = path.find_first_of("ML"); at != std::string::npos; at = path.find_first_of("ML", at + 1)) {
    char *end = nullptr;
    double x = std::strtod(path.c_str() + at + 1, &end);
    points.push_back({x, std::strtod(end, nullptr)});
  }
  return points;
}

/// Every path consists of numbers and commands, and begins and goes on inside the picture.
void expectInside(const std::string &svg) {
  double width = std::stod(attributes(svg, "width").at(0)), height = std::stod(attributes(svg, "height").at(0));
  for (const std::string &path : attributes(svg, "d")) {
    EXPECT_EQ(path.find_first_not_of("MLVhvz0123456789.- "), std::string::npos) << path;
    for (Point point : pointsOf(path))
      EXPECT_TRUE(point.x >= 0 && point.x <= width && point.y >= 0 && point.y <= height) << point.x << " " << point.y;
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST(Plot, KindFollowsTheValues) {
  EXPECT_EQ(plotKind(plotOf(makeValues(3, 2, [](int64_t t, int64_t) { return double(t == 1); }))), PlotKind::Raster);
  // Whole numbers are spike counts only where the model says int: a voltage may be whole by chance.
  Array whole = makeValues(3, 2, [](int64_t t, int64_t) { return double(t); });
  EXPECT_EQ(plotKind({"LIF", "s", &whole, false}), PlotKind::Trace);
  EXPECT_EQ(plotKind({"LIF", "s", &whole, true}), PlotKind::Raster);
  for (double other : {0.5, -1.0, 256.0, double(NAN), double(INFINITY)})
    for (bool counts : {false, true}) {
      Array array = makeValues(3, 2, [&](int64_t t, int64_t) { return t == 2 ? other : 1.0; });
      EXPECT_EQ(plotKind({"LIF", "s", &array, counts}), PlotKind::Trace) << other;
    }
}

TEST(Plot, EverySpikeIsDrawnOnce) {
  Array array = makeValues(100, 64, [](int64_t t, int64_t n) { return (t * 7 + n * 3) % 11 == 0 ? 1.0 : 0.0; });
  auto spikes = static_cast<size_t>(total(plotOf(array)));
  ASSERT_GT(spikes, 500u);
  std::string svg = svgPlot(plotOf(array));
  EXPECT_EQ(occurrences(svg, "fill-opacity=\"1.0\""), 1u); // one spike a cell: one shade, the darkest
  size_t drawn = 0;
  for (const std::string &path : attributes(svg, "d"))
    drawn += occurrences(path, "M") == spikes;
  EXPECT_EQ(drawn, 1u);
  EXPECT_EQ(dots(terminalPlot(plotOf(array), 80, false)), spikes);
  expectInside(svg);
}

TEST(Plot, LargeRastersAreBinned) {
  Array array = makeValues(5000, 1000, [](int64_t t, int64_t n) { return (t + n) % 50 == 0 ? 1.0 : 0.0; });
  SpikeGrid grid = spikeGrid(plotOf(array), 400, 870);
  EXPECT_EQ(grid.rows, 400);
  EXPECT_EQ(grid.columns, 870);
  double sum = 0;
  for (double cell : grid.cells)
    sum += cell;
  EXPECT_EQ(sum, total(plotOf(array)));
  for (double rate : grid.rate)
    EXPECT_NEAR(rate, 0.02, 1e-12);
  std::string svg = svgPlot(plotOf(array));
  EXPECT_LT(svg.size(), 400u * 870 * 40);
  expectInside(svg);
}

TEST(Plot, EveryStepHasItsColumn) {
  // 364 of 364: a column computed in floating point once fell into its neighbour.
  for (int64_t steps : {1, 2, 3, 49, 364, 869, 870}) {
    SpikeGrid grid = spikeGrid(plotOf(makeValues(steps, 1, [](int64_t, int64_t) { return 1.0; })), 400, 870);
    EXPECT_EQ(grid.columns, steps);
    EXPECT_EQ(grid.peak, 1);
  }
}

TEST(Plot, TerminalLinesKeepTheirWidth) {
  for (int columns : {1, 40, 80, 200})
    for (int64_t steps : {1, 2, 13, 100, 1000, 123457})
      for (double scale : {1.0, 0.3, 1e300}) {
        Array array = makeValues(steps, 3, [&](int64_t t, int64_t n) { return scale * double((t + n) % 3); });
        std::vector<std::string> lines = linesOf(terminalPlot(plotOf(array), columns, false));
        for (size_t i = 1; i < lines.size(); ++i)
          EXPECT_LE(letters(lines[i]), size_t(std::max(columns, 40))) << lines[i];
      }
}

TEST(Plot, StrangeValuesDoNoHarm) {
  constexpr double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<std::vector<double>> rows = {
      {NAN, NAN, NAN},           {INFINITY, -INFINITY, NAN}, {huge, -huge, 0}, {tiny, -tiny, tiny},
      {0.5, 0.5, 0.5},           {-0.0, 0.0, -1e-320},       {1, NAN, 2.5},    {-huge, -huge, -huge},
      {1e15, 1e15 + 0.125, 1e15}};
  for (const std::vector<double> &row : rows) {
    Array array = makeValues(30, 2, [&](int64_t t, int64_t) { return row[static_cast<size_t>(t) % row.size()]; });
    expectInside(svgPlot(plotOf(array)));
    EXPECT_GT(terminalPlot(plotOf(array), 80, false).size(), 1000u);
  }
}

TEST(Plot, EmptyAndSmallArrays) {
  for (auto [steps, neurons] : {std::pair<int64_t, int64_t>{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 1000}, {2, 1}}) {
    Array spikes = makeValues(steps, neurons, [](int64_t, int64_t) { return 1.0; });
    Array values = makeValues(steps, neurons, [](int64_t, int64_t) { return 0.25; });
    for (const Array *array : {&spikes, &values}) {
      expectInside(svgPlot(plotOf(*array)));
      EXPECT_FALSE(terminalPlot(plotOf(*array), 80, true).empty());
    }
  }
  Array scalar = makeArray(Element::F32, {});
  expectInside(svgPlot(plotOf(scalar)));
}

TEST(Plot, LongTracesKeepTheirPeaks) {
  Array array = makeValues(100000, 1, [](int64_t t, int64_t) { return t == 54321 ? 10.0 : 0.5; });
  std::string svg = svgPlot(plotOf(array));
  EXPECT_LT(svg.size(), 100000u);
  expectInside(svg);
  double highest = 1e9;
  for (const std::string &path : attributes(svg, "d"))
    for (Point point : pointsOf(path))
      if (path.find('L') != std::string::npos)
        highest = std::min(highest, point.y);
  EXPECT_LT(highest, 80); // the spike reaches the upper edge of the panel, at 56
}

TEST(Plot, NamesAreEscaped) {
  Array array = makeValues(2, 1, [](int64_t, int64_t) { return 1.0; });
  std::string svg = svgPlot({"<a&b>", "\"s\"", &array});
  EXPECT_NE(svg.find("&lt;a&amp;b&gt;: &quot;s&quot;"), std::string::npos);
  EXPECT_EQ(svg.find("<a&b>"), std::string::npos);
}

TEST(Plot, SubtitlesCount) {
  EXPECT_EQ(plotSubtitle(plotOf(makeValues(1000, 2, [](int64_t, int64_t) { return 1.0; }))),
            "2 neurons, 1,000 steps, 2,000 spikes, 1 per neuron and step");
  EXPECT_EQ(plotSubtitle(plotOf(makeValues(1, 1, [](int64_t, int64_t) { return double(NAN); }))),
            "1 neuron, 1 step, 1 NaN");
}

TEST(Plot, TicksAreRound) {
  EXPECT_EQ(ticks(0, 100, 10, true), (std::vector<double>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}));
  EXPECT_EQ(ticks(-0.3, 1.1, 6, false), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(ticks(0, 2, 8, true), (std::vector<double>{0, 1, 2}));
  for (double scale : {1e-300, 1e-5, 1.0, 7e7, 1e299})
    for (int count : {1, 2, 5, 10}) {
      std::vector<double> list = ticks(-scale, 2 * scale, count, false);
      EXPECT_LE(list.size(), size_t(count) + 1);
    }
}

TEST(Plot, TracesAreSpreadOverTheNeurons) {
  Array many = makeValues(1, 64, [](int64_t, int64_t) { return 0.5; });
  EXPECT_EQ(shownNeurons(plotOf(many), 1), (std::vector<int64_t>{32}));
  EXPECT_EQ(shownNeurons(plotOf(many), 4), (std::vector<int64_t>{8, 24, 40, 56}));
  Array few = makeValues(1, 3, [](int64_t, int64_t) { return 0.5; });
  EXPECT_EQ(shownNeurons(plotOf(few), 6), (std::vector<int64_t>{0, 1, 2}));
}

} // namespace
