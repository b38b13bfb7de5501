// What one fuzzer input goes through; shared by the fuzzer and by the replay of its corpus.
#pragma once

#include <cstddef>
#include <cstdint>

namespace flexsn::test {

/// Parses, checks, renders every finding, and prints each model that has no error; what is printed must parse, check
/// and print to the same text again (but for bindings, which have no words in the language). Aborts where that does not
/// hold.
void fuzzFrontend(const uint8_t *data, size_t size);

} // namespace flexsn::test
