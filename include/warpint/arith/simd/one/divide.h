// SPDX-License-Identifier: Apache-2.0
// Division of one number by another in radix B = 2^52, the digits of a number side by side in
// vectors: a quotient digit costs as many products as the divisor has vectors, and no carry runs
// from lane to lane before the end. Variable time.
//
// The divisor v has n digits, the top bit of the last one set. What is left of the dividend is
//
//     R = T B^(n-2) - C,    C = c[0] + c[1] B + .. + c[n-3] B^(n-3):
//
// T, its two top digits, in two words, the other digits with their sign changed in the lanes c. A
// step takes the next digit u of the dividend and q <= R B / v, and has R B + u - q v as the new R.
// The lanes take the products of q with the digits of v: the upper half of a product goes to the
// next lane, as all of c does, so that it is added before c moves up by a lane, the lower half
// after. The lane c[n-3] moves out, into T.
//
// Bounds. A lane starts at -u > -B. Until it moves out of lane p it has taken at most 3 p + 1
// terms below B: two in each step, and one more in a step that corrects the digit before. So
// c[p] < 3 n B, which is far from 2^63, and
//
//     -B^(n-2) < C < beta B^(n-2)    for beta = 3 n.
//
// With t = T - beta, which is what is kept, t B^(n-2) < R < (t + beta + 1) B^(n-2).
//
// The digit. t and w = floor(v / B^(n-2)) >= 2^103 are kept times 2^23: w in [2^126, 2^127). With
// the upper words t1 and w1 of both and h = floor((2^126 - 1) / (w1 + 1)), 2^63 - 1 <= h < 2^64,
//
//     q = floor(t1 h / 2^74) <= t1 2^52 / (w1 + 1) <= R B / v,
//
// and what it is too small by, 1 for rounding down at last, t1 and w1 for the words below them,
// each 2^52 / 2^62 at most, and h for its fraction, 2^63 / 2^74, is in all less than 1 + 2^-8. So
// 0 <= R < v (1 + 2^-8) after each step: a q of B or more says that v <= R, so that the digit
// before was one too small. This happens about once in 1000 digits. The digit is right then, and
// below B.
//
// t is not negative: a digit q > 0 has t1 h >= 2^74 q, hence t1 2^52 > q (w1 + 1), both sides
// whole, and 2^41 B^(n-2) are left at least; v taken from R leaves as much, as t1 > w1 + 1; q = 0
// leaves more than there was; the first R, of 52 n - 52 bits at least, has more.
//
// The next q needs t, and t needs the lane that moves out, which the last q has not been multiplied
// for yet but for the one before it: so the products of a step have two steps' time.
#pragma once

#include "../../../limb/word_pair.h"
#include "convert.h"

#if WARPINT_SIMD && WARPINT_HAS_INT128

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// Digits of a divisor in so many vectors.
constexpr int divisor_digits(int vectors) {
    return lanes * vectors + 2;
}
// Vectors for divisors of so many bits.
constexpr int divisor_vectors(int bits) {
    const int digits = (bits + digit_bits - 1) / digit_bits;
    return digits <= divisor_digits(1) ? 1 : (digits - 2 + lanes - 1) / lanes;
}
// Digits, at most, of quotients of numbers of so many bits by numbers of more than 128 bits.
constexpr int quotient_digits(int bits) {
    return (bits - 129 + digit_bits) / digit_bits;
}
// Words of room for such divisions.
constexpr int division_room(int bits, int vectors) {
    const int digits = (quotient_digits(bits) + lanes - 1) / lanes * lanes;
    return 2 * digits + 3 * lanes + lanes * (vectors + 3);
}

using limb::WordPair;
// x 2^23 of a signed x.
WARPINT_INLINE WordPair scaled(std::uint64_t x) {
    return {static_cast<std::uint64_t>(static_cast<std::int64_t>(x) >> 41), x << 23};
}

// floor((2^126 - 1) / (w1 + 1)) for the upper word w1 of w.
inline std::uint64_t reciprocal_above(const WordPair &w) {
    return limb::divide_2by1((std::uint64_t{1} << 62) - 1, ~std::uint64_t{0}, w.high + 1).quotient;
}
// The next digit: q for t and h.
WARPINT_INLINE std::uint64_t next_digit(WordPair t, std::uint64_t h) {
    return limb::product(t.high, h).high >> 10;
}
// t B + added - digit w.
WARPINT_INLINE WordPair take_digit(WordPair t, std::uint64_t added, std::uint64_t digit,
                                   WordPair w) {
    t = shift_left(t, digit_bits) + scaled(added);
    t.high -= digit * w.high;
    return t - limb::product(digit, w.low);
}

