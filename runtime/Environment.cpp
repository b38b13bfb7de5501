#include "runtime/Environment.h"

#include <cstdlib>

namespace flexsn {

static std::string variable(const char *name) {
  const char *value = secure_getenv(name);
  return value ? value : "";
}

const Environment &Environment::ofProcess() {
  static const auto *environment =
      new Environment{variable("FLEXSN_LOG"),
                      variable("FLEXSN_CACHE"),
                      variable("FLEXSN_CACHE_DIR"),
                      variable("FLEXSN_CACHE_SIZE"),
                      variable("FLEXSN_CACHE_ENTRIES"),
                      variable("XDG_CACHE_HOME"),
                      variable("HOME"),
                      variable("FLEXSN_NVRTC"),
                      variable("CUDA_HOME"),
                      variable("CUDA_PATH")}; // never destroyed: threads may still run at exit
  return *environment;
}

} // namespace flexsn
