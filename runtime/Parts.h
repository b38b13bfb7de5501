// What a model is made of, in the C interface's terms.
#pragma once

#include "compiler/frontend/Model.h"
#include "runtime/Error.h"

#include <array>
#include <deque>
#include <string>
#include <vector>

namespace flexsn {

/// The parts of a model, with the strings that they point to.
class Parts {
public:
  explicit Parts(const Model &model);
  Parts(const Parts &) = delete;

  /// Null if there is no such kind.
  const std::vector<flexsn_part> *ofKind(int32_t kind) const;

private:
  flexsn_part named(const Value &value);
  flexsn_part paramPart(const Param &param);
  const char *keep(std::string text) { return strings.emplace_back(std::move(text)).c_str(); }

  std::array<std::vector<flexsn_part>, FLEXSN_NAME + 1> kinds;
  std::deque<std::string> strings; ///< elements stay where they are
};

} // namespace flexsn
