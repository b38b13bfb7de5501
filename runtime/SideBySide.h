// Independent pieces of work, in as many threads as there are processors.
#pragma once

#include <cstddef>
#include <functional>

namespace flexsn {

/// Runs work(0) ... work(count - 1), several at a time, the caller's thread among those that work, and returns when all
/// have ended. If some throw, the exception of the smallest number is thrown then. Where no thread can be started, the
/// caller does all.
void sideBySide(size_t count, const std::function<void(size_t)> &work);

} // namespace flexsn
