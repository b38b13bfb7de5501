// One program by both backends on the same operands.
#pragma once

#include "tests/cuda/Operands.h"
#include "tests/cuda/Programs.h"

#include <memory>
#include <string>

namespace flexsn::test {

/// A model for one request, compiled for the CPU and emitted as CUDA C++.
struct Both {
  std::string label;
  std::shared_ptr<const Model> model;
  Request request;
  AccessPath access = AccessPath::Vector;
  CpuProgram cpu;
  CudaProgram cuda;
};

/// Compiles and emits; empty, or what the compiler said.
std::string prepare(Both &both);

/// Whether an operand is a param of all neurons, or the gradient of one, with one value a step.
bool isOfStepAlone(const Model &model, const KernelOperand &operand);

/// Runs program number `index` of `texts`, which is `both.cuda`, in one arrangement: forwards and backwards, uniforms
/// by value and by address. Empty, or what differs from the CPU's kernel.
std::string runBoth(const Both &both, const CompiledTexts &texts, size_t index, const Arrangement &arrangement,
                    unsigned seed);

} // namespace flexsn::test
