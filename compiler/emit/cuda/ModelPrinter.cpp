#include "compiler/emit/cuda/ModelPrinter.h"

#include "compiler/emit/cuda/BodyPrinter.h"

#include <llvm/ADT/SetVector.h>
#include <mlir/IR/Matchers.h>

#include <fmt/format.h>

namespace flexsn::cuda {

using namespace mlir;
using mlir::Value; // the front end has values too
using scan::Role;
using scan::Storage;

StringRef storedType(Storage storage) {
  switch (storage) {
  case Storage::F16: return "f16";
  case Storage::BF16: return "bf16";
  case Storage::F32: return "float";
  case Storage::F64: return "double";
  case Storage::I8: return "int8";
  case Storage::I32: return "int";
  case Storage::Bool: return "bool8";
  case Storage::Bits: break;
  }
  llvm_unreachable("no kernel has operands of bits (scan-1)");
}

StringRef storedType(mlir::Type type) { return type.isInteger(1) ? "bool8" : typeName(kindOf(type)); }

namespace {

/// One field of a struct of the model's.
struct Field {
  std::string name; ///< in C++
  mlir::Type type;
  Storage storage = Storage::F32; ///< of a sequence
  unsigned index = 0;             ///< among the operands, uniforms, ... that it comes from or goes to
};

/// What the fields of a struct must not be called.
NameScope fieldScope() { return {"Params", "Inputs", "State", "Outputs", "Given", "Invariants", "Stored"}; }

class ModelPrinter {
public:
  ModelPrinter(CodeText &text, scan::KernelOp kernel, StringRef name, const Model &model, Needs &needs)
      : text(text), kernel(kernel), name(name), model(model), needs(needs) {}

  LogicalResult print();

private:
  void findFields();
  std::string invariantName(Value value, unsigned slot);
  void printStruct(StringRef structName, ArrayRef<Field> fields);
  void printUniforms(StringRef function, StringRef structName, ArrayRef<Field> fields);
  LogicalResult printRegion(Region &region, StringRef head, ArrayRef<StringRef> parameters, unsigned states,
                            ArrayRef<BodyPrinter::Result> results);
  LogicalResult printPrologue();
  LogicalResult printInit();
  LogicalResult printStep();
  void printExact();
  void printMemory();
  void printStates(StringRef function, StringRef each, Role role, bool reads);

  /// scan.kernel's region as the fields of its arguments: where each is found.
  SmallVector<std::string> argumentTexts(Region &region);

