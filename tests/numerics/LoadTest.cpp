// Targets, the code generator and the loader: what they refuse, what code may call, threads.
#include "compiler/emit/cpu/CpuEmitter.h"
#include "compiler/frontend/Functions.h"
#include "compiler/math/Expansions.h"
#include "tests/numerics/Compiled.h"
#include "tests/numerics/Values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/Object/ObjectFile.h>
#include <set>
#include <thread>

namespace flexsn::test {
namespace {

// ---- Targets --------------------------------------------------------------------------------------------------------

TEST(Targets, RefusesWhatLlvmWouldGuessOrDieOn) {
  EXPECT_EQ(cpu::checkTarget({}), "");
  EXPECT_EQ(cpu::checkTarget({"x86-64-v3", "-avx2"}), "");
  EXPECT_EQ(cpu::checkTarget({"skylak", ""}), "'skylak' is not a CPU that LLVM knows for x86_64-pc-linux-gnu");
  EXPECT_EQ(cpu::checkTarget({"x86-64", "+avx3"}),
            "'+avx3' is not a feature that LLVM knows for x86_64-pc-linux-gnu; write +name or -name");
  EXPECT_EQ(cpu::checkTarget({"x86-64", "avx2"}),
            "'avx2' is not a feature that LLVM knows for x86_64-pc-linux-gnu; write +name or -name");
  EXPECT_EQ(cpu::checkTarget({"x86-64", "-sse2"}),
            "the CPU 'x86-64' with features '-sse2' lacks +sse2, which kernels need");
  EXPECT_EQ(cpu::checkTarget({"i686", ""}), "the CPU 'i686' with features '' lacks +64bit, which kernels need");
}

TEST(Targets, WidthFollowsTheRegisters) {
  EXPECT_EQ(cpu::vectorWidth({"x86-64", ""}, Storage::F32), 4u);
  EXPECT_EQ(cpu::vectorWidth({"x86-64-v3", ""}, Storage::F32), 8u);
  EXPECT_EQ(cpu::vectorWidth({"x86-64-v3", ""}, Storage::F64), 4u);
  EXPECT_EQ(cpu::vectorWidth({"x86-64-v4", ""}, Storage::F32), 16u);
  EXPECT_EQ(cpu::vectorWidth({"x86-64-v4", "-avx512f"}, Storage::F32), 8u);
  EXPECT_EQ(cpu::vectorWidth({"x86-64-v4", "-avx"}, Storage::F64), 2u);
}

TEST(Targets, TheHostIsSpelledTheSameEachTime) {
  Target host = cpu::resolveTarget({});
  EXPECT_FALSE(host.cpu.empty());
  EXPECT_EQ(host.features, cpu::resolveTarget({}).features);
  EXPECT_EQ(cpu::checkTarget(host), "");
  EXPECT_EQ(cpu::resolveTarget({"x86-64", "+fma"}).features, "+fma");
}

TEST(Targets, RefusedTargetGeneratesNothing) {
  EXPECT_THROW(Compiled(mapText(1, "f32", "f32", "%y = neuron.exp %x0 : f32", 4), {"skylak", ""}), std::runtime_error);
}

// ---- The list of functions and what code may call
// ----------------------------------------------------------------------

std::set<std::string> platformFunctions() {
  std::set<std::string> names;
#define FLEXSN_PLATFORM(name, type, arguments) names.insert(#name);
#include "compiler/math/Platform.def"
  return names;
}

std::set<std::string> undefinedSymbols(const std::string &object) {
  auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "kernel")));
  std::set<std::string> names;
  for (const llvm::object::SymbolRef &symbol : file->symbols())
    if (llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined)
      if (llvm::StringRef name = llvm::cantFail(symbol.getName()); !name.empty() && name != "_GLOBAL_OFFSET_TABLE_")
        names.insert(name.str()); // the linker's own table aside
  return names;
}

