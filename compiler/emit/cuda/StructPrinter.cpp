#include "compiler/emit/cuda/StructPrinter.h"

#include <fmt/format.h>

namespace flexsn::cuda {

using namespace mlir;
using scan::Role;

// ---- Structs --------------------------------------------------------------------------------------------------------

void StructPrinter::printStruct(StringRef structName, ArrayRef<Field> list, StringRef initial) {
  SmallVector<std::string> lines;
  mlir::Type type;
  for (const Field &field : list) {
    std::string declared = field.name + (initial.empty() ? "" : " = " + initial.str());
    bool fits = !lines.empty() && lines.back().size() + declared.size() + text.indentation() + 20 < CodeText::width;
    if (field.type == type && fits)
      lines.back() += ", " + declared;
    else
      lines.push_back(fmt::format("{} {}", typeName(kindOf(field.type)).str(), declared));
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

/// `begin` and values between commas, over as many lines as it takes.
void StructPrinter::printList(StringRef begin, ArrayRef<std::string> values) {
  std::string line = begin.str() + "{";
  for (const std::string &value : values) {
    if (line.size() + value.size() + text.indentation() + 4 >= CodeText::width) {
      text.line(line);
      line = std::string(begin.size(), ' ');
    }
    line += (line.back() == '{' || line.back() == ' ' ? "" : " ") + value + (&value == &values.back() ? "" : ",");
  }
  text.line(line + "};");
}

void StructPrinter::printUniforms(StringRef function, StringRef structName, ArrayRef<Field> list) {
  text.open(fmt::format("static DEVICE {} {}(const Uniform *u) {{", structName.str(), function.str()));
  printList("return ", llvm::map_to_vector(list, [](const Field &field) {
              return fmt::format("u[{}].get<{}>()", field.index, storedType(field.type).str());
            }));
  text.close();
}

void StructPrinter::printFromSlots(StringRef function, StringRef structName, ArrayRef<Field> list) {
  text.open(fmt::format("static DEVICE {} {}(const char *slots) {{", structName.str(), function.str()));
  printList("return ", llvm::map_to_vector(list, [](const Field &field) {
              return fmt::format("fromSlot<{}>(slots, {})", storedType(field.type).str(), field.index);
            }));
  text.close();
}

void StructPrinter::printIntoSlots(StringRef function, StringRef structName, ArrayRef<Field> list) {
  text.open(fmt::format("static DEVICE void {}(const {} &once, char *slots) {{", function.str(), structName.str()));
  for (const Field &field : list)
    text.line(fmt::format("keep<{}>(slots, {}, once.{});", storedType(field.type).str(), field.index, field.name));
  text.close();
}

// ---- Regions --------------------------------------------------------------------------------------------------------

LogicalResult StructPrinter::printRegion(Region &region, StringRef head, ArrayRef<StringRef> parameters,
                                         unsigned states, ArrayRef<BodyPrinter::Result> results) {
  NameScope locals;
  for (StringRef parameter : parameters)
    locals.reserve(parameter);
  region.walk([&](func::CallOp call) { locals.reserve(functionName(call.getCallee())); });
  locals.reserveBuiltins();
  for (StringRef ofTemplates : {"minimum", "maximum", "u64", "i64"})
    locals.reserve(ofTemplates);
  BodyPrinter printer(text, std::move(locals), {&model});
  SmallVector<std::string> texts = fields.argumentTexts(region);
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

// ---- Memory ---------------------------------------------------------------------------------------------------------

void StructPrinter::printStored(StringRef stored, StringRef structName, ArrayRef<Field> list, StringRef streams,
                                ArrayRef<Field> varying) {
  NameScope scope; // neurons of a thread, the source and which neuron is asked for give way to the model's names
  for (ArrayRef<Field> each : {varying, list})
    for (const Field &field : each)
      scope.reserve(field.name);
  std::string count = scope.claim("V"), from = scope.claim("from"), k = scope.claim("k"), source = scope.claim("From");
  text.open(fmt::format("template <int {}> struct {} {{", count, stored.str()));
  for (const Field &field : varying)
    text.line(fmt::format("Varying<{}, {}> {};", storedType(field.storage).str(), count, field.name));
  for (const Field &field : list)
    text.line(fmt::format("Row<{}, {}> {};", storedType(field.storage).str(), count, field.name));
  text.open(varying.empty() ? fmt::format("DEVICE void load(const Streams<{}, {}> &{}) {{", count, streams.str(), from)
                            : fmt::format("template <class {0}> DEVICE void load(const {0} &{1}) {{", source, from));
  SmallVector<std::string> values;
  for (ArrayRef<Field> each : {varying, list})
    for (const Field &field : each) {
      text.line(fmt::format("{}.load({}, {});", field.name, from, field.index));
      values.push_back(fmt::format("{}[{}]", field.name, k));
    }
  text.close();
  text.line(
      fmt::format("DEVICE {} of(int {}) const {{ return {{{}}}; }}", structName.str(), k, fmt::join(values, ", ")));
  text.close("};");
}

void StructPrinter::printWrite(StringRef function, StringRef structName, ArrayRef<Field> list, StringRef streams) {
  text.open(fmt::format("template <int V> static DEVICE void {}(const {} (&results)[V], const Streams<V, {}> &to) {{",
                        function.str(), structName.str(), streams.str()));
  for (const Field &field : list)
    text.line(fmt::format("Row<{}, V>::store(results, &{}::{}, to, {});", storedType(field.storage).str(),
                          structName.str(), field.name, field.index));
  text.close();
}

void StructPrinter::printWriteGrads() {
  text.open("template <int V, class To> static DEVICE void writeGrads(const GradInputs (&results)[V], const To &to) {");
  auto store = [&](const Field &field, StringRef to) {
    text.line(fmt::format("Row<{}, V>::store(results, &GradInputs::{}, {}, {});", storedType(field.storage).str(),
                          field.name, to.str(), field.index));
  };
  for (const Field &field : fields.gradVarying)
    store(field, "to.varying");
  for (const Field &field : fields.gradInputs)
    store(field, "to");
  text.close();
}

/// A name of a state's operand is that of the field which claimed it, at the same place of `names`.
void StructPrinter::printStates(StringRef function, Role role, bool reads, StringRef structName, ArrayRef<Field> list) {
  text.line("template <int V>");
  text.open(fmt::format("static DEVICE void {}({}{} (&states)[V], const Operand *operands, const Where<V> &at) {{",
                        function.str(), reads ? "" : "const ", structName.str()));
  bool isGradient = role == Role::GradFinal || role == Role::GradInitial;
  SmallVector<StringRef> names =
      isGradient ? kernel.carriedNames() : llvm::to_vector(kernel.getStates().getAsValueRange<StringAttr>());
  for (auto [index, operand] : llvm::enumerate(kernel.operandsOf(role)))
    if (auto found = llvm::find(names, operand.getName()); found != names.end()) // else no gradient goes on from there
      text.line(fmt::format("{}<{}>(states, &{}::{}, operands[{}], at);", reads ? "readState" : "writeState",
                            storedType(operand.getStorage()).str(), structName.str(), list[found - names.begin()].name,
                            placeOf(role) + index));
  text.close();
}

void StructPrinter::printSaved(StringRef function, bool reads) {
  text.line("template <int V>");
  text.open(
      fmt::format("static DEVICE void {}({}State (&states)[V], const Streams<V, checkpoints, DensePlace<V>> &at) {{",
                  function.str(), reads ? "" : "const "));
  for (auto [row, operand] : llvm::enumerate(kernel.operandsOf(Role::Checkpoint)))
    text.line(fmt::format("Row<{}, V>::{}(states, &State::{}, at, {});", storedType(operand.getStorage()).str(),
                          reads ? "read" : "store", fields.states[kernel.stateIndex(operand.getName())].name, row));
  text.close();
}

unsigned StructPrinter::placeOf(Role role) {
  auto operands = kernel.getOperandList().getAsRange<scan::OperandAttr>();
  return static_cast<unsigned>(llvm::count_if(
      operands, [&](scan::OperandAttr operand) { return !operand.isUniform() && operand.getRole() < role; }));
}

} // namespace flexsn::cuda
