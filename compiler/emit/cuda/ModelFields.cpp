#include "compiler/emit/cuda/ModelFields.h"

#include "compiler/emit/cuda/Names.h"
#include "compiler/transforms/Invariants.h"

#include <fmt/format.h>

namespace flexsn::cuda {

using namespace mlir;
using mlir::Value; // the front end has values too
using scan::Role;
using scan::Storage;
using scan::Variation;

/// What the fields of a struct must not be called.
static NameScope fieldScope() { return NameScope::ofStructs(); }

/// As the text calls a value, where it does.
static std::string nameOf(Value value, std::string otherwise) {
  auto named = dyn_cast<NameLoc>(value.getLoc());
  return named ? named.getName().str() : otherwise;
}

ModelFields::ModelFields(scan::KernelOp kernel) : kernel(kernel) {
  findUniforms();
  findSites();
  findSequences();
  if (!kernel.hasAdjoint())
    return;
  findKept();
  findGradients();
}

// ---- Params and invariants ------------------------------------------------------------------------------------------

/// What to call an invariant: as the text does, or after the divisor that it belongs to, or by a number.
std::string ModelFields::invariantName(unsigned uniform, unsigned slot) {
  std::string otherwise = fmt::format("c{}", slot + 1);
  for (Region *region : regionsWithUniforms(kernel))
    for (Operation *user : region->getArgument(uniform).getUsers()) {
      auto division = dyn_cast<scan::DivideOp>(user);
      auto divisor = division ? dyn_cast<BlockArgument>(division.getDivisor()) : BlockArgument();
      if (!divisor || divisor.getArgNumber() >= uniformNames.size())
        continue;
      bool isExact = division.getExact() == region->getArgument(uniform);
      return nameOf(kernel.getStep().getArgument(uniform),
                    (isExact ? "exact_" : "reciprocal_") + uniformNames[divisor.getArgNumber()]);
    }
  return nameOf(kernel.getStep().getArgument(uniform), std::move(otherwise));
}

void ModelFields::findUniforms() {
  NameScope scope = fieldScope();
  unsigned index = 0;
  for (auto [operand, argument] :
       llvm::zip_equal(kernel.paramsOf(Variation::None), kernel.getPrologue().getArguments())) {
    uniformNames.push_back(scope.claim(operand.getName()));
    bool isOfEpilogue = kernel.hasAdjoint() && !kernel.getEpilogue().getArgument(index).use_empty();
    if (!argument.use_empty() || isOfEpilogue)
      given.push_back({uniformNames.back(), argument.getType(), Storage::F32, index});
    ++index;
  }
  for (Value value : kernel.stepInvariants()) {
    auto slot = static_cast<unsigned>(invariants.size());
    uniformNames.push_back(scope.claim(invariantName(index + slot, slot)));
    invariants.push_back({uniformNames.back(), value.getType(), Storage::F32, slot});
  }
  for (unsigned i = 0; i < uniformNames.size(); ++i)
    if (llvm::any_of(regionsWithUniforms(kernel), [&](Region *region) { return !region->getArgument(i).use_empty(); }))
      params.push_back({uniformNames[i], kernel.getStep().getArgument(i).getType(), Storage::F32, i});
}

/// States, and beside them what is each neuron's own without changing.
void ModelFields::findSites() {
  NameScope ofStates = fieldScope(), ofParams = fieldScope();
  for (auto [state, type] : llvm::zip_equal(kernel.getStates().getAsValueRange<StringAttr>(), kernel.stateTypes()))
    states.push_back({ofStates.claim(state), type, Storage::F32, static_cast<unsigned>(states.size())});
  if (!kernel.hasSites())
    return;
  SmallVector<scan::OperandAttr> shaped = kernel.paramsOf(Variation::Neuron);
  auto arguments = kernel.getSite().getArguments().drop_front(kernel.uniformCount());
  auto isReadBack = [&](BlockArgument argument) {
    return kernel.hasAdjoint() && !kernel.getSiteAdjoint().getArgument(argument.getArgNumber()).use_empty();
  };
  for (auto [index, operand] : llvm::enumerate(shaped))
    if (BlockArgument argument = arguments[index]; !argument.use_empty() || isReadBack(argument))
      siteParams.push_back(
          {ofParams.claim(operand.getName()), argument.getType(), operand.getStorage(), static_cast<unsigned>(index)});
  for (auto [index, value] : llvm::enumerate(kernel.yieldOf(kernel.getSite()).getValues())) {
    auto argument = dyn_cast<BlockArgument>(value);
    std::string name = argument ? shaped[argument.getArgNumber() - kernel.uniformCount()].getName().str()
                                : nameOf(value, fmt::format("site{}", index + 1));
    sites.push_back({ofStates.claim(name), value.getType(), Storage::F32, static_cast<unsigned>(index)});
  }
}

// ---- Sequences ------------------------------------------------------------------------------------------------------

/// A scope for what stands in a struct that reads memory: its members use what is around it.
static NameScope storedScope() {
  NameScope scope = NameScope::insideModel();
  for (StringRef own : {"load", "of"})
    scope.reserve(own);
  return scope;
}

void ModelFields::findSequences() {
  NameScope ofInputs = storedScope(), ofOutputs = fieldScope();
  unsigned reads = 0;
  auto findRead = [&](SmallVector<Field> &fields, ArrayRef<scan::OperandAttr> operands) {
    for (auto [index, operand] : llvm::enumerate(operands)) {
      Value value = kernel.stepReads()[reads];
      if (!value.use_empty() || (kernel.hasAdjoint() && !kernel.adjointReads()[reads].use_empty()))
        fields.push_back(
            {ofInputs.claim(operand.getName()), value.getType(), operand.getStorage(), static_cast<unsigned>(index)});
      ++reads;
    }
  };
  findRead(varying, kernel.paramsOf(Variation::Step));
  findRead(inputs, kernel.operandsOf(Role::Input));
  ValueRange yielded = kernel.yieldOf(kernel.getStep()).getValues();
  for (scan::OperandAttr operand : kernel.operandsOf(Role::Output)) {
    auto i = static_cast<unsigned>(outputs.size());
    outputs.push_back(
        {ofOutputs.claim(operand.getName()), yielded[states.size() + i].getType(), operand.getStorage(), i});
  }
}

// ---- The way back ---------------------------------------------------------------------------------------------------

/// Kept values are called as the text does; an old state as the state.
void ModelFields::findKept() {
  NameScope scope = fieldScope();
  ValueRange olds = kernel.stepStates(), arguments = kernel.adjointKept();
  for (auto [index, value] : llvm::enumerate(kernel.stepResults())) {
    auto old = llvm::find(olds, value);
    std::string name =
        old != olds.end() ? states[old - olds.begin()].name : nameOf(value, fmt::format("value{}", index + 1));
    if (!arguments[index].use_empty())
      kept.push_back({scope.claim(name), value.getType(), Storage::F32, static_cast<unsigned>(index)});
  }
}

void ModelFields::findGradients() {
  auto fieldOf = [](NameScope &scope, scan::OperandAttr operand, mlir::Type type, size_t index) {
    return Field{scope.claim(operand.getName()), type, operand.getStorage(), static_cast<unsigned>(index)};
  };
  NameScope ofOutputs = storedScope(), ofStates = fieldScope(), ofInputs = fieldScope(), ofParams = fieldScope();
  for (auto [index, operand, argument] :
       llvm::enumerate(kernel.operandsOf(Role::GradOutput), kernel.adjointGradOutputs()))
    if (!argument.use_empty())
      gradOutputs.push_back(fieldOf(ofOutputs, operand, argument.getType(), index));
  for (auto [name, type] : llvm::zip_equal(kernel.carriedNames(), kernel.carriedTypes()))
    carried.push_back({ofStates.claim(name), type, Storage::F32, static_cast<unsigned>(carried.size())});
  ValueRange results = kernel.yieldOf(kernel.getAdjoint()).getValues();
  auto takeReads = [&](SmallVector<Field> &fields, ArrayRef<scan::OperandAttr> operands) {
    for (auto [index, operand] : llvm::enumerate(operands))
      fields.push_back(fieldOf(ofInputs, operand, results[index].getType(), index));
    results = results.drop_front(operands.size());
  };
  takeReads(gradVarying, kernel.gradParamsOf(Variation::Step));
  takeReads(gradInputs, kernel.operandsOf(Role::GradInput));
  ValueRange ofEpilogue = kernel.yieldOf(kernel.getEpilogue()).getValues();
  for (auto [index, operand] : llvm::enumerate(kernel.gradParamsOf(Variation::None)))
    gradParams.push_back(fieldOf(ofParams, operand, ofEpilogue[index].getType(), index));
  findSums();
}

void ModelFields::findSums() {
  NameScope scope = fieldScope();
  SmallVector<mlir::Type> types = kernel.summandTypes();
  for (auto [index, uniform] : llvm::enumerate(*kernel.getSums()))
    sums.push_back({scope.claim(uniformNames[uniform]), types[index], Storage::F32, static_cast<unsigned>(index)});
  if (!kernel.hasSites())
    return;
  Region &region = kernel.getSiteAdjoint();
  for (auto [index, argument] : llvm::enumerate(region.getArguments().take_back(kernel.siteSumTypes().size())))
    siteSums.push_back({scope.claim(nameOf(argument, fmt::format("site{}", index + 1))), argument.getType(),
                        Storage::F32, static_cast<unsigned>(index)});
  NameScope ofSites = fieldScope();
  ValueRange results = kernel.yieldOf(region).getValues();
  for (auto [index, operand] : llvm::enumerate(kernel.gradParamsOf(Variation::Neuron)))
    gradSites.push_back({ofSites.claim(operand.getName()), results[index].getType(), operand.getStorage(),
                         static_cast<unsigned>(index)});
}

// ---- Arguments ------------------------------------------------------------------------------------------------------

/// Texts of `count` arguments: of those that have a field, as found by its index.
static void append(SmallVector<std::string> &texts, StringRef from, ArrayRef<Field> fields, size_t count) {
  size_t first = texts.size();
  texts.resize(first + count);
  for (const Field &field : fields)
    texts[first + field.index] = from.str() + field.name;
}

SmallVector<std::string> ModelFields::argumentTexts(Region &region) const {
  scan::KernelOp op = kernel;
  SmallVector<std::string> texts;
  bool isOnce = &region == &op.getPrologue() || &region == &op.getEpilogue();
  for (const std::string &uniform :
       ArrayRef(uniformNames).take_front(isOnce ? op.paramTypes().size() : uniformNames.size()))
    texts.push_back((isOnce ? "given." : "p.") + uniform);
  if (&region == &op.getEpilogue())
    append(texts, "sums.", sums, sums.size());
  if (&region == &op.getSite() || &region == &op.getSiteAdjoint())
    append(texts, "given.", siteParams, op.paramsOf(Variation::Neuron).size());
  else if (!isOnce)
    append(texts, "state.", sites, sites.size());
  if (&region == &op.getSiteAdjoint())
    append(texts, "sums.", siteSums, siteSums.size());
  if (&region == &op.getStep() || &region == &op.getAdjoint()) {
    append(texts, "in.", varying, op.stepVarying().size());
    append(texts, "in.", inputs, op.stepInputs().size());
  }
  if (&region == &op.getStep())
    append(texts, "state.", states, states.size());
  if (&region == &op.getAdjoint()) {
    append(texts, "kept.", kept, op.stepResults().size());
    append(texts, "gradOut.", gradOutputs, op.operandsOf(Role::GradOutput).size());
  }
  if (&region == &op.getAdjoint() || &region == &op.getInitAdjoint())
    append(texts, "grads.", carried, carried.size());
  return texts;
}

} // namespace flexsn::cuda
