// The derivatives of built-in surrogates beside those that the library computed: the cases of the family `surrogates`
// are one spike and nothing else, and their gout is 1, so that gin is the derivative.
#include "compiler/frontend/Surrogates.h"
#include "tests/conformance/Runners.h"
#include "tests/reference/SurrogateAt.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace flexsn::conformance {
namespace {

/// The spike of a model that has no other statement; null if that is not what it is.
const Expr *onlySpike(const Model &model) {
  const bool alone = model.statements.size() == 1 && model.statements[0].value &&
                     model.statements[0].value->op == Op::Spike && model.states.empty();
  return alone ? model.statements[0].value : nullptr;
}

/// README.md, Tolerances, for gradients.
template <class Real> void compare(const Case &c, const Expr &spike, double relative, double absolute) {
  std::vector<double> parameters;
  for (size_t i = 1; i < spike.operands.size(); ++i)
    parameters.push_back(spike.operands[i]->number);
  reference::SurrogateAt<Real> surrogate(*spike.surrogate, parameters);
  const reference::Array x = c.array("in.x").cells(), want = c.array("gin.x").cells();
  ASSERT_EQ(x.size(), want.size()) << c.id;
  double largest = 1;
  for (size_t i = 0; i < want.size(); ++i)
    if (std::isfinite(want.number(i)))
      largest = std::max(largest, std::fabs(want.number(i)));
  for (size_t i = 0; i < want.size(); ++i) {
    const double got = surrogate.gradient(static_cast<Real>(x.number(i))).number(), b = want.number(i);
    const bool same = got == b || (std::isnan(got) && std::isnan(b));
    EXPECT_TRUE(same || (std::isfinite(b) && std::fabs(got - b) <= relative * std::fabs(b) + absolute * largest))
        << fmt::format("{} at {}: {}, not {}", c.id, x.number(i), got, b);
  }
}

TEST(Conformance, FormulasOfSurrogatesReproduceTheLibrarysGradients) {
  std::set<std::string_view> covered, wanted;
  for (const Case &c : cases()) {
    if (c.family != "surrogates")
      continue;
    std::string error;
    auto model = checkedModel(c, error);
    ASSERT_TRUE(model) << c.id << error;
    const Expr *spike = onlySpike(*model);
    ASSERT_TRUE(spike) << c.id;
    covered.insert(spike->surrogate->name);
    if (c.dtype == "float64")
      compare<double>(c, *spike, 1e-9, 1e-12);
    else
      compare<float>(c, *spike, 1e-4, 1e-6);
  }
  for (const SurrogateInfo &surrogate : surrogates())
    if (surrogate.source == "SpikingJelly")
      wanted.insert(surrogate.name);
  EXPECT_EQ(covered, wanted);
}

} // namespace
} // namespace flexsn::conformance
