#include "runtime/Nvrtc.h"

#include "runtime/ElfExtent.h"
#include "runtime/Symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <dlfcn.h>

namespace flexsn {

/// The newest first: it knows the newest architectures. 12 still serves older drivers and devices.
static constexpr const char *names[] = {"libnvrtc.so.13", "libnvrtc.so.12"};

NvrtcSearch NvrtcSearch::from(const Environment &environment) {
  NvrtcSearch search;
  search.named = environment.nvrtc;
  for (const std::string &root : {environment.cudaHome, environment.cudaPath})
    if (!root.empty())
      search.folders.push_back(root + "/lib64");
  search.folders.emplace_back("/usr/local/cuda/lib64");
  return search;
}

std::unique_ptr<const Nvrtc> Nvrtc::find(const NvrtcSearch &search, std::vector<std::string> &tried) {
  std::unique_ptr<Nvrtc> candidate(new Nvrtc);
  auto opens = [&](const std::string &name, int flags) {
    if (candidate->open(name, flags, tried))
      return true;
    candidate.reset(new Nvrtc);
    return false;
  };
  if (!search.named.empty()) // no silent second choice beside what the user named
    return opens(search.named, 0) ? std::move(candidate) : nullptr;
  if (search.byName)
    for (int flags : {RTLD_NOLOAD, 0})
      for (const char *name : names)
        if (opens(name, flags))
          return candidate;
  for (const std::string &folder : search.folders)
    for (const char *name : names)
      if (opens(folder + "/" + name, 0))
        return candidate;
  return nullptr;
}

bool Nvrtc::open(const std::string &name, int flags, std::vector<std::string> &tried) {
  if (std::string fault = elfFault(name); !fault.empty()) {
    tried.push_back(fmt::format("{}: {}", name, fault));
    return false;
  }
  void *library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL | flags);
  if (!library) {
    const char *why = dlerror(); // "FILE: cannot open shared object file: ..."
    if (!(flags & RTLD_NOLOAD))
      tried.emplace_back(why ? why : name.c_str());
    return false;
  }
  int count = 0;
  bool usable = resolve(library) && versionOf(&major, &minor) == 0 && archCount(&count) == 0 && count > 0;
  if (usable) {
    known.resize(static_cast<size_t>(count));
    usable = archList(known.data()) == 0;
  }
  if (!usable) {
    tried.push_back(name + ": is no usable NVRTC");
    return false;
  }
  std::sort(known.begin(), known.end());
  Dl_info place{};
  file = dladdr(reinterpret_cast<void *>(compileProgram), &place) && place.dli_fname ? place.dli_fname : name;
  loadBuiltins();
  return true;
}

bool Nvrtc::resolve(void *library) {
  Symbols symbols(library);
  symbols.find(versionOf, "nvrtcVersion");
  symbols.find(archCount, "nvrtcGetNumSupportedArchs");
  symbols.find(archList, "nvrtcGetSupportedArchs");
  symbols.find(createProgram, "nvrtcCreateProgram");
  symbols.find(compileProgram, "nvrtcCompileProgram");
  symbols.find(destroyProgram, "nvrtcDestroyProgram");
  symbols.find(logSize, "nvrtcGetProgramLogSize");
  symbols.find(getLog, "nvrtcGetProgramLog");
  symbols.find(ptxSize, "nvrtcGetPTXSize");
  symbols.find(getPtx, "nvrtcGetPTX");
  symbols.find(cubinSize, "nvrtcGetCUBINSize");
  symbols.find(getCubin, "nvrtcGetCUBIN");
  symbols.find(errorString, "nvrtcGetErrorString");
  return symbols.complete();
}

