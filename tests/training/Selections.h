// Which gradients of a model a training step is asked for: each selection is a program of its own.
#pragma once

#include "compiler/Compile.h"
#include "compiler/frontend/Model.h"

#include <cstdint>
#include <vector>

namespace flexsn::test {

/// What can be wanted of a model: gradients of inputs, initial states and parameters, and final states as outputs that
/// are differentiated.
class Selections {
public:
  /// `given`: states are given as tensors.
  Selections(const Model &model, Storage data, bool given);

  /// Everything, as bits of a set.
  uint32_t whole() const { return (uint32_t(1) << wishes.size()) - 1; }
  /// The sets that ask for a gradient at all: every one where there are at most 6 wishes; else those of one and of two
  /// wishes, of all but one, the whole, and 8 at random.
  std::vector<uint32_t> all() const;
  /// The whole and `count` others, at random.
  std::vector<uint32_t> sample(unsigned count) const;
  Request request(uint32_t set) const;

private:
  struct Wish {
    std::vector<std::string> Request::*list;
    std::string name;
  };
  bool asks(uint32_t set) const;

  Request base; ///< without wishes
  std::vector<Wish> wishes;
  uint64_t seed;
};

} // namespace flexsn::test
