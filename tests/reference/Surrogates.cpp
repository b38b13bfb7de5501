#include "tests/reference/Surrogates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flexsn::reference {
namespace {

using std::numbers::pi;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double logisticSlope(double x) { return logistic(x) * (1 - logistic(x)); }
double signed1(double x) { return x >= 0 ? 1 : -1; }

/// The sum of c(1) ... c(n - 1): the series has its n-th term left out, as in SpikingJelly.
template <class Term> double series(double n, Term term) {
  double sum = 0;
  for (int i = 1; i < static_cast<int>(n); ++i)
    sum += term(2 * i - 1);
  return sum;
}

/// Gradients are SpikingJelly 2.0.0's, seams included (whether a bound belongs to the window, what happens at 0).
/// Primitives are any function with that slope that is continuous: the constant does not matter to who differentiates.
constexpr PlainSurrogate formulas[] = {
    {"piecewise_quadratic",
     [](double x, const double *a) { return std::fabs(x) > 1 / a[0] ? 0 : a[0] - a[0] * a[0] * std::fabs(x); },
     [](double x, const double *a) {
       x = std::clamp(x, -1 / a[0], 1 / a[0]);
       return a[0] * x - a[0] * a[0] / 2 * x * std::fabs(x);
     }},
    {"piecewise_exp", [](double x, const double *a) { return a[0] / 2 * std::exp(-a[0] * std::fabs(x)); },
     [](double x, const double *a) { return -signed1(x) / 2 * std::expm1(-a[0] * std::fabs(x)); }},
    {"sigmoid", [](double x, const double *a) { return a[0] * logisticSlope(a[0] * x); },
     [](double x, const double *a) { return logistic(a[0] * x); }},
    {"soft_sign", [](double x, const double *a) { return 1 / (2 * a[0] * std::pow(1 / a[0] + std::fabs(x), 2)); },
     [](double x, const double *a) { return a[0] * x / (1 + std::fabs(a[0] * x)) / 2; }},
    {"super_spike", [](double x, const double *a) { return a[0] / std::pow(1 + std::fabs(x), 2); },
     [](double x, const double *a) { return a[0] * x / (1 + std::fabs(x)); }},
    {"atan", [](double x, const double *a) { return a[0] / 2 / (1 + std::pow(pi / 2 * a[0] * x, 2)); },
     [](double x, const double *a) { return std::atan(pi / 2 * a[0] * x) / pi; }},
    {"nonzero_sign_log_abs", [](double x, const double *a) { return 1 / (1 / a[0] + std::fabs(x)); },
     [](double x, const double *a) { return signed1(x) * std::log1p(a[0] * std::fabs(x)); }},
    {"erf", [](double x, const double *a) { return a[0] / std::sqrt(pi) * std::exp(-std::pow(a[0] * x, 2)); },
     [](double x, const double *a) { return std::erf(a[0] * x) / 2; }},
    {"piecewise_leaky_relu", [](double x, const double *a) { return std::fabs(x) < a[0] ? 1 / (2 * a[0]) : a[1]; },
     [](double x, const double *a) {
       const double inside = std::clamp(x, -a[0], a[0]);
       return inside / (2 * a[0]) + a[1] * (x - inside);
     }},
    {"squarewave_fourier_series",
     [](double x, const double *a) {
       return 4 / a[1] * series(a[0], [&](double k) { return std::cos(k * 2 * pi / a[1] * x); });
     },
     [](double x, const double *a) {
       return 2 / pi * series(a[0], [&](double k) { return std::sin(k * 2 * pi / a[1] * x) / k; });
     }},
    {"s2nn", [](double x, const double *a) { return x < 0 ? a[0] * logisticSlope(a[0] * x) : a[1] / (x + 1); },
     [](double x, const double *a) { return x < 0 ? logistic(a[0] * x) : a[1] * std::log1p(x) + 0.5; }},
    {"q_pseudo_spike", [](double x, const double *a) { return std::pow(1 + 2 / (a[0] - 1) * std::fabs(x), -a[0]); },
     [](double x, const double *a) {
       return signed1(x) / 2 * (1 - std::pow(1 + 2 / (a[0] - 1) * std::fabs(x), 1 - a[0]));
     }},
    {"leaky_k_relu", [](double x, const double *a) { return x >= 0 ? a[1] : a[0]; },
     [](double x, const double *a) { return x * (x >= 0 ? a[1] : a[0]); }},
    {"fake_numerical_gradient",
     [](double x, const double *a) {
       const double slope = signed1(x) / x;
       return slope > a[0] ? a[0] : slope; // NaN stays
     },
     [](double x, const double *a) {
       const double inside = std::clamp(x, -1 / a[0], 1 / a[0]);
       return a[0] * inside + signed1(x) * std::log(std::fmax(a[0] * std::fabs(x), 1));
     }},
    {"log_tailed_relu", [](double x, const double *a) { return x > 1    ? 1 / x
                                                               : x <= 0 ? a[0]
                                                                        : 1; },
     [](double x, const double *a) { return x > 1    ? std::log(x) + 1
                                            : x <= 0 ? a[0] * x
                                                     : x; }},
    {"deterministic_pass", [](double, const double *) { return 1.0; }, [](double x, const double *) { return x; }},
    {"rect", [](double x, const double *a) { return std::fabs(x) < 0.5 / a[0] ? a[0] : 0; },
     [](double x, const double *a) { return std::clamp(a[0] * x, -0.5, 0.5); }},
    {"triangle",
     [](double x, const double *a) {
       const double height = 1 - std::fabs(x) / a[0];
       return height < 0 ? 0 : height / a[0];
     },
     [](double x, const double *a) {
       x = std::clamp(x / a[0], -1.0, 1.0);
       return x - x * std::fabs(x) / 2;
     }},
    {"slayer", [](double x, const double *a) { return a[0] / 2 * std::exp(-a[0] * std::fabs(x)); },
     [](double x, const double *a) { return -signed1(x) / 2 * std::expm1(-a[0] * std::fabs(x)); }},
    {"fast_sigmoid", [](double x, const double *a) { return 1 / std::pow(1 + a[0] * std::fabs(x), 2); },
     [](double x, const double *a) { return x / (1 + a[0] * std::fabs(x)); }},
};

} // namespace

std::span<const PlainSurrogate> plainSurrogates() { return formulas; }

const PlainSurrogate *findPlainSurrogate(std::string_view name) {
  for (const PlainSurrogate &formula : formulas)
    if (formula.name == name)
      return &formula;
  return nullptr;
}

} // namespace flexsn::reference
