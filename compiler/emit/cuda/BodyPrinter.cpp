#include "compiler/emit/cuda/BodyPrinter.h"

#include "compiler/import/Locations.h"
#include "dialects/Scan/Scan.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/Matchers.h>

#include <fmt/format.h>

#include <algorithm>

namespace flexsn::cuda {

using namespace mlir;
using mlir::Value; // the front end has values too

// ---- The user's text ------------------------------------------------------------------------------------------------

std::optional<Span> Origins::spanOf(Location location) const {
  return model ? flexsn::spanOf(*model->source, location) : std::nullopt;
}

std::string Origins::statementAt(Location location) const {
  std::optional<Span> span = spanOf(location);
  if (!span)
    return {};
  auto holds = [&](Span whole) { return whole.begin <= span->begin && span->end <= whole.end; };
  for (const Statement &statement : model->statements)
    if (holds(statement.span))
      return print(statement);
  for (const State &state : model->states)
    if (state.initial && holds(state.span))
      return fmt::format("{} = {}", state.value->name, print(*state.initial));
  return {};
}

/// The name that the text gives to what `location` computes, or none. Helpers are no part of the text.
StringRef BodyPrinter::givenName(Location location) const {
  auto name = origins.model ? dyn_cast<NameLoc>(location) : NameLoc();
  return name ? name.getName().getValue() : StringRef();
}

/// Columns up to which expressions grow: a name and an operator still fit into the line.
static constexpr size_t longestOperand = CodeText::width - 20;

// ---- Values ---------------------------------------------------------------------------------------------------------

void BodyPrinter::claimNames(Block &block) {
  for (Operation &op : block.without_terminator())
    if (StringRef name = givenName(op.getLoc()); !name.empty())
      named[&op] = names.claim(name);
}

Code BodyPrinter::codeOf(Value value) {
  if (Attribute constant; matchPattern(value, m_Constant(&constant)))
    return *constantCode(constant);
  return codes.lookup(value);
}

std::string BodyPrinter::variableFor(Location location) {
  StringRef name = givenName(location);
  return names.claim(name.empty() ? fmt::format("t{}", ++temporaries) : name.str());
}

/// A value of the text's own name is a variable, unless it is a result that nothing else reads.
bool BodyPrinter::standsInUser(Operation &op, const Code &code) const {
  Value value = op.getResult(0);
  if (!value.hasOneUse() || code.text.size() + text.indentation() > longestOperand)
    return false;
  Operation *user = *value.user_begin();
  if (user->getBlock() != op.getBlock())
    return false;
  return user->hasTrait<OpTrait::IsTerminator>() || givenName(op.getLoc()).empty();
}

/// Makes variables of the longest operands, where they all together would pass the line's end.
void BodyPrinter::shorten(Operation &op) {
  while (true) {
    size_t total = 0;
    Value longest;
    for (Value operand : op.getOperands()) {
      std::string code = codeOf(operand).text;
      total += code.size();
      Operation *maker = operand.getDefiningOp();
      if (!maker || maker->hasTrait<OpTrait::ConstantLike>())
        continue;
      bool isVariable = code.find_first_of(" (-!") == std::string::npos;
      if (!isVariable && (!longest || code.size() > codes[longest].text.size()))
        longest = operand;
    }
    if (!longest || total + text.indentation() <= longestOperand)
      return;
    declare(*longest.getDefiningOp(), Code(codes[longest]));
  }
}

// ---- Statements -----------------------------------------------------------------------------------------------------

/// The statement's text as a comment, where another one was printed last.
void BodyPrinter::explain(Location location) {
  std::string statement = origins.statementAt(location);
  if (statement.empty() || statement == explained)
    return;
  text.comment(statement);
  explained = std::move(statement);
}

void BodyPrinter::declare(Operation &op, const Code &code) {
  Location location = op.getLoc();
  explain(location);
  auto chosen = named.find(&op);
  std::string name = chosen != named.end() ? chosen->second : variableFor(location);
  text.line(fmt::format("{} {} = {};", typeName(code.kind).str(), name, code.text), origins.spanOf(location));
  Code variable;
  variable.text = std::move(name);
  variable.kind = code.kind;
  codes[op.getResult(0)] = std::move(variable);
}

LogicalResult BodyPrinter::printOperations(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      Attribute constant;
      if (!matchPattern(&op, m_Constant(&constant)) || !constantCode(constant))
        return op.emitOpError("is no constant that CUDA C++ has a literal for");
      continue;
    }
    if (isa<scf::IfOp>(op)) {
      if (failed(printBranch(op)))
        return failure();
      continue;
    }
    shorten(op);
    SmallVector<Code> operands;
    for (Value operand : op.getOperands())
      operands.push_back(codeOf(operand));
    std::optional<Code> code = expressionOf(&op, operands);
    if (!code)
      return op.emitOpError("has no form in CUDA C++");
    extrema |= code->usesExtrema;
    if (standsInUser(op, *code))
      codes[op.getResult(0)] = std::move(*code);
    else
      declare(op, *code);
  }
  return success();
}

