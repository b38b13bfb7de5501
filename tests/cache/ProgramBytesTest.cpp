// Programs as bytes: all fields come back, and no other bytes are taken.
#include "runtime/ProgramBytes.h"

#include <gtest/gtest.h>

namespace flexsn::test {
namespace {

CpuProgram sample() {
  CpuProgram program;
  program.object = std::string("\x7f"
                               "ELF\0\xff",
                               6);
  program.kernelSymbol = "lif";
  program.prologueSymbol = "lif_prologue";
  program.epilogueSymbol = "lif_epilogue";
  program.params = {{"tau", Role::Param, Storage::F64}};
  program.operands = {{"x", Role::Input, Storage::Bool}, {"", Role::Final, Storage::F16}};
  program.gradParams = {{"tau", Role::GradParam, Storage::F64}};
  program.invariantSlots = 3;
  program.tile = 4096;
  program.width = 16;
  program.workspaceBytes = size_t{5} << 32;
  program.every = 16;
  program.sums = 2;
  program.sumStorage = Storage::F64;
  return program;
}

bool same(const std::vector<KernelOperand> &a, const std::vector<KernelOperand> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const KernelOperand &one, const KernelOperand &two) {
    return one.name == two.name && one.role == two.role && one.storage == two.storage;
  });
}

TEST(ProgramBytes, AllFieldsComeBack) {
  CpuProgram program = sample(), read;
  ASSERT_TRUE(deserialize(serialize(program), read));
  EXPECT_EQ(read.object, program.object);
  EXPECT_EQ(read.kernelSymbol, program.kernelSymbol);
  EXPECT_EQ(read.prologueSymbol, program.prologueSymbol);
  EXPECT_TRUE(same(read.params, program.params));
  EXPECT_TRUE(same(read.operands, program.operands));
  EXPECT_EQ(read.epilogueSymbol, program.epilogueSymbol);
  EXPECT_TRUE(same(read.gradParams, program.gradParams));
  EXPECT_EQ(read.every, program.every);
  EXPECT_EQ(read.sums, program.sums);
  EXPECT_EQ(read.sumStorage, program.sumStorage);
  EXPECT_EQ(read.invariantSlots, program.invariantSlots);
  EXPECT_EQ(read.tile, program.tile);
  EXPECT_EQ(read.width, program.width);
  EXPECT_EQ(read.workspaceBytes, program.workspaceBytes);
  EXPECT_EQ(serialize(read), serialize(program));
}

TEST(ProgramBytes, CutBytesAreRefused) {
  std::string bytes = serialize(sample());
  CpuProgram read;
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(deserialize(std::string_view(bytes).substr(0, size), read)) << size;
  EXPECT_FALSE(deserialize(bytes + "x", read));
  EXPECT_EQ(read.tile, CpuProgram().tile); // nothing was done
}

TEST(ProgramBytes, OddBytesAreRefusedOrReadAndNothingElse) {
  const std::string whole = serialize(sample());
  size_t refused = 0;
  for (size_t at = 0; at < whole.size(); ++at)
    for (unsigned value : {0x00u, 0x01u, 0x07u, 0x7fu, 0x80u, 0xffu}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(value);
      CpuProgram read;
      if (!deserialize(bytes, read))
        ++refused;
      else
        EXPECT_EQ(serialize(read), bytes);
    }
  EXPECT_GT(refused, whole.size());
}

TEST(ProgramBytes, WhatWouldNeverEndIsRefused) {
  CpuProgram program = sample(), read;
  program.tile = 0;
  EXPECT_FALSE(deserialize(serialize(program), read));
}

} // namespace
} // namespace flexsn::test
