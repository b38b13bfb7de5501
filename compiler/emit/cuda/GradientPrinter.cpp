// What a backward kernel's struct has beside the parts of every model: a step that keeps, its adjoint, and the adjoints
// of what runs once.
#include "compiler/emit/cuda/StructPrinter.h"

#include <mlir/IR/Matchers.h>

#include <fmt/format.h>

namespace flexsn::cuda {

using namespace mlir;
using scan::Role;

/// Over neurons, then over steps alone.
static SmallVector<Field> allSums(const ModelFields &fields) {
  SmallVector<Field> all = fields.sums;
  llvm::append_range(all, fields.siteSums);
  return all;
}

void printGradientStructs(StructPrinter &parts) {
  const ModelFields &fields = parts.fields;
  parts.printStruct("Kept", fields.kept);
  parts.printStruct("GradOutputs", fields.gradOutputs);
  SmallVector<Field> gradReads = fields.gradVarying;
  llvm::append_range(gradReads, fields.gradInputs);
  parts.printStruct("GradInputs", gradReads);
  parts.printStruct("GradState", fields.carried, "0");
  parts.printStruct("Sums", allSums(fields), "-0.f");
  parts.printStruct("SiteGrads", fields.gradSites);
  if (!fields.sums.empty())
    parts.text.line(fmt::format("using Real = {};", typeName(kindOf(fields.sums.front().type)).str()));
}

// ---- Regions --------------------------------------------------------------------------------------------------------

/// Adds the last results of a region to `sums`, but for those that add nothing.
static void addSummands(StructPrinter &parts, Region &region, ArrayRef<Field> sums,
                        SmallVectorImpl<BodyPrinter::Result> &results) {
  ValueRange summands = parts.kernel.yieldOf(region).getValues().take_back(sums.size());
  for (auto [sum, summand] : llvm::zip_equal(sums, summands))
    if (!matchPattern(summand, m_NegZeroFloat()))
      results.push_back({"sums." + sum.name, summand, std::nullopt, /*adds=*/true});
}

/// The new states of the last step of a chunk are computed too: compilers see that nothing reads them.
static LogicalResult printStepKeep(StructPrinter &parts) {
  const ModelFields &fields = parts.fields;
  SmallVector<BodyPrinter::Result> results;
  ValueRange values = parts.kernel.yieldOf(parts.kernel.getStep()).getValues();
  for (const Field &kept : fields.kept)
    results.push_back({"kept." + kept.name, values[fields.states.size() + kept.index], std::nullopt});
  for (const Field &state : fields.states)
    results.push_back({"state." + state.name, values[state.index], state.index});
  parts.text.line();
  return parts.printRegion(parts.kernel.getStep(),
                           "template <bool exact> static DEVICE void stepKeep(const Params &p, const Inputs &in, "
                           "State &state, Kept &kept) {",
                           {"p", "in", "state", "kept", "exact", "divide"}, static_cast<unsigned>(fields.states.size()),
                           results);
}

static LogicalResult printAdjoint(StructPrinter &parts) {
  const ModelFields &fields = parts.fields;
  Region &adjoint = parts.kernel.getAdjoint();
  SmallVector<BodyPrinter::Result> results;
  ValueRange values = parts.kernel.yieldOf(adjoint).getValues();
  for (ArrayRef<Field> reads : {ArrayRef<Field>(fields.gradVarying), ArrayRef<Field>(fields.gradInputs)}) {
    for (const Field &read : reads)
      results.push_back({"gradIn." + read.name, values[read.index], std::nullopt});
    values = values.drop_front(reads.size());
  }
  for (const Field &state : fields.carried)
    results.push_back({"grads." + state.name, values[state.index], state.index});
  addSummands(parts, adjoint, allSums(fields), results);
  parts.text.line();
  parts.text.line("template <bool exact>");
  return parts.printRegion(
      adjoint,
      "static DEVICE void adjoint(const Params &p, const Inputs &in, const State &state, const Kept &kept, "
      "const GradOutputs &gradOut, GradState &grads, GradInputs &gradIn, Sums &sums) {",
      {"p", "in", "state", "kept", "gradOut", "grads", "gradIn", "sums", "exact", "divide"},
      static_cast<unsigned>(fields.carried.size()), results);
}

static LogicalResult printInitAdjoint(StructPrinter &parts) {
  SmallVector<BodyPrinter::Result> results;
  addSummands(parts, parts.kernel.getInitAdjoint(), allSums(parts.fields), results);
  return parts.printRegion(parts.kernel.getInitAdjoint(),
                           "template <bool exact> static DEVICE void initAdjoint(const Params &p, const State &state, "
                           "const GradState &grads, Sums &sums) {",
                           {"p", "state", "grads", "sums", "exact", "divide"}, 0, results);
}

/// From sums over a neuron's steps to its part in gradients of parameters of neurons.
static LogicalResult printSiteAdjoint(StructPrinter &parts) {
  const ModelFields &fields = parts.fields;
  Region &region = parts.kernel.getSiteAdjoint();
  if (region.empty())
    return success();
  SmallVector<BodyPrinter::Result> results;
  for (auto [field, value] : llvm::zip(fields.gradSites, parts.kernel.yieldOf(region).getValues()))
    results.push_back({"grads." + field.name, value, std::nullopt});
  addSummands(parts, region, fields.sums, results);
  parts.text.line();
  if (failed(parts.printRegion(region,
                               "static DEVICE void siteAdjoint(const Params &p, const SiteParams &given, "
                               "SiteGrads &grads, Sums &sums) {",
                               {"p", "given", "grads", "sums"}, 0, results)))
    return failure();
  parts.text.line("template <int V, class C>");
  parts.text.open("static DEVICE void finishSites(const Params &p, Sums (&sums)[V], SiteGrads (&grads)[V], "
                  "const C &call, const Neurons<V> &mine) {");
  parts.text.line("SiteParams given[V];");
  parts.text.line("readSiteParams(given, call, mine);");
  parts.text.line("#pragma unroll");
  parts.text.line("for (int k = 0; k < V; k++) siteAdjoint(p, given[k], grads[k], sums[k]);");
  parts.text.close();
  return success();
}

/// From sums to gradients of params, once behind all kernels.
static LogicalResult printEpilogue(StructPrinter &parts) {
  const ModelFields &fields = parts.fields;
  if (fields.gradParams.empty())
    return success();
  Region &epilogue = parts.kernel.getEpilogue();
  SmallVector<BodyPrinter::Result> results;
  for (auto [field, value] : llvm::zip_equal(fields.gradParams, parts.kernel.yieldOf(epilogue).getValues()))
    results.push_back({"grads." + field.name, value, std::nullopt});
  parts.text.line();
  parts.printStruct("GradParams", fields.gradParams);
  parts.printFromSlots("totals", "Sums", fields.sums);
  if (failed(parts.printRegion(epilogue,
                               "static DEVICE void epilogue(const Given &given, const Sums &sums, GradParams &grads) {",
                               {"given", "sums", "grads"}, 0, results)))
    return failure();
  parts.printIntoSlots("keepGradients", "GradParams", fields.gradParams);
  return success();
}

LogicalResult printGradientRegions(StructPrinter &parts) {
  return success(succeeded(printStepKeep(parts)) && succeeded(printAdjoint(parts)) &&
                 succeeded(printInitAdjoint(parts)) && succeeded(printSiteAdjoint(parts)) &&
                 succeeded(printEpilogue(parts)));
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

static void printSiteGrads(StructPrinter &parts) {
  parts.text.line("template <int V, class C>");
  parts.text.open(
      "static DEVICE void writeSiteGrads(const SiteGrads (&grads)[V], const C &call, const Neurons<V> &mine) {");
  for (const Field &grad : parts.fields.gradSites)
    parts.text.line(fmt::format("writePieces(grads, &SiteGrads::{}, call.operands[firstSiteGrad + {}], mine, "
                                "call.neurons);",
                                grad.name, grad.index));
  parts.text.close();
}

void printGradientMemory(StructPrinter &parts) {
  const ModelFields &fields = parts.fields;
  parts.printStored("StoredGrads", "GradOutputs", fields.gradOutputs, "gradOutputs");
  parts.printWriteGrads();
  parts.printSaved("restore", /*reads=*/true);
  parts.printStates("readFinalGrads", Role::GradFinal, /*reads=*/true, "GradState", fields.carried);
  parts.printStates("writeInitialGrads", Role::GradInitial, /*reads=*/false, "GradState", fields.carried);
  if (!fields.gradSites.empty())
    printSiteGrads(parts);
  if (fields.sums.empty())
    return;
  parts.text.line("template <int V>");
  parts.text.open("static DEVICE void sumUp(const Sums (&sums)[V], const Neurons<V> &mine, Real *ofWarp) {");
  for (const Field &sum : fields.sums)
    parts.text.line(fmt::format("ofWarp[{}] = sumOfWarp(sums, &Sums::{}, mine);", sum.index, sum.name));
  parts.text.close();
}

} // namespace flexsn::cuda
