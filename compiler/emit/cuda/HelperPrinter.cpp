// A function that outline-helpers made, as a device function.
#include "compiler/emit/cuda/BodyPrinter.h"
#include "compiler/emit/cuda/ModelPrinter.h"
#include "compiler/frontend/Functions.h"

#include <llvm/ADT/StringSwitch.h>

#include <fmt/format.h>

namespace flexsn::cuda {

using namespace mlir;

/// What a helper computes, in words.
static std::string helperWords(StringRef symbol) {
  StringRef stem = symbol.split('.').first;
  if (const FunctionInfo *function = findFunction(stem))
    return std::string(function->summary);
  return llvm::StringSwitch<std::string>(stem)
      .Case("spike", "1 where x >= 0, else 0; NaN gives 0")
      .Case("strict_spike", "1 where x > 0, else 0; NaN gives 0")
      .Case("quant", "x between low and high, rounded to even")
      .Case("to_int", "cut towards zero, saturated; NaN gives 0")
      .Case("floordiv", "x / y rounded down")
      .Case("remainder", "the remainder of x / y with the sign of y")
      .Default("");
}

LogicalResult printHelper(CodeText &text, func::FuncOp helper, Needs &needs) {
  static constexpr StringRef names[] = {"x", "y", "z"}, ranges[] = {"x", "low", "high"};
  bool isRange = helper.getNumArguments() == 3;
  BodyPrinter printer(text, NameScope{"x", "y", "z", "low", "high"}, {});
  std::string parameters;
  for (auto [index, argument] : llvm::enumerate(helper.getArguments())) {
    Code code;
    code.text = (isRange ? ranges : names)[index].str();
    code.kind = kindOf(argument.getType());
    parameters += fmt::format("{}{} {}", index == 0 ? "" : ", ", typeName(code.kind).str(), code.text);
    printer.bind(argument, std::move(code));
  }
  text.line();
  if (std::string words = helperWords(helper.getName()); !words.empty())
    text.comment(words);
  text.open(fmt::format("DEVICE {} {}({}) {{", typeName(kindOf(helper.getResultTypes().front())).str(),
                        functionName(helper.getName()), parameters));
  Block &body = helper.getBody().front();
  if (failed(printer.printOperations(body)))
    return failure();
  printer.printReturn(body.getTerminator()->getOperand(0));
  text.close();
  needs.extrema |= printer.needsExtrema();
  return success();
}

} // namespace flexsn::cuda
