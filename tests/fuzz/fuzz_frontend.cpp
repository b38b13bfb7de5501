// The libFuzzer target: flexsn-fuzz-frontend -dict=tests/fuzz/fsn.dict CORPUS tests/fuzz/corpus
#include "tests/fuzz/FuzzEntry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  flexsn::test::fuzzFrontend(data, size);
  return 0;
}
