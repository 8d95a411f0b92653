// SPDX-License-Identifier: Apache-2.0
// The ranges of every value in a power, and why no sum overflows. Notation as in tables.h. C is the
// number of channels of a base, c the multiple of Bases, W = 2^(32 limbs).
//
// 1. Products of primes. A prime is 2^31 (1 - d) with d < 2^-18.4, so that a product of C <= 140
//    primes is at least 2^(31 C) (1 - C 2^-18.4) > 2^(31 C - 1). are_large_enough gives from that
//        P_A >= c^2 W    and    P_B >= 256 c W,    c = C / 2 + 2.
//
// 2. Digits and their sums. A number's bytes, 0 to 255, meet digits from -128 to 127: a sum of
//    `rows` products is less than 2^25 in size. e = sum 0 + 256 sum 1 and f = sum 2 + 256 sum 3 are
//    sums of bytes times the lower and the upper half of constants. extension_bounds finds the
//    largest |e| and |f| that any bytes give with the very constants; both are below 2^31.
//
// 3. Recombination. The wanted value is V = e + 2^16 (f - 2^14); f has 2^14 from the spare rows.
//    With h = floor(f / 2^15)
//        x = V - h p = e + 2^16 (f - 2^15 h - 2^14) + h (2^31 - p),
//    where the bracket is from -2^14 to 2^14 - 1. Hence |x| <= |e| + 2^30 + |h| (2^31 - p). Of more
//    channels (carries_into_quotient) that need not be below 2^31. There e = 2^16 k + r with 0 <= r
//    < 2^16, h = floor((f + k) / 2^15), and
//        x = V - h p = r + 2^16 (f + k - 2^15 h - 2^14) + h (2^31 - p),
//    so that |x| <= 2^30 + |h| (2^31 - p) whatever e is. Either way |x| is below 2^31, and f + k
//    too (extension_bounds). The word x + 2^31 is V - h p + 2^31 modulo 2^32. The computation may
//    wrap: it is in words.
//
// 4. Squares, |x| < 2^31. x is exact as a double d. The quotient is d times the rounded d / p: 1 /
//    p and d / p are off by 2^-53 of themselves, which moves it, less than 2^31.01, by less than
//    2^-20. The fused operation rounds to the nearest integer, since 1.5 2^52 leaves no bits behind
//    the point. So the integer q has |x^2 / p - q| <= 1/2 + 2^-18, and
//        |x^2 - q p| <= (1/2 + 2^-18) p < square_limit = 2^30 + 2^13.
//    x^2 - q p is computed modulo 2^32, where q's lower word is enough, and (x + 2^31)^2 = x^2.
//
// 5. Products by factors, |f| < p / 2, with the radix R = 2^32. t is x f or the sum of two such,
// and
//    m = t p^-1 modulo R, -R/2 <= m < R/2. t and m p have the same lower word, so that the
//    difference of the upper ones is (t - m p) / R, exactly, which is at most |t| / R + p / 2 in
//    size. With r the bound of 3 and v a residue of that size:
//        xi = v f / R, or x f / R of a square x:      |xi| < p / 4 + p / 2 = 3 p / 4.
//        s  = (x U + v f) / R of a square x:          |s| < (1/8 + 2^-20 + (r / 2^31) / 4 + 1/2) p.
//        s' = (s e + v f) / R, for |s| < k p:         |s'| < (k / 4 + (r / 2^31) / 4 + 1/2) p.
//    k = (2 + r / 2^31) / 3 <= 1 bounds the second, and the third if it bounds s; a start is at
//    most p / 2. So all are below p, fit a word, and |t| < 2^31 p < 2^62. Where the quotient has
//    the carry r <= 5/8 2^31 (extensions_hold), and k <= 7/8. Conversions reduce exactly, by
//    folding (convert.h).
//
// 6. The multiple of N. The state z, the factor y and the quotient q = sum_i xi_i P_A / a_i give
//        z' = (z y + q N) / P_A, an integer: q N = -z y modulo each a_i.
//    |q| <= P_A sum_i |xi_i| / a_i < 3/4 C P_A by 5. With |z|, |y| <= c N, and N < W <= P_A / c^2,
//        |z'| <= c^2 N^2 / P_A + 3/4 C N <= (3/4 C + 1) N <= c N.
//    A start x, 0 <= x < W, times a factor |y| <= c N: x |y| / P_A <= W c N / P_A <= N / c, so that
//    |z'| <= c N again, whether x is below N or not. Nothing here asks N to be large: N = 1 and N =
//    3 will do. (The square of a start is not served: W^2 / P_A may be large beside a short N.) An
//    entry of the table of powers is such a z', or y = 1, or y = P_A^2 mod N.
//
// 7. alpha. sum_j s_j / b_j = alpha + z / P_B exactly, for z in base B. With t = top_bits, H =
//    2^(t - 1) and S the sum of floor(s_j / 2^(32 - t)), the sum of the tops less H C,
//        H alpha - S = sum_j (s_j / 2^(32 - t) - floor(s_j / 2^(32 - t))) + E,
//        E = sum_j s_j (H / b_j - H / 2^31) - H z / P_B.
//    The first sum is from 0 to less than C. In E, a term is H s_j / b_j (2^31 - b_j) / 2^31, less
//    than H 2^-18.4 in size, so that their sum is below 2^8 140 2^-18.4 < 2^-3; and H |z| / P_B <=
//    H c N / (256 c W) < 1, for starts too. So |E| < 2, and
//        H alpha < S + C + 2 < H alpha + C + 4 <= H (alpha + 1)
//    for C <= H - 4: up to 124 by 8 bits, up to 252 by 9. floor((S + C + 2) / H) is alpha, always.
//    |alpha| <= k C + 1 < 128 by 5, which fits the byte alpha + 128: C <= 100 without the carry,
//    and C <= 140 with it.
//
// 8. The way back. The value is computed modulo 2^(32 value_limbs) >= 2^32 W, and |z| <= c N < 2^31
//    W. The quotient of the leading limbs of z and N is below c + 1 < 2^7 and off by less than
//    2^-24, so that its floor is floor(z / N) or one beside it: one more N, added or subtracted,
//    finishes.
#pragma once

