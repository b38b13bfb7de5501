// What a kernel computes, how often, and what of it is slow.
#include "compiler/ExplainIR.h"
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/import/Locations.h"
#include "compiler/math/Expansions.h"
#include "compiler/transforms/KernelSize.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <map>

using namespace mlir;

namespace flexsn {

std::string_view workKindName(WorkKind kind) {
  static constexpr std::string_view names[] = {"arithmetic", "division",   "function",
                                               "selection",  "conversion", "integer"};
  return names[static_cast<size_t>(kind)];
}

namespace {

/// Counts the operations that the expansion of a function has: it is made and thrown away. A call in it is the
/// platform's.
void measure(Operation &op, WorkItem &item) {
  const FunctionInfo &function = *findFunction(op.getName().stripDialect());
  mlir::Type type = op.getOperandTypes().front();
  math::Element element = type.isF64() ? math::Element::F64 : math::Element::F32;
  if (!math::hasExpansion(function.id, element))
    return;
  Region scratch;
  OpBuilder builder(op.getContext());
  Block *block = builder.createBlock(&scratch);
  block->addArguments(SmallVector<mlir::Type>(op.getOperandTypes()),
                      SmallVector<mlir::Location>(op.getNumOperands(), op.getLoc()));
  math::Context context(builder, op.getLoc(), type, llvm::cast<FloatType>(type));
  math::expand(function.id, element, context, block->getArguments());
  item.each = 0;
  for (Operation &made : *block) {
    item.platform |= llvm::isa<func::CallOp>(made);
    item.each += !made.hasTrait<OpTrait::ConstantLike>();
  }
}

/// What one operation counts as; no name where it is none of a kernel's work.
WorkItem itemOf(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>() || llvm::isa<scan::YieldOp, neuron::DetachOp, neuron::ScaleGradientOp>(op))
    return {"", WorkKind::Arithmetic};
  if (const FunctionInfo *function = findFunction(op.getName().stripDialect());
      function && llvm::isa<neuron::NeuronDialect>(op.getDialect())) {
    if (function->id == Function::Sqrt || function->id == Function::Rsqrt)
      return {std::string(function->name), WorkKind::Division, 1};
    WorkKind kind = function->types == FunctionTypes::Real ? WorkKind::Function : WorkKind::Selection;
    return {std::string(function->name), kind, 1};
  }
  bool real = neuron::floatIn(op.getResult(0).getType()) != nullptr;
  return llvm::TypeSwitch<Operation *, WorkItem>(&op)
      .Case<arith::AddFOp, arith::SubFOp>([](auto) { return WorkItem{"add", WorkKind::Arithmetic, 1}; })
      .Case<arith::MulFOp>([](auto) { return WorkItem{"mul", WorkKind::Arithmetic, 1}; })
      .Case<mlir::math::FmaOp>([](auto) { return WorkItem{"fma", WorkKind::Arithmetic, 1}; })
      .Case<arith::DivFOp, scan::DivideOp>([](auto) { return WorkItem{"div", WorkKind::Division, 1}; })
      .Case<neuron::IntPowOp>([&](neuron::IntPowOp power) {
        int32_t exponent = std::abs(static_cast<int32_t>(power.getExponent()));
        return WorkItem{"mul", WorkKind::Arithmetic, static_cast<unsigned>(std::max(exponent, 1) - 1)};
      })
      .Case<arith::CmpFOp, arith::CmpIOp>([](auto) { return WorkItem{"compare", WorkKind::Selection, 1}; })
      .Case<arith::SelectOp>([](auto) { return WorkItem{"select", WorkKind::Selection, 1}; })
      .Case<arith::AddIOp, arith::SubIOp>([](auto) { return WorkItem{"int add", WorkKind::Integer, 1}; })
      .Case<arith::MulIOp>([](auto) { return WorkItem{"int mul", WorkKind::Integer, 1}; })
      .Case<arith::AndIOp>([](auto) { return WorkItem{"and", WorkKind::Selection, 1}; })
      .Case<arith::OrIOp>([](auto) { return WorkItem{"or", WorkKind::Selection, 1}; })
      .Case<arith::XOrIOp>([](auto) { return WorkItem{"not", WorkKind::Selection, 1}; })
      .Case<neuron::SpikeOp>([](auto) { return WorkItem{"spike", WorkKind::Selection, 1}; })
      .Case<neuron::QuantOp>([](auto) { return WorkItem{"quant", WorkKind::Selection, 1}; })
      .Case<neuron::FloorDivOp, neuron::RemainderOp>(
          [](Operation *division) { return WorkItem{division->getName().stripDialect().str(), WorkKind::Division, 1}; })
      .Case<neuron::ToIntOp, arith::SIToFPOp, arith::UIToFPOp, arith::ExtUIOp>(
          [](auto) { return WorkItem{"convert", WorkKind::Conversion, 1}; })
      .Default([&](Operation *other) {
        return WorkItem{other->getName().stripDialect().str(), real ? WorkKind::Arithmetic : WorkKind::Integer, 1};
      });
}

bool isNegativePower(Operation &op) {
  auto power = llvm::dyn_cast<neuron::IntPowOp>(op);
  return power && static_cast<int32_t>(power.getExponent()) < 0;
}

/// The work of regions that run together, by kind and, within a kind, in the order of the text.
std::vector<WorkItem> workOf(ArrayRef<Region *> regions) {
  std::map<WorkKind, std::vector<WorkItem>> kinds;
  auto add = [&](WorkItem item, Operation &op) {
    std::vector<WorkItem> &items = kinds[item.kind];
    auto known =
        std::find_if(items.begin(), items.end(), [&](const WorkItem &other) { return other.name == item.name; });
    if (known != items.end()) {
      known->count += item.count;
      return;
    }
    if (item.kind == WorkKind::Function)
      measure(op, item);
    items.push_back(std::move(item));
  };
  for (Region *region : regions)
    for (Operation &op : region->getOps()) {
      if (WorkItem item = itemOf(op); item.count > 0)
        add(std::move(item), op);
      if (isNegativePower(op)) // one divided by the product
        add({"div", WorkKind::Division, 1}, op);
    }
  std::vector<WorkItem> all;
  for (auto &[kind, items] : kinds)
    all.insert(all.end(), items.begin(), items.end());
  return all;
}

/// The slow operations of the step, with words about each.
class SlowWork {
public:
  SlowWork(scan::KernelOp kernel, const Source &source, Explanation &explanation)
      : kernel(kernel), source(source), explanation(explanation), params(kernel.paramTypes().size()),
        invariants(kernel.invariantTypes().size()) {}

