// Measurements as a table and as a picture.
#include "tools/flexsnc/Bench.h"
#include "tools/flexsnc/Plot.h"
#include "tools/flexsnc/Svg.h"
#include "tools/flexsnc/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace flexsn::cli {

std::string benchTitle(const BenchReport &report) {
  return fmt::format("{} on {}: {}, {}", report.model, report.processor, report.dtype,
                     counted(static_cast<uint64_t>(report.threads), "thread"));
}

/// "268.4 MB", in powers of ten as the rates are
static std::string decimalBytes(uint64_t bytes) {
  double value = static_cast<double>(bytes);
  if (bytes < 1'000'000)
    return fmt::format("{:.1f} kB", value / 1e3);
  return bytes < 1'000'000'000 ? fmt::format("{:.1f} MB", value / 1e6) : fmt::format("{:.2f} GB", value / 1e9);
}

std::string benchTable(const BenchReport &report) {
  auto line = [](auto &&...cells) {
    return fmt::format("{:<11} {:>6} {:>10} {:>8} {:>7} {:>6} {:>5} {:>6} {:>6} {:>5}\n", cells...);
  };
  std::string text = benchTitle(report) + "\n\n" + fmt::format("{:>66} {:>6}\n", "memcpy", "stream") +
                     line("kernel", "T", "N", "bytes", "time", "spread", "GB/s", "GB/s", "GB/s", "ratio");
  for (const BenchCase &c : report.cases)
    text += line(c.kernel, grouped(static_cast<uint64_t>(c.steps)), grouped(static_cast<uint64_t>(c.neurons)),
                 decimalBytes(c.bytes), durationText(c.run.median), fmt::format("{:.1f}%", 100 * c.run.spread()),
                 fmt::format("{:.1f}", c.rate(c.run)), fmt::format("{:.1f}", c.rate(c.plain)),
                 c.streaming ? fmt::format("{:.1f}", c.rate(*c.streaming)) : "-", fmt::format("{:.2f}", c.ratio()));
  return text;
}

namespace {

/// One bar of a case.
struct Bar {
  const char *name, *color;
  double rate;
};

std::vector<Bar> barsOf(const BenchCase &c) {
  std::vector<Bar> bars = {{"kernel", "#1f6fb4", c.rate(c.run)}, {"memcpy", "#b4bdc4", c.rate(c.plain)}};
  if (c.streaming)
    bars.push_back({"streaming copy", "#d3d9dd", c.rate(*c.streaming)});
  return bars;
}

constexpr double barsLeft = 176, barsRight = svgWidth - 96, barHeight = 16, barStep = 20, headHeight = 26, caseGap = 14;
constexpr double axisHeight = 48;

class BenchWriter {
public:
  explicit BenchWriter(const BenchReport &report) {
    double fastest = 0;
    for (const BenchCase &c : report.cases) {
      height += headHeight + caseGap + barStep * static_cast<double>(barsOf(c).size());
      for (const Bar &bar : barsOf(c))
        fastest = std::max(fastest, bar.rate);
    }
    scale = (barsRight - barsLeft) / std::max(fastest, 1e-9);
    svg = svgOpening(height + axisHeight, benchTitle(report),
                     "bytes read and written a second; a ratio of 1 is as fast as the faster copy of the same bytes");
    grid(fastest);
    for (const BenchCase &c : report.cases)
      draw(c);
  }

  std::string finish() { return std::move(svg) + "</svg>\n"; }

private:
  template <class... Args> void append(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(svg), format, std::forward<Args>(args)...);
  }

  void grid(double fastest) {
    for (double value : ticks(0, fastest, 8, false))
      append("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#e6eaed\"/>\n<text x=\"{0:.1f}\" y=\"{3:.1f}\" "
             "text-anchor=\"middle\">{4:.6g}</text>\n",
             barsLeft + value * scale, svgTop, height, height + 18, value);
    append("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">GB/s</text>\n", (barsLeft + barsRight) / 2,
           height + 36);
  }

  void draw(const BenchCase &c) {
    append("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"600\" fill=\"#14181b\">{}, T = {}, N = {}: ratio "
           "{:.2f}</text>\n",
           svgLeft, y + headHeight - 8, svgEscaped(c.kernel), grouped(static_cast<uint64_t>(c.steps)),
           grouped(static_cast<uint64_t>(c.neurons)), c.ratio());
    y += headHeight;
    for (const Bar &bar : barsOf(c)) {
      append("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", barsLeft - 8, y + 12.5, bar.name);
      append("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", barsLeft, y,
             bar.rate * scale, barHeight, bar.color);
      append("<text x=\"{:.1f}\" y=\"{:.1f}\">{:.1f}</text>\n", barsLeft + bar.rate * scale + 6, y + 12.5, bar.rate);
      y += barStep;
    }
    y += caseGap;
  }

  double height = svgTop, scale = 1, y = svgTop;
  std::string svg;
};

} // namespace

std::string benchSvg(const BenchReport &report) { return BenchWriter(report).finish(); }

} // namespace flexsn::cli