  CodeText &text;
  scan::KernelOp kernel;
  std::string name;
  const Model &model;
  Needs &needs;
  SmallVector<Field> given, invariants, params, inputs, states, outputs;
  SmallVector<std::string> uniformNames; ///< of params and invariants, in the regions
  /// What Stored calls its parameters: neurons of a thread, where they are loaded from, and which of them is asked for.
  struct {
    std::string neurons, source, index;
  } stored;
};

} // namespace

// ---- Fields ---------------------------------------------------------------------------------------------------------

/// What to call an invariant: as the text does, or after the divisor that it belongs to, or by a number.
std::string ModelPrinter::invariantName(Value value, unsigned slot) {
  if (auto named = dyn_cast<NameLoc>(value.getLoc()))
    return named.getName().str();
  for (Operation *user : value.getUsers()) {
    auto division = dyn_cast<scan::DivideOp>(user);
    auto divisor = division ? dyn_cast<BlockArgument>(division.getDivisor()) : BlockArgument();
    if (divisor && divisor.getOwner() == &kernel.getStep().front() && divisor.getArgNumber() < uniformNames.size())
      return (division.getExact() == value ? "exact_" : "reciprocal_") + uniformNames[divisor.getArgNumber()];
  }
  return fmt::format("c{}", slot + 1);
}

void ModelPrinter::findFields() {
  NameScope ofUniforms = fieldScope(), ofStates = fieldScope(), ofOutputs = fieldScope();
  NameScope ofInputs = NameScope::insideModel(); // Stored, which has them as members, uses what is around it
  for (StringRef own : {"load", "of"})
    ofInputs.reserve(own);
  unsigned index = 0;
  for (auto [operand, argument] :
       llvm::zip_equal(kernel.operandsOf(Role::Param), kernel.getPrologue().getArguments())) {
    uniformNames.push_back(ofUniforms.claim(operand.getName()));
    if (!argument.use_empty())
      given.push_back({uniformNames.back(), argument.getType(), Storage::F32, index});
    ++index;
  }
  for (Value value : kernel.stepInvariants()) {
    auto slot = static_cast<unsigned>(invariants.size());
    uniformNames.push_back(ofUniforms.claim(invariantName(value, slot)));
    invariants.push_back({uniformNames.back(), value.getType(), Storage::F32, slot});
  }
  for (unsigned i = 0; i < uniformNames.size(); ++i) {
    BlockArgument inStep = kernel.getStep().getArgument(i), inInit = kernel.getInit().getArgument(i);
    if (!inStep.use_empty() || !inInit.use_empty())
      params.push_back({uniformNames[i], inStep.getType(), Storage::F32, i});
  }
  index = 0;
  for (auto [operand, value] : llvm::zip_equal(kernel.operandsOf(Role::Input), kernel.stepInputs())) {
    if (!value.use_empty())
      inputs.push_back({ofInputs.claim(operand.getName()), value.getType(), operand.getStorage(), index});
    ++index;
  }
  stored = {ofInputs.claim("V"), ofInputs.claim("from"), ofInputs.claim("k")}; // give way to the model's names
  for (auto [state, type] : llvm::zip_equal(kernel.getStates().getAsValueRange<StringAttr>(), kernel.stateTypes()))
    states.push_back({ofStates.claim(state), type, Storage::F32, static_cast<unsigned>(states.size())});
  ValueRange yielded = kernel.yieldOf(kernel.getStep()).getValues();
  for (scan::OperandAttr operand : kernel.operandsOf(Role::Output)) {
    auto i = static_cast<unsigned>(outputs.size());
    outputs.push_back(
        {ofOutputs.claim(operand.getName()), yielded[states.size() + i].getType(), operand.getStorage(), i});
  }
}

/// struct NAME { float a, b; };  One type a line.
void ModelPrinter::printStruct(StringRef structName, ArrayRef<Field> fields) {
  SmallVector<std::string> lines;
  mlir::Type type;
  for (const Field &field : fields) {
    bool fits = !lines.empty() && lines.back().size() + field.name.size() + text.indentation() + 20 < CodeText::width;
    if (field.type == type && fits)
      lines.back() += ", " + field.name;
    else
      lines.push_back(fmt::format("{} {}", typeName(kindOf(field.type)).str(), field.name));
    type = field.type;
  }
  if (lines.size() <= 1)
    return text.line(lines.empty() ? fmt::format("struct {} {{}};", structName.str())
                                   : fmt::format("struct {} {{ {}; }};", structName.str(), lines.front()));
  text.open(fmt::format("struct {} {{", structName.str()));
  for (const std::string &line : lines)
    text.line(line + ";");
  text.close("};");
}

/// A function from the call's uniforms to a struct of them.
void ModelPrinter::printUniforms(StringRef function, StringRef structName, ArrayRef<Field> fields) {
  text.open(fmt::format("static DEVICE {} {}(const Uniform *u) {{", structName.str(), function.str()));
  std::string line = "return {";
  for (const Field &field : fields) {
    std::string value = fmt::format("u[{}].get<{}>()", field.index, storedType(field.type).str());
    if (line.size() + value.size() + text.indentation() + 4 >= CodeText::width) {
      text.line(line);
      line = "       ";
    }
    line += (line.back() == '{' || line.back() == ' ' ? "" : " ") + value + (&field == &fields.back() ? "" : ",");
  }
  text.line(line + "};");
  text.close();
}

// ---- Regions --------------------------------------------------------------------------------------------------------

/// A function with a region's operations and what becomes of its results. Arguments of the region are uniforms, then
/// inputs, then states.
LogicalResult ModelPrinter::printRegion(Region &region, StringRef head, ArrayRef<StringRef> parameters, unsigned states,
                                        ArrayRef<BodyPrinter::Result> results) {
  NameScope locals;
  for (StringRef parameter : parameters)
    locals.reserve(parameter);
  region.walk([&](func::CallOp call) { locals.reserve(functionName(call.getCallee())); });
  locals.reserveBuiltins();
  for (StringRef ofTemplates : {"minimum", "maximum", "u64", "i64"})
    locals.reserve(ofTemplates);
  BodyPrinter printer(text, std::move(locals), {&model});
  SmallVector<std::string> texts = argumentTexts(region);
  for (auto [argument, code] : llvm::zip_equal(region.getArguments(), texts)) {
    Code bound;
    bound.text = code;
    bound.kind = kindOf(argument.getType());
    if (unsigned fromEnd = region.getNumArguments() - argument.getArgNumber(); fromEnd <= states)
      bound.reads.push_back(states - fromEnd);
    printer.bind(argument, std::move(bound));
  }
  text.open(head);
  printer.claimNames(region.front());
  if (failed(printer.printOperations(region.front())))
    return failure();
  printer.printResults(results);
  text.close();
  needs.extrema |= printer.needsExtrema();
  return success();
}

SmallVector<std::string> ModelPrinter::argumentTexts(Region &region) {
  SmallVector<std::string> texts;
  for (const std::string &uniform : ArrayRef(uniformNames).take_front(region.getNumArguments()))
    texts.push_back((&region == &kernel.getPrologue() ? "given." : "p.") + uniform);
  if (&region != &kernel.getStep())
    return texts;
  unsigned next = 0;
  for (auto [index, value] : llvm::enumerate(kernel.stepInputs()))
    texts.push_back(value.use_empty() ? "" : "in." + inputs[next++].name);
  for (const Field &state : states)
    texts.push_back("state." + state.name);
  return texts;
}

LogicalResult ModelPrinter::printPrologue() {
  if (invariants.empty())
    return success();
  text.line();
  printStruct("Given", given);
  printStruct("Invariants", invariants);
  printUniforms("given", "Given", given);
  SmallVector<BodyPrinter::Result> results;
  for (auto [field, value] : llvm::zip_equal(invariants, kernel.yieldOf(kernel.getPrologue()).getValues()))
    results.push_back({"once." + field.name, value, std::nullopt});
  if (failed(printRegion(kernel.getPrologue(), "static DEVICE void prologue(const Given &given, Invariants &once) {",
                         {"given", "once"}, 0, results)))
    return failure();
  text.open("static DEVICE void keepAll(const Invariants &once, char *slots) {");
  for (const Field &field : invariants)
    text.line(fmt::format("keep<{}>(slots, {}, once.{});", storedType(field.type).str(), field.index, field.name));
  text.close();
  return success();
}

LogicalResult ModelPrinter::printInit() {
  SmallVector<scan::OperandAttr> initials = kernel.operandsOf(Role::Initial);
  SmallVector<BodyPrinter::Result> results;
  for (auto [field, value] : llvm::zip_equal(states, kernel.yieldOf(kernel.getInit()).getValues())) {
    StringRef state = cast<StringAttr>(kernel.getStates()[field.index]).getValue();
    if (llvm::none_of(initials, [&](scan::OperandAttr initial) { return initial.getName() == state; }))
      results.push_back({"state." + field.name, value, std::nullopt});
  }
  text.line();
  return printRegion(kernel.getInit(), "static DEVICE void init(const Params &p, State &state) {", {"p", "state"}, 0,
                     results);
}

LogicalResult ModelPrinter::printStep() {
  SmallVector<BodyPrinter::Result> results;
  ValueRange values = kernel.yieldOf(kernel.getStep()).getValues();
  for (const Field &output : outputs)
    results.push_back({"out." + output.name, values[states.size() + output.index], std::nullopt});
  for (const Field &state : states)
    results.push_back({"state." + state.name, values[state.index], state.index});
  text.line();
  return printRegion(kernel.getStep(),
                     "template <bool exact> static DEVICE void step(const Params &p, const Inputs &in, State &state, "
                     "Outputs &out) {",
                     {"p", "in", "state", "out", "exact", "divide"}, static_cast<unsigned>(states.size()), results);
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

/// Whether all reciprocals of what the step divides by are exact: then a launch multiplies. Without such divisors there
/// is one loop; a constant's reciprocal is known and decides nothing.
void ModelPrinter::printExact() {
  llvm::SetVector<Value> flags;
  kernel.getStep().walk([&](scan::DivideOp division) {
    needs.division |= !matchPattern(division.getExact(), m_One());
    if (isa<BlockArgument>(division.getExact()))
      flags.insert(division.getExact());
  });
  SmallVector<std::string> words;
  for (Value flag : flags)
    words.push_back("p." + uniformNames[cast<BlockArgument>(flag).getArgNumber()]);
  text.line();
  if (words.empty())
    return text.line("enum : bool { divides = false };");
  text.line("enum : bool { divides = true };");
  text.open("static DEVICE bool exact(const Params &p) {");
  text.line(fmt::format("return {};", fmt::join(words, " && ")));
  text.close();
}

/// What the skeletons need to know of the operands: how a step of the inputs is read and one of the outputs written.
void ModelPrinter::printMemory() {
  text.line();
  text.line("// One step of the inputs as it lies in memory.");
  text.open(fmt::format("template <int {}> struct Stored {{", stored.neurons));
  for (const Field &input : inputs)
    text.line(fmt::format("Row<{}, {}> {};", storedType(input.storage).str(), stored.neurons, input.name));
  text.open(fmt::format("DEVICE void load(const Streams<{}, inputs> &{}) {{", stored.neurons, stored.source));
  for (const Field &input : inputs)
    text.line(fmt::format("{}.load({}, {});", input.name, stored.source, input.index));
  text.close();
  SmallVector<std::string> fields;
  for (const Field &input : inputs)
    fields.push_back(fmt::format("{}[{}]", input.name, stored.index));
  text.line(fmt::format("DEVICE Inputs of(int {}) const {{ return {{{}}}; }}", stored.index, fmt::join(fields, ", ")));
  text.close("};");
  text.open("template <int V> static DEVICE void write(const Outputs (&results)[V], const Streams<V, outputs> &to) {");
  for (const Field &output : outputs)
    text.line(fmt::format("Row<{}, V>::store(results, &Outputs::{}, to, {});", storedType(output.storage).str(),
                          output.name, output.index));
  text.close();
  printStates("readStates", "readState", Role::Initial, /*reads=*/true);
  printStates("writeStates", "writeState", Role::Final, /*reads=*/false);
}

void ModelPrinter::printStates(StringRef function, StringRef each, Role role, bool reads) {
  text.line("template <int V>");
  text.open(fmt::format("static DEVICE void {}({}State (&states)[V], const Operand *operands, const Where<V> &at) {{",
                        function.str(), reads ? "" : "const "));
  unsigned index = 0;
  for (auto operand : kernel.getOperandList().getAsRange<scan::OperandAttr>()) {
    if (operand.getRole() == Role::Param)
      continue;
    if (operand.getRole() == role)
      text.line(fmt::format("{}<{}>(states, &State::{}, operands[{}], at);", each.str(),
                            storedType(operand.getStorage()).str(), states[kernel.stateIndex(operand.getName())].name,
                            index));
    ++index;
  }
  text.close();
}

LogicalResult ModelPrinter::print() {
  findFields();
  size_t paramCount = kernel.paramTypes().size(), operandCount = kernel.getOperandList().size() - paramCount;
  size_t inputCount = kernel.operandsOf(Role::Input).size();
  text.open(fmt::format("struct {} {{", name));
  text.line("// Operands and uniforms of the call; the first ones are the inputs.");
  text.line(fmt::format("enum : int {{ inputs = {}, outputs = {}, firstOutput = {}, operands = {}, uniforms = {} }};",
                        inputCount, outputs.size(), inputCount + kernel.operandsOf(Role::Initial).size(), operandCount,
                        paramCount + invariants.size()));
  text.line();
  printStruct("Params", params);
  printStruct("Inputs", inputs);
  printStruct("State", states);
  printStruct("Outputs", outputs);
  printUniforms("params", "Params", params);
  if (failed(printPrologue()) || failed(printInit()) || failed(printStep()))
    return failure();
  printExact();
  printMemory();
  text.close("};");
  return success();
}

LogicalResult printModel(CodeText &text, scan::KernelOp kernel, StringRef name, const Model &model, Needs &needs) {
  return ModelPrinter(text, kernel, name, model, needs).print();
}

} // namespace flexsn::cuda
