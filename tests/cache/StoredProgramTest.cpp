// Programs that go through the disk cache: compiled once, and right whatever the cache does.
#include "runtime/Program.h"
#include "tests/cache/FaultyCalls.h"
#include "tests/cache/Support.h"
#include "tests/runtime/Support.h"

#include "runtime/ProgramBytes.h"

namespace flexsn::test {
namespace {

std::shared_ptr<const Model> sumModel() {
  return modelOf("neuron Sum:\n  input x\n  state v = 1\n  v = v + x\n  output v\n");
}

Request sums() {
  Request request;
  request.outputs = {"v"};
  return request;
}

/// Runs three neurons for two steps: v = 1 + x, then 1 + 2x.
std::vector<float> run(const Program &program) {
  std::vector<float> x = {1, 2, 3, 1, 2, 3}, v(6);
  std::vector<std::byte> memory(program.workspaceBytes + 64);
  std::vector<uint64_t> invariants(program.invariantSlots + 1);
  auto base = (reinterpret_cast<uintptr_t>(memory.data()) + 63) / 64 * 64;
  CpuOperand operands[] = {{x.data(), 12, 4}, {v.data(), 12, 4}};
  program.prologue(nullptr, invariants.data());
  CpuCall call{operands, invariants.data(), 2, 0, 3, reinterpret_cast<void *>(base)};
  program.kernel(&call);
  return v;
}

const std::vector<float> expected = {2, 3, 4, 3, 5, 7};

class StoredProgram : public testing::Test {
protected:
  std::shared_ptr<const Program> obtain(Cache &cache) { return Program::obtain(key, *model, sums(), cache); }

  TemporaryFolder folder;
  std::shared_ptr<const Model> model = sumModel();
  std::string key = programKey(*model, sums());
  Cache cache{settingsFor(folder.path())};
};

TEST_F(StoredProgram, IsCompiledOnce) {
  auto first = obtain(cache), second = obtain(cache);
  EXPECT_FALSE(first->stored);
  EXPECT_TRUE(second->stored);
  EXPECT_EQ(run(*first), expected);
  EXPECT_EQ(run(*second), expected);
  EXPECT_EQ(second->operands.size(), first->operands.size());
  EXPECT_EQ(second->workspaceBytes, first->workspaceBytes);
  auto items = cache.inspect(CacheAction::List);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].label, "Sum inference f32 linear");
  EXPECT_EQ(items[0].key, key);
}

/// A whole entry with a payload that is no program.
TEST_F(StoredProgram, APayloadThatIsNoProgramIsMadeAnew) {
  for (const std::string &payload : {std::string(), std::string("x"), serialize({})}) {
    cache.put({key, "", payload});
    auto lines = loggedBy([&] { EXPECT_FALSE(obtain(cache)->stored); });
    EXPECT_EQ(lines.size(), 1u);
    EXPECT_TRUE(obtain(cache)->stored);
  }
}

TEST_F(StoredProgram, AnObjectThatDoesNotLoadIsMadeAnew) {
  CpuProgram program;
  Diagnostics diagnostics(*model->source);
  ASSERT_TRUE(compileForCpu(*model, sums(), diagnostics, program));
  for (int way = 0; way < 3; ++way) {
    CpuProgram broken = program;
    if (way == 0)
      broken.object = "no object file";
    if (way == 1)
      broken.object.resize(broken.object.size() / 2);
    if (way == 2)
      broken.kernelSymbol += "x";
    cache.put({key, "", serialize(broken)});
    std::shared_ptr<const Program> made;
    auto lines = loggedBy([&] { made = obtain(cache); });
    EXPECT_EQ(lines.size(), 1u);
    EXPECT_FALSE(made->stored);
    EXPECT_EQ(run(*made), expected);
    EXPECT_TRUE(obtain(cache)->stored);
  }
}

TEST_F(StoredProgram, AModelThatDoesNotCompileLeavesNothing) {
  auto refused = modelOf("neuron Draw:\n  input x\n  s = where(uniform() < x, 1, 0)\n  output s\n");
  Request request;
  request.outputs = {"s"};
  std::string first;
  for (int attempt = 0; attempt < 3; ++attempt) {
    std::string message = messageOf([&] { Program::obtain(programKey(*refused, request), *refused, request, cache); });
    EXPECT_EQ(message, attempt ? first : message);
    first = message;
  }
  EXPECT_TRUE(cache.inspect(CacheAction::List).empty());
  EXPECT_TRUE(temporariesIn(folder.path()).empty());
}

TEST_F(StoredProgram, IsRightWhateverCallFails) {
  for (bool there : {false, true})
    for (unsigned at = 1;; ++at) {
      fs::remove_all(folder.path());
      if (there)
        obtain(cache);
      Cache faulty(settingsFor(folder.path()), faultyCalls);
      setFault({at, FaultKind::Error, FaultSpan::Once, EIO});
      std::shared_ptr<const Program> program;
      loggedBy([&] { program = obtain(faulty); });
      bool fired = faultFired();
      setFault({});
      EXPECT_EQ(run(*program), expected);
      EXPECT_TRUE(temporariesIn(folder.path()).empty());
      if (!fired)
        break;
    }
}

} // namespace
} // namespace flexsn::test
