// SPDX-License-Identifier: Apache-2.0
#include "operand_pairs.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace test {

OperandPair related_pair(NumberSource &source, int bits_a, int bits_b) {
    const int narrow = std::min(bits_a, bits_b);
    Integer a, b;
    switch (source.below(7)) {
    case 0: // equal
        a = b = source.number(narrow);
        break;
    case 1: // neighbours
        b = source.number(bits_b);
        a = store_unsigned(b + (source.one_in(2) ? 1 : -1), bits_a);
        break;
    case 2: // complements: a + b is all ones, or exactly 2^bits
        b = source.number(bits_b);
        a = store_unsigned(all_ones(bits_a) - b + (source.one_in(2) ? 1 : 0), bits_a);
        break;
    case 3: // a is a multiple of b, plus 0 or b - 1
    case 4: {
        b = at_least_one(source.number(1 + source.below(narrow)));
        a = b * source.number(std::max(1, bits_a - b.bit_width()));
        a = a + (source.one_in(2) ? Integer(0) : b - 1);
        if (a.bit_width() > bits_a) {
            a = b;
        }
        break;
    }
    case 5: { // a shared factor
        const Integer factor = at_least_one(source.number(1 + source.below(narrow)));
        a = factor * source.number(std::max(1, bits_a - factor.bit_width()));
        b = factor * source.number(std::max(1, bits_b - factor.bit_width()));
        break;
    }
    default: // a is b shifted
        b = source.number(bits_b);
        a = store_unsigned(source.one_in(2) ? b << std::size_t(source.below(bits_a))
                                            : b >> std::size_t(source.below(bits_b)),
                           bits_a);
        break;
    }
    return {source.counted(OperandClass::relation, store_unsigned(a, bits_a)),
            source.counted(OperandClass::relation, store_unsigned(b, bits_b))};
}

DivisionPair hard_division(NumberSource &source, int bits_dividend, int bits_divisor) {
    const int limb = source.one_in(3) ? 8 : (source.one_in(2) ? 32 : 64);
    // A normalised divisor of whole limbs, then any normalising shift.
    const int limbs = 1 + source.below(std::max(1, (bits_divisor + limb - 1) / limb));
    Integer divisor =
        source.one_in(2) ? source.special_limbs(limb * limbs, limb) : source.number(limb * limbs);
    const Integer below_top = store_unsigned(divisor, limb * (limbs - 1));
    const std::size_t top_position = std::size_t(limb * (limbs - 1));
    switch (source.below(4)) {
    case 0:
        divisor = below_top + (power_of_two(limb - 1) << top_position);
        break;
    case 1:
        divisor = below_top + (all_ones(limb) << top_position);
        break;
    case 2: // 0x80..0 and then nearly all ones: the trial quotient is too large by two
        divisor = (power_of_two(limb - 1) << top_position) + all_ones(limb * (limbs - 1)) -
                  (limbs > 1 ? source.number(limb) : Integer(0));
        break;
    default:
        break;
    }
    divisor = divisor >> std::size_t(source.below(limb));
    divisor = at_least_one(divisor.bit_width() > bits_divisor
                               ? divisor >> std::size_t(divisor.bit_width() - bits_divisor)
                               : divisor);
    const int room = std::max(0, bits_dividend - divisor.bit_width());
    Integer dividend;
    switch (source.below(5)) {
    case 0: // the dividend's top limbs are the divisor's
        dividend = (divisor << std::size_t(room)) + (room > 0 ? source.number(room) : Integer(0));
        break;
    case 1: { // just below a shifted divisor: a quotient of all ones
        const int distance = 1 + source.below(3);
        const int shift = room > 0 ? 1 + source.below(room) : 0;
        dividend = (divisor << std::size_t(shift)) - Integer(distance);
        break;
    }
    case 2: // special quotient limbs, the largest remainder
        dividend = divisor * source.special_limbs(std::max(1, room), limb) + divisor - 1;
        break;
    case 3: // an exact multiple
        dividend = divisor * source.number(std::max(1, room));
        break;
    default: { // a random remainder under a special quotient
        const Integer remainder = modulo(source.uniform_bits(divisor.bit_width() + 8), divisor);
        dividend = divisor * source.special_limbs(std::max(1, room), limb) + remainder;
        break;
    }
    }
    if (dividend.sign() < 0) {
        dividend = 0;
    }
    return {source.counted(OperandClass::division, store_unsigned(dividend, bits_dividend)),
            source.counted(OperandClass::division, divisor)};
}

OperandPair gcd_pair(NumberSource &source, int bits_a, int bits_b) {
    const int narrow = std::min(bits_a, bits_b);
    Integer a, b;
    switch (source.below(6)) {
    case 0: { // the longest run of Euclid's algorithm
        const int i = source.fibonacci_index(narrow);
        a = fibonacci(i);
        b = fibonacci(i - 1);
        if (!source.one_in(2)) {
            std::swap(a, b);
        }
        break;
    }
    case 1: { // 2^i - 1 with 2^(i/2) +- 1
        const int i = 1 + source.below(bits_a);
        a = all_ones(i);
        b = power_of_two(i / 2) + (source.one_in(2) ? 1 : -1);
        break;
    }
    case 2: // m - 1 with m
        b = at_least_one(source.number(narrow));
        a = b - 1;
        break;
    case 3: // a much larger than m
        b = at_least_one(source.number(std::max(1, bits_b / 8)));
        a = source.number(bits_a) | power_of_two(bits_a - 1);
        break;
    case 4: { // a short remainder after some quotients
        const int length = 1 + source.below(std::max(1, narrow - 3));
        a = at_least_one(source.number(length));
        b = source.number(std::min(length, 1 + source.below(64)));
        while (true) {
            const Integer next =
                b + a * (1 + (source.one_in(4) ? source.below(1000) : source.below(3)));
            if (!fits_unsigned(next, narrow))
                break;
            b = a;
            a = next;
        }
        if (source.one_in(2))
            std::swap(a, b);
        break;
    }
    default: { // multiples of consecutive Fibonacci numbers: a large gcd after a long run
        const Integer factor = at_least_one(source.number(std::max(1, narrow / 3)));
        const int i = source.fibonacci_index(std::max(1, narrow / 2));
        a = fibonacci(i) * factor;
        b = fibonacci(i - 1) * factor;
        break;
    }
    }
    return {source.counted(OperandClass::gcd, store_unsigned(a, bits_a)),
            source.counted(OperandClass::gcd, store_unsigned(b, bits_b))};
}

} // namespace test
