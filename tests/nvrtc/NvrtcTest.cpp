// Finding a library at run time, and what it is asked for.
#include "tests/nvrtc/Support.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace flexsn::test {
namespace {

namespace fs = std::filesystem;

/// A folder in which the fakes have the names that are looked for.
class Folder {
public:
  Folder() : name(fs::temp_directory_path() / "flexsn-nvrtc-XXXXXX") {
    if (!mkdtemp(name.data()))
      throw std::runtime_error("no temporary folder can be made");
  }
  Folder(const Folder &) = delete;
  ~Folder() { fs::remove_all(name); }

  std::string add(const std::string &file, const std::string &library) const {
    fs::copy_file(library, name + "/" + file);
    return name + "/" + file;
  }
  const std::string &path() const { return name; }

private:
  std::string name;
};

std::string foundBy(const NvrtcSearch &search) {
  std::vector<std::string> tried;
  std::unique_ptr<const Nvrtc> nvrtc = Nvrtc::find(search, tried);
  return nvrtc ? nvrtc->path() : fmt::format("nothing; {}", fmt::join(tried, "; "));
}

TEST(NvrtcSearch, FollowsTheEnvironment) {
  Environment environment;
  EXPECT_EQ(NvrtcSearch::from(environment).folders, std::vector<std::string>{"/usr/local/cuda/lib64"});
  environment.nvrtc = "/a/libnvrtc.so";
  environment.cudaHome = "/home";
  environment.cudaPath = "/path";
  NvrtcSearch search = NvrtcSearch::from(environment);
  EXPECT_EQ(search.named, "/a/libnvrtc.so");
  EXPECT_TRUE(search.byName);
  EXPECT_EQ(search.folders, (std::vector<std::string>{"/home/lib64", "/path/lib64", "/usr/local/cuda/lib64"}));
}

TEST(NvrtcSearch, TakesTheNamedFileAndNoOther) {
  Folder folder;
  folder.add("libnvrtc.so.13", FAKE_NVRTC);
  std::string named = folder.add("mine.so", FAKE_NVRTC_12);
  EXPECT_EQ(foundBy({named, true, {folder.path()}}), named);
  EXPECT_EQ(foundBy({folder.path() + "/gone.so", true, {folder.path()}}),
            "nothing; " + folder.path() + "/gone.so: cannot open shared object file: No such file or directory");
}

TEST(NvrtcSearch, GoesThroughFoldersInOrderTheNewestFirst) {
  Folder first, second, empty;
  std::string twelve = first.add("libnvrtc.so.12", FAKE_NVRTC_12), thirteen = second.add("libnvrtc.so.13", FAKE_NVRTC);
  EXPECT_EQ(foundBy({"", false, {empty.path(), first.path(), second.path()}}), twelve);
  EXPECT_EQ(foundBy({"", false, {second.path(), first.path()}}), thirteen);
  std::string newer = first.add("libnvrtc.so.13", FAKE_NVRTC);
  EXPECT_EQ(foundBy({"", false, {first.path()}}), newer);
}

TEST(NvrtcSearch, SkipsWhatIsNoNvrtcAndSaysSo) {
  Folder text, part, good;
  std::ofstream(text.path() + "/libnvrtc.so.13") << "not a library";
  std::string lacking = part.add("libnvrtc.so.13", FAKE_NVRTC_INCOMPLETE);
  std::string whole = good.add("libnvrtc.so.12", FAKE_NVRTC_12);
  EXPECT_EQ(foundBy({"", false, {text.path(), part.path(), good.path()}}), whole);
  std::vector<std::string> tried;
  EXPECT_EQ(Nvrtc::find({"", false, {text.path(), part.path()}}, tried), nullptr);
  ASSERT_EQ(tried.size(), 4u);
  EXPECT_EQ(tried[0].find(text.path() + "/libnvrtc.so.13: "), 0u) << tried[0];
  EXPECT_EQ(tried[2], lacking + ": is no usable NVRTC");
}

/// Mapped by the loader, such a file would kill the process at the first access behind its end.
TEST(NvrtcSearch, LooksAtTheLengthOfALibrary) {
  Folder folder;
  const std::vector<std::pair<std::string, uintmax_t>> parts = {{realNvrtc(13), 3'000'000},
                                                                {FAKE_NVRTC, fs::file_size(FAKE_NVRTC) - 1},
                                                                {FAKE_NVRTC, fs::file_size(FAKE_NVRTC) / 2},
                                                                {FAKE_NVRTC, 200}};
  for (const auto &[library, length] : parts) {
    std::string part = folder.add("libnvrtc.so.13", library);
    fs::resize_file(part, length);
    std::vector<std::string> tried;
    EXPECT_FALSE(Nvrtc::find(only(part), tried));
    EXPECT_EQ(tried, std::vector<std::string>{fmt::format("{}: is cut off: it ends after {} bytes", part, length)});
    fs::remove(part);
  }
}

/// A fifo without a writer would be opened for ever.
TEST(NvrtcSearch, OpensFilesAlone) {
  Folder folder;
  std::string fifo = folder.path() + "/libnvrtc.so.13";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::vector<std::string> tried;
  EXPECT_FALSE(Nvrtc::find(only(fifo), tried));
  EXPECT_FALSE(Nvrtc::find(only(folder.path()), tried));
  EXPECT_EQ(tried, (std::vector<std::string>{fifo + ": is no file", folder.path() + ": is no file"}));
}

/// In a process of its own, since others of this name may be loaded here.
TEST(NvrtcSearch, PrefersACopyThatTheProcessHas) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        Folder folder; // what the loader compares is the name inside of the library
        std::string loaded = folder.add("anything.so", FAKE_NVRTC_LOADED);
        bool there = dlopen(loaded.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;
        bool found = foundBy({"", true, {}}) == loaded;
        fs::remove_all(folder.path());
        std::exit(there && found ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Nvrtc, SortsItsArchitectures) {
  auto nvrtc = open(FAKE_NVRTC);
  EXPECT_EQ(nvrtc->archs(), (std::vector<int>{75, 80, 90}));
  EXPECT_TRUE(nvrtc->knows(80));
  EXPECT_FALSE(nvrtc->knows(86));
  EXPECT_EQ(nvrtc->version(), "13.4");
  EXPECT_EQ(nvrtc->release(), "13.4.7");
}

TEST(Nvrtc, GetsTheOptionsThatKeepTheBits) {
  std::string code = open(FAKE_NVRTC)->compile("text\n", "a.cu", 90, CudaForm::Cubin).code;
  EXPECT_EQ(code,
            "--gpu-architecture=sm_90\n--std=c++17\n--fmad=false\n--prec-div=true\n--prec-sqrt=true\n--ftz=false\n"
            "--minimal\n// release 1.2, V13.4.7\ntext\n");
  std::vector<std::string> older = nvrtcOptions("12.8.93", 75, CudaForm::Ptx);
  EXPECT_EQ(older.front(), "--gpu-architecture=compute_75");
  EXPECT_EQ(std::count(older.begin(), older.end(), "--minimal"), 0) << "12.8 does not know it";
}

TEST(Nvrtc, TellsTheCallAndTheLog) {
  NvrtcResult result = open(FAKE_NVRTC)->compile("refuse", "a.cu", 90, CudaForm::Cubin);
  EXPECT_EQ(result.call, "nvrtcCompileProgram: NVRTC_ERROR_COMPILATION");
  EXPECT_EQ(result.log, "a.cu(2): error: this is refused\n\n1 error detected.\n");
  EXPECT_EQ(result.code, "");
}

/// The two versions that pip has, without a toolkit beside them: their builtins are found in their own folders.
class RealNvrtc : public testing::TestWithParam<int> {};

TEST_P(RealNvrtc, CompilesForWhatItKnows) {
  auto nvrtc = open(realNvrtc(GetParam()));
  EXPECT_EQ(nvrtc->version().rfind(std::to_string(GetParam()) + ".", 0), 0u);
  EXPECT_EQ(nvrtc->release().rfind(nvrtc->version() + ".", 0), 0u) << nvrtc->release();
  for (int arch : {75, 80, 90, 100, 120}) {
    ASSERT_TRUE(nvrtc->knows(arch)) << arch;
    NvrtcResult cubin = nvrtc->compile(handWritten().text, "scale.cu", arch, CudaForm::Cubin);
    EXPECT_EQ(cubin.call, "") << cubin.log;
    EXPECT_EQ(cubin.log, "");
    auto kernels = readCubin(cubin.code);
    ASSERT_TRUE(kernels);
    ASSERT_EQ(kernels->size(), 1u);
    EXPECT_EQ(kernels->front().symbol, "scale");
  }
  NvrtcResult ptx = nvrtc->compile(handWritten().text, "scale.cu", 90, CudaForm::Ptx);
  EXPECT_NE(ptx.code.find(".target sm_90"), std::string::npos);
  EXPECT_NE(ptx.code.find("div.rn.f32"), std::string::npos) << "a division is rounded as IEEE wants it";
  EXPECT_EQ(ptx.code.find('\0'), std::string::npos);
}

TEST_P(RealNvrtc, RefusesABrokenText) {
  NvrtcResult result =
      open(realNvrtc(GetParam()))->compile("__global__ void f() {\n  nothing;\n}\n", "LIF.cu", 90, CudaForm::Cubin);
  EXPECT_EQ(result.call, "nvrtcCompileProgram: NVRTC_ERROR_COMPILATION");
  EXPECT_EQ(result.log.rfind("LIF.cu(2): error: identifier \"nothing\" is undefined\n", 0), 0u) << result.log;
}

INSTANTIATE_TEST_SUITE_P(Versions, RealNvrtc, testing::Values(13, 12));

} // namespace
} // namespace flexsn::test