/// Every function of the language has a form for every element type that its line allows, on every target, and what the
/// code calls is in the list; every platform function is called by some of them.
TEST(Functions, EachHasAFormAndCallsListedFunctionsAlone) {
  const std::set<std::string> allowed = platformFunctions();
  std::set<std::string> called;
  for (const FunctionInfo &function : functions()) {
    if (function.types == FunctionTypes::Lanes) {
      EXPECT_FALSE(math::hasExpansion(function.id, math::Element::F32)) << function.name;
      continue;
    }
    EXPECT_EQ(math::hasExpansion(function.id, math::Element::I32), function.types == FunctionTypes::Same)
        << function.name;
    std::vector<std::string> types = {"f32", "f64"};
    if (function.types == FunctionTypes::Same)
      types.push_back("i32");
    for (const std::string &type : types)
      for (const Target &target : targets()) {
        std::string operands = "%x0";
        for (unsigned i = 1; i < function.arity; ++i)
          operands += fmt::format(", %x{}", i);
        std::string body = fmt::format("%y = neuron.{} {} : {}", function.name, operands, type);
        std::string result = function.types == FunctionTypes::Test ? "i1" : type;
        Compiled kernel(mapText(function.arity, type, result, body, widthFor(target, type)), target);
        for (const std::string &name : undefinedSymbols(kernel.object())) {
          EXPECT_TRUE(allowed.contains(name)) << function.name << " calls " << name << " on " << nameOf(target);
          called.insert(name);
        }
      }
  }
  for (const Target &target : targets()) // no function of the language is a fused multiply-add in float64
    called.merge(
        undefinedSymbols(Compiled(mapText(1, "f64", "f64", "%y = math.fma %x0, %x0, %x0 : f64", 4), target).object()));
  EXPECT_EQ(called, allowed);
}

// ---- The loader -----------------------------------------------------------------------------------------------------

TEST(Loader, BytesThatAreNoObjectAreAnError) {
  for (const std::string &bytes : {std::string(),
                                   std::string("\x7f"
                                               "ELF"),
                                   std::string(1000, 'x')}) {
    std::string error;
    auto code = CpuCode::load(bytes, error);
    EXPECT_TRUE(!code || !code->find("map", error));
    EXPECT_NE(error, "");
  }
}

TEST(Loader, TruncatedObjectIsAnError) {
  const std::string object = Compiled(mapText(1, "f64", "f64", "%y = neuron.exp %x0 : f64", 4), {}).object();
  for (size_t size = 1; size < object.size(); size += 97) {
    std::string error;
    auto code = CpuCode::load(object.substr(0, size), error);
    EXPECT_TRUE(!code || !code->find("map", error)) << size;
    EXPECT_NE(error, "") << size;
  }
}

TEST(Loader, MissingSymbolIsAnErrorThatNamesIt) {
  const std::string object = Compiled(mapText(1, "f32", "f32", "%y = neuron.exp %x0 : f32", 4), {}).object();
  std::string error;
  auto code = CpuCode::load(object, error);
  ASSERT_TRUE(code) << error;
  EXPECT_EQ(code->find("nap", error), nullptr);
  EXPECT_NE(error.find("nap"), std::string::npos) << error;
  EXPECT_NE(code->find("map", error), nullptr);
}

/// A kernel must not reach into the process, even where the process has a symbol of that name.
TEST(Loader, ProcessSymbolsAreNotSeen) {
  std::string text = mapText(1, "f64", "f64", "%y = func.call @cbrt(%x0) : (f64) -> f64", 4);
  try {
    Compiled kernel("func.func private @cbrt(f64) -> f64\n" + text, {});
    FAIL() << "cbrt was found";
  } catch (const std::runtime_error &error) {
    EXPECT_NE(std::string(error.what()).find("cbrt"), std::string::npos) << error.what();
  }
}

TEST(Loader, EqualTextGivesEqualBytes) {
  const std::string text = mapText(2, "f32", "f32", "%y = neuron.pow %x0, %x1 : f32", 8);
  EXPECT_EQ(Compiled(text, {}).object(), Compiled(text, {}).object());
}

TEST(Loader, ThreadsCompileAndRunSideBySide) {
  std::vector<std::thread> pool;
  std::vector<float> results(4);
  for (size_t t = 0; t < results.size(); ++t)
    pool.emplace_back([&, t] {
      for (int round = 0; round < 5; ++round) {
        Compiled kernel(mapText(1, "f32", "f32", "%y = neuron.exp %x0 : f32", 8), {});
        float x = 0;
        kernel.run(std::vector<Binding>{{&x}, {&results[t]}}, 1, 1);
      }
    });
  for (std::thread &thread : pool)
    thread.join();
  EXPECT_EQ(results, std::vector<float>(4, 1.0f));
}

} // namespace
} // namespace flexsn::test
