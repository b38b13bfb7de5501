// The derivatives of built-in surrogates as ops: for every entry, type and number of lanes; and the numbers of a kernel
// that computes them beside those of the reference.
#include "compiler/Pipeline.h"
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/import/Import.h"
#include "compiler/import/SurrogateImport.h"
#include "tests/compiler/Testing.h"
#include "tests/numerics/Compiled.h"
#include "tests/reference/SurrogateAt.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

namespace flexsn {
namespace {

using reference::SurrogateAt;

/// A context that keeps the words of what goes wrong in it.
class Context {
public:
  Context() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<neuron::NeuronDialect, mlir::arith::ArithDialect>();
    context.printOpOnDiagnostic(false);
  }
  mlir::MLIRContext &get() { return context; }
  std::string words;

private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry made;
    registerPipelineDialects(made);
    return made;
  }
  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler handler{&context, [this](mlir::Diagnostic &diagnostic) { words += diagnostic.str(); }};
};

template <class OpType> OpType theOnly(mlir::ModuleOp module) {
  OpType found;
  module.walk([&](OpType op) {
    EXPECT_FALSE(found);
    found = op;
  });
  return found;
}

/// The module of a model with one spike, which is its output `s`; the spike's gradient takes its place there.
mlir::OwningOpRef<mlir::ModuleOp> gradientModule(const std::string &text, const Request &request, Context &context) {
  std::shared_ptr<const Model> model = testing::checked(text);
  Diagnostics diagnostics(*model->source);
  mlir::OwningOpRef<mlir::ModuleOp> module = importModel(*model, request, context.get(), diagnostics);
  auto output = theOnly<neuron::OutputOp>(*module);
  auto spike = theOnly<neuron::SpikeOp>(*module);
  mlir::OpBuilder builder(output);
  mlir::Value gradient = importSurrogateGradient(builder, spike.getLoc(), spike);
  if (!gradient) {
    ADD_FAILURE() << text << context.words;
    return module;
  }
  EXPECT_EQ(gradient.getType(), spike.getX().getType());
  output.getValueMutable().assign(gradient);
  EXPECT_TRUE(succeeded(mlir::verify(*module))) << text << context.words;
  return module;
}

/// Every parameter of the surrogate is one of the model, but for a count.
std::string modelOf(const SurrogateInfo &info, const std::vector<double> &values, unsigned lanes = 1) {
  std::string params, arguments;
  for (size_t i = 0; i < values.size(); ++i) {
    const SurrogateParameter &parameter = info.parameters[i];
    const std::string number = fmt::format("{}", values[i]);
    if (!parameter.count)
      params += fmt::format("  param {} = {}\n", parameter.name, number);
    arguments += fmt::format("{}{}={}", i ? ", " : "", parameter.name, parameter.count ? number : parameter.name);
  }
  return fmt::format("neuron Fire:\n  input x{}\n{}  s = spike(x, {}({}))\n  output s\n",
                     lanes > 1 ? fmt::format("[{}]", lanes) : "", params, info.name, arguments);
}

TEST(SurrogateGradient, IsWellFormedForEveryEntryTypeAndNumberOfLanes) {
  for (const SurrogateInfo &info : surrogates())
    for (Storage data : {Storage::F32, Storage::F64})
      for (unsigned lanes : {1u, 5u}) {
        SCOPED_TRACE(info.name);
        Context context;
        Request request = testing::spikes();
        request.data = data;
        gradientModule(modelOf(info, reference::othersOf(info), lanes), request, context);
      }
}

TEST(SurrogateGradient, IsAtThePlaceThatIsAskedFor) {
  Context context;
  auto module = gradientModule("neuron Fire:\n  input x\n  s = spike(x)\n  output s\n", testing::spikes(), context);
  auto spike = theOnly<neuron::SpikeOp>(*module);
  unsigned there = 0;
  for (mlir::Operation *op = spike->getNextNode(); !llvm::isa<neuron::OutputOp>(op); op = op->getNextNode(), ++there)
    EXPECT_EQ(op->getLoc(), spike.getLoc());
  EXPECT_GE(there, 5u);
}

