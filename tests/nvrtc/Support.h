// What the tests of NVRTC share: the libraries, real and pretended, and hand-written programs.
#pragma once

#include "runtime/CudaCode.h"
#include "runtime/Error.h"

#include <gtest/gtest.h>

#include <string>

namespace flexsn::test {

/// NVRTC 13 or 12 in build/venv, which tools/test makes. A failed test, and "", if it is not there.
std::string realNvrtc(int major);

/// This file and no other.
NvrtcSearch only(const std::string &file);

/// That library; throws with what is wrong.
std::unique_ptr<const Nvrtc> open(const std::string &file);

/// A program of one kernel `scale`, by hand: x[i] = x[i] / d.
CudaProgram handWritten(std::string text = "");

/// A job over `text`, and how often it was asked for the text.
struct CountedJob {
  explicit CountedJob(std::string text, std::string key = "key");
  CountedJob(const CountedJob &) = delete;

  Source source{"lif.fsn", "neuron LIF:\n  input x\n  h = x / 2\n"};
  int emitted = 0;
  CudaJob job;
};

/// The words of the Failure that `body` throws.
template <class Body> std::string messageOf(Body body) {
  try {
    body();
  } catch (const Failure &failure) {
    return failure.message;
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

} // namespace flexsn::test
