#include "tests/cache/FaultyCalls.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <type_traits>

#include <unistd.h>

namespace flexsn::test {

namespace {

Fault current;
unsigned count = 0;
bool fired = false;
const void *firedKind = nullptr; ///< the kind of the call at current.at

/// Counts the call, and says whether it is to fail. A kind is known by the address of something of its own.
bool fires(const void *kind) {
  ++count;
  bool first = current.at != 0 && count == current.at;
  if (first) {
    fired = true;
    firedKind = kind;
  }
  return first ||
         (fired && (current.span == FaultSpan::Always || (current.span == FaultSpan::SameCall && kind == firedKind)));
}

[[noreturn]] void endProcess() {
  ::kill(::getpid(), SIGKILL);
  for (;;)
    ::pause();
}

/// Any call, the member of the table. Error and Kill alone concern it.
template <auto member> struct Faulty;
template <class Result, class... Args, Result (*SystemCalls::*member)(Args...)> struct Faulty<member> {
  static constexpr char kind = 0;
  static Result call(Args... args) {
    if (fires(&kind)) {
      if (current.kind == FaultKind::Kill)
        endProcess();
      if (current.kind == FaultKind::Error) {
        errno = current.code;
        if constexpr (std::is_pointer_v<Result>)
          return nullptr;
        else
          return Result(-1);
      }
    }
    return (quickCalls.*member)(args...);
  }
};

/// A close that fails closes all the same.
template <auto member, class Handle> int faultyClose(Handle handle) {
  static const char kind = 0;
  if (!fires(&kind))
    return (SystemCalls::system.*member)(handle);
  if (current.kind == FaultKind::Kill)
    endProcess();
  int result = (SystemCalls::system.*member)(handle);
  errno = current.code;
  return current.kind == FaultKind::Error ? -1 : result;
}

/// How many bytes a read or write may move under the fault.
size_t cut(size_t size) {
  if (current.kind == FaultKind::Empty)
    return 0;
  return std::min(size, std::max<size_t>(1, size / 2));
}

ssize_t faultyRead(int file, void *bytes, size_t size) {
  static const char kind = 0;
  if (!fires(&kind))
    return ::read(file, bytes, size);
  if (current.kind == FaultKind::Kill)
    endProcess();
  errno = current.code;
  return current.kind == FaultKind::Error ? -1 : ::read(file, bytes, cut(size));
}

ssize_t faultyWrite(int file, const void *bytes, size_t size) {
  static const char kind = 0;
  if (!fires(&kind))
    return ::write(file, bytes, size);
  if (current.kind == FaultKind::Kill) {
    [[maybe_unused]] ssize_t half = ::write(file, bytes, size / 2);
    endProcess();
  }
  errno = current.code;
  return current.kind == FaultKind::Error ? -1 : ::write(file, bytes, cut(size));
}

} // namespace

void setFault(const Fault &fault) {
  current = fault;
  count = 0;
  fired = false;
  firedKind = nullptr;
}

bool faultFired() { return fired; }

bool removalsFail() {
  return fired && (current.span == FaultSpan::Always ||
                   (current.span == FaultSpan::SameCall && firedKind == &Faulty<&SystemCalls::remove>::kind));
}

const SystemCalls quickCalls = [] {
  SystemCalls calls = SystemCalls::system;
  calls.sync = [](int) { return 0; };
  return calls;
}();

const SystemCalls faultyCalls = {
    .makeFolder = Faulty<&SystemCalls::makeFolder>::call,
    .openFolder = Faulty<&SystemCalls::openFolder>::call,
    .open = Faulty<&SystemCalls::open>::call,
    .status = Faulty<&SystemCalls::status>::call,
    .statusAt = Faulty<&SystemCalls::statusAt>::call,
    .read = faultyRead,
    .write = faultyWrite,
    .sync = Faulty<&SystemCalls::sync>::call,
    .close = faultyClose<&SystemCalls::close, int>,
    .rename = Faulty<&SystemCalls::rename>::call,
    .remove = Faulty<&SystemCalls::remove>::call,
    .touch = Faulty<&SystemCalls::touch>::call,
    .lock = Faulty<&SystemCalls::lock>::call,
    .unlock = Faulty<&SystemCalls::unlock>::call,
    .list = Faulty<&SystemCalls::list>::call,
    .next = Faulty<&SystemCalls::next>::call,
    .endList = faultyClose<&SystemCalls::endList, DIR *>,
};

} // namespace flexsn::test
