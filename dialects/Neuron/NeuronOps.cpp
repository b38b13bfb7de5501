// Verifiers and assembly of the single ops.
#include "dialects/Neuron/Neuron.h"

#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace flexsn::neuron {

//===---- Assembly of single pieces, called by the generated parsers and printers ----===//

/// `[step, channel]`, or nothing.
static ParseResult parseDims(OpAsmParser &parser, DenseI32ArrayAttr &dims) {
  SmallVector<int32_t> found;
  auto one = [&]() -> ParseResult {
    StringRef word;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Dim> dim = symbolizeDim(word);
    if (!dim)
      return parser.emitError(at) << "'" << word << "' is no dim; dims are step, channel, neuron";
    found.push_back(static_cast<int32_t>(*dim));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalSquare, one))
    return failure();
  dims = parser.getBuilder().getDenseI32ArrayAttr(found);
  return success();
}

static void printDims(OpAsmPrinter &printer, Operation *, DenseI32ArrayAttr dims) {
  if (dims.empty())
    return;
  printer << " [";
  llvm::interleaveComma(dims.asArrayRef(), printer,
                        [&](int32_t dim) { printer << stringifyDim(static_cast<Dim>(dim)); });
  printer << "]";
}

/// A name that is written as a word: `atan`.
static ParseResult parseWord(OpAsmParser &parser, StringAttr &word) {
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  word = parser.getBuilder().getStringAttr(text);
  return success();
}

static void printWord(OpAsmPrinter &printer, Operation *, StringAttr word) { printer.printKeywordOrString(word); }

/// No text of its own: an optional operand has the result's type.
static ParseResult parseSameType(OpAsmParser &, const std::optional<OpAsmParser::UnresolvedOperand> &operand,
                                 mlir::Type &type, mlir::Type result) {
  if (operand)
    type = result;
  return success();
}

static void printSameType(OpAsmPrinter &, Operation *, mlir::Value, mlir::Type, mlir::Type) {}

//===---- names of results ----===//

void InputOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) { setNameFn(getValue(), getName()); }
void ParamOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) { setNameFn(getValue(), getName()); }
void StateOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) { setNameFn(getValue(), getName()); }

//===---- ode ----===//

namespace {
/// What stands in the brackets of `neuron.ode dt %dt (%y = %v by euler substeps 2)`.
struct OdeStates {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<int32_t> methods, substeps;

  ParseResult parseOne(OpAsmParser &parser) {
    StringRef word;
    if (parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) || parser.parseKeyword("by"))
      return failure();
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Method> method = symbolizeMethod(word);
    if (!method)
      return parser.emitError(at) << "'" << word << "' is no integration method";
    methods.push_back(static_cast<int32_t>(*method));
    substeps.push_back(1);
    if (succeeded(parser.parseOptionalKeyword("substeps")))
      return parser.parseInteger(substeps.back());
    return success();
  }
};
} // namespace

ParseResult OdeOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand dt;
  OdeStates states;
  SmallVector<mlir::Type> types;
  if (parser.parseKeyword("dt") || parser.parseOperand(dt) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] { return states.parseOne(parser); }) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonTypeList(types))
    return failure();
  if (types.size() != states.operands.size())
    return parser.emitError(parser.getNameLoc())
           << "has " << states.operands.size() << " states and " << types.size() << " types";
  for (auto [argument, type] : llvm::zip_equal(states.arguments, types))
    argument.type = type;
  if (parser.resolveOperand(dt, getElementTypeOrSelf(types.front()), result.operands) ||
      parser.resolveOperands(states.operands, types, parser.getNameLoc(), result.operands) ||
      parser.parseRegion(*result.addRegion(), states.arguments))
    return failure();
  result.addAttribute(getMethodsAttrName(result.name), parser.getBuilder().getDenseI32ArrayAttr(states.methods));
  result.addAttribute(getSubstepsAttrName(result.name), parser.getBuilder().getDenseI32ArrayAttr(states.substeps));
  result.addTypes(types);
  return success();
}