/// What no text leads to is refused in words, not by a crash.
TEST(SurrogateGradient, RefusesWhatHasNoFormula) {
  const std::pair<const char *, const char *> cases[] = {
      {"nothing(%k)", "has an unknown surrogate: nothing"},
      {"atan()", "has 0 arguments of the 1 that atan takes"},
      {"rect(%k, %k)", "has 2 arguments of the 1 that rect takes"},
      {"squarewave_fourier_series(%x, %k)", "has a value of n that is no constant it takes"},
      {"squarewave_fourier_series(%k, %k)", "has a value of n that is no constant it takes"},
  };
  for (auto [call, words] : cases) {
    Context context;
    const std::string text = fmt::format(R"(neuron.model @Fire {{
      %x = neuron.input "x" : f32
      %k = arith.constant 2.5 : f32
      %s = neuron.spike %x {} : f32
      neuron.output "s" = %s : f32
    }})",
                                         call);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context.get());
    ASSERT_TRUE(module) << text << context.words;
    auto spike = theOnly<neuron::SpikeOp>(*module);
    mlir::OpBuilder builder(spike);
    EXPECT_FALSE(importSurrogateGradient(builder, spike.getLoc(), spike));
    EXPECT_NE(context.words.find(words), std::string::npos) << context.words;
  }
}

/// The kernel that writes the gradient, as far as a CPU's schedule.
std::string kernelText(const std::string &text, Storage data) {
  Context context;
  Request request = testing::spikes();
  request.data = data;
  request.target = cpu::resolveTarget({});
  mlir::OwningOpRef<mlir::ModuleOp> module = gradientModule(text, request, context);
  EXPECT_TRUE(runStages(*module, request, {}, 0, *stageIndex("schedule"))) << context.words;
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  module->print(stream);
  return printed;
}

template <class Real> std::vector<Real> points() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> values = {0,
                              -0.0,
                              1,
                              -1,
                              0.5,
                              -0.5,
                              2,
                              -2,
                              Limits::denorm_min(),
                              -Limits::min(),
                              Limits::max(),
                              Limits::lowest(),
                              Limits::infinity(),
                              -Limits::infinity(),
                              Limits::quiet_NaN(),
                              1e6,
                              -1e6};
  for (int i = -215; i <= 215; ++i)
    values.push_back(static_cast<Real>(0.0371 * i));
  return values;
}

/// Counts what was compared exactly and within a bound.
struct Compared {
  size_t exact = 0, bounded = 0;
};

template <class Real>
void compare(const SurrogateInfo &info, const std::vector<double> &values, Storage data, Compared &compared) {
  const std::string text = modelOf(info, values);
  const test::Compiled kernel(kernelText(text, data), {});
  std::vector<Real> x = points<Real>(), got(x.size());
  std::vector<uint64_t> params;
  for (size_t i = 0; i < values.size(); ++i)
    if (!info.parameters[i].count)
      params.push_back(test::slot(static_cast<Real>(values[i])));
  const int64_t bytes = sizeof(Real);
  kernel.run(std::vector<test::Binding>{{x.data(), 0, bytes}, {got.data(), 0, bytes}}, 1,
             static_cast<int64_t>(x.size()), params);
  SurrogateAt<Real> surrogate(info, values);
  for (size_t i = 0; i < x.size(); ++i) {
    const reference::Scalar<Real> want = surrogate.gradient(x[i]);
    const bool same = reference::sameBits(want.real, got[i]);
    EXPECT_TRUE(same || std::fabs(want.number() - got[i]) <= want.slack)
        << fmt::format("{}({}) at {}: {}, not {} within {:g}", info.name, fmt::join(values, ", "), x[i], got[i],
                       want.real, want.slack);
    ++(want.slack == 0 ? compared.exact : compared.bounded);
    EXPECT_FALSE(std::isinf(want.slack)) << info.name << " at " << x[i];
  }
}

TEST(SurrogateGradient, OfAKernelIsThatOfTheReference) {
  Compared compared;
  for (const SurrogateInfo &info : surrogates())
    for (const std::vector<double> &values : {reference::defaultsOf(info), reference::othersOf(info)}) {
      compare<float>(info, values, Storage::F32, compared);
      compare<double>(info, values, Storage::F64, compared);
    }
  EXPECT_GT(compared.exact, 10'000u);
  EXPECT_GT(compared.bounded, 10'000u);
}

TEST(SurrogateFormulas, AreTheSameForAllThreads) {
  std::vector<std::vector<const SurrogateFormula *>> found(4);
  std::vector<std::thread> threads;
  for (auto &formulas : found)
    threads.emplace_back([&] {
      for (const SurrogateInfo &info : surrogates())
        formulas.push_back(&surrogateFormula(info, 5));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const auto &formulas : found)
    EXPECT_EQ(formulas, found[0]);
  EXPECT_EQ(found[0].front()->gradient, surrogateFormula(surrogates().front(), 7).gradient) << "it has no count";
}

} // namespace
} // namespace flexsn
