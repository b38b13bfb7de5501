#include "runtime/SideBySide.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace flexsn {

void sideBySide(size_t count, const std::function<void(size_t)> &work) {
  std::vector<std::exception_ptr> failures(count);
  std::atomic<size_t> next{0};
  auto takeTurns = [&] {
    for (size_t i; (i = next.fetch_add(1)) < count;) {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    size_t helpers = std::min<size_t>(count, std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::jthread> threads;
    try {
      while (threads.size() + 1 < helpers)
        threads.emplace_back(takeTurns);
    } catch (const std::system_error &) {
      helpers = threads.size() + 1; // the limit on threads: fewer do as well
    }
    takeTurns();
  } // all are joined here
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace flexsn
