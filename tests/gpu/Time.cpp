// The time of kernels beside that of a copy of the same bytes.
#include "tests/gpu/Bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace flexsn::test {
namespace {

std::vector<BenchCase> cases() {
  std::vector<BenchCase> list;
  for (Storage data : {Storage::F32, Storage::BF16})
    for (auto [steps, neurons] : {std::pair<int64_t, int64_t>{4, 1 << 24}, {16, 1 << 22}, {16, (1 << 22) - 3}}) {
      for (double tau : {2.0, 3.0})
        list.push_back({"LIF", data, steps, neurons, tau});
      if (neurons % 2 == 0)
        for (const char *model : {"PLIF", "Izhikevich", "ALIF"})
          list.push_back({model, data, steps, neurons});
    }
  return list;
}

std::vector<BenchCase> trainingCases() {
  std::vector<BenchCase> list;
  for (Storage data : {Storage::F32, Storage::BF16})
    for (auto [steps, neurons] : {std::pair<int64_t, int64_t>{4, 1 << 24}, {16, 1 << 22}, {16, (1 << 22) - 3}})
      for (KernelKind kernel : {KernelKind::Forward, KernelKind::Backward}) {
        for (double tau : {2.0, 3.0})
          list.push_back({"LIF", data, steps, neurons, tau, kernel});
        if (neurons % 2 == 0)
          for (const char *model : {"PLIF", "Izhikevich", "ALIF"})
            list.push_back({model, data, steps, neurons, 0, kernel});
      }
  return list;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Microseconds of one run, the median of 30 behind 5 to warm up.
double measure(const std::function<void()> &once) {
  Timer timer;
  std::vector<double> times;
  for (int i = 0; i < 35; ++i) {
    timer.start();
    once();
    double time = timer.stop();
    if (i >= 5)
      times.push_back(time);
  }
  return median(times);
}

Json rowOf(const Bench &bench, const BenchCase &wanted) {
  double kernel = measure([&] { bench.launch(); });
  size_t half = bench.bytes() / 2; // a copy reads as many bytes as it writes
  Buffer from(half), to(half);
  to.copyFrom(from, half);
  double copy = measure([&] { to.copyFrom(from, half); });
  const CudaProgram &program = bench.compiled().program;
  const CubinKernel &facts = *findKernel(bench.compiled().kernels, program.kernelSymbol);
  return {{"model", wanted.model},
          {"kernel", kernelName(wanted.kernel)},
          {"dtype", storageName(wanted.data)},
          {"steps", wanted.steps},
          {"neurons", wanted.neurons},
          {"tau", wanted.tau == 0 ? Json() : Json(wanted.tau)},
          {"access", accessName(bench.accessPath())},
          {"neurons_a_thread", program.neurons},
          {"chunk", program.chunk},
          {"registers", facts.registers},
          {"local_bytes", facts.localBytes},
          {"us", kernel},
          {"copy_us", copy},
          {"ratio", copy / kernel}};
}

void print(const Json &row) {
  auto number = [&](const char *key) { return row[key].is_null() ? 0 : row[key].get<double>(); };
  fmt::print("{:<12} {:<9} {:<5} {:>13} {:>4} {:<7} {:>2} x {:<2} {:>4} {:>9.1f} {:>9.1f} {:>6.3f}\n",
             row["model"].get<std::string>(), row["kernel"].get<std::string>(), row["dtype"].get<std::string>(),
             fmt::format("{} x {}", number("steps"), number("neurons")), number("tau"),
             row["access"].get<std::string>(), number("neurons_a_thread"), number("chunk"), number("registers"),
             number("us"), number("copy_us"), number("ratio"));
}

} // namespace

static void timeEach(const std::vector<BenchCase> &list, const Device &device, const GpuOptions &options,
                     Json &report) {
  fmt::print("{:<12} {:<9} {:<5} {:>13} {:>4} {:<7} {:>7} {:>4} {:>9} {:>9} {:>6}\n", "model", "kernel", "dtype",
             "T x N", "tau", "access", "V x C", "regs", "us", "copy us", "ratio");
  report = Json::array();
  for (const BenchCase &wanted : list) {
    Bench bench(options, device, wanted);
    report.push_back(rowOf(bench, wanted));
    print(report.back());
  }
}

void timeAll(const Device &device, const GpuOptions &options, Json &report) {
  timeEach(cases(), device, options, report);
}

void timeTraining(const Device &device, const GpuOptions &options, Json &report) {
  timeEach(trainingCases(), device, options, report);
}

void launchCounted(const Device &device, const GpuOptions &options) {
  constexpr int64_t steps = 8, neurons = 1 << 20;
  for (auto &[model, data, tau] :
       std::vector<std::tuple<const char *, Storage, double>>{{"LIF", Storage::F32, 2},
                                                              {"LIF", Storage::F32, 3},
                                                              {"LIF", Storage::BF16, 2},
                                                              {"LIF", Storage::BF16, 3},
                                                              {"PLIF", Storage::F32, 0},
                                                              {"Izhikevich", Storage::F32, 0},
                                                              {"ALIF", Storage::F32, 0}}) {
    Bench bench(options, device, {model, data, steps, neurons, tau});
    fmt::print("counted {} {} {} {}\n", bench.compiled().program.kernelSymbol, storageName(data), tau, steps * neurons);
    bench.launch();
    device.synchronize();
  }
}

} // namespace flexsn::test
