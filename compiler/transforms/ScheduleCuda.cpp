// schedule-cuda: neurons a thread, steps a chunk and threads of a kernel on a GPU.
#include "compiler/Passes.h"
#include "compiler/transforms/CudaBackward.h"
#include "compiler/transforms/KernelSize.h"
#include "compiler/transforms/OperationCost.h"
#include "compiler/transforms/RegisterNeed.h"
#include "runtime/CudaAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <fmt/format.h>

#include <algorithm>

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_SCHEDULECUDAPASS
#include "compiler/Passes.h.inc"

namespace {

/// What GPU compilers take in seconds.
constexpr size_t mostRows = 128, mostOperations = 8'000;
/// What a kernel's argument may have from CUDA 12.1 on.
constexpr size_t mostArgumentBytes = 32'764;
constexpr unsigned accessBytes = 16;

/// The one argument: all operands and uniforms by value.
LogicalResult checkArgument(scan::KernelOp kernel) {
  size_t uniforms = kernel.uniformCount();
  size_t operands = kernel.getOperandList().size() - kernel.paramTypes().size();
  if (kernel.hasAdjoint())
    ++operands; // where sums go
  size_t bytes = sizeof(CudaCall) + operands * sizeof(CudaOperand) + uniforms * sizeof(CudaUniform);
  if (bytes <= mostArgumentBytes)
    return success();
  return kernel.emitError() << "the kernel's operands and parameters take " << bytes
                            << " bytes of a launch; a GPU takes at most " << mostArgumentBytes;
}

/// What the schedule of one kernel depends on.
struct Needs {
  unsigned item = 1;       ///< bytes of an element of the widest sequence
  unsigned inputBytes = 0; ///< of one neuron and step, of inputs that are read
  unsigned inputs = 0;     ///< that are read
  unsigned states = 0, stateTensors = 0, sequences = 0, uniforms = 0; ///< state tensors: initial and final ones
  unsigned words = 1;                                                 ///< registers of one value
  unsigned widest = 0;                                                ///< registers of one neuron's step
  unsigned shaped = 0;   ///< and of what it has of params with dims: site values, places of those that vary by step
  size_t operations = 0; ///< of a step
  unsigned loops = 1;    ///< over time: one that multiplies, and one that divides
  bool strided = false, finals = false;

  explicit Needs(scan::KernelOp kernel)
      : states(static_cast<unsigned>(kernel.getStates().size())), words(computeBits(kernel) / 32),
        widest(widestPoint(kernel, kernel.getStep())), strided(kernel.getLayout() == scan::Layout::Strided),
        finals(!kernel.operandsOf(scan::Role::Final).empty()) {
    for (auto [operand, value] : llvm::zip_equal(kernel.operandsOf(scan::Role::Input), kernel.stepInputs()))
      if (!value.use_empty()) {
        addSequence(operand);
        inputBytes += bytesOf(operand.getStorage());
        ++inputs;
      }
    for (auto [operand, value] : llvm::zip_equal(kernel.paramsOf(scan::Variation::Step), kernel.stepVarying()))
      if (!value.use_empty()) {
        inputBytes += bytesOf(operand.getStorage());
        ++inputs;
        ++sequences;
        shaped += 2;
      }
    shaped += wordsOf(kernel.siteTypes());
    stateTensors = static_cast<unsigned>(kernel.operandsOf(scan::Role::Initial).size() +
                                         kernel.operandsOf(scan::Role::Final).size());
    for (scan::OperandAttr operand : kernel.operandsOf(scan::Role::Output))
      addSequence(operand);
    sequences += static_cast<unsigned>(kernel.operandsOf(scan::Role::Checkpoint).size());
    uniforms = uniformsRead(kernel);
    operations = OperationCosts().of(kernel.getStep());
    loops = loopsOverTime(kernel.getStep());
  }

  void addSequence(scan::OperandAttr operand) {
    item = std::max(item, bytesOf(operand.getStorage()));
    ++sequences;
  }

  bool isSmall() const { return states <= 1 && inputs <= 1; }
};

/// A schedule in the making.
struct Cut {
  unsigned neurons, chunk, blocks;
  bool wantedRegisters = false, wasLong = false; ///< why it is less than the rule's

  unsigned registerLimit() const { return cudaRegisterLimit(blocks); }

