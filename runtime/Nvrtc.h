// NVRTC, the library that compiles CUDA C++: opened at run time, so that building flexsn needs neither its headers nor
// itself.
#pragma once

#include "runtime/Environment.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace flexsn {

/// Where libnvrtc is looked for, in this order.
struct NvrtcSearch {
  std::string named;                ///< the user's FLEXSN_NVRTC: this file alone; empty: the places below
  bool byName = true;               ///< a copy that the process has loaded, then the dynamic loader's own places
  std::vector<std::string> folders; ///< then these

  /// FLEXSN_NVRTC; $CUDA_HOME/lib64, $CUDA_PATH/lib64, /usr/local/cuda/lib64.
  static NvrtcSearch from(const Environment &environment);
};

enum class CudaForm : uint8_t { Ptx /* text that a driver compiles */, Cubin /* machine code of one architecture */ };

/// The options of a compilation, exactly as an NVRTC of that version or release ("13.0", "13.0.88") gets them: part of
/// what a compiled program is kept under.
std::vector<std::string> nvrtcOptions(const std::string &release, int arch, CudaForm form);

/// What came of a compilation.
struct NvrtcResult {
  std::string code; ///< empty if it failed
  std::string call; ///< the call that failed and NVRTC's name for why; empty if none did
  std::string log;  ///< the compiler's own words, also of a success
};

/// One loaded NVRTC. Immutable; may be used by several threads at once. It is never unloaded: not every version
/// survives that.
class Nvrtc {
public:
  /// The first place's that loads and answers. Without one null, and in `tried` what is wrong with each place.
  static std::unique_ptr<const Nvrtc> find(const NvrtcSearch &search, std::vector<std::string> &tried);

  /// `source` for sm_`arch`. `name` stands for the text in the log. Only for an arch that `archs` has.
  NvrtcResult compile(const std::string &source, const std::string &name, int arch, CudaForm form) const;

  /// Version and build, "13.0.88": NVRTC tells the build only in the code that it makes, so this compiles an empty
  /// kernel. "13.0, unknown build" if that fails.
  std::string release() const;

  const std::string &path() const { return file; }        ///< of the library
  const std::vector<int> &archs() const { return known; } ///< ascending: 75, 80, ...
  std::string version() const;                            ///< "13.0"
  bool knows(int arch) const;

private:
  Nvrtc() = default;
  bool open(const std::string &name, int flags, std::vector<std::string> &tried);
  bool resolve(void *library);
  void loadBuiltins() const;

  std::string file;
  int major = 0, minor = 0;
  std::vector<int> known;

  // As nvrtc.h declares them; a result of 0 is success.
  int (*versionOf)(int *, int *) = nullptr;
  int (*archCount)(int *) = nullptr;
  int (*archList)(int *) = nullptr;
  int (*createProgram)(void **, const char *, const char *, int, const char *const *, const char *const *) = nullptr;
  int (*compileProgram)(void *, int, const char *const *) = nullptr;
  int (*destroyProgram)(void **) = nullptr;
  int (*logSize)(void *, size_t *) = nullptr;
  int (*getLog)(void *, char *) = nullptr;
  int (*ptxSize)(void *, size_t *) = nullptr;
  int (*getPtx)(void *, char *) = nullptr;
  int (*cubinSize)(void *, size_t *) = nullptr;
  int (*getCubin)(void *, char *) = nullptr;
  const char *(*errorString)(int) = nullptr;
};

} // namespace flexsn
