#include "compiler/math/Expansions.h"

#include "compiler/math/Functions.h"

#include <algorithm>

namespace flexsn::math {

namespace {

using Expansion = mlir::Value (*)(Context &, mlir::ValueRange);

/// A C++ function of this folder as an expansion: wraps the arguments as its parameters say, unwraps the result.
template <auto function> struct Adapter;
template <class Result, class... Parameter, Result (*function)(Parameter...)> struct Adapter<function> {
  template <size_t... i>
  static mlir::Value call(Context &context, mlir::ValueRange arguments, std::index_sequence<i...>) {
    return function(Parameter(context, arguments[i])...).in(context);
  }
  static mlir::Value expand(Context &context, mlir::ValueRange arguments) {
    return call(context, arguments, std::index_sequence_for<Parameter...>{});
  }
};
template <auto function> constexpr Expansion own = &Adapter<function>::expand;

/// The name of a platform function as a template argument.
struct Symbol {
  char text[8] = {};
  template <size_t size> consteval Symbol(const char (&name)[size]) { std::copy_n(name, size, text); }
};
template <Symbol symbol> mlir::Value expandToCall(Context &context, mlir::ValueRange arguments) {
  llvm::SmallVector<F> values;
  for (mlir::Value argument : arguments)
    values.push_back(F(context, argument));
  return callPlatform(symbol.text, values).in(context);
}
template <Symbol symbol> constexpr Expansion platform = &expandToCall<symbol>;

struct Row {
  Function function;
  Expansion f32, f64;
  Expansion i32 = nullptr; ///< null where an int is converted first
};

constexpr Row rows[] = {
    {Function::Abs, own<abs>, own<abs>, own<ints::abs>},
    {Function::Min, own<min>, own<min>, own<ints::min>},
    {Function::Max, own<max>, own<max>, own<ints::max>},
    {Function::Clip, own<clip>, own<clip>, own<ints::clip>},
    {Function::Sqrt, own<sqrt>, own<sqrt>},
    {Function::Rsqrt, own<rsqrt>, own<rsqrt>},
    {Function::Exp, own<exp>, platform<"exp">},
    {Function::Expm1, own<expm1>, platform<"expm1">},
    {Function::Exprel, own<exprel>, own<doubles::exprel>},
    {Function::Log, own<log>, platform<"log">},
    {Function::Log1p, own<log1p>, platform<"log1p">},
    {Function::Log2, own<log2>, platform<"log2">},
    {Function::Sin, own<sin>, platform<"sin">},
    {Function::Cos, own<cos>, platform<"cos">},
    {Function::Tan, own<tan>, platform<"tan">},
    {Function::Tanh, own<tanh>, platform<"tanh">},
    {Function::Atan, own<atan>, platform<"atan">},
    {Function::Atan2, own<atan2>, platform<"atan2">},
    {Function::Sinh, own<sinh>, platform<"sinh">},
    {Function::Cosh, own<cosh>, platform<"cosh">},
    {Function::Asin, own<asin>, platform<"asin">},
    {Function::Acos, own<acos>, platform<"acos">},
    {Function::Erf, own<erf>, platform<"erf">},
    {Function::Erfc, own<erfc>, platform<"erfc">},
    {Function::Sigmoid, own<sigmoid>, own<doubles::sigmoid>},
    {Function::Softplus, own<softplus>, own<doubles::softplus>},
    {Function::Relu, own<relu>, own<relu>, own<ints::relu>},
    {Function::Floor, own<floor>, own<floor>},
    {Function::Ceil, own<ceil>, own<ceil>},
    {Function::Round, own<round>, own<round>},
    {Function::Trunc, own<trunc>, own<trunc>},
    {Function::Sign, own<sign>, own<sign>, own<ints::sign>},
    {Function::Pow, own<pow>, platform<"pow">},
    {Function::Fmod, own<fmod>, own<fmod>},
    {Function::IsNan, own<isnan>, own<isnan>},
};

} // namespace

static Expansion find(Function function, Element element) {
  const Row *row = std::ranges::find(rows, function, &Row::function);
  if (row == std::end(rows))
    return nullptr;
  switch (element) {
  case Element::F32: return row->f32;
  case Element::F64: return row->f64;
  case Element::I32: return row->i32;
  }
  return nullptr;
}

bool hasExpansion(Function function, Element element) { return find(function, element) != nullptr; }

mlir::Value expand(Function function, Element element, Context &context, mlir::ValueRange arguments) {
  return find(function, element)(context, arguments);
}

} // namespace flexsn::math
