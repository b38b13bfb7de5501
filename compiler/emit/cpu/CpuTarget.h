// The target as LLVM sees it; for this folder alone.
#pragma once

#include "compiler/Compile.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace flexsn::cpu {

/// A machine that generates strict floating-point code for `target` (resolved and checked); null, with LLVM's words in
/// `error`, if LLVM has none.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Target &target, std::string &error);

} // namespace flexsn::cpu
