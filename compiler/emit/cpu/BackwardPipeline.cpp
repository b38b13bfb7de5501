// A streaming backward kernel computes the next chunk again while gradients flow through the one before it. By itself
// the way forwards only reads, and computes; the way back reads, writes and computes more. In turn they leave memory
// idle in one half of the time; together they keep it as busy as a copy does.
#include "compiler/emit/cpu/BackwardBuilder.h"
#include "compiler/transforms/KernelSize.h"

#include <mlir/Dialect/SCF/IR/SCF.h>

namespace flexsn::cpu {

using namespace mlir;
using mlir::Value; // the front end has values too

bool isPipelined(scan::KernelOp kernel) { return kernel.getCpuSchedule().isStreaming() && overlapsChunks(kernel); }

// ---- Chunks one behind the other ------------------------------------------------------------------------------------

/// Whole spans go through the pipeline. Without steps there are no chunks, but gradients of states go on.
Value BackwardBuilder::pipelineEnd() {
  Value neurons = make<arith::SubIOp>(frame.end, frame.begin);
  Value unit = constant(gradients.hasSums() ? spanOf(kernel) : tile);
  Value whole = make<arith::AddIOp>(frame.begin, make<arith::MulIOp>(make<arith::DivUIOp>(neurons, unit), unit));
  Value hasSteps = compare(arith::CmpIPredicate::sgt, frame.steps, constant(0));
  return choose(hasSteps, whole, frame.begin);
}

/// Each turn computes one unit again, but the last, while gradients flow through the one before it, but in the first.
LogicalResult BackwardBuilder::walkPipeline(Value from, Value to) {
  Value units = make<arith::MulIOp>(make<arith::DivUIOp>(make<arith::SubIOp>(to, from), constant(tile)), chunks);
  Value any = compare(arith::CmpIPredicate::sgt, units, constant(0));
  Value turns = choose(any, make<arith::AddIOp>(units, constant(1)), constant(0));
  loops.enterWholeTile(tile);
  return loops.forRange(constant(0), turns, 1, [&](Value number) {
    Value before = make<arith::SubIOp>(number, constant(1));
    Value hasNext = compare(arith::CmpIPredicate::slt, number, units);
    Unit again = unitAt(from, number, hasNext);
    Unit flowing = unitAt(from, before, compare(arith::CmpIPredicate::sgt, number, constant(0)));
    Value inSpan = make<arith::RemUIOp>(make<arith::SubIOp>(flowing.first, from), constant(spanOf(kernel)));
    gradients.enterTile(inSpan);
    // In this order: the way back takes the tile's site values before the next tile's come.
    return success(succeeded(beginFlow(flowing, inSpan)) && succeeded(beginAgain(again, hasNext)) &&
                   succeeded(walkUnits(again, flowing, number)) && succeeded(endFlow(flowing, inSpan)));
  });
}

LogicalResult BackwardBuilder::beginAgain(const Unit &unit, Value exists) {
  return loops.onlyIf(exists, [&] {
    Value isNewTile = compare(arith::CmpIPredicate::eq, unit.chunk.end, frame.steps);
    if (kernel.hasSites() && failed(loops.onlyIf(isNewTile, [&] {
          frame.findPlaces(unit.first, constant(tile));
          return sites.fill(unit.first);
        })))
      return failure();
    return restoreStates(unit.chunk, unit.first);
  });
}

BackwardBuilder::Unit BackwardBuilder::unitAt(Value from, Value number, Value exists) {
  Unit unit;
  Value tileNumber = make<arith::DivSIOp>(number, chunks);
  unit.first = make<arith::AddIOp>(from, make<arith::MulIOp>(tileNumber, constant(tile)));
  Value done = make<arith::SubIOp>(number, make<arith::MulIOp>(tileNumber, chunks));
  unit.chunk = chunkAt(done);
  Value steps = make<arith::SubIOp>(unit.chunk.end, unit.chunk.begin);
  unit.count = choose(exists, steps, constant(0));
  return unit;
}

/// In front of a tile's last steps.
LogicalResult BackwardBuilder::beginFlow(const Unit &unit, Value inSpan) {
  Value exists = compare(arith::CmpIPredicate::sgt, unit.count, constant(0));
  Value isLast = compare(arith::CmpIPredicate::eq, unit.chunk.end, frame.steps);
  return loops.onlyIf(make<arith::AndIOp>(exists, isLast), [&] {
    Value newSpan = compare(arith::CmpIPredicate::eq, inSpan, constant(0));
    if (gradients.hasSums() && failed(loops.onlyIf(newSpan, [&] { return gradients.clearSums(); })))
      return failure();
    return success(succeeded(sites.handOver()) && succeeded(gradients.seed(unit.first)));
  });
}

/// Behind a tile's step 0.
LogicalResult BackwardBuilder::endFlow(const Unit &unit, Value inSpan) {
  Value exists = compare(arith::CmpIPredicate::sgt, unit.count, constant(0));
  Value isFirst = compare(arith::CmpIPredicate::eq, unit.chunk.begin, constant(0));
  return loops.onlyIf(make<arith::AndIOp>(exists, isFirst), [&] {
    if (sites.readsParams(kernel.getSiteAdjoint()))
      frame.findPlaces(unit.first, constant(tile)); // they may have become those of the next tile
    if (failed(gradients.finish(unit.first)))
      return failure();
    if (!gradients.hasSums())
      return success();
    Value spanFirst = make<arith::SubIOp>(unit.first, inSpan);
    Value end = make<arith::AddIOp>(unit.first, constant(tile));
    Value spanEnd = make<arith::AddIOp>(spanFirst, constant(spanOf(kernel)));
    return loops.onlyIf(compare(arith::CmpIPredicate::eq, end, spanEnd),
                        [&] { return gradients.writePartials(spanFirst, spanEnd); });
  });
}

// ---- Two chunks at once ---------------------------------------------------------------------------------------------

/// How far inputs are asked for before they are used: what one step of a tile takes is shorter than memory's answer to
/// all that is asked for meanwhile.
static constexpr int64_t stepsAhead = 2;

/// Kept rows are in slots. The way back frees them from one end to the other, and the way forwards follows: every
/// second unit has its steps in slots from the last to the first.
LogicalResult BackwardBuilder::walkUnits(const Unit &again, const Unit &flowing, Value number) {
  Value isOdd = compare(arith::CmpIPredicate::ne, make<arith::AndIOp>(number, constant(1)), constant(0));
  Value isEven = compare(arith::CmpIPredicate::eq, make<arith::AndIOp>(number, constant(1)), constant(0));
  Value common = make<arith::MinSIOp>(again.count, flowing.count);
  auto walk = [&](Value from, Value to, bool recomputes, bool flows) {
    return loops.forRange(from, to, 1, [&](Value done) {
      ahead.clear();
      StepRows forwards, back;
      if (recomputes)
        forwards = recomputedRows(again, done, isEven);
      if (flows)
        back = flowingRows(flowing, again, done, isOdd);
      LogicalResult vectors = loops.forEachVector([&](Value index, Value mask) {
        ahead.fetch(index);
        // In this order: a slot is read before it is written.
        if (flows && failed(flowVector(index, mask, back)))
          return failure();
        return success(!recomputes || succeeded(recomputeVector(index, mask, forwards)));
      });
      return success(succeeded(vectors) && (!flows || succeeded(cutAt(flowingTime(flowing, done)))));
    });
  };
  // Units of a sequence's last steps may be shorter.
  return success(succeeded(walk(constant(0), common, true, true)) &&
                 succeeded(walk(common, flowing.count, false, true)) &&
                 succeeded(walk(common, again.count, true, false)));
}

Value BackwardBuilder::slotOf(Value inChunk, Value isUp) {
  Value down = make<arith::SubIOp>(constant(every - 1), inChunk);
  return choose(isUp, inChunk, down);
}

/// `done` steps behind the unit's first one; a few steps ahead, or in the next unit, is fetched.
BackwardBuilder::StepRows BackwardBuilder::recomputedRows(const Unit &unit, Value done, Value isUp) {
  StepRows rows = rowsAt(make<arith::AddIOp>(unit.chunk.begin, done), unit.first);
  rows.kept = keptRows(slotOf(done, isUp));
  // The next unit is the chunk before, or the last one of the next tile.
  Value isFirst = compare(arith::CmpIPredicate::eq, unit.chunk.number, constant(0));
  Value lastBegin = make<arith::MulIOp>(make<arith::SubIOp>(chunks, constant(1)), constant(every));
  Value nextBegin = choose(isFirst, lastBegin, make<arith::SubIOp>(unit.chunk.begin, constant(every)));
  Value nextFirst = choose(isFirst, make<arith::AddIOp>(unit.first, constant(tile)), unit.first);
  Value then = make<arith::AddIOp>(done, constant(stepsAhead));
  Value here = compare(arith::CmpIPredicate::slt, then, unit.count);
  Value inNext = make<arith::SubIOp>(then, unit.count);
  ahead.addStep(choose(here, unit.first, nextFirst),
                make<arith::AddIOp>(choose(here, unit.chunk.begin, nextBegin), choose(here, then, inNext)));
  return rows;
}

Value BackwardBuilder::flowingTime(const Unit &unit, Value done) {
  return make<arith::SubIOp>(make<arith::SubIOp>(unit.chunk.end, constant(1)), done);
}

/// `done` steps in front of the unit's last one; a few steps before, or in the next unit, is fetched.
BackwardBuilder::StepRows BackwardBuilder::flowingRows(const Unit &unit, const Unit &next, Value done, Value isUp) {
  Value time = flowingTime(unit, done);
  StepRows rows = rowsAt(time, unit.first);
  rows.kept = keptRows(slotOf(make<arith::SubIOp>(time, unit.chunk.begin), isUp));
  Value then = make<arith::AddIOp>(done, constant(stepsAhead));
  Value here = compare(arith::CmpIPredicate::slt, then, unit.count);
  Value inNext = make<arith::SubIOp>(then, unit.count);
  ahead.addAdjoint(choose(here, unit.first, next.first),
                   choose(here, flowingTime(unit, then), flowingTime(next, inNext)));
  return rows;
}

} // namespace flexsn::cpu
