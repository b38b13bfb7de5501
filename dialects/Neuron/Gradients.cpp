#include "dialects/Neuron/Gradients.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;

namespace flexsn::neuron {

#include "dialects/Neuron/Differentiable.cpp.inc"

void Gradients::add(Value operand, Value gradient, Value condition, bool holds) {
  if (!wants(operand))
    return;
  Flow flow{gradient, current};
  if (condition)
    flow.guard.push_back({condition, holds});
  auto [place, isFirst] = flows.try_emplace(operand, flow);
  if (!isFirst)
    place->second = merged(std::move(place->second), std::move(flow));
}

void Gradients::seed(Value value, Value gradient, Value condition) {
  current.clear();
  if (gradient)
    add(value, gradient, condition);
}

Value Gradients::enter(Value value) {
  auto place = flows.find(value);
  if (place == flows.end())
    return {};
  current = place->second.guard;
  return place->second.gradient;
}

Value Gradients::take(Value value) {
  auto place = flows.find(value);
  return place == flows.end() ? Value() : applied(place->second, 0);
}

Gradients::Flow Gradients::merged(Flow a, Flow b) {
  auto ends = std::mismatch(a.guard.begin(), a.guard.end(), b.guard.begin(), b.guard.end());
  auto common = static_cast<size_t>(ends.first - a.guard.begin());
  Location location = b.gradient.getLoc();
  Guard guard(a.guard.begin(), ends.first);
  // The two sides of one selection.
  if (a.guard.size() == common + 1 && b.guard.size() == common + 1 && ends.first->value == ends.second->value) {
    auto [yes, no] = ends.first->holds ? std::pair(a.gradient, b.gradient) : std::pair(b.gradient, a.gradient);
    return {arith::SelectOp::create(builder, location, ends.first->value, yes, no), std::move(guard)};
  }
  Value first = applied(a, common), second = applied(b, common);
  // Where neither counts nothing flows on, be it that zero meets an infinity further back.
  if (a.guard.size() > common && b.guard.size() > common) {
    Value ofA = conjunction(a.guard, common, location), ofB = conjunction(b.guard, common, location);
    guard.push_back({arith::OrIOp::create(builder, location, ofA, ofB), true});
  }
  return {arith::AddFOp::create(builder, location, first, second), std::move(guard)};
}

Value Gradients::conjunction(llvm::ArrayRef<Condition> guard, size_t kept, Location location) {
  Value all;
  for (const Condition &condition : guard.drop_front(kept)) {
    Value holds = condition.value;
    if (!condition.holds) {
      Value yes = arith::ConstantOp::create(builder, location, builder.getBoolAttr(true));
      holds = arith::XOrIOp::create(builder, location, holds, yes);
    }
    all = all ? arith::AndIOp::create(builder, location, all, holds) : holds;
  }
  return all;
}

Value Gradients::applied(const Flow &flow, size_t kept) {
  Value gradient = flow.gradient;
  Location location = gradient.getLoc();
  if (auto named = llvm::dyn_cast<NameLoc>(location)) // what is made of it is another value
    location = named.getChildLoc();
  if (kept == flow.guard.size())
    return gradient;
  Value zero = arith::ConstantOp::create(builder, location, builder.getZeroAttr(gradient.getType()));
  // The innermost condition first: one selection each, no conjunction, since most guards have one condition.
  for (const Condition &condition : llvm::reverse(llvm::ArrayRef(flow.guard).drop_front(kept))) {
    auto [yes, no] = condition.holds ? std::pair(gradient, zero) : std::pair(zero, gradient);
    gradient = arith::SelectOp::create(builder, location, condition.value, yes, no);
  }
  return gradient;
}

} // namespace flexsn::neuron
