#include "runtime/Overlap.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace flexsn {
namespace {

/// A number from 0 to `most`, `factor` times.
struct Term {
  int64_t factor, most;
};

/// Decides whether a sum of terms can have a value. Sums stay below 2^63, since operands span less than 2^61 bytes.
class SumSearch {
public:
  explicit SumSearch(std::vector<Term> given) : terms(std::move(given)) {
    merge();
    std::reverse(terms.begin(), terms.end()); // the largest factor first: it leaves the fewest choices
    reach.assign(terms.size() + 1, 0);
    divisor.assign(terms.size() + 1, 0);
    for (size_t i = terms.size(); i-- > 0;) {
      reach[i] = reach[i + 1] + terms[i].factor * terms[i].most;
      divisor[i] = std::gcd(divisor[i + 1], terms[i].factor);
    }
  }

  Overlap reaches(int64_t value) { return search(0, value); }

private:
  /// Sorts by factor, and joins terms whose sums have no gap: x + 4 y with x <= 3 is any number.
  void merge() {
    std::sort(terms.begin(), terms.end(), [](const Term &a, const Term &b) { return a.factor < b.factor; });
    std::vector<Term> merged;
    for (const Term &term : terms) {
      if (term.most == 0)
        continue;
      Term *last = merged.empty() ? nullptr : &merged.back();
      if (last && term.factor % last->factor == 0 && term.factor / last->factor <= last->most + 1)
        last->most += term.factor / last->factor * term.most;
      else
        merged.push_back(term);
    }
    terms = std::move(merged);
  }

  /// Whether the terms from number `at` on can sum up to `value`.
  Overlap search(size_t at, int64_t value) {
    if (value == 0)
      return Overlap::Yes;
    if (--budget < 0)
      return Overlap::Undecided;
    if (value < 0 || value > reach[at] || value % divisor[at] != 0)
      return Overlap::No;
    const Term &term = terms[at];
    int64_t beyond = std::max<int64_t>(value - reach[at + 1], 0); // what this term must bring
    int64_t low = (beyond + term.factor - 1) / term.factor;
    for (int64_t x = std::min(term.most, value / term.factor); x >= low; --x)
      if (Overlap found = search(at + 1, value - x * term.factor); found != Overlap::No)
        return found;
    return Overlap::No;
  }

  std::vector<Term> terms;
  std::vector<int64_t> reach, divisor; ///< largest sum and common divisor of the terms from each on
  int budget = 100'000;                ///< a millisecond
};

int64_t spanOf(const Footprint &footprint) {
  int64_t span = footprint.item;
  for (const Footprint::Axis &axis : footprint.axes)
    span += (axis.count - 1) * axis.stride;
  return span;
}

void addTerms(std::vector<Term> &terms, const Footprint &footprint) {
  for (const Footprint::Axis &axis : footprint.axes)
    terms.push_back({axis.stride, axis.count - 1});
  terms.push_back({1, footprint.item - 1});
}

} // namespace

Footprint footprint(const TensorView &view) {
  Footprint result;
  if (view.empty())
    return result;
  result.item = static_cast<int64_t>(storageBytes(view.storage));
  result.begin = reinterpret_cast<uintptr_t>(view.data);
  for (size_t d = 0; d < view.shape.size(); ++d) {
    int64_t stride = view.strides[d] * result.item;
    if (view.shape[d] == 1)
      continue;
    if (stride < 0)
      result.begin += static_cast<uintptr_t>(stride * (view.shape[d] - 1));
    result.axes.push_back({view.shape[d], std::abs(stride)});
  }
  return result;
}

bool sameMemory(const TensorView &a, const TensorView &b) {
  return a.data == b.data && a.storage == b.storage && a.shape == b.shape && a.strides == b.strides;
}

Overlap overlap(const Footprint &a, const Footprint &b) {
  if (a.item == 0 || b.item == 0)
    return Overlap::No;
  const Footprint &low = a.begin <= b.begin ? a : b, &high = a.begin <= b.begin ? b : a;
  uintptr_t distance = high.begin - low.begin;
  if (distance >= static_cast<uintptr_t>(spanOf(low)))
    return Overlap::No;
  // A byte of `low` is one of `high`: low's sum = distance + high's sum, or, counting high's indexes from their ends,
  // low's sum + high's sum = distance + high's largest sum.
  std::vector<Term> terms;
  addTerms(terms, low);
  addTerms(terms, high);
  std::erase_if(terms, [](const Term &term) { return term.factor == 0; });
  return SumSearch(std::move(terms)).reaches(static_cast<int64_t>(distance) + spanOf(high) - 1);
}

Overlap overlapsItself(const Footprint &footprint) {
  std::vector<Footprint::Axis> axes = footprint.axes;
  std::sort(axes.begin(), axes.end(),
            [](const Footprint::Axis &a, const Footprint::Axis &b) { return a.stride > b.stride; });
  if (footprint.item == 0 || axes.empty())
    return Overlap::No;
  if (axes.back().stride == 0)
    return Overlap::Yes;
  // Two elements differ first along some axis k, by 1 or more, and along the axes behind it by any difference: counted
  // from its lowest value, each is a term. Bytes of one element differ by less than an item.
  int64_t inner = footprint.item - 1; // what axes behind k and bytes can take away at most
  std::vector<Term> terms = {{1, 2 * (footprint.item - 1)}};
  for (size_t k = axes.size(); k-- > 0;) {
    const auto &[count, stride] = axes[k];
    if (stride <= inner) { // else nothing can bring it back
      std::vector<Term> own = terms;
      own.push_back({stride, count - 2});
      if (Overlap found = SumSearch(std::move(own)).reaches(inner - stride); found != Overlap::No)
        return found;
    }
    inner += (count - 1) * stride;
    terms.push_back({stride, 2 * (count - 1)});
  }
  return Overlap::No;
}

} // namespace flexsn
