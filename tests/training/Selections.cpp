#include "tests/training/Selections.h"

#include "tests/reference/Random.h"
#include "tests/training/Batches.h"

#include <algorithm>
#include <bit>
#include <set>

namespace flexsn::test {

Selections::Selections(const Model &model, Storage data, bool given)
    : base(wholeRequest(model, data, given)), seed(model.name.size() + (given ? 100 : 0)) {
  for (auto list : {&Request::gradInputs, &Request::gradInitials, &Request::gradParams, &Request::gradFinals}) {
    for (const std::string &name : base.*list)
      wishes.push_back({list, name});
    (base.*list).clear();
  }
}

bool Selections::asks(uint32_t set) const {
  for (size_t i = 0; i < wishes.size(); ++i)
    if ((set >> i & 1) && wishes[i].list != &Request::gradFinals)
      return true;
  return false;
}

std::vector<uint32_t> Selections::all() const {
  std::vector<uint32_t> sets;
  const int count = static_cast<int>(wishes.size());
  if (count > 6)
    sets = sample(8);
  for (uint32_t set = 1; set <= whole(); ++set)
    if (int size = std::popcount(set); asks(set) && (count <= 6 || size <= 2 || size >= count - 1))
      sets.push_back(set);
  std::ranges::sort(sets);
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
  return sets;
}

std::vector<uint32_t> Selections::sample(unsigned count) const {
  std::set<uint32_t> sets = {whole()};
  reference::Random random(seed);
  for (unsigned tries = 0; sets.size() <= count && tries < 100 * count; ++tries) // a model may have fewer
    if (uint32_t set = static_cast<uint32_t>(random.bits()) & whole(); asks(set))
      sets.insert(set);
  return {sets.begin(), sets.end()};
}

Request Selections::request(uint32_t set) const {
  Request request = base;
  for (size_t i = 0; i < wishes.size(); ++i)
    if (set >> i & 1)
      (request.*wishes[i].list).push_back(wishes[i].name);
  return request;
}

} // namespace flexsn::test
