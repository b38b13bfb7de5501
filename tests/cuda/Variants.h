// Which programs the tests of the CUDA backend are about: models, and what each is compiled for.
#pragma once

#include "tests/cuda/Both.h"

#include <memory>
#include <string>
#include <vector>

namespace flexsn::test {

/// The collection, the shipped models, and models of these tests' own, from a checkout at `root`.
std::vector<std::shared_ptr<const Model>> allModels(const std::string &root);

/// The texts of tests/conformance, each once.
std::vector<std::shared_ptr<const Model>> conformanceModels(const std::string &root);

/// The models of a text. Throws std::runtime_error where it has none, or an error.
std::vector<std::shared_ptr<const Model>> modelsOf(const std::string &name, const std::string &text);

/// What a program is made for, beside its model.
struct Variant {
  KernelKind kernel;
  Storage data;
  Layout layout;
  AccessPath access;
  bool states; ///< initial states are given, final states wanted (a final-state kernel wants them always)
};

/// Both kernels, each type, layout and access path; states given and wanted in one half of them.
std::vector<Variant> allVariants();

/// The program of a model for a variant; not compiled yet.
Both bothOf(const std::shared_ptr<const Model> &model, const Variant &variant);

/// Sizes with ragged ends for single accesses, whole vectors for the others.
std::vector<Arrangement> arrangements(const Both &both);

/// An emitted text without its comments: models that differ in a surrogate alone have the same.
std::string codeOf(const std::string &text);

} // namespace flexsn::test
