#include "runtime/Hash.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/SHA256.h>

namespace flexsn {

Sha256 sha256(std::string_view bytes) {
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(bytes.data(), bytes.size()));
  return hash.final();
}

} // namespace flexsn
