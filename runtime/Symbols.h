// The functions of a library that was opened at run time.
#pragma once

#include <dlfcn.h>

namespace flexsn {

/// Looks up one function after the other and remembers whether all were there.
class Symbols {
public:
  explicit Symbols(void *library) : library(library) {}

  /// `function` points to the one called `name`, or is null.
  template <class Function> void find(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    all &= function != nullptr;
  }
  bool complete() const { return all; }

private:
  void *library;
  bool all = true;
};

} // namespace flexsn
