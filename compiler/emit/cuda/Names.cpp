#include "compiler/emit/cuda/Names.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLExtras.h>

namespace flexsn::cuda {

namespace {

// clang-format off
/// Keywords of C++ up to 23, with the words for operators.
constexpr llvm::StringRef keywords[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char8_t", "char16_t", "char32_t", "class", "compl", "concept", "const", "consteval", "constexpr", "constinit",
    "const_cast", "continue", "co_await", "co_return", "co_yield", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
    "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict", "return", "short",
    "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
    "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using", "virtual", "void",
    "volatile", "wchar_t", "while", "xor", "xor_eq"};

/// Macros and variables that CUDA, a C library or a compiler may define.
constexpr llvm::StringRef environment[] = {
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "NULL", "EOF", "INFINITY", "NAN", "HUGE_VAL", "HUGE_VALF",
    "HUGE_VALL", "MATH_ERRNO", "MATH_ERREXCEPT", "M_E", "M_LOG2E", "M_LOG10E", "M_LN2", "M_LN10", "M_PI", "M_PI_2",
    "M_PI_4", "M_1_PI", "M_2_PI", "M_2_SQRTPI", "M_SQRT2", "M_SQRT1_2", "CHAR_BIT", "INT_MAX", "INT_MIN", "UINT_MAX",
    "LONG_MAX", "LONG_MIN", "FLT_MAX", "FLT_MIN", "FLT_EPSILON", "DBL_MAX", "DBL_MIN", "DBL_EPSILON", "RAND_MAX",
    "DOMAIN", "SING", "OVERFLOW", "UNDERFLOW", "PLOSS", "TLOSS", "SIZE_MAX", "assert", "errno", "offsetof", "signgam",
    "stdin", "stdout", "stderr", "linux", "unix", "i386", "DEVICE", "KERNEL", "ARGUMENT"};

/// What templates/ define at the outermost level; a test compares both.
constexpr llvm::StringRef templates[] = {
    "Access", "Call", "CallOf", "Checkpoints", "DensePlace", "Division", "EpilogueCall", "GatherCall", "Incoming",
    "Item", "Neurons", "Nothing", "Operand", "Outgoing", "Place", "PrologueCall", "ReduceCall", "Row", "ShareAxis",
    "ShareCall", "Space", "Spot", "Streams", "TreeSum", "Uniform", "Varying", "Where", "advance", "bf16", "bool8", "differentiate", "divide", "f16", "flowBack",
    "foldSum", "fromSlot", "gather", "i64", "infer", "int8", "keep", "maxDims", "maximum", "minimum", "plainQuotient",
    "readParam", "readState", "recompute", "reduce", "share", "sumOfWarp", "u64", "walk", "walkBack", "warpSum",
    "writePartials", "writePieces", "writeState"};
/// What emitted functions call of CUDA by a bare name.
constexpr llvm::StringRef builtins[] = {"fmaf",  "sqrtf", "fabsf",  "copysignf", "floorf",
                                        "ceilf", "truncf", "rintf", "fmodf"};
/// The structs and types that a model's struct declares.
constexpr llvm::StringRef structs[] = {"Params", "Inputs", "State", "Outputs", "Given", "Invariants", "SiteParams", "Stored", "Kept",
    "GradOutputs", "GradState", "GradInputs", "GradParams", "Sums", "SiteGrads", "StoredGrads", "Real"};
/// What else it declares, beside its fields.
constexpr llvm::StringRef ofModels[] = {
    "flexsn", "call", "once", "shaped", "varying", "inputs", "outputs", "firstOutput", "operands", "uniforms", "sums", "truncate", "gradOutputs",
    "firstGradOutput", "gradInputs", "firstGradInput", "checkpoints", "firstCheckpoint", "every", "params", "given",
    "prologue", "keepAll", "site", "readSiteParams", "readSites", "init", "step", "stepKeep", "adjoint", "initAdjoint", "epilogue", "divides", "exact", "write",
    "readStates", "writeStates", "save", "restore", "writeGrads", "readFinalGrads", "writeInitialGrads", "sumUp", "totals",
    "keepGradients", "siteAdjoint", "finishSites", "writeSiteGrads", "siteGrads", "firstSiteGrad", "gradVarying",
    "firstGradVarying"};
// clang-format on

} // namespace

bool isReserved(llvm::StringRef name) {
  return name.starts_with("_") || name.starts_with("FLEXSN_") || llvm::is_contained(keywords, name) ||
         llvm::is_contained(environment, name);
}

bool isOfTemplates(llvm::StringRef name) { return llvm::is_contained(templates, name); }

void NameScope::reserveBuiltins() {
  for (llvm::StringRef name : builtins)
    reserve(name);
}

NameScope NameScope::ofStructs() {
  NameScope scope;
  for (llvm::StringRef name : structs)
    scope.reserve(name);
  return scope;
}

NameScope NameScope::insideModel() {
  NameScope scope;
  scope.reserveBuiltins();
  for (llvm::ArrayRef<llvm::StringRef> names : {llvm::ArrayRef(structs), llvm::ArrayRef(ofModels)})
    for (llvm::StringRef name : names)
      scope.reserve(name);
  for (llvm::StringRef name : templates)
    scope.reserve(name);
  return scope;
}

std::string NameScope::claim(llvm::StringRef wanted) {
  std::string stem = wanted.starts_with("_") ? "n" + wanted.str() : wanted.str();
  if (isReserved(stem))
    stem += '_';
  std::string name = stem;
  // Set apart by an underscore, so that no v12 is taken for the second v1; by one alone, since compilers own `__`.
  // What comes out may be a macro again: M_PI_2.
  for (unsigned version = 2; isReserved(name) || !used.insert(name).second; ++version)
    name = stem + (stem.back() == '_' ? "" : "_") + std::to_string(version);
  return name;
}

} // namespace flexsn::cuda
