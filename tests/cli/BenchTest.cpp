// What `flexsnc bench` measures with, and how it shows what it found.
#include "tools/flexsnc/Bench.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>

using namespace flexsn::cli;

namespace {

TEST(Bench, MedianAndQuartiles) {
  Timing timing = timingOf({5, 1, 4, 2, 3});
  EXPECT_EQ(timing.median, 3);
  EXPECT_EQ(timing.low, 2);
  EXPECT_EQ(timing.high, 4);
  EXPECT_EQ(timing.least, 1);
  EXPECT_EQ(timing.samples, 5);
  EXPECT_DOUBLE_EQ(timing.spread(), 2.0 / 3);
  EXPECT_EQ(timingOf({1, 2, 3, 4}).median, 2.5);
  EXPECT_EQ(timingOf({7}).high, 7);
  EXPECT_EQ(timingOf({0}).spread(), 0);
}

TEST(Bench, SubjectsTakeTurnsAndRunOften) {
  int first = 0, second = 0, turns = 0;
  std::vector<Timing> timings = measure({[&] { ++first; },
                                         [&] {
                                           turns += first > second; // the other one has run in between
                                           ++second;
                                           std::this_thread::sleep_for(std::chrono::milliseconds(2));
                                         }},
                                        0.01);
  ASSERT_EQ(timings.size(), 2u);
  EXPECT_GE(turns, 7);
  EXPECT_GE(timings[0].samples, 7);
  EXPECT_GT(first, second); // an empty run is timed many at once
  EXPECT_GE(timings[1].median, 0.002);
  EXPECT_LT(timings[0].median, 0.001);
}

std::vector<Copier::Copy *> allCopies() {
  std::vector<Copier::Copy *> copies = streamingCopies();
  copies.push_back(plainCopy);
  return copies;
}

TEST(Bench, CopiesCopyAllAndNothingElse) {
  std::vector<char> from(1000), to;
  std::iota(from.begin(), from.end(), 0);
  for (Copier::Copy *copy : allCopies())
    for (size_t begin : {0, 1, 15, 16, 63})
      for (size_t bytes : {0, 1, 15, 16, 17, 64, 127, 128, 500}) {
        to.assign(1000, 'x');
        copy(to.data() + begin, from.data() + 3, bytes);
        for (size_t i = 0; i < to.size(); ++i)
          ASSERT_EQ(to[i], i >= begin && i < begin + bytes ? from[3 + i - begin] : 'x') << begin << " " << bytes;
      }
}

TEST(Bench, ThreadsShareACopy) {
  for (int threads : {1, 2, 3, 8}) {
    Copier copier(threads);
    for (size_t bytes : {size_t{0}, size_t{1000}, size_t{128} << 10, (size_t{1} << 20) + 4097}) {
      std::vector<char> from(bytes), to(bytes + 1, 'x');
      for (size_t i = 0; i < bytes; ++i)
        from[i] = static_cast<char>(i * 31 + i / 4096);
      for (Copier::Copy *copy : allCopies()) {
        std::fill(to.begin(), to.end(), 'x');
        copier.run(copy, to.data(), from.data(), bytes);
        EXPECT_TRUE(std::equal(from.begin(), from.end(), to.begin())) << threads << " " << bytes;
        EXPECT_EQ(to.back(), 'x');
      }
    }
  }
}

BenchReport report() {
  BenchReport report{"A<B", "f32", "cpu", 1, {}};
  report.cases.push_back({"inference", 16, 1 << 21, 268435456, {0.02, 0.019, 0.021, 0.018, 9}, {0.025}, Timing{0.02}});
  report.cases.push_back({"final_state", 4, 99999999, 1000, {2e-6, 2e-6, 2e-6, 2e-6, 9}, {1e-6}, std::nullopt});
  return report;
}

TEST(Bench, TableIsEightyColumnsWide) {
  EXPECT_EQ(report().cases[1].ratio(), 0.5);
  EXPECT_EQ(benchTable(report()), "A<B on cpu: f32, 1 thread\n"
                                  "\n"
                                  "                                                            memcpy stream\n"
                                  "kernel           T          N    bytes    time spread  GB/s   GB/s   GB/s ratio\n"
                                  "inference       16  2,097,152 268.4 MB 20.0 ms  10.0%  13.4   10.7   13.4  1.00\n"
                                  "final_state      4 99,999,999   1.0 kB    2 us   0.0%   0.5    1.0      -  0.50\n");
}

TEST(Bench, PictureHasABarForEachTimingInsideItsFrame) {
  std::string svg = benchSvg(report());
  EXPECT_EQ(svg.find("<svg "), 0u);
  EXPECT_NE(svg.find("A&lt;B on cpu"), std::string::npos);
  size_t bars = 0;
  for (size_t at = svg.find("<rect x="); at != std::string::npos; at = svg.find("<rect x=", at + 1)) {
    ++bars;
    double width = std::stod(svg.substr(svg.find("width=\"", at) + 7));
    EXPECT_GT(width, 0);
    EXPECT_LE(width, 960);
  }
  EXPECT_EQ(bars, 5u);
  EXPECT_NE(svg.find("ratio 0.50"), std::string::npos);
}

} // namespace
