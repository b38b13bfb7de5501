// Emitted programs, compiled for the CPU in batches and run there.
#pragma once

#include "compiler/CompileCuda.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace flexsn::test {

/// A shared object of several emitted programs.
class CompiledTexts {
public:
  /// Compiles the texts, each in a namespace of its own, in the folder `folder` under the name `name`, with more
  /// options for the compiler. On failure null, with the compiler's words in `error`.
  static std::unique_ptr<CompiledTexts> compile(const std::vector<CudaProgram> &programs, const std::string &folder,
                                                const std::string &name, std::string &error,
                                                const std::string &options = "");
  ~CompiledTexts();
  CompiledTexts(const CompiledTexts &) = delete;
  CompiledTexts &operator=(const CompiledTexts &) = delete;

  /// Bytes of the argument of one of a program's kernels ("kernel", "prologue", "reduce", "epilogue"), as its text
  /// declares it.
  size_t argumentBytes(const std::string &kernel, size_t program) const;
  /// Runs one of them; with `backwards` the last thread of a block comes first.
  void run(const std::string &kernel, size_t program, std::span<const std::byte> argument, unsigned blocks,
           unsigned threads, bool backwards = false) const;

private:
  explicit CompiledTexts(void *handle) : handle(handle) {}
  template <class Function> Function find(const std::string &name, size_t program) const;
  void *handle;
};

} // namespace flexsn::test
