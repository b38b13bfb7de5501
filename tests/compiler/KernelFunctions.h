// The regions of a scan.kernel as functions: what a skeleton is made of, without one.
#pragma once

#include "tests/numerics/Compiled.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flexsn::testing {

/// Values of any type, each at the beginning of its slot (bools as a byte).
using Slots = std::vector<uint64_t>;

/// A kernel as the stage `scan` leaves it. All its regions are compiled as one inference kernel, which computes each
/// from arguments of its own; a call gives the others zeros.
class KernelFunctions {
public:
  explicit KernelFunctions(const std::string &text);

  /// What a region yields: "prologue", "init", "step"; of a backward kernel "adjoint", "init_adjoint", "epilogue".
  Slots call(const std::string &region, const Slots &given) const;

  /// Operands of a role ("grad_input"), in their order.
  std::vector<std::string> names(const std::string &role) const;
  /// `number` as a value of the operand is computed.
  uint64_t slotOf(const std::string &role, const std::string &name, double number) const;

  std::vector<std::string> states, carried;
  std::vector<int> sums; ///< numbers among params and invariants
  std::optional<int> every, truncate;

private:
  struct Part {
    size_t firstArgument, arguments, firstResult, results;
  };

  struct Operand {
    std::string name;
    Storage storage;
  };

  std::map<std::string, std::vector<Operand>> operands; ///< by role
  std::map<std::string, Part> parts;
  size_t arguments = 0, results = 0;
  std::unique_ptr<test::Compiled> compiled;
};

} // namespace flexsn::testing
