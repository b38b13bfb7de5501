#include "compiler/emit/cpu/CpuTarget.h"

#include "compiler/emit/cpu/CpuEmitter.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/TargetParser/Triple.h>
#include <mutex>

namespace flexsn::cpu {

/// The one LLVM target that is linked in: the host's.
static const llvm::Target *findTarget(std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  return llvm::TargetRegistry::lookupTarget(llvm::Triple(llvm::sys::getProcessTriple()), error);
}

/// This machine: asked once, since virtual machines answer CPUID slowly.
static const Target &host() {
  static const Target host = [] {
    llvm::SubtargetFeatures features;
    llvm::StringMap<bool> known = llvm::sys::getHostCPUFeatures();
    llvm::SmallVector<llvm::StringRef> names(known.keys());
    llvm::sort(names); // a StringMap's order is that of its hashes
    for (llvm::StringRef name : names)
      features.AddFeature(name, known[name]);
    return Target{llvm::sys::getHostCPUName().str(), features.getString()};
  }();
  return host;
}

Target resolveTarget(const Target &target) {
  if (!target.cpu.empty())
    return target;
  return {host().cpu, target.features.empty() ? host().features : target.features};
}

static std::unique_ptr<llvm::MCSubtargetInfo> subtargetOf(const llvm::Target &llvmTarget, const Target &target) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  return std::unique_ptr<llvm::MCSubtargetInfo>(llvmTarget.createMCSubtargetInfo(triple, target.cpu, target.features));
}

/// The features without which this compiler's code cannot be generated: LLVM would abort.
static constexpr llvm::StringRef required[] = {
#if defined(__x86_64__)
    "+64bit", "+sse2", "+x87", "-soft-float"
#elif defined(__aarch64__)
    "+neon", "+fp-armv8"
#endif
};

std::string checkTarget(const Target &target) {
  std::string error;
  const llvm::Target *llvmTarget = findTarget(error);
  if (!llvmTarget)
    return error;
  Target resolved = resolveTarget(target);
  auto plain = subtargetOf(*llvmTarget, {});
  if (!plain->isCPUStringValid(resolved.cpu))
    return fmt::format("'{}' is not a CPU that LLVM knows for {}", resolved.cpu, llvm::sys::getProcessTriple());
  llvm::SmallVector<llvm::StringRef> features;
  llvm::StringRef(resolved.features).split(features, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef feature : features) {
    bool known = llvm::any_of(plain->getAllProcessorFeatures(), [&](const llvm::SubtargetFeatureKV &entry) {
      return feature.drop_front() == llvm::StringRef(entry.Key);
    });
    if (!known || (feature.front() != '+' && feature.front() != '-'))
      return fmt::format("'{}' is not a feature that LLVM knows for {}; write +name or -name", feature.str(),
                         llvm::sys::getProcessTriple());
  }
  auto subtarget = subtargetOf(*llvmTarget, resolved);
  for (llvm::StringRef feature : required)
    if (!subtarget->checkFeatures(feature))
      return fmt::format("the CPU '{}' with features '{}' lacks {}, which kernels need", resolved.cpu,
                         resolved.features, feature.str());
  return {};
}

unsigned vectorWidth(const Target &target, Storage data) {
  std::string error;
  const llvm::Target *llvmTarget = findTarget(error);
  auto subtarget = subtargetOf(*llvmTarget, resolveTarget(target));
  unsigned bits = 128;
#if defined(__x86_64__)
  if (subtarget->checkFeatures("+avx512f"))
    bits = 512;
  else if (subtarget->checkFeatures("+avx"))
    bits = 256;
#endif
  return bits / (data == Storage::F64 ? 64 : 32);
}

#if defined(__x86_64__)
static bool hasFeature(const Target &target, llvm::StringRef feature) {
  std::string error;
  return subtargetOf(*findTarget(error), resolveTarget(target))->checkFeatures(feature);
}
bool convertsHalf(const Target &target) { return hasFeature(target, "+f16c"); }
bool fusesMultiplyAdd(const Target &target) {
  return hasFeature(target, "+fma") || hasFeature(target, "+avx512f"); // the latter's own instructions
}
#else // NEON has both
bool convertsHalf(const Target &) { return true; }
bool fusesMultiplyAdd(const Target &) { return true; }
#endif

std::unique_ptr<llvm::TargetMachine> createTargetMachine(const Target &target, std::string &error) {
  const llvm::Target *llvmTarget = findTarget(error);
  if (!llvmTarget)
    return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // `contract` has decided already
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::unique_ptr<llvm::TargetMachine> machine(
      llvmTarget->createTargetMachine(triple, target.cpu, target.features, options, llvm::Reloc::PIC_, std::nullopt,
                                      llvm::CodeGenOptLevel::Default, /*JIT=*/true));
  if (!machine)
    error = fmt::format("LLVM has no code generator for {}", llvm::sys::getProcessTriple());
  return machine;
}

} // namespace flexsn::cpu
