// The index of the vectors.
#pragma once

#include "tests/conformance/Archive.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace flexsn::conformance {

struct Case {
  std::string id, family, model, dtype;
  size_t steps = 1;
  bool stateless = false; ///< the arrays have no time axis
  bool detachReset = false;
  std::vector<int64_t> shape;
  int channelDim = 0; ///< of sequences, which have a dimension more than `shape`; 0: as the language says
  std::vector<std::pair<std::string, std::string>> outputs; ///< name and kind, in the text's order
  std::string continues;                                    ///< id of the case before, or empty
  std::map<std::string, double> tolerances;
  bool bindingGradients = true;    ///< false: recorded for information
  std::set<std::string> unbound;   ///< arrays (role.name) that are recorded for information
  std::vector<std::string> arrays; ///< role.name
  const std::map<std::string, StoredArray> *archive = nullptr;

  bool has(const std::string &key) const { return archive->count(id + "/" + key) != 0; }
  const StoredArray &array(const std::string &key) const { return archive->at(id + "/" + key); }
};

/// Every case with its arrays, in the index's order. Read once, kept for the process.
const std::vector<Case> &cases();

} // namespace flexsn::conformance
