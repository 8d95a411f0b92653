// SPDX-License-Identifier: Apache-2.0
// Montgomery arithmetic for eight odd moduli at once (P. L. Montgomery, "Modular multiplication
// without trial division", Mathematics of Computation 44, 1985), R = 2^(52 n).
//
// Moduli are odd and below R / 16; residues are below 2 m ("almost Montgomery"), so that nothing is
// subtracted between products: (2m)^2 / R + m < 2m. Constant time in all values: no branch and no
// address depends on a digit.
#pragma once

#include "product.h"

#if WARPINT_SIMD

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// Digits R to K - 1 of the quotient, for the window whose sums are given: sums[r] becomes a
// multiple of 2^52 when q[r] m is added. Its low part is not computed: the carry is
// ceil(sums[r] / 2^52), which saves the instructions that q costs.
template <int K, int R = 0>
WARPINT_SIMD_INLINE void reduce_window(Sum *sums, Digits *q, const Digits *m,
                                       const Digits &inverse) {
    if constexpr (R < K) {
        const Digits digit = lo(Digits{}, value_of(sums[R], max_units), inverse);
        q[R] = digit;
        Sum carry = (sums[R] + sum_of(splat(digit_mask), 1)) >> 52;
        carry = hi(carry, digit, m[0]);
        if constexpr (R + 1 < K)
            add_row<K - R - 1>(sums + R + 1, digit, m + 1);
        sums[R + 1] += carry;
        reduce_window<K, R + 1>(sums, q, m, inverse);
    }
}

// r = (t + q m) / R < t / R + m for column sums t[0..2n) of at most 2 n units and a number below
// R (R - m), n = K windows; inverse = -1 / m mod 2^52.
// The digits of r are not clean. t is overwritten (the quotient takes its lower half); r may be
// anything but m and t.
static_assert(4 * modulus_shape(largest_bits).digits() + 2 <= max_units);
template <int K>
WARPINT_SIMD_CALL void reduce(Digits *r, Digits *t, const Digits *m, const Digits *inverse,
                              int windows) {
    const int n = digits_of<K>(windows);
    Sum beyond{};
    for (int c = 0; c < n; c += K) {
        Sum sums[K + 1];
        WARPINT_SIMD_UNROLL
        for (int j = 0; j < K; ++j)
            sums[j] = sum_of(t[c + j], 2 * n);
        sums[K] = Sum{};
        for (int i = 0; i < c; ++i)
            add_row<K>(sums, t[i], m + (c - i));
        sums[0] += beyond;
        reduce_window<K>(sums, t + c, m, *inverse);
        beyond = sums[K];
    }
    for (int c = 0; c < n; c += K) {
        Sum sums[K + 1];
        WARPINT_SIMD_UNROLL
        for (int j = 0; j < K; ++j)
            sums[j] = sum_of(t[n + c + j], 2 * n);
        sums[K] = Sum{};
        add_upper_triangle<K>(sums, t + c, m + n);
        for (int i = c + K; i < n; ++i)
            add_row<K>(sums, t[i], m + (n + c - i));
        WARPINT_SIMD_UNROLL
        for (int j = 0; j < K; ++j) {
            beyond += sums[j];
            r[c + j] = value_of(beyond, max_units);
            beyond = beyond >> 52;
        }
        beyond += sums[K];
    }
    WARPINT_ASSERT(all_zeros(value_of(beyond, max_units))); // r < R
}

// Eight odd moduli of n = K windows digits. The digits of m are clean.
struct Moduli {
    const Digits *m;
    const Digits *inverse; // -1 / m mod 2^52, one vector
    int windows;
};

// r = a b / R < 2 m for a < R / 8 and b < 2 m; r = a^2 / R < R / 8 for a < R / 4. t has room for
// 2 n. r may be a or b.
template <int K>
WARPINT_SIMD_INLINE void multiply_montgomery(Digits *r, const Digits *a, const Digits *b, Digits *t,
                                             const Moduli &moduli) {
    WARPINT_ASSERT(is_below_part_of_r<K>(a, digits_of<K>(moduli.windows), 3) &&
                   is_below<K>(b, moduli.m, digits_of<K>(moduli.windows), 1));
    multiply<K>(t, a, b, moduli.windows);
    reduce<K>(r, t, moduli.m, moduli.inverse, moduli.windows);
    WARPINT_ASSERT(is_below<K>(r, moduli.m, digits_of<K>(moduli.windows), 1));
}
template <int K>
WARPINT_SIMD_INLINE void square_montgomery(Digits *r, const Digits *a, Digits *t,
                                           const Moduli &moduli) {
    WARPINT_ASSERT(is_below_part_of_r<K>(a, digits_of<K>(moduli.windows), 2));
    square<K>(t, a, moduli.windows);
    reduce<K>(r, t, moduli.m, moduli.inverse, moduli.windows);
    WARPINT_ASSERT(is_below_part_of_r<K>(r, digits_of<K>(moduli.windows), 3));
}
// r = x / R mod m, at most m, for any x < R. (Sums must be exact, so x is cleaned first.)
template <int K>
WARPINT_SIMD_CALL void leave_montgomery(Digits *r, const Digits *x, Digits *t,
                                        const Moduli &moduli) {
    const int n = digits_of<K>(moduli.windows);
    for (int i = 0; i < n; ++i) {
        t[i] = clean(x[i]);
        t[n + i] = Digits{};
    }
    reduce<K>(r, t, moduli.m, moduli.inverse, moduli.windows);
    WARPINT_ASSERT(is_below<K>(r, moduli.m, n, 0, true));
}

