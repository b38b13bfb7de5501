// Runs every function on all of its inputs and prints what came of it as JSON: benchmarks/results/functions.json is
// such a run. Exit code 1 if a function breaks its promise.
#include "tests/numerics/Compiled.h"
#include "tests/numerics/Measure.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <future>
#include <gnu/libc-version.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/TargetParser/Host.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace {

using namespace flexsn::test;
using Json = nlohmann::ordered_json;

struct Options {
  Extent extent;
  uint64_t doubles = 10'000'000;  ///< inputs of each float64 function
  std::string machine, functions; ///< for the record
  std::vector<std::string> names; ///< none: all
};

/// Where the largest error is; null if there is none.
Json place(const FunctionRow &row, double ulp, double x, double y, int digits) {
  if (ulp == 0)
    return nullptr;
  std::string first = fmt::format("{:.{}g}", x, digits);
  return row.arguments == 2 ? fmt::format("({}, {:.{}g})", first, y, digits) : first;
}

Json float32(const FunctionRow &row, const Findings &found) {
  return {{"name", row.name},
          {"inputs", found.inputs},
          {"ulp", std::ceil(found.ulp * 1e4) / 1e4},
          {"at", place(row, found.ulp, found.x, found.y, 9)},
          {"got", fmt::format("{:.9g}", found.got)},
          {"want", fmt::format("{:.17g}", found.want)},
          {"misrounded", found.misrounded},
          {"undecided", found.undecided},
          {"special", found.special},
          {"special_wrong", found.wrong},
          {"subnormal", found.subnormal},
          {"against_direction", row.direction ? Json(found.against) : Json()},
          {"other_bits", found.otherBits}};
}

Json float64(const FunctionRow &row, const DoubleFindings &found) {
  return {{"name", row.name},
          {"inputs", found.inputs},
          {"ulp", std::ceil(found.ulp * 1e4) / 1e4},
          {"at", place(row, found.ulp, found.x, found.y, 17)},
          {"other_bits_than_libm", found.otherBits}};
}

bool isKept(const FunctionRow &row, const Findings &found) {
  const bool nearest = row.ulp > 0.5 || found.misrounded == 0, inOrder = !row.monotone || found.against == 0;
  return found.ulp <= row.ulp && found.wrong == 0 && found.otherBits == 0 && nearest && inOrder;
}
bool isKept(const DoubleFindings &found) { return found.ulp <= 4 && found.otherBits == 0; }

/// Measures one function and says on stderr how it went; false if it breaks a promise.
bool run(const FunctionRow &row, const Options &options, Json &floats, Json &doubles) {
  const auto begin = std::chrono::steady_clock::now();
  auto beside = std::async(std::launch::async, [&] { return measureDoubles(row, options.doubles); });
  Findings found = measure(row, options.extent);
  DoubleFindings twice = beside.get();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  floats.push_back(float32(row, found));
  doubles.push_back(float64(row, twice));
  const bool kept = isKept(row, found) && isKept(twice);
  fmt::print(stderr, "{:<9} {:.4f} ulp, {:.4f} ulp in f64, {:.1f} s{}\n", row.name, found.ulp, twice.ulp,
             seconds.count(), kept ? "" : ": A PROMISE IS BROKEN");
  return kept;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  options.extent.threads = std::max(1u, std::thread::hardware_concurrency());
  CLI::App app("The error of every function, over all of its inputs");
  app.add_option("--every", options.extent.every, "take each N-th float only")->check(CLI::PositiveNumber);
  app.add_option("--pairs", options.extent.pairs, "inputs of a function of two arguments");
  app.add_option("--doubles", options.doubles, "inputs of a float64 function");
  app.add_option("--threads", options.extent.threads, "default: all")->check(CLI::Range(1, 1024));
  app.add_option("--machine", options.machine, "where it runs, for the record");
  app.add_option("--functions", options.functions, "what was built, for the record");
  app.add_option("function", options.names, "default: all");
  CLI11_PARSE(app, argc, argv);

  Json floats = Json::array(), doubles = Json::array();
  bool kept = true;
  for (const FunctionRow &row : functionTable())
    if (options.names.empty() || std::ranges::count(options.names, row.name))
      kept &= run(row, options, floats, doubles);
  if (floats.empty()) {
    fmt::print(stderr, "no function has such a name\n");
    return 2;
  }
  Json names = Json::array();
  for (const flexsn::Target &target : targets())
    names.push_back(target.cpu.empty() ? llvm::sys::getHostCPUName().str() : target.cpu);
  const Json all = {{"machine", options.machine},
                    {"functions", options.functions},
                    {"command", fmt::format("flexsn-function-errors --every {} --pairs {} --doubles {}",
                                            options.extent.every, options.extent.pairs, options.doubles)},
                    {"libc", fmt::format("glibc {}", gnu_get_libc_version())},
                    {"targets", names},
                    {"float32", floats},
                    {"float64", doubles}};
  fmt::print("{}\n", all.dump(1));
  return kept ? 0 : 1;
}