  void explain() {
    for (Operation &op : kernel.getStep().front())
      if (llvm::isa<arith::DivFOp, scan::DivideOp>(op))
        divisions[op.getOperand(1)].push_back(&op);
      else if (llvm::isa<neuron::SqrtOp, neuron::RsqrtOp>(op))
        add("division",
            fmt::format("a {} in each step, correctly rounded",
                        llvm::isa<neuron::SqrtOp>(op) ? "square root" : "division by a square root"),
            op);
      else if (isNegativePower(op))
        add("division", "a division in each step by a power of a value", op);
    for (auto &[divisor, ops] : divisions)
      add("division",
          fmt::format("{} in each step by {}", ops.size() == 1 ? "a division" : fmt::format("{} divisions", ops.size()),
                      divisorWords(divisor)),
          *ops.front());
    explainFunctions();
  }

private:
  /// What is divided by, and why it stays a division.
  std::string divisorWords(mlir::Value divisor) {
    auto argument = llvm::dyn_cast<BlockArgument>(divisor);
    unsigned number = argument ? argument.getArgNumber() : ~0U;
    static constexpr std::string_view refined =
        "its reciprocal is found once a launch; where that is exact, a power of two's, a product is the quotient, else "
        "the product is refined to the correctly rounded quotient";
    if (number < params)
      return fmt::format("the parameter '{}': {}", nameOfParam(number), refined);
    if (number < params + invariants)
      return fmt::format("what was computed from the parameters once a launch: {}", refined);
    if (number < params + invariants + kernel.siteTypes().size())
      return "what a neuron has from its parameters";
    if (matchPattern(divisor, m_Constant()))
      return "a constant that is no power of two: the product with its reciprocal is refined to the correctly rounded "
             "quotient";
    return "a value of the step";
  }

  std::string nameOfParam(unsigned number) { return kernel.operandsOf(scan::Role::Param)[number].getName().str(); }

  void explainFunctions() {
    unsigned total = 0;
    for (const WorkItem &item : explanation.step)
      total += item.count * item.each;
    for (const WorkItem &item : explanation.step) {
      if (item.kind != WorkKind::Function)
        continue;
      std::string text =
          item.platform
              ? fmt::format("'{}' is the platform's function, called for each neuron", item.name)
              : fmt::format("'{}' is {} of the {} operations of a step", item.name, item.count * item.each, total);
      for (Operation &op : kernel.getStep().front())
        if (op.getName().stripDialect() == llvm::StringRef(item.name)) {
          add("function", std::move(text), op);
          break;
        }
    }
  }

  void add(const char *topic, std::string text, Operation &op) {
    explanation.remarks.push_back({topic, std::move(text), spanOf(source, op.getLoc())});
  }

