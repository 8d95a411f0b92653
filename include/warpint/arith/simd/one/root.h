// SPDX-License-Identifier: Apache-2.0
// Square root of one number in radix B = 2^52, the digits of a number side by side in vectors: a
// division (divide.h) whose divisor is twice the root so far. Variable time.
//
// The number is shifted up so that its 2 n digits u lie in [B^(2n) / 16, B^(2n) / 4): the root s
// has n digits, D = 2 s as well, and the top bit of D is set. Of s the upper m digits are computed:
// those that the root's bits are in. With k digits known, at the top of s,
//
//     R = (u - s^2) / B^(n-k) <= D
//
// is what is left. The next digit q, at place p = n - k - 1, has q (D + q B^p) <= R B. So a step is
// one of a division by D with q in the place p, after which 2 q stands there, its upper bit in the
// place above, whose lowest bit is 0. The bounds of divide.h hold: the two top digits of D and 23
// bits of the third are w, which does not change once there are three digits, and
// q <= R B / (w + 1) <= R B / (D + q B^p).
//
// Vectors are taken in as digits come to them: the last of D's is the one with the place p. Below
// it R has digits of u only.
//
// A digit that turns out to be one too small is not repaired: the root is left to other code, about
// once in 1000 digits.
#pragma once

#include "divide.h"

#if WARPINT_SIMD && WARPINT_HAS_INT128

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// Digits of the root of a number of so many bits; its top bit is not used.
constexpr int root_digits_of(int bits) {
    return ((bits + 1) / 2 + 1 + digit_bits - 1) / digit_bits;
}
constexpr int root_vectors(int bits) {
    return divisor_vectors(digit_bits * root_digits_of(bits));
}
// Words of room for such roots.
constexpr int root_room(int bits) {
    return lanes * root_vectors(bits) + 2 * root_digits_of(bits) + 8 * lanes;
}

// All bits of one lane, for 8 <= i < 16 of lane i - 8, else none.
inline const std::uint64_t *lane_mask(int lane) {
    static constexpr std::uint64_t masks[24] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ~std::uint64_t{0}};
    return masks + (11 - lane);
}

// What a step of a root works on, beside the vectors.
struct RootStep {
    WordPair t;
    WordPair w;
    std::uint64_t h;
    std::uint64_t out;
    std::uint64_t d_top;       // the lower 29 bits of digit n - 3 of D, times 2^12
    const std::uint64_t *next; // the next digit of u, with its sign changed
    std::uint64_t *root;       // the digits of s
    Digits last;               // the last ones of them, the lowest in lane 0
    int left;                  // digits to come
};

// Digits of s in the vectors from `lowest` down. Returns false if a digit was too small.
template <int vectors, int lowest>
WARPINT_SIMD_INLINE bool find_root_digits(RootStep &s, Digits *d, Digits *c) {
    constexpr std::uint64_t beta = 3 * divisor_digits(vectors);
    constexpr int top = vectors - 1;
    for (int lane = lowest == top ? lanes - 2 : lanes - 1; lane >= 0 && s.left > 0; --lane) {
        std::uint64_t digit = next_digit(s.t, s.h);
        if (digit > digit_mask) [[unlikely]] {
            if (s.t.high >> 62 != 3)
                return false;
            digit = 0; // t < 0
        }
        --s.left;
        const Digits factor = splat(digit);
        s.t = take_digit(s.t, beta * digit_mask - s.out, digit, s.w);
        const WordPair last_product = limb::product(digit, s.d_top);
        s.t = s.t - WordPair{0, last_product.high << 23};
        const Digits here = load_eight(lane_mask(lane));
        d[lowest] |= factor & here;
        WARPINT_SIMD_UNROLL
        for (int i = top; i >= lowest; --i)
            c[i] = hi(c[i], d[i], factor);
        s.out = c[top][lanes - 2] + (last_product.low >> 12);
        WARPINT_SIMD_UNROLL
        for (int i = top; i > lowest; --i)
            c[i] = lo(shift_in(c[i], c[i > 0 ? i - 1 : 0]), d[i], factor);
        c[lowest] = lo(shift_in(c[lowest], splat(*s.next--)), d[lowest], factor);
        // 2 digit in the place of digit, the upper bit above.
        const Digits upper = factor >> (digit_bits - 1);
        d[lowest] = clean(d[lowest] + (factor & here)) | (upper & load_eight(lane_mask(lane + 1)));
        if (lane == lanes - 1) {
            if constexpr (lowest < top)
                d[lowest < top ? lowest + 1 : top] |= upper & Digits{~std::uint64_t{0}, 0};
        } else if (lowest == top && lane == lanes - 2) {
            s.d_top += (digit >> (digit_bits - 1)) << 12;
        }
        s.last = shift_in(s.last, factor);
        if (s.left % lanes == 0)
            store_eight(s.root + s.left, s.last);
    }
    if constexpr (lowest > 0) {
        if (s.left > 0) {
            s.next -= lanes - 1;
            c[lowest - 1] = load_eight(s.next--);
            d[lowest - 1] = Digits{};
            return find_root_digits<vectors, lowest - 1>(s, d, c);
        }
    }
    return true;
}