/// NVRTC opens its builtins by bare name and has no RPATH: outside of the loader's places (pip's packages, a toolkit
/// that was moved) every compilation would fail. Loaded before from NVRTC's own folder they are found, and never
/// another toolkit's. Where they are not there, NVRTC itself says so at the first compilation.
void Nvrtc::loadBuiltins() const {
  std::string folder = file.substr(0, file.rfind('/') + 1);
  std::string builtins = fmt::format("{}libnvrtc-builtins.so.{}.{}", folder, major, minor);
  if (!folder.empty() && elfFault(builtins).empty())
    (void)dlopen(builtins.c_str(), RTLD_LAZY | RTLD_LOCAL);
}

std::string Nvrtc::version() const { return fmt::format("{}.{}", major, minor); }

bool Nvrtc::knows(int arch) const { return std::binary_search(known.begin(), known.end(), arch); }

std::vector<std::string> nvrtcOptions(const std::string &release, int arch, CudaForm form) {
  // Not one of the arithmetic options may go: the bits of a result would. Line numbers are not asked for: with them
  // comes the whole PTX, and a cubin is three to four times as large.
  std::vector<std::string> options = {
      fmt::format("--gpu-architecture={}_{}", form == CudaForm::Ptx ? "compute" : "sm", arch),
      "--std=c++17",
      "--fmad=false",
      "--prec-div=true",
      "--prec-sqrt=true",
      "--ftz=false",
  };
  char *point = nullptr;
  long major = std::strtol(release.c_str(), &point, 10);
  long minor = *point == '.' ? std::strtol(point + 1, nullptr, 10) : 0;
  if (std::pair(major, minor) >= std::pair(12L, 9L))
    options.emplace_back("--minimal"); // leaves out textures and the like: 5 ms of 40 for every program
  return options;
}

NvrtcResult Nvrtc::compile(const std::string &source, const std::string &name, int arch, CudaForm form) const {
  NvrtcResult result;
  void *program = nullptr;
  auto succeeds = [&](const char *call, int status) {
    if (status != 0)
      result.call = fmt::format("{}: {}", call, errorString(status));
    return status == 0;
  };
  auto fetch = [&](const char *call, int (*sizeOf)(void *, size_t *), int (*get)(void *, char *), bool isText) {
    size_t size = 0;
    std::string bytes;
    if (!succeeds(call, sizeOf(program, &size)))
      return bytes;
    bytes.resize(size);
    if (size != 0 && !succeeds(call, get(program, bytes.data())))
      bytes.clear();
    if (isText && bytes.ends_with('\0')) // it counts
      bytes.pop_back();
    return bytes;
  };
  std::vector<std::string> options = nvrtcOptions(version(), arch, form);
  std::vector<const char *> pointers;
  for (const std::string &option : options)
    pointers.push_back(option.c_str());

  if (!succeeds("nvrtcCreateProgram", createProgram(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr)))
    return result;
  bool compiled =
      succeeds("nvrtcCompileProgram", compileProgram(program, static_cast<int>(pointers.size()), pointers.data()));
  std::string failed = result.call; // a log that cannot be read is not what went wrong
  result.log = fetch("nvrtcGetProgramLog", logSize, getLog, true);
  result.call = failed;
  if (compiled)
    result.code = form == CudaForm::Ptx ? fetch("nvrtcGetPTX", ptxSize, getPtx, true)
                                        : fetch("nvrtcGetCUBIN", cubinSize, getCubin, false);
  (void)destroyProgram(&program);
  if (result.call.empty() && result.code.empty())
    result.call = "nvrtcCompileProgram: it made no code";
  return result;
}

std::string Nvrtc::release() const {
  constexpr std::string_view mark = ", V"; // "// Cuda compilation tools, release 13.0, V13.0.88"
  std::string ptx = compile("extern \"C\" __global__ void empty() {}\n", "empty.cu", known.front(), CudaForm::Ptx).code;
  size_t at = ptx.find(mark);
  if (at == std::string::npos)
    return version() + ", unknown build";
  size_t begin = at + mark.size();
  return ptx.substr(begin, ptx.find_first_not_of("0123456789.", begin) - begin);
}

} // namespace flexsn