  scan::KernelOp kernel;
  const Source &source;
  Explanation &explanation;
  unsigned params, invariants;
  llvm::MapVector<mlir::Value, SmallVector<Operation *>> divisions;
};

void explainOperands(scan::KernelOp kernel, Explanation &explanation) {
  unsigned input = 0;
  for (scan::OperandAttr operand : kernel.getOperandList().getAsRange<scan::OperandAttr>()) {
    ExplainedOperand explained{
        {operand.getName().str(), static_cast<Role>(operand.getRole()), static_cast<Storage>(operand.getStorage())},
        {},
        true};
    for (neuron::Dim dim : operand.getDims())
      explained.dims.push_back(neuron::stringifyDim(dim).str());
    if (operand.getRole() == scan::Role::Input) {
      explained.used = !kernel.stepInputs()[input++].use_empty();
      if (!explained.used)
        explanation.remarks.push_back(
            {"unused", fmt::format("the input '{}' is not read: no result depends on it", explained.operand.name), {}});
    }
    explanation.operands.push_back(std::move(explained));
  }
}

/// By their places; those without one come first.
void sortRemarks(std::vector<Remark> &remarks) {
  std::multimap<uint32_t, Remark> sorted;
  for (Remark &remark : remarks) {
    uint32_t place = remark.span ? remark.span->begin : 0;
    sorted.emplace(place, std::move(remark));
  }
  remarks.clear();
  for (auto &[place, remark] : sorted)
    remarks.push_back(std::move(remark));
}

} // namespace

/// How the loops are cut, on a CPU or on a GPU.
static void explainSchedule(scan::KernelOp kernel, Explanation &explanation) {
  StringAttr reason;
  if (auto cuda = llvm::dyn_cast<scan::CudaScheduleAttr>(kernel.getScheduleAttr())) {
    explanation.neurons = cuda.getNeurons();
    explanation.chunk = cuda.getChunk();
    explanation.dividing = cuda.dividingChunk();
    explanation.threads = cuda.getThreads();
    explanation.blocks = cuda.getBlocks();
    reason = cuda.getReason();
  } else {
    scan::CpuScheduleAttr cpu = kernel.getCpuSchedule();
    explanation.tile = cpu.getTile();
    explanation.width = cpu.getWidth();
    explanation.workspaceBytes = cpu::layoutOf(kernel).workspaceBytes;
    reason = cpu.getReason();
  }
  if (reason)
    explanation.scheduleReason = reason.str();
}

/// Bytes that the values of a step take in memory.
struct StepBytes {
  size_t alone = 0;   ///< each operation reads its operands and writes its result
  size_t results = 0; ///< of all operations
};

/// Those of one block, for what differs by neuron: parameters and what follows from them alone stay in registers.
static StepBytes bytesOf(Block &block, unsigned uniforms) {
  llvm::DenseSet<mlir::Value> varying;
  for (BlockArgument argument : block.getArguments().drop_front(uniforms))
    varying.insert(argument);
  auto bytes = [](mlir::Value value) { return (value.getType().getIntOrFloatBitWidth() + 7) / 8; };
  StepBytes sum;
  for (Operation &op : block.without_terminator()) {
    size_t read = 0;
    for (mlir::Value operand : op.getOperands())
      read += varying.contains(operand) ? bytes(operand) : 0;
    if (read == 0)
      continue;
    varying.insert(op.getResult(0));
    sum.alone += read + bytes(op.getResult(0));
    sum.results += bytes(op.getResult(0));
  }
  return sum;
}

/// What a training step saves, and what it would be otherwise.
static void explainTraining(scan::KernelOp kernel, Explanation &explanation) {
  unsigned alike = kernel.fixedCount(); // in all steps
  explanation.every = static_cast<unsigned>(kernel.getEvery().value_or(0));
  explanation.plan = kernel.getPlan().value_or("").str();
  StepBytes step = bytesOf(kernel.getStep().front(), alike);
  explanation.bytesAlone = step.alone;
  explanation.bytesSaved = step.results;
  if (kernel.hasAdjoint()) {
    explanation.adjoint = workOf({&kernel.getAdjoint()});
    explanation.bytesAlone += bytesOf(kernel.getAdjoint().front(), alike).alone;
  }
}

void explainKernel(scan::KernelOp kernel, const Source &source, Explanation &explanation) {
  // Expansions call the platform's functions, and have branches for what is rare.
  kernel.getContext()->loadDialect<func::FuncDialect, scf::SCFDialect>();
  explainOperands(kernel, explanation);
  explanation.wide = computeBits(kernel) == 64;
  explainSchedule(kernel, explanation);
  explanation.invariantSlots = static_cast<unsigned>(kernel.invariantTypes().size());
  explanation.prologue = workOf({&kernel.getPrologue()});
  explanation.init = workOf({&kernel.getSite(), &kernel.getInit()});
  explanation.step = workOf({&kernel.getStep()});
  if (scan::isTraining(kernel.getKind()))
    explainTraining(kernel, explanation);
  SlowWork(kernel, source, explanation).explain();
  sortRemarks(explanation.remarks);
}

} // namespace flexsn
