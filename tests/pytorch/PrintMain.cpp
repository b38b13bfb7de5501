// Prints the programs whose gradients record.py takes from PyTorch.
#include "tests/pytorch/Programs.h"

#include <fmt/format.h>

int main() {
  for (uint64_t seed = 1; seed <= flexsn::test::pytorchModels; ++seed) {
    flexsn::test::PyTorchProgram program = flexsn::test::pytorchProgram(seed);
    fmt::print("MODEL {} {:016x} {}\n{}", seed, program.hash, program.model->name, program.python);
  }
}
