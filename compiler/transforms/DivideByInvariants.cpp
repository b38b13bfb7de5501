// divide-by-invariants: divisions by what does not change in a launch get the divisor's reciprocal beside it.
#include "compiler/Passes.h"
#include "compiler/transforms/Invariants.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace flexsn {

#define GEN_PASS_DEF_DIVIDEBYINVARIANTSPASS
#include "compiler/Passes.h.inc"

namespace {

/// Divisors and quotients between which a quotient is found from a rounded reciprocal: within them, no product and no
/// remainder of the refinement (compiler/math, divideByInvariant) overflows or loses a bit.
struct Range {
  double least, largest;
};
Range divisorRange(mlir::Type type) { return type.isF64() ? Range{0x1p-300, 0x1p300} : Range{0x1p-40, 0x1p40}; }

class Divisions {
public:
  explicit Divisions(scan::KernelOp kernel) : kernel(kernel) {}

  unsigned run() {
    replaceIn(kernel.getStep().front());
    if (kernel.hasAdjoint())
      replaceIn(kernel.getAdjoint().front());
    return replaced;
  }

private:
  void replaceIn(Block &block) {
    for (mlir::Value uniform : block.getArguments().take_front(kernel.uniformCount()))
      invariants.insert(uniform);
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
      auto division = llvm::dyn_cast<arith::DivFOp>(op);
      if (division && isInvariant(division.getRhs()) && !isInvariant(division.getLhs()))
        replace(division);
      else if (followsFromOperands(op) &&
               llvm::all_of(op.getOperands(), [&](mlir::Value value) { return isInvariant(value); }))
        invariants.insert(op.result_begin(), op.result_end()); // a constant has no operands
    }
  }

  bool isInvariant(mlir::Value value) { return invariants.contains(value); }

  void replace(arith::DivFOp division) {
    OpBuilder builder(division);
    FloatAttr divisor;
    mlir::Value quotient = matchPattern(division.getRhs(), m_Constant(&divisor))
                               ? byConstant(builder, division, divisor.getValue())
                               : byInvariant(builder, division);
    if (!quotient)
      return;
    division.getResult().replaceAllUsesWith(quotient);
    division.erase();
    ++replaced;
  }

  static mlir::Value floatConstant(OpBuilder &builder, mlir::Location location, const APFloat &value, mlir::Type type) {
    return arith::ConstantOp::create(builder, location, builder.getFloatAttr(type, value));
  }

  /// Null where only a true division will do.
  static mlir::Value byConstant(OpBuilder &builder, arith::DivFOp division, const APFloat &divisor) {
    mlir::Location location = division.getLoc();
    mlir::Type type = division.getType();
    APFloat reciprocal(divisor.getSemantics());
    if (divisor.getExactInverse(&reciprocal))
      return arith::MulFOp::create(builder, location, division.getLhs(),
                                   floatConstant(builder, location, reciprocal, type));
    auto [least, largest] = divisorRange(type);
    double value = divisor.convertToDouble();
    bool isUsual = value >= least && value <= largest;
    if (!isUsual) // NaN too
      return {};
    reciprocal = APFloat::getOne(divisor.getSemantics());
    reciprocal.divide(divisor, APFloat::rmNearestTiesToEven);
    mlir::Value inexact = arith::ConstantOp::create(builder, location, builder.getBoolAttr(false));
    return scan::DivideOp::create(builder, location, type, division.getLhs(), division.getRhs(),
                                  floatConstant(builder, location, reciprocal, type), inexact);
  }

  /// The product of the divisor and its reciprocal, less 1, is 0 only where nothing was rounded. Exact or not, a
  /// reciprocal is of use inside the range alone: a kernel with one divisor that is not exact may refine them all.
  static mlir::Value byInvariant(OpBuilder &builder, arith::DivFOp division) {
    mlir::Location location = division.getRhs().getLoc();
    mlir::Type type = division.getType();
    mlir::Value divisor = division.getRhs();
    auto constant = [&](double value) -> mlir::Value {
      return arith::ConstantOp::create(builder, location, builder.getFloatAttr(type, value));
    };
    auto compare = [&](arith::CmpFPredicate predicate, mlir::Value a, double b) -> mlir::Value {
      return arith::CmpFOp::create(builder, location, predicate, a, constant(b));
    };
    mlir::Value rounded = arith::DivFOp::create(builder, location, constant(1), divisor);
    mlir::Value error = math::FmaOp::create(builder, location, rounded, divisor, constant(-1));
    auto [least, largest] = divisorRange(type);
    mlir::Value inside = arith::AndIOp::create(builder, location, compare(arith::CmpFPredicate::OGE, divisor, least),
                                               compare(arith::CmpFPredicate::OLE, divisor, largest));
    mlir::Value noRounding = compare(arith::CmpFPredicate::OEQ, error, 0);
    mlir::Value exact = arith::AndIOp::create(builder, location, inside, noRounding);
    mlir::Value reciprocal =
        arith::SelectOp::create(builder, location, inside, rounded, constant(std::numeric_limits<double>::quiet_NaN()));
    return scan::DivideOp::create(builder, division.getLoc(), type, division.getLhs(), divisor, reciprocal, exact);
  }

  scan::KernelOp kernel;
  llvm::DenseSet<mlir::Value> invariants;
  unsigned replaced = 0;
};

struct DivideByInvariants : impl::DivideByInvariantsPassBase<DivideByInvariants> {
  void runOnOperation() override { replaced += Divisions(getOperation()).run(); }
};

} // namespace
} // namespace flexsn
