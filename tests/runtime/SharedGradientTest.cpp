// Gradients of parameters with dims: the sums that are promised, bit for bit, however neurons are cut into ranges and
// whoever adds up what slices.
#include "runtime/SharedGradient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

namespace flexsn {
namespace {

/// By the words of docs/skeleton.md: neighbours first, what is missing changes nothing.
template <class Real> Real tree(std::map<int64_t, Real> nodes) {
  while (nodes.size() > 1) {
    std::map<int64_t, Real> parents;
    for (const auto &[number, value] : nodes)
      if (auto [at, isNew] = parents.try_emplace(number / 2, value); !isNew)
        at->second += value;
    nodes = std::move(parents);
  }
  return nodes.begin()->second;
}

/// Which element each neuron has, by the strides of a gradient.
int64_t elementOf(const std::vector<int64_t> &extents, const std::vector<int64_t> &strides, int64_t neuron) {
  int64_t element = 0;
  for (size_t d = extents.size(); d-- > 0; neuron /= extents[d])
    element += neuron % extents[d] * strides[d];
  return element;
}

template <class Real>
void compare(const std::vector<int64_t> &extents, const std::vector<bool> &varies, int64_t steps) {
  std::mt19937 random(static_cast<unsigned>(extents.back() + steps));
  std::vector<int64_t> strides(extents.size());
  int64_t elements = 1, neurons = 1, run = 1;
  for (size_t d = extents.size(); d-- > 0; neurons *= extents[d])
    if (varies[d]) {
      strides[d] = elements;
      elements *= extents[d];
    } else if (elements == 1) {
      run *= extents[d];
    }
  std::vector<Real> values(static_cast<size_t>(steps * neurons));
  for (Real &value : values)
    value = std::ldexp(static_cast<Real>(random() % 65536) - 32768, static_cast<int>(random() % 24));
  std::vector<Real> got(static_cast<size_t>(steps * elements), Real(-1)), want = got;
  for (int64_t t = 0; t < steps; ++t) {
    std::map<int64_t, std::map<int64_t, std::map<int64_t, Real>>> parts; // element, run, neuron
    for (int64_t n = 0; n < neurons; ++n)
      parts[elementOf(extents, strides, n)][n / run][n] = values[static_cast<size_t>(t * neurons + n)];
    for (const auto &[element, runs] : parts) {
      std::map<int64_t, Real> sums;
      for (const auto &[number, own] : runs)
        sums.emplace(static_cast<int64_t>(sums.size()), tree(own));
      want[static_cast<size_t>(t * elements + element)] = tree(sums);
    }
  }
  constexpr auto item = static_cast<int64_t>(sizeof(Real));
  CpuOperand place{got.data(), elements * item, 0};
  int64_t sizes[maxDims] = {1, 1, 1, 1, 1};
  size_t unused = maxDims - extents.size();
  for (size_t d = 0; d < extents.size(); ++d) {
    sizes[unused + d] = extents[d];
    place.strides[unused + d] = strides[d] * item;
  }
  Storage storage = sizeof(Real) == 8 ? Storage::F64 : Storage::F32;
  for (int64_t range : {neurons, int64_t{1024}, int64_t{3072}}) {
    std::fill(got.begin(), got.end(), Real(-1));
    SharedGradient gradient(SharedElements::of(place, sizes, steps, storage), 2);
    if (!gradient.hasRows()) {
      CpuOperand direct = gradient.place();
      for (int64_t t = 0; t < steps; ++t)
        std::memcpy(static_cast<char *>(direct.data) + t * direct.timeStride, values.data() + t * neurons,
                    static_cast<size_t>(neurons * item));
    }
    for (int64_t begin = 0; gradient.hasRows() && begin < neurons; begin += range) {
      const int64_t end = std::min(begin + range, neurons);
      std::vector<Real> rows(static_cast<size_t>(steps * range));
      ASSERT_EQ(gradient.rowBytes(range), rows.size() * sizeof(Real));
      for (int64_t t = 0; t < steps; ++t)
        std::copy(values.begin() + t * neurons + begin, values.begin() + t * neurons + end, rows.begin() + t * range);
      gradient.addRange(rows.data(), range, begin, end);
    }
    for (unsigned slice = gradient.slices(); slice-- > 0;)
      gradient.addSlice(slice % 2, slice);
    gradient.finish();
    EXPECT_TRUE(std::memcmp(got.data(), want.data(), got.size() * sizeof(Real)) == 0)
        << "ranges of " << range << ", " << neurons << " neurons, runs of " << run << ", " << elements << " elements";
  }
}

TEST(SharedGradient, SumsAreThoseOfTheTree) {
  struct Shape {
    std::vector<int64_t> extents;
    std::vector<bool> varies;
  };
  for (const Shape &shape :
       std::initializer_list<Shape>{{{5000}, {true}},                     // each neuron its own
                                    {{5000}, {false}},                    // all of them one
                                    {{7, 1000}, {false, true}},           // a channel that is the innermost dimension
                                    {{4000, 3}, {false, true}},           // few channels
                                    {{2, 3, 1025}, {false, true, false}}, // runs longer than a group
                                    {{9, 16, 49}, {false, true, false}},  // and shorter
                                    {{3, 5, 2}, {false, true, false}},    // and shortest
                                    {{1, 1, 1}, {false, true, false}},    // one neuron
                                    {{2, 3, 4, 70, 6}, {true, false, true, false, false}}, // dimensions in turn
                                    {{2, 3, 40, 7, 6}, {false, true, false, true, true}},
                                    {{40, 600}, {false, true}}, // more elements than a slice has
                                    {{1, 2000, 4}, {true, true, false}}})
    for (int64_t steps : {1, 3}) {
      compare<float>(shape.extents, shape.varies, steps);
      compare<double>(shape.extents, shape.varies, steps);
    }
}

TEST(SharedGradient, ElementsLieWhereTheStridesSay) {
  float memory[12];
  std::fill(std::begin(memory), std::end(memory), -1.0F);
  // Two channels, backwards and 5 apart, of 3 neurons each.
  CpuOperand place{memory + 8, 0, 0};
  place.strides[maxDims - 2] = -5 * int64_t{sizeof(float)};
  int64_t sizes[maxDims] = {1, 1, 1, 2, 3};
  SharedGradient gradient(SharedElements::of(place, sizes, 1, Storage::F32), 1);
  float rows[] = {1, 2, 4, 8, 16, 32};
  gradient.addRange(rows, 6, 0, 6);
  for (unsigned slice = 0; slice < gradient.slices(); ++slice)
    gradient.addSlice(0, slice);
  gradient.finish();
  float want[12] = {-1, -1, -1, 56, -1, -1, -1, -1, 7, -1, -1, -1};
  EXPECT_TRUE(std::equal(std::begin(memory), std::end(memory), want));
}

} // namespace
} // namespace flexsn
