// SPDX-License-Identifier: Apache-2.0
// Pairs of operands that are hard together: related by value (class 5 of operands.h), hard to
// divide (class 8), with a long run of Euclid's algorithm (class 9).
//
// Tests draw them through an OperandSource (operands.h).
#pragma once

#include "number_source.h"

namespace test {

struct OperandPair {
    Integer a, b;
};
struct DivisionPair {
    Integer dividend, divisor; // divisor >= 1
};

/// Class 5, two numbers.
OperandPair related_pair(NumberSource &source, int bits_a, int bits_b);

/// Class 8. Limbs of 8, 32 or 64 bits; the divisor is >= 1.
DivisionPair hard_division(NumberSource &source, int bits_dividend, int bits_divisor);

/// Class 9.
OperandPair gcd_pair(NumberSource &source, int bits_a, int bits_b);

} // namespace test
