// Machine code in memory: an object file's bytes become functions that can be called.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace flexsn {

/// An object file that was linked into this process. Code sees the functions of compiler/math/Platform.def and no other
/// symbol of the process. Immutable; may be used in several threads at once.
class CpuCode {
public:
  /// Links `object`. On failure null, with the linker's words in `error`. Thread-safe; keeps nothing of `object`.
  static std::shared_ptr<const CpuCode> load(std::string_view object, std::string &error);
  ~CpuCode();

  /// The address of a symbol that the object defines, valid as long as this lives. On failure null, with words in
  /// `error`.
  void *find(std::string_view symbol, std::string &error) const;

  /// `find` as a function of the given type.
  template <class Function> Function function(std::string_view symbol, std::string &error) const {
    return reinterpret_cast<Function>(find(symbol, error));
  }

private:
  struct Linker;
  explicit CpuCode(std::unique_ptr<Linker> linker);
  std::unique_ptr<Linker> linker;
};

} // namespace flexsn
