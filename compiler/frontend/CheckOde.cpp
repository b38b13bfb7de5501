// Differential equations: neighbouring lines are one simultaneous system (docs/language.md, rule 2).
#include "compiler/frontend/Check.h"

#include <algorithm>

namespace flexsn::checking {

static std::optional<Method> methodOf(std::string_view word) {
  constexpr std::pair<std::string_view, Method> methods[] = {{"euler", Method::Euler},       {"rk2", Method::Rk2},
                                                             {"expeuler", Method::ExpEuler}, {"rk4", Method::Rk4},
                                                             {"exact", Method::Exact},       {"heun", Method::Heun}};
  for (const auto &[name, method] : methods)
    if (name == word)
      return method;
  return std::nullopt;
}

std::optional<ModelChecker::Solver> ModelChecker::solver(const syntax::NamedCall &call) {
  std::optional<Method> method = methodOf(call.name.text);
  if (!method) {
    report(diag::UnknownMethod, call.name.span, call.name.text);
    return std::nullopt;
  }
  auto arguments = bind(call.name, call.arguments, {{"substeps", true}}, call.span);
  if (!arguments)
    return std::nullopt;
  Solver result{*method, 1};
  if (const syntax::Expr *written = (*arguments)[0]) {
    std::optional<double> number = constantNumber(*written, "the number of substeps");
    if (!number || !wholeInside(*number, "the number of substeps", 1, Limits::substeps, written->span))
      return std::nullopt;
    result.substeps = static_cast<unsigned>(*number);
  }
  return result;
}

void ModelChecker::method(const syntax::Statement &statement) {
  if (methodLine) {
    report(diag::DuplicateLine, statement.keyword, "method").label =
        Label{methodLine->keyword, "the first one stands here"};
    return;
  }
  methodLine = &statement;
  modelSolver = solver(*statement.call).value_or(Solver{});
}

/// The state that a line moves, or null where it cannot.
Symbol *ModelChecker::odeState(const syntax::Statement &line) {
  const syntax::Name &name = line.name;
  Symbol *symbol = symbolOf(name.text);
  if (!symbol || symbol->kind != Symbol::Kind::State) {
    std::vector<std::string> states;
    for (const State &state : model->states)
      states.push_back(state.value->name);
    std::optional<std::string> near = symbol ? std::nullopt : nearest(name.text, states);
    failed = true;
    if (name.text.empty() || (symbol ? isBroken(name.text) : explained(name.text)))
      return nullptr;
    if (near)
      report(diag::UnknownNameNear, name.span, name.text, *near).fix = Fix{name.span, *near};
    else
      report(diag::OdeNotState, name.span, name.text, name.text);
    return nullptr;
  }
  if (symbol->type != Type::Float) {
    report(diag::OdeNotFloat, name.span, name.text, symbol->type == Type::Int ? "an int" : "a bool");
    return nullptr;
  }
  return symbol;
}

/// Euler steps go line by line; the other solvers take the system as a whole.
bool ModelChecker::sameSolver(const std::vector<Solver> &solvers) const {
  const auto lineByLine = [](Method method) { return method == Method::Euler || method == Method::ExpEuler; };
  return std::all_of(solvers.begin(), solvers.end(), [&](const Solver &solver) {
    const Solver &first = solvers.front();
    return solver.substeps == first.substeps &&
           (solver.method == first.method || (lineByLine(solver.method) && lineByLine(first.method)));
  });
}

void ModelChecker::odeGroup(const std::vector<const syntax::Statement *> &lines) {
  if (!dt && !isBroken("dt"))
    report(diag::OdeWithoutDt, lines.front()->span);
  flexsn::Statement result;
  result.section = section;
  result.span = cover(lines.front()->span, lines.back()->span);
  std::vector<Solver> solvers;
  std::unordered_set<std::string> seen;
  // Every right-hand side reads what was there when the group began; results appear behind the last line.
  for (const syntax::Statement *line : lines) {
    std::optional<Solver> own = line->call ? solver(*line->call) : modelSolver.value_or(Solver{});
    Typed rate = real(check(*line->value));
    Symbol *symbol = odeState(*line);
    if (!symbol || !symbol->current || !own) // a state whose declaration had an error has no value
      continue;
    if (!seen.insert(line->name.text).second) {
      report(diag::OdeTwice, line->name.span, line->name.text);
      continue;
    }
    rate = toDeclared(rate, *symbol, line->name);
    if (!rate)
      continue;
    solvers.push_back(*own);
    result.system.push_back({symbol->current, rate.expr, nullptr, own->method, own->substeps, line->span});
  }
  if (result.system.empty())
    return;
  if (!sameSolver(solvers))
    report(diag::MixedSolvers, result.system.back().span);
  for (Ode &ode : result.system) {
    Symbol &symbol = *symbolOf(ode.state->name);
    ode.result = &newVersion(ode.state->name, symbol, *ode.rate, ode.span);
  }
  model->statements.push_back(std::move(result));
}

} // namespace flexsn::checking
