// NVIDIA/warp#1696 (also #287, #995, #1752): a name made with a salted hash is in the key, so that no process finds
// another's entry; elsewhere the key is cut, and a wrong program is loaded. All numbers are exact.
#include "tests/cases/CacheSupport.h"

namespace flexsn::cases {
namespace {

constexpr const char *head = "neuron LIF:\n  input x; output s; state v = 0; param tau = 2, v_th = 1\n"
                             "  h = v + (x - v)/tau; s = spike(h - v_th); ";
const std::string textA = std::string(head) + "v = h*(1 - s)\n", textB = std::string(head) + "v = h - v_th*s\n";

struct Row {
  std::vector<float> s;
  float h3, v;
  bool operator==(const Row &other) const { return s == other.s && h3 == other.h3 && v == other.v; }
};
const Row rowA = {{0, 1, 0, 1}, 1.125f, 0}, rowB = {{0, 1, 0, 1}, 1.15625f, 0.15625f},
          rowA4 = {{0, 0, 0, 1}, 1.025390625f, 0};

Row run(const Neuron &neuron, float tau) {
  std::vector<float> x(4, 1.5f), s(4), h(4), v(1);
  Call call;
  call.inputs = {view(x, {4, 1})};
  call.outputs = {view(s, {4, 1}), view(h, {4, 1})};
  call.params = {{"tau", tau}};
  call.final_states = {{"v", view(v, {1})}};
  neuron.inference(call);
  return {s, h[3], v[0]};
}

Neuron neuronOf(const std::string &text, const std::string &name = "case.fsn") {
  Options options;
  options.outputs = std::vector<std::string>{"s", "h"};
  return Model::parse(text, name).compile(Device::cpu(), options);
}

void require(bool right, const char *what) {
  if (!right)
    throw std::runtime_error(what);
}

/// The three rows of the case; the number of compilations.
int runAll(const std::string &name) {
  Neuron a = neuronOf(textA, name), b = neuronOf(textB, name);
  require(run(a, 2) == rowA, "A with tau = 2");
  require(run(b, 2) == rowB, "B with tau = 2");
  require(run(a, 4) == rowA4, "A with tau = 4");
  return compilations();
}

TEST(CacheKeys, EveryProcessFindsWhatTheFirstOneLeft) {
  CacheFolder folder;
  EXPECT_EQ(inProcess([] { return runAll("first.fsn"); }), 2);
  EXPECT_EQ(inProcess([] {
              setenv("PYTHONHASHSEED", "7", 1);
              setenv("TZ", "Asia/Kathmandu", 1);
              setenv("LC_ALL", "de_DE.UTF-8", 1);
              require(chdir("/") == 0, "chdir");
              return runAll("/elsewhere/second.fsn");
            }),
            0);
  EXPECT_EQ(inProcess([] {
              setenv("PYTHONHASHSEED", "99", 1);
              return runAll("third.fsn");
            }),
            0);
  EXPECT_EQ(folder.entries().size(), 2u);
}

TEST(CacheKeys, TwoTextsOfOneNameKeepTheirRowsInEitherOrder) {
  CacheFolder folder;
  for (bool aFirst : {true, false})
    EXPECT_EQ(inProcess([&] {
                Neuron first = neuronOf(aFirst ? textA : textB), second = neuronOf(aFirst ? textB : textA);
                for (int i = 0; i < 2; ++i) {
                  require(run(first, 2) == (aFirst ? rowA : rowB), "the first");
                  require(run(second, 2) == (aFirst ? rowB : rowA), "the second");
                }
                return compilations();
              }),
              aFirst ? 2 : 0);
}

TEST(CacheKeys, ADigitASurrogateAndADetachMakeAnotherProgram) {
  CacheFolder folder;
  EXPECT_EQ(inProcess([] {
              for (const char *v : {"v = h*(1.0 - s)", "v = h*(1.0000001 - s)", "v = h*(1.0 - detach(s))"})
                run(neuronOf(head + std::string(v) + "\n"), 2);
              Options options;
              options.surrogate = "atan(alpha=3)";
              options.outputs = std::vector<std::string>{"s", "h"};
              run(Model::parse(textA).compile(Device::cpu(), options), 2);
              return compilations();
            }),
            4);
}

TEST(CacheKeys, CommentsAndLineEndsLeaveNoTrace) {
  CacheFolder folder;
  const std::string other = "# LIF, as everybody knows it\n\nneuron LIF:\n  input x\n\n  output s   # the spikes\n"
                            "  state v = 0\n  param tau = 2\n  param v_th = 1\n\n  h = v + (x - v)/tau\n"
                            "  s = spike(h - v_th)\n  v = h*(1 - s)\n";
  EXPECT_EQ(inProcess([&] {
              require(run(neuronOf(textA), 2) == rowA && run(neuronOf(other), 2) == rowA, "the row of A");
              Emit form;
              form.form = Form::assembly;
              require(Model::parse(textA).emit(form) == Model::parse(other).emit(form), "the emitted text");
              return compilations();
            }),
            1);
  EXPECT_EQ(folder.entries().size(), 1u);
}

TEST(CacheKeys, SizesValuesAndAddressesNeverCompile) {
  CacheFolder folder;
  EXPECT_EQ(inProcess([] {
              Neuron neuron = neuronOf(textA);
              std::vector<float> x(40 * 40 + 1, 1.5f), s(x.size()), h(x.size()), v(41);
              for (int64_t n = 1; n <= 40; ++n)
                for (int64_t shift : {0, 1}) {
                  int64_t steps = 41 - n;
                  Call call;
                  call.inputs = {view(x.data() + shift, {steps, n})};
                  call.outputs = {view(s.data() + shift, {steps, n}), view(h.data(), {steps, n})};
                  call.final_states = {{"v", view(v.data() + shift, {n})}};
                  call.params = {{"tau", static_cast<double>(1 + n)}};
                  neuron.inference(call);
                }
              return compilations();
            }),
            1);
}

TEST(CacheKeys, EmittedTextIsTheSameInTwentyProcesses) {
  CacheFolder folder;
  Crowd crowd;
  for (int i = 0; i < 20; ++i)
    crowd.add([] {
      Emit form;
      form.form = Form::llvm;
      // Not std::hash of the library alone: a sum that every process computes alike.
      uint32_t hash = 2166136261;
      for (unsigned char c : Model::parse(textA).emit(form))
        hash = (hash ^ c) * 16777619;
      return static_cast<int>(hash & 0x7fffffff);
    });
  std::vector<int> hashes = crowd.results();
  EXPECT_NE(hashes[0], Crowd::failed);
  EXPECT_EQ(std::count(hashes.begin(), hashes.end(), hashes[0]), 20);
}

TEST(CacheKeys, AnEntryUnderAnothersNameIsNoticed) {
  CacheFolder folder;
  EXPECT_EQ(inProcess([] { return runAll("case.fsn"); }), 2);
  std::vector<std::string> names = folder.entries();
  ASSERT_EQ(names.size(), 2u);
  fs::copy_file(folder.path() + "/" + names[0], folder.path() + "/" + names[1], fs::copy_options::overwrite_existing);
  setenv("FLEXSN_LOG", "off", 1);
  EXPECT_EQ(inProcess([] { return runAll("case.fsn"); }), 1);
  EXPECT_EQ(inProcess([] { return runAll("case.fsn"); }), 0);
}

TEST(CacheKeys, TheInterfaceShowsAndCountsWhatIsKept) {
  CacheFolder folder;
  EXPECT_EQ(inProcess([&] {
              CacheSettings settings = cache_settings();
              require(settings.directory == folder.path() && settings.mode == CacheMode::on, "the settings");
              require(cache_inspect(CacheAction::list).empty(), "an empty cache");
              return runAll("case.fsn");
            }),
            2);
  EXPECT_EQ(inProcess([] {
              runAll("case.fsn");
              require(statistics().cache_hits == 2, "the hits");
              flexsn_cache_report *report = nullptr;
              flexsn_cache_entry entry{};
              entry.struct_size = sizeof entry;
              require(flexsn_cache_inspect(FLEXSN_CACHE_VERIFY, &report) == FLEXSN_OK, flexsn_last_error());
              require(flexsn_cache_report_count(report) == 2, "two entries");
              require(flexsn_cache_report_entry(report, 2, &entry) == FLEXSN_ERROR_ARGUMENT, "there is no third one");
              for (size_t i = 0; i < 2; ++i) {
                require(flexsn_cache_report_entry(report, i, &entry) == FLEXSN_OK, flexsn_last_error());
                require(entry.label == std::string("LIF inference f32 linear") && entry.damage == std::string(),
                        "a label");
                require(std::string(entry.key).size() == 64 && entry.bytes > 1000 && !entry.removed, "an entry");
              }
              flexsn_cache_report_free(report);
              return static_cast<int>(cache_inspect(CacheAction::clear).size());
            }),
            2);
  EXPECT_TRUE(folder.files().empty());
}

/// Case 09, its part of the cache: NVIDIA/warp#1711, where a warm cache hid an error.
TEST(CacheKeys, AnErrorStaysWithAFullCacheAndLeavesNothing) {
  CacheFolder folder;
  const std::string refused = "neuron Draw:\n  input x\n  s = where(uniform() < x, 1, 0)\n  output s\n";
  auto attempt = [&] {
    std::string first = messageOf([&] { Model::parse(refused, "draw.fsn").compile().prepare(); });
    for (int i = 0; i < 10; ++i)
      require(messageOf([&] { Model::parse(refused, "draw.fsn").compile().prepare(); }) == first, "the same message");
    require(first.find("draw.fsn:3:") != std::string::npos, "the place");
    return compilations();
  };
  EXPECT_EQ(inProcess(attempt), 0);
  EXPECT_TRUE(folder.entries().empty());
  EXPECT_EQ(inProcess([&] {
              require(run(neuronOf(textA), 2) == rowA, "a good model");
              attempt();
              require(run(neuronOf(textB), 2) == rowB, "another after it");
              return compilations();
            }),
            2);
  EXPECT_EQ(inProcess(attempt), 0);
  EXPECT_EQ(folder.entries().size(), 2u);
}

} // namespace
} // namespace flexsn::cases
