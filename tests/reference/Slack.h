// How far a correct kernel's value may be from the reference's: the error rule of the comparison.
#pragma once

#include "tests/reference/Scalar.h"

#include <span>

namespace flexsn::reference {

/// The slack of `expr`'s value `result`. Operations with defined bits on operands without slack give 0. A function adds
/// its bound in ulp. An operand with slack may be anywhere in its interval: the operation is evaluated at the corners
/// of the box of the operands, and since every operation but a few (treated apart) has its extremes there, the largest
/// distance found bounds the distance inside, rounding included. A comparison whose outcome differs between corners has
/// slack 1, and so has a spike: only then may it flip. With math = fast (`fast`) a product that is only added may keep
/// all of its bits, and the oracle does not ask which ones do: every sum of what may be a product has the rounding that
/// it would be spared, half an ulp of the product and one of the sum, as slack.
template <class Real>
double slackOf(const Expr &expr, std::span<const Scalar<Real>> operands, const Scalar<Real> &result, bool fast = false);

} // namespace flexsn::reference
