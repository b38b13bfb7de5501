#include "compiler/emit/cuda/ModelPrinter.h"

#include "compiler/emit/cuda/StructPrinter.h"

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

class ModelPrinter {
public:
  ModelPrinter(CodeText &text, scan::KernelOp kernel, StringRef name, const Model &model, Needs &needs)
      : text(text), kernel(kernel), name(name), needs(needs), parts(text, kernel, model, needs), fields(parts.fields) {}

  LogicalResult print();

private:
  void printCounts();
  LogicalResult printPrologue();
  LogicalResult printSite();
  LogicalResult printInit();
  LogicalResult printStep();
  void printExact();
  void printMemory();

  CodeText &text;
  scan::KernelOp kernel;
  std::string name;
  Needs &needs;
  StructPrinter parts;
  const ModelFields &fields;
};

} // namespace

// ---- Regions --------------------------------------------------------------------------------------------------------

LogicalResult ModelPrinter::printPrologue() {
  bool hasPrologue = !fields.invariants.empty();
  if (!hasPrologue && fields.gradParams.empty())
    return success();
  text.line();
  parts.printStruct("Given", fields.given);
  if (hasPrologue)
    parts.printStruct("Invariants", fields.invariants);
  parts.printUniforms("given", "Given", fields.given);
  if (!hasPrologue)
    return success();
  SmallVector<BodyPrinter::Result> results;
  for (auto [field, value] : llvm::zip_equal(fields.invariants, kernel.yieldOf(kernel.getPrologue()).getValues()))
    results.push_back({"once." + field.name, value, std::nullopt});
  if (failed(parts.printRegion(kernel.getPrologue(),
                               "static DEVICE void prologue(const Given &given, Invariants &once) {", {"given", "once"},
                               0, results)))
    return failure();
  parts.printIntoSlots("keepAll", "Invariants", fields.invariants);
  return success();
}

/// What is a neuron's own without changing stands beside its states.
LogicalResult ModelPrinter::printSite() {
  if (!kernel.hasSites())
    return success();
  text.line();
  parts.printStruct("SiteParams", fields.siteParams);
  SmallVector<BodyPrinter::Result> results;
  for (auto [field, value] : llvm::zip_equal(fields.sites, kernel.yieldOf(kernel.getSite()).getValues()))
    results.push_back({"state." + field.name, value, std::nullopt});
  if (failed(parts.printRegion(kernel.getSite(),
                               "static DEVICE void site(const Params &p, const SiteParams &given, State &state) {",
                               {"p", "given", "state"}, 0, results)))
    return failure();
  text.line("template <int V, class C>");
  text.open("static DEVICE void readSiteParams(SiteParams (&given)[V], const C &call, const Neurons<V> &mine) {");
  text.line("#pragma unroll");
  text.open("for (int k = 0; k < V; k++) {"); // neuron by neuron: indexes take many registers
  text.line("const Spot at(call, mine.number(k));");
  for (const Field &param : fields.siteParams)
    text.line(fmt::format("given[k].{} = readParam<{}>(call.operands[{}], at);", param.name,
                          storedType(param.storage).str(), param.index));
  text.close();
  text.close();
  text.line("template <int V, class C>");
  text.open(
      "static DEVICE void readSites(const Params &p, State (&states)[V], const C &call, const Neurons<V> &mine) {");
  text.line("SiteParams given[V];");
  text.line("readSiteParams(given, call, mine);");
  text.line("#pragma unroll");
  text.line("for (int k = 0; k < V; k++) site(p, given[k], states[k]);");
  text.close();
  return success();
}

LogicalResult ModelPrinter::printInit() {
  SmallVector<scan::OperandAttr> initials = kernel.operandsOf(Role::Initial);
  SmallVector<BodyPrinter::Result> results;
  for (auto [field, value] : llvm::zip_equal(fields.states, kernel.yieldOf(kernel.getInit()).getValues())) {
    StringRef state = cast<StringAttr>(kernel.getStates()[field.index]).getValue();
    if (llvm::none_of(initials, [&](scan::OperandAttr initial) { return initial.getName() == state; }))
      results.push_back({"state." + field.name, value, std::nullopt});
  }
  text.line();
  return parts.printRegion(kernel.getInit(), "static DEVICE void init(const Params &p, State &state) {", {"p", "state"},
                           0, results);
}