// root = floor(sqrt(a)), with zeros above, for a number without leading zeros of root_digits_of >=
// 4; returns false, with nothing written, if it is left to other code. root may be a. room:
// root_room(a's bits) words. Variable time.
template <int vectors>
WARPINT_SIMD_CALL bool find_root_in_vectors(const Result &root, const Source &a,
                                            std::uint64_t *room) {
    constexpr int n = divisor_digits(vectors);
    constexpr std::uint64_t beta = 3 * n;
    constexpr std::uint64_t base = std::uint64_t{1} << digit_bits;
    const int bits = width_of(a.limbs, a.length);
    const int root_bits = (bits + 1) / 2;
    const int m = root_digits_of(bits);
    const int shift = (2 * digit_bits * n - 2 - bits) & ~1;
    // The digits of u from `lowest` on, with their sign changed.
    const int lowest = n - m - lanes;
    std::uint64_t *const u = room - lowest;
    DigitReader(a.limbs, a.length).read<-1>(room, 2 * n - lowest, digit_bits * lowest - shift);
    RootStep s;
    s.root = room + (2 * n - lowest + lanes - 1) / lanes * lanes;

    // The first digit and what is left.
    const std::uint64_t u1 = std::uint64_t{0} - u[2 * n - 1];
    const std::uint64_t u0 = std::uint64_t{0} - u[2 * n - 2];
    auto digit1 = static_cast<std::uint64_t>(
        __builtin_sqrt(static_cast<double>(static_cast<std::int64_t>(u1)) * 4503599627370496.0 +
                       static_cast<double>(static_cast<std::int64_t>(u0))));
    std::uint64_t left1 = (u1 << digit_bits) + u0 - digit1 * digit1;
    if (static_cast<std::int64_t>(left1) < 0) [[unlikely]] {
        --digit1;
        left1 += 2 * digit1 + 1;
    } else if (left1 > 2 * digit1) [[unlikely]] {
        left1 -= 2 * digit1 + 1;
        ++digit1;
    }
    // The second one, too large by up to 2 at first.
    const auto first = limb::divide_2by1(left1 >> (64 - digit_bits),
                                         (left1 << digit_bits) - u[2 * n - 3], 2 * digit1);
    std::uint64_t digit2 = first.quotient;
    std::uint64_t left2 = first.remainder;
    if (digit2 >= base) [[unlikely]] {
        left2 += (digit2 - digit_mask) * 2 * digit1;
        digit2 = digit_mask;
    }
    WordPair d{digit1 >> (63 - digit_bits), digit1 << (digit_bits + 1)}; // 2 digit1 B
    WordPair left = WordPair{left2 >> (64 - digit_bits), left2 << digit_bits} +
                    WordPair{0, std::uint64_t{0} - u[2 * n - 4]} - limb::product(digit2, digit2);
    for (int i = 0; i < 2; ++i) {
        const auto negative =
            static_cast<std::uint64_t>(static_cast<std::int64_t>(left.high) >> 63);
        digit2 += negative;
        const WordPair more = d + WordPair{0, 2 * digit2 + 1};
        left = left + WordPair{more.high & negative, more.low & negative};
    }
    d = d + WordPair{0, 2 * digit2};
    // The third one.
    s.w = shift_left(d, 23);
    s.h = reciprocal_above(s.w);
    s.t = shift_left(left, 23) - scaled(beta);
    std::uint64_t digit3 = next_digit(s.t, s.h);
    if (digit3 > digit_mask) [[unlikely]] {
        if (s.t.high >> 62 != 3)
            return false;
        digit3 = 0;
    }
    const WordPair square = limb::product(digit3, digit3 << (64 - digit_bits));
    s.t = take_digit(s.t, beta * digit_mask - u[2 * n - 5], digit3, s.w) - scaled(square.high);
    const std::uint64_t high = s.w.high;
    s.w = s.w + WordPair{0, digit3 >> (digit_bits - 1 - 23)};
    if (s.w.high != high) [[unlikely]]
        s.h = reciprocal_above(s.w);
    const std::uint64_t d_top = 2 * digit3 & (digit_mask >> 23);
    s.d_top = d_top << (64 - digit_bits);

    Digits divisor[vectors];
    Digits c[vectors];
    divisor[vectors - 1] = Digits{0, 0, 0, 0, 0, 0, 0, d_top};
    c[vectors - 1] =
        load_eight(u + 2 * n - 13) + Digits{0, 0, 0, 0, 0, 0, 0, square.low >> (64 - digit_bits)};
    s.out = u[2 * n - 6] + (square.low >> (64 - digit_bits));
    s.next = u + 2 * n - 14;
    s.left = m - 3;
    s.last = Digits{digit3, digit2, digit1};
    store_eight(s.root + m - 3, s.last);
    store_eight(s.root + m - 3 + lanes, Digits{});
    store_eight(s.root + m - 3 + 2 * lanes, Digits{});
    if (s.left % lanes == 0)
        store_eight(s.root + s.left, s.last);
    if (!find_root_digits<vectors, vectors - 1>(s, divisor, c))
        return false;

    // R > D if T allows that, and s is one more: does that change the bits of the root?
    const int below = digit_bits * m - 1 - root_bits;
    const WordPair most = s.t + scaled(beta + 1);
    const std::uint64_t mask = (std::uint64_t{1} << below) - 1;
    if (most >= s.w && (s.last[0] & mask) == mask) [[unlikely]]
        return false;
    int length = (root_bits + 32 * row_length - 1) / (32 * row_length) * row_length;
    length = length < root.length ? length : root.length;
    store_limbs_of(root.limbs, length, s.root, below);
    store_zeros(root.limbs + length, root.length - length);
    return true;
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD && WARPINT_HAS_INT128