// Lanes that are negative, or zero and borrowed from, borrow from the next ones. Few numbers have
// any.
template <int vectors>
WARPINT_SIMD_CALL std::uint64_t borrow_between_lanes(Digits *digits) {
    unsigned borrow = 0;
    for (int i = 0; i < vectors; ++i) {
        const unsigned zero = bits(equal(digits[i], Digits{}));
        const unsigned negative = bits(less(splat(digit_mask), digits[i]));
        const unsigned ripple = zero + (negative << 1 | borrow);
        borrow = ripple >> lanes & 1u;
        const Digits one = shift_right(splat(ripple ^ zero), lane_numbers()) & splat(1);
        digits[i] = clean(digits[i] - one);
    }
    return borrow;
}

// (t / 2^23 - 2) B^(8 vectors) - C in clean digits: those below B^(8 vectors) to `digits`, the
// others are returned, of which the high word's sign is that of the number. (t as it is may be
// negative, and as large as 2^127.)
template <int vectors>
WARPINT_SIMD_INLINE WordPair subtract_lanes(Digits *digits, WordPair t, const Digits *c) {
    const std::uint64_t fraction = (t.low & ((1u << 23) - 1u)) << (digit_bits - 23);
    Digits below{};
    Digits signs{};
    WARPINT_SIMD_UNROLL
    for (int i = 0; i < vectors; ++i) {
        Digits x = Digits{} - c[i];
        if (i == vectors - 1)
            x += Digits{0, 0, 0, 0, 0, 0, 0, fraction};
        const Digits carry = shift_right_signed(x, digit_bits);
        digits[i] = clean(x) + shift_in(carry, below); // -3 n <= digits[i] <= B
        below = carry;
        signs |= digits[i];
    }
    std::uint64_t carry = below[lanes - 1] - 2;
    if (signs_of(signs) != 0) [[unlikely]] {
        Digits copies[vectors];
        WARPINT_SIMD_UNROLL
        for (int i = 0; i < vectors; ++i)
            copies[i] = digits[i];
        carry -= borrow_between_lanes<vectors>(copies);
        WARPINT_SIMD_UNROLL
        for (int i = 0; i < vectors; ++i)
            digits[i] = copies[i];
    }
    return shift_right(t, 23) +
           WordPair{static_cast<std::uint64_t>(static_cast<std::int64_t>(carry) >> 63), carry};
}

// Where a number is, or goes to: limbs of 32 bits.
struct Source {
    const std::uint32_t *limbs;
    int length;
};
struct Result {
    std::uint32_t *limbs; // null: not wanted
    int length;
};

