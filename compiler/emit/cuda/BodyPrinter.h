// Straight-line code: a block of pure operations as statements.
#pragma once

#include "compiler/emit/cuda/CodeText.h"
#include "compiler/emit/cuda/Expressions.h"
#include "compiler/emit/cuda/Names.h"

#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/Block.h>

namespace flexsn::cuda {

/// Where the printed statements say what they are in the user's text; none for helpers.
struct Origins {
  const Model *model = nullptr;

  /// The text of the statement that an operation was made for, empty where there is none.
  std::string statementAt(mlir::Location location) const;
  std::optional<Span> spanOf(mlir::Location location) const;
};

/// Prints one block. A value that is used once, and that the text gives no name, stands in its user's expression;
/// others become variables of the model's name. Expressions that would pass the line's end become variables too.
class BodyPrinter {
public:
  BodyPrinter(CodeText &text, NameScope names, Origins origins)
      : text(text), names(std::move(names)), origins(origins) {}

  /// What a block argument is called.
  void bind(mlir::Value value, Code code) { codes[value] = std::move(code); }

  /// Gives the names of the text to the variables to come, before any other takes one.
  void claimNames(mlir::Block &block);

  /// Prints the operations but for the terminator. Fails at an operation that CUDA C++ has no form for.
  mlir::LogicalResult printOperations(mlir::Block &block);

  /// What `value` is in the printed code.
  Code codeOf(mlir::Value value);

  /// Where a value goes at the end of the block.
  struct Result {
    std::string target; ///< "state.v"
    mlir::Value value;
    std::optional<unsigned> state; ///< the state whose old value is lost by it
    bool adds = false;             ///< it is added to what is there
  };
  /// Assignments to all targets, as if at once: in the order in which their values were computed, and past variables
  /// where one would overwrite a state that a later one reads.
  void printResults(mlir::ArrayRef<Result> results);

  void printReturn(mlir::Value value) { text.line("return " + codeOf(value).text + ";"); }
  bool needsExtrema() const { return extrema; }

private:
  llvm::StringRef givenName(mlir::Location location) const;
  bool standsInUser(mlir::Operation &op, const Code &code) const;
  void shorten(mlir::Operation &op);
  void declare(mlir::Operation &op, const Code &code);
  mlir::LogicalResult printBranch(mlir::Operation &op);
  void explain(mlir::Location location);
  std::string variableFor(mlir::Location location);

  CodeText &text;
  NameScope names;
  Origins origins;
  llvm::DenseMap<mlir::Value, Code> codes;
  llvm::DenseMap<mlir::Operation *, std::string> named; ///< variables that claimNames has chosen
  std::string explained;                                ///< the statement whose text was printed last
  unsigned temporaries = 0;
  bool extrema = false;
};

} // namespace flexsn::cuda
