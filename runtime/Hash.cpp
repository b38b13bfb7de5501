#include "runtime/Hash.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

namespace flexsn {

Sha256 sha256(std::string_view bytes) {
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(bytes.data(), bytes.size()));
  return hash.final();
}

std::string hexadecimal(const Sha256 &hash) { return llvm::toHex(hash, /*LowerCase=*/true); }

} // namespace flexsn
