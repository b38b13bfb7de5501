#include "runtime/CpuJit.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>

#include <math.h> // roundeven stands in the C header alone. NOLINT(modernize-deprecated-headers)
#include <mutex>

namespace flexsn {

namespace {

/// C's function of one type: `type name(type, ...)`.
template <class Type, unsigned arguments> struct Signature;
template <class Type> struct Signature<Type, 1> {
  using Pointer = Type (*)(Type);
};
template <class Type> struct Signature<Type, 2> {
  using Pointer = Type (*)(Type, Type);
};
template <class Type> struct Signature<Type, 3> {
  using Pointer = Type (*)(Type, Type, Type);
};

/// All that a kernel's code may call.
llvm::orc::SymbolMap platformFunctions(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
#define FLEXSN_PLATFORM(name, type, arguments)                                                                         \
  symbols[jit.mangleAndIntern(#name)] = {                                                                              \
      llvm::orc::ExecutorAddr::fromPtr(static_cast<Signature<type, arguments>::Pointer>(&::name)),                     \
      llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
#include "compiler/math/Platform.def"
  return symbols;
}

/// What the linker's session reports; errors come there and from the failing call, in any thread.
class Reports {
public:
  void add(llvm::Error error) {
    std::lock_guard lock(mutex);
    words += (words.empty() ? "" : "; ") + llvm::toString(std::move(error));
  }
  /// All that was said up to now and `error`, as one text; the next call starts afresh.
  std::string take(llvm::Error error) {
    add(std::move(error));
    std::lock_guard lock(mutex);
    return std::exchange(words, {});
  }

private:
  std::mutex mutex;
  std::string words;
};

} // namespace

struct CpuCode::Linker {
  Reports reports; // outlives the session that reports into it
  std::unique_ptr<llvm::orc::LLJIT> jit;

  llvm::Error link(std::string_view object);
};

llvm::Error CpuCode::Linker::link(std::string_view object) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  // Without the process's symbols there is no native platform either; kernels have no initialisers that would need one.
  auto created = llvm::orc::LLJITBuilder()
                     .setLinkProcessSymbolsByDefault(false)
                     .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                     .create();
  if (!created)
    return created.takeError();
  jit = std::move(*created);
  jit->getExecutionSession().setErrorReporter([this](llvm::Error error) { reports.add(std::move(error)); });
  if (llvm::Error error = jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(platformFunctions(*jit))))
    return error;
  return jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy({object.data(), object.size()}, "kernel"));
}

CpuCode::CpuCode(std::unique_ptr<Linker> linker) : linker(std::move(linker)) {}
CpuCode::~CpuCode() = default;

std::shared_ptr<const CpuCode> CpuCode::load(std::string_view object, std::string &error) {
  auto linker = std::make_unique<Linker>();
  if (llvm::Error failure = linker->link(object)) {
    error = linker->reports.take(std::move(failure));
    return nullptr;
  }
  return std::shared_ptr<const CpuCode>(new CpuCode(std::move(linker)));
}

void *CpuCode::find(std::string_view symbol, std::string &error) const {
  auto address = linker->jit->lookup(llvm::StringRef(symbol.data(), symbol.size()));
  if (!address) {
    error = linker->reports.take(address.takeError());
    return nullptr;
  }
  return address->toPtr<void *>();
}

} // namespace flexsn
