#include "tests/compiler/KernelFunctions.h"

#include "dialects/Scan/Scan.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"

#include <fmt/format.h>

#include <stdexcept>

namespace flexsn::testing {

namespace {

/// A kernel that computes the regions of `from`, in its place; the numbers of each one's arguments and results.
class Joined {
public:
  explicit Joined(scan::KernelOp from) : from(from), builder(from) {}

  std::vector<std::array<size_t, 4>> run(llvm::ArrayRef<mlir::Region *> regions) {
    std::vector<std::array<size_t, 4>> places;
    mlir::Region body;
    mlir::Block *block = builder.createBlock(&body);
    for (mlir::Region *region : regions) {
      mlir::IRMapping mapping;
      size_t firstArgument = block->getNumArguments(), firstResult = values.size();
      for (mlir::BlockArgument argument : region->getArguments()) {
        mapping.map(argument, block->addArgument(argument.getType(), argument.getLoc()));
        add("x", scan::Role::Input, argument.getType());
      }
      builder.setInsertionPointToEnd(block);
      for (mlir::Operation &op : region->front().without_terminator())
        builder.clone(op, mapping);
      for (mlir::Value value : from.yieldOf(*region).getValues())
        values.push_back(mapping.lookup(value));
      places.push_back(
          {firstArgument, block->getNumArguments() - firstArgument, firstResult, values.size() - firstResult});
    }
    for (mlir::Value value : values)
      add("y", scan::Role::Output, value.getType());
    scan::YieldOp::create(builder, from.getLoc(), values);
    builder.setInsertionPoint(from);
    auto kernel = scan::KernelOp::create(
        builder, from.getLoc(), "Joined", scan::Kind::Inference, builder.getArrayAttr(operands),
        builder.getStrArrayAttr({}), scan::Layout::Linear, /*every=*/mlir::IntegerAttr(), /*plan=*/mlir::StringAttr(),
        /*truncate=*/mlir::IntegerAttr(), /*carried=*/mlir::ArrayAttr(), /*sums=*/mlir::DenseI32ArrayAttr(),
        scan::CpuScheduleAttr::get(builder.getContext(), 256, 4, mlir::BoolAttr(), mlir::StringAttr()));
    for (mlir::Region *region : {&kernel.getPrologue(), &kernel.getInit()}) {
      builder.createBlock(region);
      scan::YieldOp::create(builder, from.getLoc(), mlir::ValueRange());
    }
    kernel.getStep().takeBody(body);
    from.erase();
    return places;
  }

private:
  void add(const char *prefix, scan::Role role, mlir::Type type) {
    operands.push_back(scan::OperandAttr::get(builder.getContext(), fmt::format("{}{}", prefix, operands.size()), role,
                                              scan::storageFor(type)));
  }

  scan::KernelOp from;
  mlir::OpBuilder builder;
  llvm::SmallVector<mlir::Attribute> operands;
  llvm::SmallVector<mlir::Value> values;
};

} // namespace

KernelFunctions::KernelFunctions(const std::string &text) {
  mlir::DialectRegistry registry;
  registry.insert<neuron::NeuronDialect, scan::ScanDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    throw std::runtime_error("the kernel's text does not parse:\n" + text);
  scan::KernelOp kernel = *module->getOps<scan::KernelOp>().begin();
  for (auto operand : kernel.getOperandList().getAsRange<scan::OperandAttr>())
    operands[scan::stringifyRole(operand.getRole()).str()].push_back(
        {operand.getName().str(), static_cast<Storage>(operand.getStorage())});
  for (llvm::StringRef name : kernel.getStates().getAsValueRange<mlir::StringAttr>())
    states.push_back(name.str());
  for (llvm::StringRef name : kernel.carriedNames())
    carried.push_back(name.str());
  if (kernel.getSumsAttr())
    sums.assign(kernel.getSumsAttr().asArrayRef().begin(), kernel.getSumsAttr().asArrayRef().end());
  every = kernel.getEvery();
  truncate = kernel.getTruncate();

  std::vector<std::string> names = {"prologue", "init", "step"};
  llvm::SmallVector<mlir::Region *> regions = {&kernel.getPrologue(), &kernel.getInit(), &kernel.getStep()};
  if (kernel.hasAdjoint()) {
    names.insert(names.end(), {"adjoint", "init_adjoint", "epilogue"});
    regions.append({&kernel.getAdjoint(), &kernel.getInitAdjoint(), &kernel.getEpilogue()});
  }
  auto places = Joined(kernel).run(regions);
  for (size_t i = 0; i < names.size(); ++i) {
    auto [firstArgument, ofArguments, firstResult, ofResults] = places[i];
    parts[names[i]] = {firstArgument, ofArguments, firstResult, ofResults};
    arguments = firstArgument + ofArguments;
    results = firstResult + ofResults;
  }
  std::string joined;
  llvm::raw_string_ostream stream(joined);
  module->print(stream);
  compiled = std::make_unique<test::Compiled>(joined, Target{"x86-64-v3", ""});
}

Slots KernelFunctions::call(const std::string &region, const Slots &given) const {
  const Part &part = parts.at(region);
  if (given.size() != part.arguments)
    throw std::runtime_error(fmt::format("{} takes {} values, not {}", region, part.arguments, given.size()));
  Slots in(arguments), out(results);
  std::copy(given.begin(), given.end(), in.begin() + static_cast<std::ptrdiff_t>(part.firstArgument));
  std::vector<test::Binding> bindings;
  for (uint64_t &slot : in)
    bindings.push_back({&slot, 0, sizeof slot});
  for (uint64_t &slot : out)
    bindings.push_back({&slot, 0, sizeof slot});
  compiled->run(bindings, 1, 1);
  auto first = out.begin() + static_cast<std::ptrdiff_t>(part.firstResult);
  return {first, first + static_cast<std::ptrdiff_t>(part.results)};
}

std::vector<std::string> KernelFunctions::names(const std::string &role) const {
  std::vector<std::string> found;
  if (auto place = operands.find(role); place != operands.end())
    for (const Operand &operand : place->second)
      found.push_back(operand.name);
  return found;
}

uint64_t KernelFunctions::slotOf(const std::string &role, const std::string &name, double number) const {
  const std::vector<Operand> &all = operands.at(role);
  auto operand = std::find_if(all.begin(), all.end(), [&](const Operand &each) { return each.name == name; });
  switch (operand->storage) {
  case Storage::F64: return test::slot(number);
  case Storage::I32: return test::slot(static_cast<int32_t>(number));
  case Storage::Bool: return test::slot(static_cast<uint8_t>(number));
  default: return test::slot(static_cast<float>(number));
  }
}

} // namespace flexsn::testing