#include "convert.h"

namespace warpint::rns {

// The largest sizes that any bytes give.
struct ExtensionBounds {
    std::int64_t low;     // |e|, of 2 above
    std::int64_t high;    // |f|, or |f + k| of 3
    std::int64_t residue; // |x|, of 3

    constexpr bool hold() const {
        constexpr std::int64_t limit = std::int64_t{1} << 31;
        return low < limit && high < limit && residue < limit;
    }
};

namespace detail {

// Sums over constants v = e + 2^16 f, -2^15 - 2^7 <= e < 2^15 - 2^7, and of sizes: of digits 0 and
// 1, and 2 and 3.
struct HalfSums {
    std::int64_t low = 0; // of e
    std::int64_t high = 0;
    std::int64_t sizes_low = 0; // of |e|
    std::int64_t sizes_high = 0;

    // (In variables of its own, with f 2^16: compilers take half as long.)
    constexpr HalfSums(const std::int32_t *constants, int count) {
        std::int64_t e_sum = 0;
        std::int64_t f_sum = 0;
        std::int64_t e_sizes = 0;
        std::int64_t f_sizes = 0;
        for (int i = 0; i < count; ++i) {
            const std::int32_t v = constants[i];
            const std::int32_t e = ((v + 0x8080) & 0xffff) - 0x8080;
            e_sum += e;
            f_sum += v - e;
            e_sizes += e < 0 ? -e : e;
            f_sizes += v < e ? e - v : v - e;
        }
        low = e_sum;
        high = f_sum >> 16;
        sizes_low = e_sizes;
        sizes_high = f_sizes >> 16;
    }
    // The larger of the sums of the positive and of the negative ones, in size: the largest sum
    // when each has a factor from 0 to 1.
    constexpr std::int64_t largest_low() const { return (sizes_low + (low < 0 ? -low : low)) / 2; }
    constexpr std::int64_t largest_high() const {
        return (sizes_high + (high < 0 ? -high : high)) / 2;
    }
};

} // namespace detail

// The bounds of the base extension from B to A (`to_a`) or from A to B, over its channels from
// `first` to below `end`. For constant expressions and tests: it
// takes a while.
template <int Bits>
constexpr ExtensionBounds extension_bounds(bool to_a, int first = 0,
                                           int end = Bases<Bits>::channels) {
    using Base = Bases<Bits>;
    const PrimesOfBase<Bits> from = primes_of<Bits>(to_a);
    const PrimesOfBase<Bits> to = primes_of<Bits>(!to_a);
    ExtensionBounds bounds{};
    for (int channel = first; channel < end && channel < Base::channels; ++channel) {
        const std::uint32_t p = to.values[channel];
        const ExtensionColumn<Bits> column = extension_column<Bits>(from, p, to_a);
        const std::int32_t *const spare = column.values + Base::spare_row;
        // The rows of bytes that can be anything, alpha's among them, of the byte 1, and of 128.
        const detail::HalfSums any(column.values, Base::spare_row + 1);
        const detail::HalfSums one(spare + 1, 1);
        const detail::HalfSums fixed(spare + 2, 2);
        const std::int64_t e = 255 * any.largest_low() + one.sizes_low + 128 * fixed.sizes_low;
        const std::int64_t f = 255 * any.largest_high() + one.sizes_high + 128 * fixed.sizes_high;
        const std::int64_t upper = f + (Base::carries ? e / 65536 + 1 : 0);
        const std::int64_t h = upper / 32768 + 1;
        const std::int64_t x = (Base::carries ? 0 : e) + (std::int64_t{1} << 30) +
                               h * ((std::int64_t{1} << prime_bits) - p);
        bounds.low = e > bounds.low ? e : bounds.low;
        bounds.high = upper > bounds.high ? upper : bounds.high;
        bounds.residue = x > bounds.residue ? x : bounds.residue;
    }
    return bounds;
}

namespace detail {

// The bounds of 70 channels: compilers limit the steps of one constant.
template <int Bits, bool to_a, int first>
inline constexpr ExtensionBounds bounds_from = extension_bounds<Bits>(to_a, first, first + 70);

template <int Bits, bool to_a, int first = 0>
constexpr bool extensions_hold() {
    if constexpr (first < Bases<Bits>::channels) {
        constexpr ExtensionBounds bounds = bounds_from<Bits, to_a, first>;
        return bounds.hold() && (!Bases<Bits>::carries || bounds.residue <= 5LL << 28) && // 5
               extensions_hold<Bits, to_a, first + 70>();
    } else {
        return true;
    }
}

} // namespace detail

// What the proof needs of a width's bases that its constants do not show: for tests.
template <int Bits>
constexpr bool ranges_hold() {
    using Base = Bases<Bits>;
    static_assert(Base::channels <= 140);                           // 1 and 7
    static_assert(Base::carries || Base::channels <= 100);          // 7
    static_assert(Base::channels + 4 <= 1 << (Base::top_bits - 1)); // 7
    static_assert(are_large_enough(Base::channels, 32 * Base::limbs));
    static_assert(Base::rows * 255 * 128 < 1 << 25);             // 2
    static_assert(4 * Base::multiple >= 3 * Base::channels + 4); // 6
    static_assert(Base::multiple < 127);                         // 8
    return detail::extensions_hold<Bits, true>() && detail::extensions_hold<Bits, false>();
}

} // namespace warpint::rns
