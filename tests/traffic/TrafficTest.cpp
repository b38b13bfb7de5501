// What both kernels of a training step read and write is what `flexsnc explain` says, byte for byte: the text that
// ships is run with every access counted.
#include "tests/traffic/Counted.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace flexsn::test {
namespace {

enum class Backend : uint8_t { Cpu, CudaVector, CudaScalar };

/// What explain states of one kernel, in bytes of a neuron.
struct Stated {
  uint64_t step = 0, floor = 0, once = 0, checkpoint = 0, shared = 0;
};

std::shared_ptr<const Model> modelIn(const std::string &path) {
  std::ifstream file(FLEXSN_SOURCE_DIR + ("/" + path), std::ios::binary);
  auto source = std::make_shared<const Source>(path, std::string(std::istreambuf_iterator<char>(file), {}));
  Diagnostics diagnostics(*source);
  return check(source, parse(*source, diagnostics), {}, diagnostics).at(0);
}

std::string outputOf(const std::string &command) {
  std::string text;
  std::FILE *pipe = popen(command.c_str(), "r");
  for (int byte = 0; pipe && (byte = std::fgetc(pipe)) != EOF;)
    text += static_cast<char>(byte);
  EXPECT_TRUE(pipe && pclose(pipe) == 0) << command;
  return text;
}

/// The words of `flexsnc explain` about both kernels.
std::pair<Stated, Stated> explained(const std::string &path, const Training &training, Backend backend) {
  const Request &request = training.backward.request;
  std::vector<std::string> wanted = request.gradInputs;
  wanted.insert(wanted.end(), request.gradParams.begin(), request.gradParams.end());
  const char *device = backend == Backend::Cpu          ? ""
                       : backend == Backend::CudaVector ? "--arch sm_90"
                                                        : "--arch sm_90 --access scalar";
  const auto json = nlohmann::json::parse(
      outputOf(fmt::format("{} explain {}/{} --kernels forward,backward --wrt {} --json {}", FLEXSN_TOOL,
                           FLEXSN_SOURCE_DIR, path, fmt::join(wanted, ","), device)));
  std::vector<Stated> both;
  for (const auto &kernel : json.at("kernels")) {
    std::map<std::string, uint64_t> facts;
    for (const auto &fact : kernel.at("memory"))
      facts[fact.at("name")] = fact.at("value");
    both.push_back({facts.at("step"), facts.at("floor"), facts.at("once"), facts["checkpoint"], facts["shared"]});
  }
  return {both.at(0), both.at(1)};
}

class CountedTraffic : public testing::TestWithParam<Backend> {
protected:
  /// A training step of a model; `wanted` are bits of gradients, of inputs first. Empty, and words in `refused`, where
  /// the compiler does not make it yet.
  std::optional<Training> prepared(const std::string &path, bool states, unsigned wanted) {
    AccessPath access = GetParam() == Backend::CudaScalar ? AccessPath::Scalar : AccessPath::Vector;
    Training training =
        trainingOf(modelIn(path), {Storage::F32, Layout::Linear, access, MathMode::Standard, states, wanted});
    refused = prepare(training);
    return refused.empty() ? std::optional(std::move(training)) : std::nullopt;
  }

  /// Runs over some chunks and a part of one.
  MovedByBoth count(const Training &training) {
    bool cuda = GetParam() != Backend::Cpu;
    unsigned every = cuda ? training.forward.cuda.every : training.forward.cpu.every;
    call.steps = 4 * every + 3;
    rows = every == 0 ? 0 : 4;
    call.extents[maxDims - 1] = GetParam() == Backend::CudaVector ? 256 : 251;        // else ragged
    std::string test = testing::UnitTest::GetInstance()->current_test_info()->name(); // tests run side by side
    std::ranges::replace(test, '/', '_');
    const std::string folder = fmt::format("{}/{}", FLEXSN_FOLDER, test);
    return cuda ? countCuda(training, call, folder) : countCpu(training, call, folder);
  }

  uint64_t neurons() const { return static_cast<uint64_t>(call.neurons()); }
  uint64_t elements() const { return neurons() * static_cast<uint64_t>(call.steps); }

  /// Compares one kernel with what is stated.
  void expectStated(const Moved &moved, const Stated &stated, KernelKind kind) {
    EXPECT_EQ(moved.bytes(), elements() * stated.step + neurons() * stated.once);
    uint64_t params = 0;
    for (const auto &[place, traffic] : moved.operands)
      params += place.first == Role::Param ? traffic.read + traffic.readAgain : 0;
    EXPECT_LE(params, neurons() * stated.shared); // one access is for all lanes of a vector that share an element
    EXPECT_EQ(params == 0, stated.shared == 0);
    Traffic checkpoints;
    (kind == KernelKind::Forward ? checkpoints.written : checkpoints.read) = neurons() * rows * stated.checkpoint;
    EXPECT_EQ(moved.checkpoints, checkpoints);
    // The adjoint on a CPU reads inputs of its chunk again, which lie in a cache; nothing else happens twice.
    for (const auto &[place, traffic] : moved.operands) {
      if (place.first == Role::Param) // elements that neurons share
        continue;
      bool mayReadAgain = GetParam() == Backend::Cpu && kind == KernelKind::Backward && place.first == Role::Input;
      EXPECT_LE(traffic.readAgain, mayReadAgain ? traffic.read : 0) << roleName(place.first) << ' ' << place.second;
      EXPECT_EQ(traffic.writtenAgain, 0u) << roleName(place.first) << ' ' << place.second;
    }
  }

