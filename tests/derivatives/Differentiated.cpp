#include "tests/derivatives/Differentiated.h"

#include "compiler/Passes.h"
#include "compiler/derivatives/Derivatives.h"
#include "dialects/Scan/Scan.h"

#include <fmt/format.h>
#include <llvm/Support/raw_ostream.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/Parser/Parser.h>
#include <mlir/Pass/PassManager.h>

#include <stdexcept>

namespace flexsn::test {

namespace {

/// A backward kernel without states, parameters and kept values: its adjoint takes inputs, then the gradient of y.
std::string backwardText(unsigned inputs, const std::string &type, const std::string &body) {
  std::string operands, gradients, arguments;
  for (unsigned i = 0; i < inputs; ++i) {
    operands += fmt::format("#scan.operand<\"x{}\", input, {}>, ", i, type);
    gradients += fmt::format(", #scan.operand<\"x{}\", grad_input, {}>", i, type);
    arguments += fmt::format("{}%x{}: {}", i ? ", " : "", i, type);
  }
  return fmt::format(
      "scan.kernel @Rule backward operands [{0}#scan.operand<\"y\", grad_output, {1}>{2}] states [] "
      "prologue {{ scan.yield }} init {{ scan.yield }} step {{\n^bb0({3}):\n{4}\n scan.yield %y : {1}\n}}",
      operands, type, gradients, arguments, body);
}

} // namespace

std::string adjointText(unsigned inputs, const std::string &type, const std::string &body) {
  mlir::DialectRegistry registry;
  registry.insert<neuron::NeuronDialect, scan::ScanDialect>();
  registerDerivatives(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string words;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) { words += diagnostic.str() + "\n"; });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(backwardText(inputs, type, body), &context);
  if (!module)
    throw std::runtime_error(words);
  mlir::PassManager passes(&context);
  passes.addNestedPass<scan::KernelOp>(createDifferentiatePass());
  passes.addPass(createSimplifyPass());
  if (failed(passes.run(*module)))
    throw std::runtime_error(words);
  auto backward = *module->getOps<scan::KernelOp>().begin();

  // An inference kernel whose step is the adjoint.
  mlir::OpBuilder builder(backward);
  llvm::SmallVector<mlir::Attribute> operands;
  auto add = [&](const std::string &name, scan::Role role) {
    operands.push_back(
        scan::OperandAttr::get(&context, name, role, type == "f64" ? scan::Storage::F64 : scan::Storage::F32));
  };
  for (unsigned i = 0; i < inputs; ++i)
    add(fmt::format("x{}", i), scan::Role::Input);
  add("g", scan::Role::Input);
  for (unsigned i = 0; i < inputs; ++i)
    add(fmt::format("g{}", i), scan::Role::Output);
  unsigned width = 4;
  auto kernel = scan::KernelOp::create(
      builder, backward.getLoc(), "Adjoint", scan::Kind::Inference, builder.getArrayAttr(operands),
      builder.getStrArrayAttr({}), scan::Layout::Linear, /*every=*/mlir::IntegerAttr(), /*plan=*/mlir::StringAttr(),
      /*truncate=*/mlir::IntegerAttr(), /*carried=*/mlir::ArrayAttr(), /*sums=*/mlir::DenseI32ArrayAttr(),
      scan::CpuScheduleAttr::get(&context, 256, width, mlir::BoolAttr(), mlir::StringAttr()));
  kernel.getPrologue().takeBody(backward.getPrologue());
  kernel.getInit().takeBody(backward.getInit());
  kernel.getStep().takeBody(backward.getAdjoint());
  backward.erase();
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

Differentiated::Differentiated(unsigned inputs, const std::string &type, const std::string &body)
    : kernel(adjointText(inputs, type, body), Target{"x86-64-v3", ""}) {}

template <class T>
std::vector<std::vector<T>> Differentiated::run(const std::vector<std::vector<T>> &inputs,
                                                const std::vector<T> &gradients) const {
  std::vector<std::vector<T>> results(inputs.size(), std::vector<T>(gradients.size()));
  std::vector<Binding> bindings;
  auto bind = [&](const std::vector<T> &values) {
    bindings.push_back({const_cast<T *>(values.data()), 0, sizeof(T)}); // inputs are only read
  };
  for (const std::vector<T> &input : inputs)
    bind(input);
  bind(gradients);
  for (const std::vector<T> &result : results)
    bind(result);
  kernel.run(bindings, 1, static_cast<int64_t>(gradients.size()));
  return results;
}

template std::vector<std::vector<float>> Differentiated::run(const std::vector<std::vector<float>> &,
                                                             const std::vector<float> &) const;
template std::vector<std::vector<double>> Differentiated::run(const std::vector<std::vector<double>> &,
                                                              const std::vector<double> &) const;

} // namespace flexsn::test