// q = a / b and r = a mod b, with zeros above, for a and b without leading zeros, b <= a, b of more
// than 128 bits and at most divisor_digits(vectors) digits. q has at least as many limbs as the
// quotient, r at least as many as b. q may be a, and r may be b. room: division_room(a's bits,
// vectors) words. Variable time.
template <int vectors>
WARPINT_SIMD_CALL void divide_in_vectors(const Result &q, const Result &r, const Source &a,
                                         const Source &b, std::uint64_t *room) {
    constexpr int digits = divisor_digits(vectors);
    constexpr std::uint64_t beta = 3 * digits;
    const int divisor_bits = width_of(b.limbs, b.length);
    const int dividend_bits = width_of(a.limbs, a.length);
    const int shift = digit_bits * digits - divisor_bits; // of the divisor, which fills its digits
    // a 2^shift has `digits` + steps digits, the upper of which are less than the divisor's.
    const int steps = (dividend_bits - divisor_bits + digit_bits) / digit_bits;
    const int whole = (steps + lanes - 1) / lanes * lanes;
    std::uint64_t *const next = room; // the digits of a still to come, with their sign changed
    std::uint64_t *const quotient = next + whole;
    std::uint64_t *const rest = quotient + whole + 3 * lanes;

    const WordPair w = shift_right(top_pair(b.limbs, b.length), 1);
    const std::uint64_t h = reciprocal_above(w);
    const int zeros = divisor_bits + digit_bits * steps - dividend_bits; // above a, 1 to 52
    const WordPair a_top = shift_right(top_pair(a.limbs, a.length), zeros + 1);
    WordPair t = WordPair{a_top.high, a_top.low & (~std::uint64_t{0} << 23)} - scaled(beta);

    const DigitReader dividend(a.limbs, a.length);
    const DigitReader divisor(b.limbs, b.length);
    Digits v[vectors];
    Digits c[vectors];
    dividend.read<-1>(next, steps, -shift);
    if constexpr (vectors <= 2) {
        WARPINT_SIMD_UNROLL
        for (int i = 0; i < vectors; ++i) {
            const int start = lanes * digit_bits * i - shift;
            v[i] = divisor.eight(start);
            c[i] = Digits{} - dividend.eight(start + digit_bits * steps);
        }
    } else {
        divisor.read<1>(rest, lanes * vectors, -shift);
        WARPINT_SIMD_UNROLL
        for (int i = 0; i < vectors; ++i)
            v[i] = load_eight(rest + lanes * i);
        dividend.read<-1>(rest, lanes * vectors, digit_bits * steps - shift);
        WARPINT_SIMD_UNROLL
        for (int i = 0; i < vectors; ++i)
            c[i] = load_eight(rest + lanes * i);
    }
    // The upper bits of v[n-3] are in w.
    v[vectors - 1] &= Digits{digit_mask, digit_mask, digit_mask, digit_mask,
                             digit_mask, digit_mask, digit_mask, digit_mask >> 23};
    const std::uint64_t v_top = v[vectors - 1][lanes - 1] << 12;

    store_eight(quotient + whole, Digits{});
    store_eight(quotient + whole + lanes, Digits{});
    Digits last{}; // the last digits of the quotient, the lowest in lane 0; of up to 53 bits
    bool corrected = false;
    std::uint64_t out = c[vectors - 1][lanes - 1]; // what the next step moves out
    for (int j = steps - 1; j >= 0; --j) {
        std::uint64_t digit = next_digit(t, h);
        if (digit > digit_mask) [[unlikely]] {
            corrected = true; // R is not less than v: the digit before is one more
            t = t - w;
            out += v_top >> 12;
            WARPINT_SIMD_UNROLL
            for (int i = 0; i < vectors; ++i)
                c[i] += v[i];
            if ((j + 1) % lanes == 0) {
                ++quotient[j + 1];
            } else {
                last += Digits{1, 0};
            }
            digit = next_digit(t, h);
        }
        WARPINT_ASSERT(digit <= digit_mask && (t.high != 0 || t.low >> 32 != 0));
        const Digits factor = splat(digit);
        // t = t B + beta (B - 1) - out - digit w - the upper half of digit v[n-3]
        t = take_digit(t, beta * digit_mask - out, digit, w);
        const WordPair last_product = limb::product(digit, v_top);
        t = t - WordPair{0, last_product.high << 23};
        WARPINT_SIMD_UNROLL
        for (int i = vectors - 1; i >= 0; --i)
            c[i] = hi(c[i], v[i], factor);
        out = c[vectors - 1][lanes - 2] + (last_product.low >> 12);
        WARPINT_SIMD_UNROLL
        for (int i = vectors - 1; i > 0; --i)
            c[i] = lo(shift_in(c[i], c[i - 1]), v[i], factor);
        c[0] = lo(shift_in(c[0], splat(next[j])), v[0], factor);
        last = shift_in(last, factor);
        if (j % lanes == 0)
            store_eight(quotient + j, last);
    }

    // R < v, or R - v, if T allows that, and the quotient is one more.
    const WordPair most = t + scaled(beta + 1);
    bool lowered = most >= w;
    if (r.limbs != nullptr || lowered) {
        if (lowered) {
            t = t - w;
            WARPINT_SIMD_UNROLL
            for (int i = 0; i < vectors; ++i)
                c[i] += v[i];
        }
        Digits remainder[vectors];
        WordPair top = subtract_lanes<vectors>(remainder, t + scaled(beta + 2), c);
        if (static_cast<std::int64_t>(top.high) < 0) {
            lowered = false;
            t = t + w;
            WARPINT_SIMD_UNROLL
            for (int i = 0; i < vectors; ++i)
                c[i] = c[i] - v[i];
            top = subtract_lanes<vectors>(remainder, t + scaled(beta + 2), c);
        }
        const std::uint64_t top0 = top.low & digit_mask;
        const std::uint64_t top1 = top.high << 12 | top.low >> digit_bits;
        if (r.limbs != nullptr) {
            const Digits upper{top0, top1};
            if (vectors == 1 && b.length <= row_length) {
                store_first(r.limbs, words_of(remainder[0], upper, shift), b.length);
            } else {
                WARPINT_SIMD_UNROLL
                for (int i = 0; i < vectors; ++i)
                    store_eight(rest + lanes * i, remainder[i]);
                store_eight(rest + lanes * vectors, upper);
                store_limbs_of(r.limbs, b.length, rest, shift);
            }
            store_zeros(r.limbs + b.length, r.length - b.length);
        }
    }
    if (q.limbs != nullptr) {
        if (lowered || corrected) [[unlikely]] {
            std::uint64_t carry = lowered ? 1 : 0;
            for (int i = 0; i < steps; ++i) {
                const std::uint64_t x = quotient[i] + carry;
                quotient[i] = x & digit_mask;
                carry = x >> digit_bits;
            }
            last = load_eight(quotient);
            WARPINT_ASSERT(carry == 0);
        }
        int length = (a.length - b.length + row_length) / row_length * row_length;
        length = length < q.length ? length : q.length;
        // The lowest digits as they are in the register: those just stored are not forwarded to
        // a load of other places.
        store_first(q.limbs, words_of(last, load_eight(quotient + lanes), 0), length);
        if (length > row_length)
            store_limbs_of(q.limbs + row_length, length - row_length, quotient, 32 * row_length);
        store_zeros(q.limbs + length, q.length - length);
    }
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD && WARPINT_HAS_INT128
