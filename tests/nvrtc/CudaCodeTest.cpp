// Programs for a GPU and the disk cache; failures; several at once.
#include "runtime/CudaBytes.h"
#include "tests/cache/Support.h"
#include "tests/nvrtc/Support.h"

#include <algorithm>
#include <cstdlib>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace flexsn::test {
namespace {

/// How many programs a fake has compiled, the one that asks for its release included.
int compilations(const std::string &library) {
  void *opened = dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
  return opened ? reinterpret_cast<int (*)()>(dlsym(opened, "fakeCompilations"))() : 0;
}

class CudaCodeTest : public testing::Test {
protected:
  /// As a new process finds the disk: nothing is known of NVRTC.
  CudaCode compile(const CountedJob &counted) {
    NvrtcLoader loader(only(library));
    return compileCuda(counted.job, loader, cache);
  }
  std::vector<std::string> labels() {
    std::vector<std::string> all;
    for (const CacheItem &item : cache.inspect(CacheAction::List))
      all.push_back(item.label);
    std::sort(all.begin(), all.end());
    return all;
  }

  TemporaryFolder folder, libraries;
  std::string library = copyOf(FAKE_NVRTC);
  Cache cache{settingsFor(folder.path())};
  CountedJob job{"text"};

  /// A copy of a library, so that each test counts its own.
  std::string copyOf(const std::string &file, const std::string &name = "libnvrtc.so") {
    fs::copy_file(file, libraries.path() + "/" + name, fs::copy_options::overwrite_existing);
    return libraries.path() + "/" + name;
  }
};

TEST_F(CudaCodeTest, IsCompiledOnce) {
  CudaCode first = compile(job), second = compile(job);
  EXPECT_EQ(job.emitted, 1);
  EXPECT_FALSE(first.stored);
  EXPECT_TRUE(second.stored);
  for (const CudaCode *code : {&first, &second}) {
    EXPECT_NE(code->code.find("--gpu-architecture=compute_90\n"), std::string::npos);
    EXPECT_EQ(code->release, "13.4.7");
    EXPECT_EQ(code->program.kernelSymbol, "scale");
    EXPECT_EQ(code->program.threads, 128u);
    ASSERT_EQ(code->program.operands.size(), 1u);
    EXPECT_EQ(code->program.operands[0].name, "x");
    EXPECT_EQ(code->program.params[0].name, "d");
  }
  EXPECT_EQ(first.code, second.code);
  EXPECT_EQ(labels(), (std::vector<std::string>{"LIF inference f32 linear vector sm_90", "NVRTC 13.4.7"}));
}

TEST_F(CudaCodeTest, FromTheCacheOpensNoLibrary) {
  // Another process compiles: a library that this one has opened could be opened again when it is gone.
  if (pid_t child = fork(); child == 0) {
    compile(job);
    _exit(compilations(library)); // the program, and the question for the release
  } else {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(WEXITSTATUS(status), 2);
  }
  EXPECT_TRUE(compile(job).stored);
  EXPECT_EQ(compilations(library), 0) << "it was not opened";
  fs::remove(library);
  EXPECT_TRUE(compile(job).stored) << "its NVRTC is gone, the program is not";
  CountedJob other{"other text", "other key"};
  EXPECT_EQ(messageOf([&] { compile(other); }),
            fmt::format("FLEXSN_NVRTC names no NVRTC that can be used:\n  {}: cannot open shared object file: No such "
                        "file or directory\n",
                        library));
  EXPECT_EQ(job.emitted + other.emitted, 0) << "what cannot be compiled is not emitted";
}

TEST_F(CudaCodeTest, AnotherReleaseCompilesAnew) {
  CudaCode first = compile(job);
  library = copyOf(FAKE_NVRTC_12, "second.so"); // the environment names another
  CudaCode second = compile(job);
  EXPECT_FALSE(second.stored);
  EXPECT_EQ(second.release, "12.8.7");
  EXPECT_EQ(job.emitted, 2);
  EXPECT_TRUE(compile(job).stored);
}

TEST_F(CudaCodeTest, AFileThatChangedIsAskedAnew) {
  compile(job);
  compile(job);
  int before = compilations(library);
  fs::last_write_time(library, fs::last_write_time(library) + std::chrono::seconds(1));
  EXPECT_TRUE(compile(job).stored) << "its release is the old one";
  EXPECT_EQ(compilations(library), before + 1);
  EXPECT_TRUE(compile(job).stored);
  EXPECT_EQ(compilations(library), before + 1) << "once";
}

TEST_F(CudaCodeTest, KeysHoldArchFormAndProgram) {
  compile(job);
  job.job.arch = 80;
  EXPECT_FALSE(compile(job).stored);
  job.job.key = "another program";
  EXPECT_FALSE(compile(job).stored);
  job.job.label = "a label is for people";
  EXPECT_TRUE(compile(job).stored);
  EXPECT_EQ(labels().size(), 4u);
}

/// NVIDIA/warp#1713, #1711: a kernel that failed to compile raised once; later launches ran a half-built one.
TEST_F(CudaCodeTest, AFailureStaysAFailure) {
  CountedJob bad{"// refuse\n"};
  std::string expected = fmt::format("LIF inference f32 linear vector for sm_90: nvrtcCompileProgram: "
                                     "NVRTC_ERROR_COMPILATION (NVRTC 13.4, {})\n"
                                     "lif.fsn:2:9: error: this is refused (line 2 of LIF.cu)\n1 error detected.\n",
                                     library);
  for (int attempt = 1; attempt <= 3; ++attempt) {
    EXPECT_EQ(messageOf([&] { compile(bad); }), expected);
    EXPECT_EQ(bad.emitted, attempt) << "nothing of a failure is kept";
  }
  EXPECT_EQ(labels(), std::vector<std::string>{"NVRTC 13.4.7"});
  EXPECT_FALSE(compile(job).stored) << "a good one, under the same key";
  EXPECT_EQ(labels().size(), 2u);
}

TEST_F(CudaCodeTest, ACubinIsLookedAt) {
  CountedJob bad{"code \"7f454c46\""};
  bad.job.form = CudaForm::Cubin;
  std::string message = messageOf([&] { compile(bad); });
  EXPECT_NE(message.find("has no kernel that can be read"), std::string::npos) << message;
  EXPECT_EQ(labels(), std::vector<std::string>{"NVRTC 13.4.7"});
}

TEST_F(CudaCodeTest, UnknownArchitecturesNameWhatIsKnown) {
  auto message = [&](int arch) {
    job.job.arch = arch;
    return messageOf([&] { compile(job); });
  };
  std::string library13 = fmt::format("NVRTC 13.4 ({}) compiles for, which are sm_75, sm_80, sm_90", library);
  EXPECT_EQ(message(70), "sm_70 is not among the architectures that " + library13 +
                             "; an older NVRTC may know it: install the Python package nvidia-cuda-nvrtc-cu12, which "
                             "begins at sm_50, and name its libnvrtc.so.12 by FLEXSN_NVRTC");
  EXPECT_EQ(message(86), "sm_86 is not among the architectures that " + library13);
  EXPECT_EQ(message(130), "sm_130 is not among the architectures that " + library13 +
                              "; install a newer CUDA toolkit, or Python package nvidia-cuda-nvrtc; until then PTX for "
                              "sm_90 serves newer devices too, whose driver compiles it");
  EXPECT_EQ(job.emitted, 0);
}

TEST_F(CudaCodeTest, DamagedEntriesAreMadeAnew) {
  std::string good = compile(job).code;
  for (const CacheItem &item : cache.inspect(CacheAction::List)) { // whole, but not what belongs there
    cache.put({item.key, item.label, "something else"});
  }
  CudaCode code = compile(job);
  EXPECT_FALSE(code.stored);
  EXPECT_EQ(code.code, good);
  EXPECT_TRUE(compile(job).stored);
}

TEST_F(CudaCodeTest, WithoutACacheNobodyAsksForTheRelease) {
  CacheSettings off;
  off.mode = CacheMode::Off;
  Cache none(off);
  NvrtcLoader loader(only(library));
  compileCuda(job.job, loader, none);
  compileCuda(job.job, loader, none);
  EXPECT_EQ(compilations(library), 2);
}

TEST_F(CudaCodeTest, BytesAreReadBackOrRefused) {
  CudaCode code = compile(job), read;
  std::string bytes = serialize(code);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(deserialize(std::string_view(bytes).substr(0, size), CudaForm::Ptx, read)) << size;
  EXPECT_FALSE(deserialize(bytes + " ", CudaForm::Ptx, read));
  EXPECT_FALSE(deserialize(bytes, CudaForm::Cubin, read)) << "PTX is no cubin";
  ASSERT_TRUE(deserialize(bytes, CudaForm::Ptx, read));
  EXPECT_EQ(read.code, code.code);
  code.program.chunk = 0;
  EXPECT_FALSE(deserialize(serialize(code), CudaForm::Ptx, read));
}

TEST_F(CudaCodeTest, ThreadsCompileSideBySide) {
  std::vector<std::unique_ptr<CountedJob>> counted;
  std::vector<CudaJob> jobs;
  for (int i = 0; i < 12; ++i) {
    std::string text = i == 7 || i == 9 ? fmt::format("refuse {}", i) : fmt::format("text {}", i);
    jobs.push_back(counted.emplace_back(std::make_unique<CountedJob>(text, text))->job);
    jobs.back().label = fmt::format("job {}", i);
  }
  NvrtcLoader loader(only(library));
  std::string message = messageOf([&] { compileCuda(jobs, loader, cache); });
  EXPECT_EQ(message.rfind("job 7 for sm_90: nvrtcCompileProgram", 0), 0u) << message;
  jobs.erase(jobs.begin() + 9);
  jobs.erase(jobs.begin() + 7);
  std::vector<CudaCode> codes = compileCuda(jobs, loader, cache);
  for (size_t i = 0; i < codes.size(); ++i) {
    EXPECT_TRUE(codes[i].stored) << "one failure does not stop the others";
    EXPECT_NE(codes[i].code.find(jobs[i].key), std::string::npos);
  }
}

TEST(CudaArch, IsSmAndANumber) {
  EXPECT_EQ(parseCudaArch("sm_90"), 90);
  EXPECT_EQ(parseCudaArch("sm_120"), 120);
  for (const char *text :
       {"", "sm_", "90", "sm_9x", "sm_090", "sm_-90", "sm_99999999999999999999", "compute_90", "SM_90"})
    EXPECT_EQ(messageOf([&] { parseCudaArch(text); }),
              fmt::format("'{}' is no architecture of a GPU; write sm_ and its number, as in sm_90",
                          std::string_view(text).size() > 20 ? "sm_99999999999999999999" : text));
  for (const char *text : {"sm_90a", "sm_100f"})
    EXPECT_NE(messageOf([&] { parseCudaArch(text); }).find("architectures with a letter are not supported"),
              std::string::npos);
}

TEST(PlacedLog, NamesThePlaceInTheModel) {
  Source source{"lif.fsn", "neuron LIF:\n  input x\n  h = x / 2\n"};
  CudaProgram program = handWritten();
  auto placed = [&](const char *log) { return placeLog(log, "LIF.cu", program, source); };
  EXPECT_EQ(placed("LIF.cu(3): error: wrong\n  h = x;\n      ^\n"),
            "lif.fsn:3:9: error: wrong (line 3 of LIF.cu)\n  h = x;\n      ^\n");
  EXPECT_EQ(placed("LIF.cu(1): error: a line of ours"), "LIF.cu(1): error: a line of ours\n");
  EXPECT_EQ(placed("LIF.cu(4): error: a line of ours"), "LIF.cu(4): error: a line of ours\n");
  for (const char *odd : {"LIF.cu(", "LIF.cu", "LIF.cu(3", "LIF.cu(3)", "LIF.cu(3):", "LIF.cu(x): y", "(2): error",
                          "LIF.cu(99999999999): error: x", "ptxas fatal: no"})
    EXPECT_EQ(placed(odd), std::string(odd) + "\n");
  EXPECT_EQ(placed(""), "");
}

} // namespace
} // namespace flexsn::test
