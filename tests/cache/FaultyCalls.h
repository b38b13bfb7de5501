// A table of system calls of which the Nth fails, once or from then on, in the manner of SQLite's test_syscall.c.
#pragma once

#include "runtime/SystemCalls.h"

namespace flexsn::test {

enum class FaultKind : uint8_t {
  Error, ///< the call does nothing and fails with `code`
  Short, ///< a read or write moves half of the bytes, at least one; other calls are as ever
  Empty, ///< a read or write moves none
  Kill,  ///< the process ends before the call; in the midst of a write
};

enum class FaultSpan : uint8_t {
  Once,
  SameCall /* and every later one of its kind */,
  Always /* and every later one */
};

struct Fault {
  unsigned at = 0; ///< number of the call, from 1; 0: none
  FaultKind kind = FaultKind::Error;
  FaultSpan span = FaultSpan::Once;
  int code = 0; ///< errno
};

/// Counts from here on, and lets calls fail so. For one thread.
void setFault(const Fault &fault);
/// Whether a call has failed since.
bool faultFired();

/// Whether removals fail from now on, so that nothing can be cleaned up.
bool removalsFail();

/// The kernel's calls under the fault. Nothing waits for a disk: no test pulls the plug.
extern const SystemCalls faultyCalls;
/// The same without faults.
extern const SystemCalls quickCalls;

} // namespace flexsn::test
