#include "compiler/transforms/CudaBackward.h"

#include "compiler/transforms/KernelSize.h"
#include "compiler/transforms/OperationCost.h"
#include "compiler/transforms/RegisterNeed.h"
#include "runtime/KernelAbi.h"

#include <fmt/format.h>

using namespace mlir;

namespace flexsn {

namespace {

/// Operations of an unrolled chunk, there and back: a little more than of one that goes there alone, for the sake of
/// accesses that are worth their time.
constexpr size_t chunkOperations = 3 * cudaChunkOperations;
/// Registers of what compilers do beside, as found in the code of many models.
constexpr unsigned beside = 62;
/// And of 16-bit values in strided kernels with vector accesses, which are cut out of registers and put into such
/// again.
constexpr unsigned besideHalves = 6;
/// And of float64, whose divisions alone take as many.
constexpr unsigned besideDoubles = 28;

/// What a chunk takes, of one neuron.
class Needs {
public:
  explicit Needs(scan::KernelOp kernel)
      : words(computeBits(kernel) / 32), kept(wordsOf(kernel.stepResults().getTypes())),
        step(widestPoint(kernel, kernel.getStep())), adjoint(widestPoint(kernel, kernel.getAdjoint())),
        carried(wordsOf(kernel.carriedTypes())), sums(wordsOf(kernel.summandTypes())),
        sites(wordsOf(kernel.siteTypes())), uniforms(words * uniformsRead(kernel)),
        strided(kernel.getLayout() == scan::Layout::Strided) {
    kept += static_cast<unsigned>(llvm::count_if(kernel.stepResults(), [](mlir::Value value) {
      return value.getType().isInteger(1); // they are too many for predicates
    }));
    findSequences(kernel);
    OperationCosts costs;
    operations = costs.of(kernel.getStep()) + costs.of(kernel.getAdjoint());
    loops = std::max(loopsOverTime(kernel.getStep()), loopsOverTime(kernel.getAdjoint()));
  }

  /// Values that are live at once: while states are computed again, inputs still to come or values kept, and gradients
  /// of outputs; on the way back, what is left of them.
  unsigned registers(unsigned neurons, unsigned chunk, bool scalar) const {
    auto rows = [&](unsigned bytes, unsigned count) {
      return scalar ? neurons * count * words : (neurons * bytes + 3) / 4;
    };
    unsigned before = rows(stepBytes, stepInputs), behind = neurons * kept + rows(adjointBytes, adjointInputs);
    unsigned gradients = rows(gradientBytes, gradientRows);
    unsigned again = neurons * (widened(step) + carried) + (chunk - 1) * std::max(before, behind) + chunk * gradients;
    unsigned back = neurons * widened(adjoint) + (chunk - 1) * (behind + gradients);
    // Addresses, and where states are read or written the indexes that they come from; of each neuron or of the first.
    unsigned apart = strided && scalar ? neurons : 1, indexes = strided && stateTensors > 0 ? maxDims : 0;
    return std::max(again, back) + neurons * (sums + sites + 2 * places) + 2 * apart * (sequences + indexes) +
           uniforms + stateTensors / 2 + beside +
           (words == 2                       ? besideDoubles
            : strided && !scalar && item < 4 ? besideHalves
                                             : 0);
  }

  unsigned item = 1, loops = 1;
  size_t operations = 0;

private:
  void findSequences(scan::KernelOp kernel) {
    SmallVector<scan::OperandAttr> reads = kernel.paramsOf(scan::Variation::Step);
    places = static_cast<unsigned>(reads.size());
    llvm::append_range(reads, kernel.operandsOf(scan::Role::Input));
    for (auto [inStep, inAdjoint, operand] : llvm::zip_equal(kernel.stepReads(), kernel.adjointReads(), reads)) {
      unsigned bytes = scan::bytesOf(operand.getStorage());
      if (!inStep.use_empty() || !inAdjoint.use_empty())
        addSequence(bytes), stepBytes += bytes, ++stepInputs;
      if (!inAdjoint.use_empty())
        adjointBytes += bytes, ++adjointInputs;
    }
    for (auto [argument, operand] :
         llvm::zip_equal(kernel.adjointGradOutputs(), kernel.operandsOf(scan::Role::GradOutput)))
      if (unsigned bytes = scan::bytesOf(operand.getStorage()); !argument.use_empty())
        addSequence(bytes), gradientBytes += bytes, ++gradientRows;
    for (scan::OperandAttr operand : kernel.gradReads())
      addSequence(scan::bytesOf(operand.getStorage()));
    for (scan::Role role : {scan::Role::Initial, scan::Role::GradFinal, scan::Role::GradInitial})
      stateTensors += static_cast<unsigned>(kernel.operandsOf(role).size());
    sequences += static_cast<unsigned>(kernel.operandsOf(scan::Role::Checkpoint).size());
  }

  void addSequence(unsigned bytes) {
    item = std::max(item, bytes);
    ++sequences;
  }

  unsigned words, kept, step, adjoint, carried, sums, sites, uniforms, sequences = 0, stateTensors = 0;
  unsigned places = 0; ///< params that vary by step, of which each neuron has its own place
  unsigned stepBytes = 0, stepInputs = 0, adjointBytes = 0, adjointInputs = 0, gradientBytes = 0, gradientRows = 0;
  bool strided;
};

} // namespace

CudaBackwardCut cutBackward(scan::KernelOp kernel, bool scalar) {
  Needs needs(kernel);
  CudaBackwardCut cut{};
  // Without states every step stands alone.
  bool isFree = !kernel.getEvery();
  cut.chunk = kernel.getEvery().value_or(4);
  unsigned bytes = cut.chunk > 4 ? 8 : 16; // of an access: what measured best on an H200
  unsigned most = scalar && needs.item < 4 ? 2 : 4;
  cut.neurons = std::min(most, std::max(1U, bytes / needs.item));
  auto registers = [&] { return needs.registers(cut.neurons, cut.chunk, scalar); };
  auto isLong = [&] { return size_t{cut.neurons} * cut.chunk * needs.operations * needs.loops > chunkOperations; };
  auto blocksFor = [&](unsigned least) {
    cut.blocks = 4;
    // One less than there are: where all are taken, one compiler or another spills a few.
    while (cut.blocks > least && registers() >= cudaRegisterLimit(cut.blocks))
      --cut.blocks;
    return registers() < cudaRegisterLimit(cut.blocks) && !isLong();
  };
  while (!blocksFor(3) && cut.neurons > 1)
    cut.neurons /= 2;
  while (!blocksFor(2) && isFree && cut.chunk > 1)
    cut.chunk /= 2;
  cut.reason =
      fmt::format("{} a thread; {}; about {} of {} registers for {} blocks of {} threads a multiprocessor",
                  cut.neurons == 1 ? "one neuron" : fmt::format("{} neurons", cut.neurons),
                  isFree           ? fmt::format("{} steps at once", cut.chunk)
                  : cut.chunk == 1 ? std::string("one step at a time, as states are saved")
                                   : fmt::format("{} steps at once, as many as lie between checkpoints", cut.chunk),
                  registers(), cudaRegisterLimit(cut.blocks), cut.blocks, cudaBlockThreads);
  return cut;
}

} // namespace flexsn