LogicalResult ModelPrinter::printStep() {
  SmallVector<BodyPrinter::Result> results;
  ValueRange values = kernel.yieldOf(kernel.getStep()).getValues();
  size_t states = fields.states.size();
  for (const Field &output : fields.outputs)
    results.push_back({"out." + output.name, values[states + output.index], std::nullopt});
  for (const Field &state : fields.states)
    results.push_back({"state." + state.name, values[state.index], state.index});
  text.line();
  return parts.printRegion(kernel.getStep(),
                           "template <bool exact> static DEVICE void step(const Params &p, const Inputs &in, "
                           "State &state, Outputs &out) {",
                           {"p", "in", "state", "out", "exact", "divide"}, static_cast<unsigned>(states), results);
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

/// Whether all reciprocals of what is divided by are exact: then a launch multiplies. Without such divisors there is
/// one loop; a constant's reciprocal is known and decides nothing.
void ModelPrinter::printExact() {
  llvm::SetVector<unsigned> flags;
  for (Region *region : {&kernel.getStep(), &kernel.getAdjoint(), &kernel.getInitAdjoint()})
    region->walk([&](scan::DivideOp division) {
      needs.division |= !matchPattern(division.getExact(), m_One());
      if (auto flag = dyn_cast<BlockArgument>(division.getExact()))
        flags.insert(flag.getArgNumber());
    });
  SmallVector<std::string> words, texts = fields.argumentTexts(kernel.getStep());
  for (unsigned flag : flags)
    words.push_back(texts[flag]);
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
  parts.printStored("Stored", "Inputs", fields.inputs, "inputs", fields.varying);
  parts.printStates("readStates", Role::Initial, /*reads=*/true, "State", fields.states);
  if (kernel.hasAdjoint())
    return;
  parts.printWrite("write", "Outputs", fields.outputs, "outputs");
  parts.printStates("writeStates", Role::Final, /*reads=*/false, "State", fields.states);
  if (kernel.getEvery())
    parts.printSaved("save", /*reads=*/false);
}

/// What the call has, by number.
void ModelPrinter::printCounts() {
  text.line("// Operands and uniforms of the call; parameters with dims come first, then the inputs.");
  unsigned uniforms = kernel.uniformCount();
  size_t operands = kernel.getOperandList().size() - kernel.paramTypes().size() - fields.gradParams.size();
  size_t inputs = kernel.operandsOf(Role::Input).size();
  std::string shaped =
      fmt::format("shaped = {}, varying = {}", parts.placeOf(Role::Input), kernel.stepVarying().size());
  if (!kernel.hasAdjoint()) {
    text.line(fmt::format("enum : int {{ {}, inputs = {}, outputs = {} }};", shaped, inputs, fields.outputs.size()));
    return text.line(fmt::format("enum : int {{ firstOutput = {}, operands = {}, uniforms = {} }};",
                                 parts.placeOf(Role::Output), operands, uniforms));
  }
  text.line(fmt::format("enum : int {{ {} }};", shaped));
  text.line(fmt::format("enum : int {{ inputs = {}, operands = {}, uniforms = {}, sums = {}, truncate = {} }};", inputs,
                        operands + !fields.sums.empty(), uniforms, fields.sums.size(),
                        kernel.getTruncate().value_or(0)));
  text.line(fmt::format("enum : int {{ gradOutputs = {}, firstGradOutput = {} }};",
                        kernel.operandsOf(Role::GradOutput).size(), parts.placeOf(Role::GradOutput)));
  text.line(fmt::format("enum : int {{ gradInputs = {}, firstGradInput = {} }};", fields.gradInputs.size(),
                        parts.placeOf(Role::GradInput)));
  unsigned first = parts.placeOf(Role::GradParam);
  text.line(fmt::format("enum : int {{ siteGrads = {}, firstSiteGrad = {}, gradVarying = {}, firstGradVarying = {} }};",
                        fields.gradSites.size(), first, fields.gradVarying.size(), first + fields.gradSites.size()));
}

LogicalResult ModelPrinter::print() {
  text.open(fmt::format("struct {} {{", name));
  printCounts();
  if (kernel.getEvery() || kernel.hasAdjoint())
    text.line(fmt::format("enum : int {{ checkpoints = {}, firstCheckpoint = {}, every = {} }};",
                          kernel.operandsOf(Role::Checkpoint).size(), parts.placeOf(Role::Checkpoint),
                          kernel.getEvery().value_or(0)));
  text.line();
  parts.printStruct("Params", fields.params);
  SmallVector<Field> read = fields.varying, held = fields.states;
  llvm::append_range(read, fields.inputs);
  llvm::append_range(held, fields.sites);
  parts.printStruct("Inputs", read);
  parts.printStruct("State", held);
  if (kernel.hasAdjoint())
    printGradientStructs(parts);
  else
    parts.printStruct("Outputs", fields.outputs);
  parts.printUniforms("params", "Params", fields.params);
  if (failed(printPrologue()) || failed(printSite()) || failed(printInit()) ||
      failed(kernel.hasAdjoint() ? printGradientRegions(parts) : printStep()))
    return failure();
  printExact();
  printMemory();
  if (kernel.hasAdjoint())
    printGradientMemory(parts);
  text.close("};");
  return success();
}

LogicalResult printModel(CodeText &text, scan::KernelOp kernel, StringRef name, const Model &model, Needs &needs) {
  return ModelPrinter(text, kernel, name, model, needs).print();
}

} // namespace flexsn::cuda