// -1 / m mod 2^52 from the lowest digit of an odd m.
template <int K>
WARPINT_SIMD_INLINE Digits negative_inverse(const Digits &m) {
    Digits x = (m * splat(3)) ^ splat(2); // right in 5 bits
    for (int i = 0; i < 4; ++i)
        x = x * (splat(2) - m * x);
    return clean(Digits{} - x);
}

// x = x - y where that is not negative, each lane for itself, for x <= 2 y; y clean, x clean on
// return, and at most y. d has room for n.
template <int K>
WARPINT_SIMD_CALL void subtract_if_not_less(Digits *x, const Digits *y, Digits *d, int n) {
    WARPINT_ASSERT(is_below<K>(x, y, n, 1, true));
    Digits borrow{};
    for (int i = 0; i < n; ++i) {
        x[i] = clean(x[i]);
        const Digits difference = x[i] - y[i] - borrow;
        borrow = difference >> 63;
        d[i] = clean(difference);
    }
    const Mask negative = equal(borrow, splat(1));
    for (int i = 0; i < n; ++i)
        x[i] = select(negative, x[i], d[i]);
    WARPINT_ASSERT(is_below<K>(x, y, n, 0, true));
}

// x = 2 x, clean, for x < R / 2.
template <int K>
WARPINT_SIMD_CALL void double_digits(Digits *x, int n) {
    Digits carry{};
    for (int i = 0; i < n; ++i) {
        const Digits digit = clean(x[i]);
        x[i] = clean(digit << 1) | carry;
        carry = digit >> 51;
    }
    WARPINT_ASSERT(all_zeros(carry));
}

// The number of leading zeros of a clean digit, 52 for 0, by comparisons: the same on every
// machine.
template <int K>
WARPINT_SIMD_INLINE Digits leading_zeros(const Digits &digit) {
    Digits count{};
    Digits x = clean(digit) << 12;
    for (int step = 32; step > 0; step /= 2) {
        const Mask low = less(x, splat(std::uint64_t{1} << (64 - step)));
        count = select(low, count + splat(static_cast<std::uint64_t>(step)), count);
        x = select(low, x << static_cast<std::uint64_t>(step), x);
    }
    return select(less(splat(52), count), splat(52), count);
}

// x = x 2^k with k chosen per lane so that bit 52 n - 1 is set, x clean and not 0; returns k. A
// shifter by whole digits, 2^j at a time, then by bits: every lane takes every step.
template <int K>
WARPINT_SIMD_CALL void normalise(Digits *x, int n, Digits *shift) {
    int step = 1;
    while (2 * step < n)
        step *= 2;
    Digits total{};
    for (; step > 0; step /= 2) {
        if (step >= n)
            continue;
        Digits top{};
        for (int i = n - step; i < n; ++i)
            top |= x[i];
        const Mask empty = equal(top, Digits{});
        total = select(empty, total + splat(static_cast<std::uint64_t>(52 * step)), total);
        for (int i = n - 1; i >= step; --i)
            x[i] = select(empty, x[i - step], x[i]);
        for (int i = 0; i < step; ++i)
            x[i] = select(empty, Digits{}, x[i]);
    }
    const Digits left = leading_zeros<K>(x[n - 1]);
    const Digits right = splat(52) - left;
    Digits before{};
    for (int i = 0; i < n; ++i) {
        const Digits digit = x[i];
        x[i] = clean(shift_left(digit, left) | before);
        before = shift_right(digit, right);
    }
    *shift = total + left;
}

// rr = R^2 mod m, at most m. scratch: 4 n. No division: s = m shifted up to bit 52 n - 5 is a
// multiple of m; 2^(52n-4) - s is below R / 32; some doublings modulo s make 2^j R of it, squares
// and doublings 2^(104 n) R. Values stay below R / 4: with x < R / 8, (2x)^2 / R + m < R / 8.
template <int K>
WARPINT_SIMD_CALL void square_of_r(Digits *rr, Digits *scratch, const Moduli &moduli) {
    const int n = digits_of<K>(moduli.windows);
    Digits *const t = scratch;
    Digits *const shifted = scratch + 2 * n;
    Digits *const spare = scratch + 3 * n;
    // m normalised, then 4 bits down. Those are zeros unless m fills all bits, and m < R / 16.
    for (int i = 0; i < n; ++i)
        shifted[i] = moduli.m[i];
    Digits shift{};
    normalise<K>(shifted, n, &shift);
    for (int i = 0; i < n; ++i) {
        const Digits above = i + 1 < n ? shifted[i + 1] : Digits{};
        shifted[i] = clean(shifted[i] >> 4 | above << 48);
    }
    Digits borrow{};
    for (int i = 0; i < n; ++i) {
        const Digits digit =
            (i == n - 1 ? splat(std::uint64_t{1} << 48) : Digits{}) - shifted[i] - borrow;
        borrow = digit >> 63;
        rr[i] = clean(digit);
    }
    // A doubling costs some n / 3 of a square's time at most: the first bits of 104 n, up to 15, by
    // doublings, the rest by squares.
    const int target = 104 * n;
    int bit = 0;
    while (target >> bit > 15)
        ++bit;
    for (int i = 0; i < 4 + (target >> bit); ++i) { // 2^(52 n + (target >> bit)) modulo s
        double_digits<K>(rr, n);
        subtract_if_not_less<K>(rr, shifted, spare, n);
    }
    for (--bit; bit >= 0; --bit) {
        square_montgomery<K>(rr, rr, t, moduli);
        if ((target >> bit & 1) != 0)
            double_digits<K>(rr, n);
    }
    leave_montgomery<K>(rr, rr, t, moduli);
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