  Arrangement call;
  uint64_t rows = 0;
  std::string refused;
};

constexpr unsigned everything = ~0U;

/// Everything that the tool differentiates by and a kernel has an operand or a slot for: as bits of a TrainingVariant.
unsigned differentiable(const Model &model) {
  unsigned bits = 0, bit = 0;
  for (const Input &input : model.inputs)
    bits |= input.value->type == Type::Float ? 1U << bit++ : 0;
  for (const Param &param : model.params)
    if (param.value->type == Type::Float) {
      // Gradients of those with dims go to memory of the launch's, not to the operand.
      bits |= param.frozen || param.isDt || !param.dims.empty() ? 0 : 1U << bit;
      ++bit;
    }
  return bits;
}

constexpr const char *lif = "examples/models/LIF.fsn", *core = "tests/traffic/core.fsn";

/// Of emitted text every fourth model: clang takes a while for it. FLEXSN_CUDA_TEST=all runs them all.
TEST_P(CountedTraffic, OfShippedModelsIsWhatExplainStates) {
  unsigned compared = 0;
  std::vector<std::string> paths = {core};
  for (const auto &entry : std::filesystem::directory_iterator(FLEXSN_SOURCE_DIR "/examples/models"))
    paths.push_back("examples/models/" + entry.path().filename().string());
  std::ranges::sort(paths);
  const char *wish = std::getenv("FLEXSN_CUDA_TEST");
  const bool all = GetParam() == Backend::Cpu || (wish && std::string_view(wish) == "all");
  for (size_t i = 0; i < paths.size(); i += all ? 1 : 4) {
    const std::string &path = paths[i];
    SCOPED_TRACE(path);
    std::optional<Training> training = prepared(path, /*states=*/false, differentiable(*modelIn(path)));
    if (!training) {
      fmt::print("{}: {}\n", path, refused);
      continue;
    }
    auto [forward, backward] = count(*training);
    auto [forwardStated, backwardStated] = explained(path, *training, GetParam());
    expectStated(forward, forwardStated, KernelKind::Forward);
    expectStated(backward, backwardStated, KernelKind::Backward);
    ++compared;
  }
  EXPECT_GE(compared, all ? 14u : 4u);
}

/// 5 e and 8/K bytes: x, s; x, the gradients of s and x; and the state, written and read in front of every K steps.
TEST_P(CountedTraffic, OfALeakyNeuronIsFiveElementsAndItsState) {
  std::optional<Training> training = prepared(lif, /*states=*/false, /*wanted: x*/ 1);
  ASSERT_TRUE(training) << refused;
  auto [forward, backward] = count(*training);
  EXPECT_EQ(forward.bytes() + backward.bytes(), elements() * 5 * 4);
  EXPECT_EQ(forward.again() + backward.again(), 0u);
  const uint64_t saved = forward.checkpoints.written + backward.checkpoints.read;
  EXPECT_EQ(saved, neurons() * rows * 8);
  EXPECT_GT(saved, 0u);
  EXPECT_LE(saved * forward.every, elements() * 8);
}

/// All that two inputs, two outputs and their gradients need, once; the saved states are 5 % of it at most.
TEST_P(CountedTraffic, OfACoreOfTwoIsNearItsFloor) {
  std::optional<Training> training = prepared(core, /*states=*/false, /*wanted: x, y*/ 3);
  ASSERT_TRUE(training) << refused;
  auto [forward, backward] = count(*training);
  auto [forwardStated, backwardStated] = explained(core, *training, GetParam());
  const uint64_t floor = elements() * (forwardStated.floor + backwardStated.floor);
  EXPECT_EQ(floor, elements() * 10 * 4);
  const uint64_t moved = forward.bytes() + backward.bytes() + forward.checkpoints.written + backward.checkpoints.read;
  EXPECT_GE(moved, floor);
  EXPECT_LE(static_cast<double>(moved), 1.05 * static_cast<double>(floor));
  EXPECT_EQ(forward.again() + backward.again(), 0u);
}

/// A state costs what is given and wanted of it, once a neuron: a declared one is not read, a final one that nobody
/// wants is not written.
TEST_P(CountedTraffic, HasStatesThatAreGivenOrWanted) {
  for (bool states : {false, true}) {
    std::optional<Training> training = prepared(lif, states, everything);
    ASSERT_TRUE(training) << refused;
    auto [forward, backward] = count(*training);
    const uint64_t once = states ? neurons() * 4 : 0;
    EXPECT_EQ(forward.bytes(), elements() * 2 * 4 + 2 * once);
    EXPECT_EQ(backward.bytes(), elements() * 3 * 4 + 3 * once);
    EXPECT_EQ(forward.operands.contains({Role::Initial, "v"}), states);
    EXPECT_EQ(forward.operands.contains({Role::Final, "v"}), states);
    if (!states)
      continue;
    auto expectOnce = [&](const Moved &moved, Role role, uint64_t read, uint64_t written) {
      EXPECT_EQ(moved.operands.at({role, "v"}), (Traffic{read, 0, written, 0})) << roleName(role);
    };
    expectOnce(forward, Role::Initial, once, 0);
    expectOnce(forward, Role::Final, 0, once);
    expectOnce(backward, Role::Initial, once, 0);
    expectOnce(backward, Role::Final, 0, 0);
    expectOnce(backward, Role::GradFinal, once, 0);
    expectOnce(backward, Role::GradInitial, 0, once);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, CountedTraffic,
                         testing::Values(Backend::Cpu, Backend::CudaVector, Backend::CudaScalar), [](const auto &info) {
                           return info.param == Backend::Cpu          ? "Cpu"
                                  : info.param == Backend::CudaVector ? "CudaVector"
                                                                      : "CudaScalar";
                         });

} // namespace
} // namespace flexsn::test