/// scf.if around an expansion's rare part: variables that begin as what the other side yields.
LogicalResult BodyPrinter::printBranch(Operation &op) {
  auto branch = cast<scf::IfOp>(op);
  Block *otherwise = branch.elseBlock();
  if (!otherwise || !otherwise->without_terminator().empty())
    return op.emitOpError("has another side that computes, which has no form in CUDA C++");
  std::string condition = codeOf(branch.getCondition()).text;
  for (auto [result, value] : llvm::zip_equal(branch.getResults(), otherwise->getTerminator()->getOperands())) {
    Code code = codeOf(value), variable;
    variable.kind = kindOf(result.getType());
    variable.text = variableFor(op.getLoc());
    text.line(fmt::format("{} {} = {};", typeName(variable.kind).str(), variable.text, code.text));
    codes[result] = std::move(variable);
  }
  text.open(fmt::format("if ({}) {{", condition));
  if (failed(printOperations(*branch.thenBlock())))
    return failure();
  for (auto [result, value] : llvm::zip_equal(branch.getResults(), branch.thenBlock()->getTerminator()->getOperands()))
    text.line(fmt::format("{} = {};", codes.lookup(result).text, codeOf(value).text));
  text.close();
  return success();
}

void BodyPrinter::printResults(ArrayRef<Result> results) {
  struct Assignment {
    const Result *result;
    Operation *maker; ///< null for what is a variable already
    Code code;
  };
  SmallVector<Assignment> assignments;
  for (const Result &result : results) {
    Code code = codeOf(result.value);
    if (code.text == result.target && !result.adds)
      continue; // a state that stays what it is
    Operation *maker = code.binding == Binding::Atom && code.reads.empty() ? nullptr : result.value.getDefiningOp();
    assignments.push_back({&result, maker, std::move(code)});
  }
  // What is a variable already comes last; results are in the caller's order where nothing else decides.
  llvm::sort(assignments, [](const Assignment &a, const Assignment &b) {
    if (a.maker == b.maker)
      return a.result < b.result;
    return a.maker && (!b.maker || a.maker->isBeforeInBlock(b.maker));
  });
  for (size_t later = 1; later < assignments.size(); ++later) {
    Code &code = assignments[later].code;
    bool lost =
        std::any_of(assignments.begin(), assignments.begin() + static_cast<ptrdiff_t>(later), [&](auto &earlier) {
          return earlier.result->state && llvm::is_contained(code.reads, *earlier.result->state);
        });
    if (!lost)
      continue;
    Location location = assignments[later].result->value.getLoc();
    explain(location);
    std::string name = variableFor(location);
    text.line(fmt::format("{} {} = {};", typeName(code.kind).str(), name, code.text), origins.spanOf(location));
    code.text = name;
  }
  for (const Assignment &assignment : assignments) {
    Location location = assignment.result->value.getLoc();
    if (assignment.maker)
      explain(location);
    text.line(
        fmt::format("{} {} {};", assignment.result->target, assignment.result->adds ? "+=" : "=", assignment.code.text),
        origins.spanOf(location));
  }
}

} // namespace flexsn::cuda
