// The model's names in C++.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSet.h>

#include <string>

namespace flexsn::cuda {

/// Whether `name` means something else wherever it stands in CUDA C++: a keyword, a macro or a variable that the
/// language defines, or a name that only compilers may choose.
bool isReserved(llvm::StringRef name);

/// Whether the skeletons of templates/ define `name` at the outermost level.
bool isOfTemplates(llvm::StringRef name);

/// Names of one scope. Every name that a model brings goes through here: most stay as they are.
class NameScope {
public:
  /// `taken` are names that mean something in this scope already.
  NameScope(std::initializer_list<llvm::StringRef> taken = {}) {
    for (llvm::StringRef name : taken)
      used.insert(name);
  }

  /// A scope inside of a model's struct: what the struct declares, and what its functions use from outside.
  static NameScope insideModel();

  /// A scope for the fields of a model's structs, which must not be called as one of these.
  static NameScope ofStructs();

  /// Takes a name away from the others.
  void reserve(llvm::StringRef name) { used.insert(name); }
  /// The same of the functions of CUDA that emitted code calls.
  void reserveBuiltins();

  /// A C++ identifier of its own for `wanted`: itself, with an underscore if it is reserved, with one and a number if
  /// it is taken.
  std::string claim(llvm::StringRef wanted);

private:
  llvm::StringSet<> used;
};

} // namespace flexsn::cuda
