// Programs that go through the disk cache: compiled once, and right whatever the cache does.
#include "runtime/Program.h"
#include "tests/cache/FaultyCalls.h"
#include "tests/cache/Support.h"
#include "tests/runtime/Support.h"

#include "runtime/ProgramBytes.h"

#include <functional>

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

/// The checksum is right and the machine code loads; what the entry says of itself would lead the call astray.
TEST_F(StoredProgram, AProgramOfAnotherRequestIsMadeAnew) {
  CpuProgram program;
  Diagnostics diagnostics(*model->source);
  ASSERT_TRUE(compileForCpu(*model, sums(), diagnostics, program));
  const std::function<void(CpuProgram &)> forgeries[] = {
      [](CpuProgram &forged) { forged.operands[0].name = "y"; },
      [](CpuProgram &forged) { forged.operands[0].storage = Storage::F64; },
      [](CpuProgram &forged) { forged.operands[1].role = Role::Final; },
      [](CpuProgram &forged) { forged.operands.pop_back(); },
      [](CpuProgram &forged) { forged.operands.push_back(forged.operands[0]); },
      [](CpuProgram &forged) { forged.params.push_back({"tau", Role::Param, Storage::F32}); },
      [](CpuProgram &forged) { forged.workspaceBytes = size_t{1} << 62; },
      [](CpuProgram &forged) { forged.invariantSlots = UINT32_MAX; },
      [](CpuProgram &forged) { forged.tile = UINT32_MAX; },
  };
  for (const auto &forge : forgeries) {
    CpuProgram forged = program;
    forge(forged);
    cache.put({key, "", serialize(forged)});
    std::shared_ptr<const Program> made;
    auto lines = loggedBy([&] { made = obtain(cache); });
    EXPECT_EQ(lines.size(), 1u);
    EXPECT_FALSE(made->stored);
    EXPECT_EQ(run(*made), expected);
    EXPECT_TRUE(obtain(cache)->stored);
  }
}

/// The same of a backward program, whose sums and slots are laid out by what it says.
TEST_F(StoredProgram, ABackwardProgramOfAnotherRequestIsMadeAnew) {
  auto decay = modelOf("neuron Decay:\n  input x\n  state v = 0\n  param k = 0.5\n  v = k * v + x * x\n  output v\n");
  Request request = sums();
  request.kernel = KernelKind::Backward;
  request.gradInputs = {"x"};
  request.gradParams = {"k"};
  std::string backwardKey = programKey(*decay, request);
  CpuProgram program;
  Diagnostics diagnostics(*decay->source);
  ASSERT_TRUE(compileForCpu(*decay, request, diagnostics, program));
  const std::function<void(CpuProgram &)> forgeries[] = {
      [](CpuProgram &forged) { forged.epilogueSymbol.clear(); },
      [](CpuProgram &forged) { forged.epilogueSymbol += "x"; },
      [](CpuProgram &forged) { forged.gradParams.clear(); },
      [](CpuProgram &forged) { forged.gradParams[0].name = "q"; },
      [](CpuProgram &forged) { forged.operands.pop_back(); },
      [](CpuProgram &forged) { forged.operands.push_back({"v", Role::Checkpoint, Storage::F32}); },
      [](CpuProgram &forged) { forged.sums = UINT32_MAX; },
      [](CpuProgram &forged) { forged.every = UINT32_MAX; },
      [](CpuProgram &forged) { forged.sumStorage = Storage::I8; },
  };
  for (const auto &forge : forgeries) {
    CpuProgram forged = program;
    forge(forged);
    cache.put({backwardKey, "", serialize(forged)});
    auto lines = loggedBy([&] { EXPECT_FALSE(Program::obtain(backwardKey, *decay, request, cache)->stored); });
    EXPECT_EQ(lines.size(), 1u);
    EXPECT_TRUE(Program::obtain(backwardKey, *decay, request, cache)->stored);
  }
}

/// Operands of every role and type: what fits is not refused.
TEST_F(StoredProgram, EveryKindOfOperandIsLoaded) {
  auto rich = modelOf("neuron Rich:\n  input x, k: int, b: bool\n  state v = 0, n: int = 0, f: bool = false\n"
                      "  param tau = 2 as softplus, m: int = 3, on: bool = true, idle = 1\n"
                      "  v = v + x / tau + k if b and on else v\n  n = n + m\n  f = v > 1\n"
                      "  s = quant(v, 0, 4)\n  output s: int, f: bool, v\n");
  Request request;
  request.outputs = {"s", "f", "v", "n"};
  request.int8Outputs = {"s"};
  request.initialStates = {"v", "f"};
  request.finalStates = {"v", "n", "f"};
  for (Storage data : {Storage::F16, Storage::BF16, Storage::F32, Storage::F64}) {
    request.data = data;
    std::string richKey = programKey(*rich, request);
    EXPECT_FALSE(Program::obtain(richKey, *rich, request, cache)->stored);
    EXPECT_TRUE(Program::obtain(richKey, *rich, request, cache)->stored);
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
