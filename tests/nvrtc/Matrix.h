// Emitted programs through NVRTC for many architectures, and what must hold of their code.
#pragma once

#include "runtime/Nvrtc.h"
#include "tests/cuda/Training.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace flexsn::test {

struct MatrixOptions {
  std::vector<int> archs = {75, 80, 90, 100, 120};
  size_t every = 1;     ///< of the programs, this part,
  size_t first = 0;     ///< beginning with this one
  bool allArchs = true; ///< each program for all of them, else each for another one
};

struct MatrixReport {
  size_t programs = 0; ///< compiled, whatever came of it
  size_t repeated = 0; ///< not compiled: one before has the same code
  size_t cubins = 0;
  size_t refused = 0; ///< of constructs that the emitter does not have yet
  std::vector<std::string> failures;
};

/// Compiles every model in every variant. A failure is: NVRTC refuses or warns; a kernel spills; its PTX has a variable
/// in memory; the code of a program whose types are float32 and smaller computes in float64 outside of its prologue.
MatrixReport compileMatrix(const std::vector<std::shared_ptr<const Model>> &models, const Nvrtc &nvrtc,
                           const MatrixOptions &options);

/// The part of a PTX text that one kernel is; empty if there is none of that name.
std::string_view entryOf(std::string_view ptx, std::string_view symbol);

} // namespace flexsn::test
