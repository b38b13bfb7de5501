// NVIDIA/warp#1713, #1711: a kernel that failed to compile raised once; later launches ran a half-built one. The text
// is a user's mistake from brian-team/brian2#1198: products without `*`, answered elsewhere by a stack trace.
#include "tests/cases/Support.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace flexsn::cases {
namespace {

constexpr const char *bad = R"(neuron Izh:
  input x; output s; state v = -60, u = 0
  param k = 0.7, vr = -60, vt = -40, C = 100, a = 0.03, b = -2
  dt = 1
  dv/dt = k(v - vr)(v - vt)/C - u/C + x/C
  du/dt = a*(b*v - u)
  s = spke(v - 35); v = where(s > 0, -50, v); u = u + 100*s
)";
constexpr const char *repaired = R"(neuron Izh:
  input x; output s; state v = -60, u = 0
  param k = 0.7, vr = -60, vt = -40, C = 100, a = 0.03, b = -2
  dt = 1
  v = v + dt*(k*(v - vr)*(v - vt)/C - u/C + x/C)
  u = u + dt*a*(b*v - u)
  s = spike(v - 35); v = where(s > 0, -50, v); u = u + 100*s
)";

std::vector<Diagnostic> diagnosticsOf(const char *text) {
  try {
    Model::parse(text, "bad.fsn");
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), Code::model);
    return error.diagnostics();
  }
  ADD_FAILURE() << "no error";
  return {};
}

bool startsWith(const std::string &text, const std::string &start) { return text.rfind(start, 0) == 0; }

TEST(ErrorStays, TwoErrorsWithPlaceAndFix) {
  std::vector<Diagnostic> found = diagnosticsOf(bad);
  ASSERT_GE(found.size(), 2u);
  EXPECT_LE(found.size(), 3u) << "a cascade";
  const Diagnostic &first = found.front(), &last = found.back();
  EXPECT_TRUE(
      startsWith(first.rendered, "bad.fsn:5:11: error: k is not a function; for a product write k * (v - vr)\n"))
      << first.rendered;
  EXPECT_NE(first.rendered.find("  dv/dt = k(v - vr)(v - vt)/C - u/C + x/C"), std::string::npos) << first.rendered;
  EXPECT_NE(first.rendered.find('^'), std::string::npos) << first.rendered;
  EXPECT_TRUE(startsWith(last.rendered, "bad.fsn:7:7: error: unknown function 'spke'; did you mean 'spike'?\n"))
      << last.rendered;
  if (found.size() == 3) {
    EXPECT_EQ(found[1].line, 5u);
    EXPECT_EQ(found[1].column, 20u);
  }
}

TEST(ErrorStays, TheHundredthAttemptSaysTheSame) {
  std::string first = messageOf([] { Model::parse(bad, "bad.fsn"); });
  uint64_t compilations = statistics().compilations, programs = statistics().programs;
  for (int attempt = 2; attempt <= 100; ++attempt)
    ASSERT_EQ(messageOf([] { Model::parse(bad, "bad.fsn"); }), first) << attempt;
  EXPECT_EQ(statistics().compilations, compilations);
  EXPECT_EQ(statistics().programs, programs);
}

TEST(ErrorStays, AGoodModelInBetweenWorksAndTheRepairedTextCompilesAtOnce) {
  std::string first = messageOf([] { Model::parse(bad, "bad.fsn"); });
  for (int64_t n : copies) {
    std::vector<float> x(100 * n, 300.0f);
    Guarded<float> s(100 * n);
    Call call;
    call.inputs = {view(x, {100, n})};
    call.outputs = {s.view({100, n})};
    Model::parse(repaired, "bad.fsn").compile().inference(call);
    std::vector<float> spikes = s.values();
    EXPECT_GT(std::count(spikes.begin(), spikes.end(), 1.0f), 0) << "300 pA make this cell fire";
    EXPECT_TRUE(s.intact());
    EXPECT_EQ(messageOf([] { Model::parse(bad, "bad.fsn"); }), first);
  }
}

/// What is refused only when kernels are made is refused just so again, and nothing of it stays.
TEST(ErrorStays, AFailureOfALaterStageIsRepeated) {
  Model model = Model::parse("neuron Draw:\n  input x\n  s = where(uniform() < x, 1, 0)\n  output s\n", "draw.fsn");
  auto use = [&] {
    Neuron neuron = model.compile();
    neuron.prepare();
  };
  std::string first = messageOf(use);
  EXPECT_NE(first.find("draw.fsn:3:"), std::string::npos) << first;
  uint64_t programs = statistics().programs;
  for (int attempt = 2; attempt <= 100; ++attempt)
    ASSERT_EQ(messageOf(use), first) << attempt;
  EXPECT_EQ(statistics().programs, programs);
}

struct Output {
  int status;
  std::string text;
};

/// What a program prints, and its exit status.
Output runProgram(const std::string &command) {
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return {-1, ""};
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;)
    text += static_cast<char>(c);
  int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

TEST(ErrorStays, TheCommandLineSaysTheSameInEveryProcess) {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("flexsn-case-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "bad.fsn") << bad;
  std::string check = "cd '" + folder.string() + "' && '" FLEXSNC "' check bad.fsn";
  Output first = runProgram(check), second = runProgram(check);
  EXPECT_EQ(first.status, 1);
  EXPECT_NE(first.text.find(messageOf([] { Model::parse(bad, "bad.fsn"); })), std::string::npos) << first.text;
  EXPECT_EQ(second.status, first.status);
  EXPECT_EQ(second.text, first.text);
  std::ofstream(folder / "bad.fsn") << repaired; // in place: no failure is remembered by name or path
  EXPECT_EQ(runProgram(check).status, 0);
  fs::remove_all(folder);
}

} // namespace
} // namespace flexsn::cases
