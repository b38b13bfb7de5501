// Derivative rules where they are a convention, value by value (docs/language.md, rules 3, 4 and 8).
#include "tests/derivatives/Differentiated.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace flexsn::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
using Row = std::vector<double>;

std::vector<Row> gradients(const std::string &body, const std::vector<Row> &inputs) {
  return Differentiated(static_cast<unsigned>(inputs.size()), "f64", body)
      .run<double>(inputs, Row(inputs[0].size(), 3));
}

void expectEqual(const Row &found, const Row &wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(found[i] == wanted[i] || (std::isnan(found[i]) && std::isnan(wanted[i])))
        << "number " << i << " is " << found[i] << ", not " << wanted[i];
}

TEST(Seams, MinAndMaxShareATie) {
  std::vector<Row> least = gradients("%y = neuron.min %x0, %x1 : f64", {{1, 2, 5, 0, nan}, {1, 5, 2, -0.0, 1}});
  expectEqual(least[0], {1.5, 3, 0, 1.5, 3});
  expectEqual(least[1], {1.5, 0, 3, 1.5, 3});
  std::vector<Row> most = gradients("%y = neuron.max %x0, %x1 : f64", {{1, 2, 5, inf, 1}, {1, 5, 2, inf, nan}});
  expectEqual(most[0], {1.5, 0, 3, 1.5, 3});
  expectEqual(most[1], {1.5, 3, 0, 1.5, 3});
}

TEST(Seams, ClipIsOneOnItsBounds) {
  std::vector<Row> found = gradients("%y = neuron.clip %x0, %x1, %x2 : f64",
                                     {{-1, 0, 0.5, 1, 2, nan}, {0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}});
  expectEqual(found[0], {0, 3, 3, 3, 0, 0});
  expectEqual(found[1], {3, 0, 0, 0, 0, 0});
  expectEqual(found[2], {0, 0, 0, 0, 3, 0});
}

TEST(Seams, AbsAndReluAreFlatAtZero) {
  expectEqual(gradients("%y = neuron.abs %x0 : f64", {{-2, 0, -0.0, 4}})[0], {-3, 0, 0, 3});
  expectEqual(gradients("%y = neuron.relu %x0 : f64", {{-2, 0, 4, nan}})[0], {0, 0, 3, 3});
}

TEST(Seams, QuantIsStraightThroughInsideItsWindow) {
  std::vector<Row> found = gradients("%y = neuron.quant %x0, %x1, %x2 : f64",
                                     {{-0.1, 0, 1.4, 4, 4.1, nan}, {0, 0, 0, 0, 0, 0}, {4, 4, 4, 4, 4, 4}});
  expectEqual(found[0], {0, 3, 3, 3, 0, 0});
  expectEqual(found[1], Row(6, 0));
  expectEqual(found[2], Row(6, 0));
}

TEST(Seams, NothingFlowsThroughFloorDivision) {
  std::vector<Row> quotient = gradients("%y = neuron.floordiv %x0, %x1 : f64", {{7}, {2}});
  expectEqual(quotient[0], {0});
  expectEqual(quotient[1], {0});
  std::vector<Row> rest = gradients("%y = neuron.remainder %x0, %x1 : f64", {{7, -7}, {2, 2}});
  expectEqual(rest[0], {3, 3});
  expectEqual(rest[1], {-9, 12});
}

TEST(Seams, IntegerPowersHaveTheirs) {
  expectEqual(gradients("%y = neuron.ipow %x0, 0 : f64", {{5}})[0], {0});
  expectEqual(gradients("%y = neuron.ipow %x0, 1 : f64", {{5}})[0], {3});
  expectEqual(gradients("%y = neuron.ipow %x0, 2 : f64", {{5, 0}})[0], {30, 0});
  expectEqual(gradients("%y = neuron.ipow %x0, 4 : f64", {{2, -1}})[0], {96, -12});
  expectEqual(gradients("%y = neuron.ipow %x0, -1 : f64", {{2}})[0], {-0.75});
  expectEqual(gradients("%y = neuron.ipow %x0, -8 : f64", {{2}})[0], {-24 / 512.0});
}

