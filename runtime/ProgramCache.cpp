#include "runtime/ProgramCache.h"

#include <algorithm>

#include <pthread.h>

namespace flexsn {

ProgramCache &ProgramCache::instance() {
  static ProgramCache *cache = [] {
    auto *made = new ProgramCache(
        [](const std::string &key, const Model &model, const Request &request) {
          return Program::obtain(key, model, request, Cache::ofProcess());
        },
        [](const std::string &key, const Model &model, const Request &request) {
          return Program::fromCache(key, model, request, Cache::ofProcess());
        });
    ::pthread_atfork([] { instance().beforeFork(); }, [] { instance().afterFork(false); },
                     [] { instance().afterFork(true); });
    return made;
  }();
  return *cache;
}

void ProgramCache::afterFork(bool child) {
  if (child)
    std::erase_if(entries, [](const auto &entry) { return !entry.second.finished; });
  mutex.unlock();
}

size_t ProgramCache::size() const {
  std::scoped_lock lock(mutex);
  return entries.size();
}

std::shared_ptr<const Program> ProgramCache::get(const Model &model, const Request &request) {
  std::string key = programKey(model, request);
  for (;;) {
    std::promise<Outcome> promise;
    std::shared_future<Outcome> outcome;
    bool mine = false;
    {
      std::scoped_lock lock(mutex);
      auto [at, isNew] = entries.try_emplace(key);
      mine = isNew;
      if (mine)
        at->second.outcome = promise.get_future().share();
      at->second.lastUse = ++clock;
      outcome = at->second.outcome;
    }
    if (mine) {
      Outcome result = obtainNow(key, model, request);
      {
        std::scoped_lock lock(mutex);
        if (auto at = entries.find(key); !result.program) {
          entries.erase(at);
        } else {
          at->second.finished = true;
          dropUnused();
        }
      }
      promise.set_value(std::move(result));
    }
    const Outcome &result = outcome.get();
    if (result.program)
      return result.program;
    // Equal programs may come from different texts: another's findings point to lines that are not ours.
    if (mine || result.source == model.source)
      throw Failure(result.failure);
  }
}

std::shared_ptr<const Program> ProgramCache::find(const Model &model, const Request &request) {
  std::string key = programKey(model, request);
  {
    std::scoped_lock lock(mutex);
    if (auto at = entries.find(key); at != entries.end()) {
      at->second.lastUse = ++clock;
      return at->second.finished ? at->second.outcome.get().program : nullptr;
    }
  }
  Outcome outcome;
  if (stored)
    outcome.program = stored(key, model, request);
  if (!outcome.program)
    return nullptr;
  loaded.fetch_add(1, std::memory_order_relaxed);
  std::promise<Outcome> promise;
  promise.set_value(outcome);
  std::scoped_lock lock(mutex);
  // Another thread may have been faster; its program, or the one that it is about to make, is as good as this one.
  auto [at, isNew] = entries.try_emplace(std::move(key));
  if (isNew)
    at->second = {promise.get_future().share(), ++clock, true};
  dropUnused();
  return outcome.program;
}

ProgramCache::Outcome ProgramCache::obtainNow(const std::string &key, const Model &model,
                                              const Request &request) noexcept {
  Outcome outcome;
  outcome.source = model.source;
  try {
    outcome.program = obtain(key, model, request);
  } catch (Failure &failure) {
    outcome.failure = std::move(failure);
  } catch (const std::bad_alloc &) {
    outcome.failure.code = FLEXSN_ERROR_MEMORY;
    outcome.failure.message = "out of memory"; // short enough to need none
  } catch (...) {
    outcome.failure.message = "unknown error";
  }
  (outcome.program && outcome.program->stored ? loaded : compiled).fetch_add(1, std::memory_order_relaxed);
  return outcome;
}

void ProgramCache::dropUnused() {
  while (entries.size() > capacity) {
    auto oldest = entries.end();
    for (auto at = entries.begin(); at != entries.end(); ++at)
      if (at->second.finished && (oldest == entries.end() || at->second.lastUse < oldest->second.lastUse))
        oldest = at;
    if (oldest == entries.end())
      return; // all are being compiled
    entries.erase(oldest);
  }
}

} // namespace flexsn
