// SPDX-License-Identifier: Apache-2.0
// Operands of powers modulo even numbers.
#pragma once

#include "operands.h"

#include <algorithm>

namespace test {

/// A base a, an exponent b and a modulus m = 2^zeros m', m' odd, of at most so many bits: every
/// kind of `zeros`; bases 2^twos a', whose powers are 0 modulo 2^zeros from some exponent on, on
/// both sides of it; and exponents around the bits that are taken one by one.
inline OperandTriple even_power(OperandSource &source, int bits) {
    const int corner = source.below(8);
    const int zeros = corner == 0   ? 1 + source.below(std::min(bits - 1, 8))
                      : corner == 1 ? bits / 2
                      : corner == 2 ? bits - 1
                      : corner == 3 ? 32 * source.below((bits - 1) / 32 + 1)
                                    : source.below(bits);
    const int length = source.one_in(2) ? bits - zeros : 1 + source.below(bits - zeros);
    const Integer m = (source.number(length) | 1) << std::size_t(zeros);
    const int twos = source.one_in(2) ? 0 : 1 + source.below(zeros + 1);
    const Integer a = store_unsigned((source.number(bits) | 1) << std::size_t(twos), bits);
    Integer e = source.exponent(bits, m);
    if (twos != 0 && source.one_in(2)) {
        e = Integer((zeros + twos - 1) / twos + source.below(3));
        e = e > 0 ? e - 1 : e;
    } else if (source.one_in(4)) {
        e = power_of_two(std::min(bits - 1, std::max(0, zeros / 2 - 4 + source.below(6))));
        e = source.one_in(2) ? e : e - 1;
    }
    return {a, store_unsigned(e, bits), m};
}

} // namespace test