TEST(Seams, PowIsAsInPyTorchAtZero) {
  std::vector<Row> found = gradients("%y = neuron.pow %x0, %x1 : f64", {{0, 0, 2}, {0, 2, 0}});
  expectEqual(found[0], {0, 0, 0});
  expectEqual(found[1], {0, 0, 3 * std::log(2.0)});
}

/// The side not taken receives exactly zero, whatever is infinite or no number on its way.
TEST(Seams, TheSideNotTakenReceivesZero) {
  std::string body = R"(
    %zero = arith.constant 0.0 : f64
    %positive = arith.cmpf ogt, %x0, %zero : f64
    %log = neuron.log %x0 : f64
    %root = neuron.sqrt %x0 : f64
    %product = arith.mulf %log, %root : f64
    %y = arith.select %positive, %product, %x1 : f64)";
  std::vector<Row> found = gradients(body, {{1, 0, -1, nan}, {5, 5, 5, inf}});
  expectEqual(found[0], {3, 0, 0, 0});
  expectEqual(found[1], {0, 3, 3, 3});
}

/// Both sides read the same value, which also flows on beside them, and one side has a selection of its own.
TEST(Seams, SidesMeetAgain) {
  std::string body = R"(
    %zero = arith.constant 0.0 : f64
    %one = arith.constant 1.0 : f64
    %positive = arith.cmpf ogt, %x0, %zero : f64
    %large = arith.cmpf ogt, %x0, %one : f64
    %log = neuron.log %x0 : f64
    %inner = arith.select %large, %log, %x1 : f64
    %outer = arith.select %positive, %inner, %x0 : f64
    %y = arith.addf %outer, %x0 : f64)";
  std::vector<Row> found = gradients(body, {{2, 0.5, -1, 0}, {9, 9, 9, 9}});
  expectEqual(found[0], {4.5, 3, 6, 6});
  expectEqual(found[1], {0, 3, 0, 0});
}

/// Selections of different conditions read one value: where none takes it, nothing flows back into what it is made of.
TEST(Seams, NothingFlowsWhereNoneOfSeveralSidesIsTaken) {
  std::string body = R"(
    %zero = arith.constant 0.0 : f64
    %one = arith.constant 1.0 : f64
    %two = arith.constant 2.0 : f64
    %positive = arith.cmpf ogt, %x0, %zero : f64
    %large = arith.cmpf ogt, %x0, %one : f64
    %small = arith.cmpf ole, %x0, %two : f64
    %log = neuron.log %x0 : f64
    %a = arith.select %positive, %log, %x1 : f64
    %b = arith.select %large, %log, %x1 : f64
    %inner = arith.select %large, %log, %x1 : f64
    %c = arith.select %small, %x1, %inner : f64
    %ab = arith.addf %a, %b : f64
    %y = arith.addf %ab, %c : f64)";
  std::vector<Row> found = gradients(body, {{4, 2, 0.5, 0, -1, nan}, {9, 9, 9, 9, 9, 9}});
  expectEqual(found[0], {2.25, 3, 6, 0, 0, 0});
  expectEqual(found[1], {0, 3, 6, 9, 9, 9});
}

TEST(Seams, DetachStopsAndGscaleScales) {
  expectEqual(gradients("%d = neuron.detach %x0 : f64\n%y = arith.mulf %d, %x0 : f64", {{5}})[0], {15});
  std::vector<Row> found = gradients("%y = neuron.gscale %x0, %x1 : f64", {{5}, {0.25}});
  expectEqual(found[0], {0.75});
  expectEqual(found[1], {0});
}

/// As `grad` says, by each argument that it names; `value` says nothing about it.
TEST(Seams, AUsersSurrogateHasItsOwn) {
  std::string body = R"(
    %y = neuron.surrogate "two"(%x0, %x1) : (f64, f64) -> f64 value {
    ^bb0(%a: f64, %b: f64):
      neuron.yield %a : f64
    } grad wrt [1, 0] {
    ^bb0(%a: f64, %b: f64):
      %sum = arith.addf %a, %b : f64
      neuron.yield %sum, %b : f64, f64
    })";
  std::vector<Row> found = gradients(body, {{5}, {2}});
  expectEqual(found[0], {6});
  expectEqual(found[1], {21});
}

} // namespace
} // namespace flexsn::test
