#include "tests/numerics/Measure.h"

#include "tests/numerics/Compiled.h"
#include "tests/numerics/Values.h"

#include <fmt/format.h>
#include <thread>

namespace flexsn::test {

namespace {

constexpr uint64_t block = 1 << 16;
constexpr uint64_t sparse = 16; // of the blocks, what the target without FMA gets

/// The inputs of a run by number: special ones first, then the others.
class Inputs {
public:
  Inputs(const FunctionRow &row, const Extent &extent)
      : row(row), every(extent.every), special(specialValues<float>()) {
    specials = row.arguments == 2 ? special.size() * special.size() : special.size();
    count = specials + (row.arguments == 2 ? extent.pairs : (uint64_t(1) << 32) / every);
  }
  uint64_t size() const { return count; }
  /// Whether input n is the next float of the same sign behind input n - 1, as far as the extent has it.
  bool follows(uint64_t n) const { return n > specials && n < count; }

  Pair operator[](uint64_t n) const {
    if (n < specials)
      return row.arguments == 2 ? Pair{special[n / special.size()], special[n % special.size()]} : Pair{special[n], 0};
    if (row.arguments == 2)
      return row.pair(n, static_cast<uint32_t>(hashed(2 * n)), static_cast<uint32_t>(hashed(2 * n + 1)));
    return {std::bit_cast<float>(static_cast<uint32_t>((n - specials) * every)), 0};
  }

private:
  const FunctionRow &row;
  uint64_t every, specials, count;
  std::vector<float> special;
};

/// One thread's share of the work.
class Worker {
public:
  Worker(const FunctionRow &row, const Inputs &inputs, const std::vector<Compiled> &kernels)
      : row(row), inputs(inputs), kernels(kernels), a(block + 1), b(block + 1), results(block + 1), others(block + 1) {}

  /// Inputs [start, start + block). One more is computed, so that the step to the next block is seen too.
  void run(uint64_t start) {
    const uint64_t size = std::min(block, inputs.size() - start), seen = std::min(size + 1, inputs.size() - start);
    for (uint64_t i = 0; i < seen; ++i) {
      Pair pair = inputs[start + i];
      a[i] = pair.a;
      b[i] = pair.b;
    }
    compute(kernels.back(), results, seen);
    for (uint64_t i = 0; i < size; ++i)
      judge(row, a[i], b[i], results[i], findings);
    for (size_t k = start / block % sparse == 0 ? 0 : 1; k + 1 < kernels.size(); ++k) {
      compute(kernels[k], others, size);
      for (uint64_t i = 0; i < size; ++i)
        findings.otherBits += bitsOf(others[i]) != bitsOf(results[i]);
    }
    if (row.direction != 0)
      for (uint64_t i = 1; i < seen; ++i)
        findings.against += inputs.follows(start + i) && isAgainst(i);
  }

  Findings findings;

private:
  void compute(const Compiled &kernel, std::vector<float> &into, uint64_t size) {
    std::vector<Binding> bindings = {{a.data()}, {into.data()}};
    if (row.arguments == 2)
      bindings.insert(bindings.begin() + 1, Binding{b.data()});
    kernel.run(bindings, 1, static_cast<int64_t>(size));
  }

  /// Whether the step to input i goes the wrong way; the bit patterns of negative floats descend.
  bool isAgainst(uint64_t i) const {
    float step = (results[i] - results[i - 1]) * static_cast<float>(row.direction);
    return a[i] > a[i - 1] ? step < 0 : a[i] < a[i - 1] && step > 0;
  }

  const FunctionRow &row;
  const Inputs &inputs;
  const std::vector<Compiled> &kernels;
  std::vector<float> a, b, results, others;
};

} // namespace

Findings measure(const FunctionRow &row, const Extent &extent) {
  std::vector<Compiled> kernels;
  for (const Target &target : targets())
    kernels.emplace_back(mapText(row.arguments, "f32", "f32", bodyOf(row, "f32"), widthFor(target, "f32")), target);
  const Inputs inputs(row, extent);

  // In turn, since whole ranges of inputs are cheap.
  const uint64_t blocks = (inputs.size() + block - 1) / block;
  std::vector<Worker> workers(extent.threads, Worker(row, inputs, kernels));
  std::vector<std::thread> pool;
  for (uint64_t t = 0; t < extent.threads; ++t)
    pool.emplace_back([&, t] {
      for (uint64_t i = t; i < blocks; i += extent.threads)
        workers[t].run(i * block);
    });
  Findings findings;
  for (uint64_t t = 0; t < extent.threads; ++t) {
    pool[t].join();
    findings.merge(workers[t].findings);
  }
  return findings;
}

DoubleFindings measureDoubles(const FunctionRow &row, uint64_t count) {
  const Target native;
  Compiled kernel(mapText(row.arguments, "f64", "f64", bodyOf(row, "f64"), widthFor(native, "f64")), native);
  std::vector<double> special = specialValues<double>(), x(block), y(block), result(block);
  std::vector<Binding> bindings = {{x.data()}, {result.data()}};
  if (row.arguments == 2)
    bindings.insert(bindings.begin() + 1, Binding{y.data()});

  DoubleFindings findings;
  for (uint64_t start = 0; start < count; start += block) {
    const uint64_t size = std::min(block, count - start);
    for (uint64_t i = 0; i < size; ++i) {
      const uint64_t n = start + i;
      auto value = [&](uint64_t bits) {
        double unit = static_cast<double>(bits >> 11) * 0x1p-53;
        return n % 2 ? std::bit_cast<double>(bits) : row.low + (row.high - row.low) * unit;
      };
      const bool isSpecial = n < special.size() * special.size();
      x[i] = isSpecial ? special[n / special.size()] : value(hashed(2 * n));
      y[i] = isSpecial ? special[n % special.size()] : value(hashed(2 * n + 1));
    }
    kernel.run(bindings, 1, static_cast<int64_t>(size));
    for (uint64_t i = 0; i < size; ++i) {
      ++findings.inputs;
      findings.otherBits += bitsOf(result[i]) != bitsOf(row.inDouble(x[i], y[i]));
      if (double error = errorInUlp(result[i], row.inLong(x[i], y[i])); error > findings.ulp)
        findings = {findings.inputs, findings.otherBits, error, x[i], y[i], result[i]};
    }
  }
  return findings;
}

} // namespace flexsn::test