  /// Values that are live at once: a step's, the inputs of the chunk's other steps, addresses, parameters, and what an
  /// operation needs beside.
  unsigned registers(const Needs &needs, bool scalar) const {
    unsigned inputs = scalar ? neurons * needs.inputs * needs.words : (neurons * needs.inputBytes + 3) / 4;
    // A neuron that has an address of its own has, where final states are written, its indexes too.
    unsigned places = needs.strided && scalar ? neurons : 1, indexes = needs.strided && needs.finals ? maxDims : 0;
    unsigned addresses = 2 * places * (needs.sequences + indexes);
    unsigned operation = needs.words == 1 ? 8 : 36; // a division of float64 alone takes 30
    return neurons * (widened(needs.widest) + needs.shaped) + (chunk - 1) * inputs + addresses +
           needs.uniforms * needs.words + (needs.sequences + needs.stateTensors) / 2 + operation + 10;
  }
};

/// The rule that measured best on an H200: at most 5 % from the best of all cuts in fp32.
Cut measuredRule(const Needs &needs, bool scalar) {
  // Each neuron of a strided kernel with single accesses has addresses of its own.
  unsigned most = scalar ? (needs.strided ? 2 : 4) : needs.item == 2 && !needs.isSmall() ? 4 : 8;
  Cut cut{};
  cut.neurons = std::min(most, std::max(1U, accessBytes / needs.item));
  cut.chunk = needs.isSmall() && (needs.item == 4 || (scalar && needs.item < 4)) ? 8 : 4;
  bool manyBlocks = !needs.strided && (needs.item < 4 || (needs.item == 4 && needs.isSmall()));
  cut.blocks = !manyBlocks ? 4 : needs.stateTensors > 0 ? 5 : 6; // to read and write states takes registers of its own
  return cut;
}

/// The chunk of a kernel that saves states ends in front of them.
void divideEvery(Cut &cut, scan::KernelOp kernel) {
  while (kernel.getEvery() && *kernel.getEvery() % cut.chunk != 0)
    cut.chunk /= 2;
}

/// Less of everything until the registers suffice and a chunk is no very long program.
Cut fitted(Cut cut, const Needs &needs, bool scalar) {
  while (cut.registers(needs, scalar) > cut.registerLimit()) {
    if (cut.blocks > 4)
      cut.blocks = 4;
    else if (cut.chunk > 2)
      cut.chunk /= 2;
    else if (cut.neurons > 1)
      cut.neurons /= 2;
    else if (cut.blocks > 2)
      cut.blocks = 2;
    else if (cut.chunk > 1)
      cut.chunk = 1;
    else
      break;
    cut.wantedRegisters = true;
  }
  auto operations = [&] { return size_t{cut.neurons} * cut.chunk * needs.operations * needs.loops; };
  while (cut.neurons * cut.chunk > 1 && operations() > cudaChunkOperations) {
    (cut.chunk > 1 ? cut.chunk : cut.neurons) /= 2;
    cut.wasLong = true;
  }
  return cut;
}

/// Steps at once in the loop that divides: its steps are longer, so that four hide the loads as well as eight, and a
/// shorter text is compiled sooner.
unsigned dividingChunk(const Cut &cut, const Needs &needs) {
  return needs.loops == 2 && cut.chunk > 4 ? cut.chunk / 2 : cut.chunk;
}

/// How V and C came about; a 1 of either speaks for itself.
SmallVector<std::string> cutWords(const Cut &cut, const Needs &needs, bool scalar) {
  SmallVector<std::string> words;
  if (cut.neurons > 1)
    words.push_back(scalar ? fmt::format("{} neurons a thread, a warp's width apart", cut.neurons)
                           : fmt::format("{} neighbours of {} bytes are {} bytes of an access", cut.neurons, needs.item,
                                         cut.neurons * needs.item));
  if (needs.inputs == 0)
    words.emplace_back("no input is read");
  else if (cut.chunk > 1)
    words.push_back(fmt::format("the loads of {} steps are under way at once", cut.chunk));
  if (unsigned dividing = dividingChunk(cut, needs); dividing != cut.chunk)
    words.push_back(fmt::format("{} steps at once where a divisor's reciprocal is not exact", dividing));
  return words;
}

/// Why it is less than what the rule says.
std::string lessWords(const Cut &cut, const Cut &wished) {
  std::string what = cut.neurons == wished.neurons && cut.chunk == wished.chunk
                         ? fmt::format("{} blocks", wished.blocks)
                         : fmt::format("{} neurons and {} steps at once", wished.neurons, wished.chunk);
  std::string why = !cut.wasLong           ? "want too many registers"
                    : !cut.wantedRegisters ? "be too long a program"
                                           : "want too many registers and be too long a program";
  return fmt::format("the rule's {} would {}", what, why);
}

struct ScheduleCuda : impl::ScheduleCudaPassBase<ScheduleCuda> {
  using ScheduleCudaPassBase::ScheduleCudaPassBase;

  void runOnOperation() override {
    scan::KernelOp kernel = getOperation();
    if (failed(checkSchedulable(kernel, mostRows, mostOperations)) || failed(checkArgument(kernel)))
      return signalPassFailure();
    if (kernel.hasAdjoint()) {
      CudaBackwardCut cut = cutBackward(kernel, scalar);
      return setSchedule(cut.neurons, cut.chunk, cut.chunk, cut.blocks, cut.reason);
    }
    Needs needs(kernel);
    Cut wished = measuredRule(needs, scalar);
    divideEvery(wished, kernel);
    Cut cut = fitted(wished, needs, scalar);
    SmallVector<std::string> words = cutWords(cut, needs, scalar);
    words.push_back(fmt::format("about {} of {} registers for {} blocks of {} threads a multiprocessor",
                                cut.registers(needs, scalar), cut.registerLimit(), cut.blocks, cudaBlockThreads));
    if (cut.wantedRegisters || cut.wasLong)
      words.push_back(lessWords(cut, wished));
    setSchedule(cut.neurons, cut.chunk, dividingChunk(cut, needs), cut.blocks,
                fmt::format("{}", fmt::join(words, "; ")));
  }

  void setSchedule(unsigned neurons, unsigned chunk, unsigned dividing, unsigned blocks, const std::string &reason) {
    getOperation().setScheduleAttr(scan::CudaScheduleAttr::get(
        &getContext(), neurons, chunk, cudaBlockThreads, blocks, dividing == chunk ? 0 : dividing,
        scalar ? BoolAttr::get(&getContext(), true) : BoolAttr(), StringAttr::get(&getContext(), reason)));
  }
};

} // namespace
} // namespace flexsn