void OdeOp::print(OpAsmPrinter &printer) {
  printer << " dt " << getDt() << " (";
  llvm::interleaveComma(llvm::seq<size_t>(0, getStates().size()), printer, [&](size_t i) {
    printer << getRates().getArgument(i) << " = " << getStates()[i] << " by "
            << stringifyMethod(static_cast<Method>(getMethods()[i]));
    if (getSubsteps()[i] != 1)
      printer << " substeps " << getSubsteps()[i];
  });
  printer << ")";
  printer.printOptionalAttrDict((*this)->getAttrs(), {getMethodsAttrName(), getSubstepsAttrName()});
  printer << " : " << getStates().getTypes() << " ";
  printer.printRegion(getRates(), /*printEntryBlockArgs=*/false);
}

LogicalResult OdeOp::verifyRegions() {
  size_t count = getStates().size();
  if (count == 0)
    return emitOpError("has no state");
  if (getMethods().size() != count || getSubsteps().size() != count)
    return emitOpError("needs a method and a number of substeps for each state");
  for (auto [method, substeps] : llvm::zip_equal(getMethods(), getSubsteps()))
    if (!symbolizeMethod(static_cast<uint32_t>(method)) || substeps < 1)
      return emitOpError("has an unknown method or no substep");
  TypeRange types = getStates().getTypes();
  if (getNext().getTypes() != types)
    return emitOpError("results differ in type from the states");
  if (getDt().getType() != getElementTypeOrSelf(types.front()))
    return emitOpError("dt is not a scalar of the states' float type");
  auto yield = llvm::dyn_cast<YieldOp>(getRates().front().back());
  if (getRates().getArgumentTypes() != types || !yield || yield.getValues().getTypes() != types)
    return emitOpError("region does not take the states and yield a rate for each");
  return success();
}

//===---- surrogate ----===//

/// The types of what a region yields; null pointers never, an empty list where there is no `neuron.yield`.
static SmallVector<mlir::Type> yielded(Region &region) {
  auto yield = llvm::dyn_cast<YieldOp>(region.front().back());
  return yield ? llvm::to_vector(yield.getValues().getTypes()) : SmallVector<mlir::Type>();
}

LogicalResult SurrogateOp::verifyRegions() {
  TypeRange types = getArguments().getTypes();
  for (Region *region : {&getValue(), &getGrad(), &getPrimitive()})
    if (!region->empty() && region->getArgumentTypes() != types)
      return emitOpError("has a region that does not take the arguments");
  SmallVector<mlir::Type> gradients;
  llvm::SmallBitVector seen(types.size());
  for (int32_t index : getWrt()) {
    if (index < 0 || static_cast<size_t>(index) >= types.size() || seen.test(index))
      return emitOpError("wrt does not name each argument at most once");
    seen.set(index);
    gradients.push_back(types[index]);
  }
  if (yielded(getValue()) != SmallVector<mlir::Type>{getType()})
    return emitOpError("value region does not yield one ") << getType();
  if (yielded(getGrad()) != gradients)
    return emitOpError("grad region does not yield one value of the argument's type for each in wrt");
  if (!getPrimitive().empty() && yielded(getPrimitive()) != SmallVector<mlir::Type>{getType()})
    return emitOpError("primitive region does not yield one ") << getType();
  return success();
}

//===---- single checks ----===//

LogicalResult LaneOp::verify() {
  int64_t lanes = llvm::cast<VectorType>(getX().getType()).getDimSize(0);
  if (static_cast<int64_t>(getIndex()) >= lanes)
    return emitOpError() << "reads lane " << getIndex() << " of " << lanes;
  return success();
}

LogicalResult IntPowOp::verify() {
  int32_t exponent = static_cast<int32_t>(getExponent());
  if (exponent < -8 || exponent > 8)
    return emitOpError() << "exponent " << exponent << " is beyond -8 and 8; use neuron.pow";
  if (exponent < 0 && !floatIn(getType()))
    return emitOpError("has a negative exponent for an int");
  return success();
}

LogicalResult RandomOp::verify() {
  bool bernoulli = getDistribution() == Distribution::Bernoulli;
  if (bernoulli != static_cast<bool>(getProbability()))
    return emitOpError(bernoulli ? "bernoulli needs a probability" : "only bernoulli takes a probability");
  if (bernoulli && getProbability().getType() != getType())
    return emitOpError("probability and result differ in type");
  return success();
}

} // namespace flexsn::neuron

#define GET_OP_CLASSES
#include "dialects/Neuron/NeuronOps.cpp.inc"
