// SPDX-License-Identifier: Apache-2.0
// Products and squares of eight pairs of numbers, as sums of columns.
//
// A number of n digits is seen as W windows of K columns, n = W K. The K + 1 sums of one window
// stay in registers while all products of digits that fall into it are added: a loop of full rows
// (one load, two multiplications a column) between unrolled triangles. Counted: 2 n^2 instructions
// lo and hi for a product, n^2 + n for a square.
//
// Registers: K + 1 sums, the row's factor and one digit, of 32. g++ 12 hoists loads out of the
// loop and spills from K = 14 on (64 to 72% of the machine's products a second, against 92 to 98%
// at K = 10); clang 14 does not.
#pragma once

#include "sum.h"
#include "tuning.h"

#if WARPINT_SIMD

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// sums[0..L] += x y[0..L-1], with the carry of each product in the next sum.
template <int L>
WARPINT_SIMD_INLINE void add_row(Sum *sums, const Digits &x, const Digits *y) {
    WARPINT_SIMD_UNROLL
    for (int j = 0; j < L; ++j) {
        const Digits digit = y[j];
        sums[j] = lo(sums[j], x, digit);
        sums[j + 1] = hi(sums[j + 1], x, digit);
    }
}

template <int K>
WARPINT_SIMD_INLINE void clear_sums(Sum *sums) {
    WARPINT_SIMD_UNROLL
    for (int j = 0; j <= K; ++j)
        sums[j] = Sum{};
}
template <int K>
WARPINT_SIMD_INLINE void store_sums(Digits *t, const Sum *sums, int units) {
    WARPINT_SIMD_UNROLL
    for (int j = 0; j < K; ++j)
        t[j] = value_of(sums[j], units);
}

// The rows x[r] y[0..K-1-r], r < K, of a window that begins at column 0 of x y.
template <int K, int R = 0>
WARPINT_SIMD_INLINE void add_lower_triangle(Sum *sums, const Digits *x, const Digits *y) {
    if constexpr (R < K) {
        add_row<K - R>(sums + R, x[R], y);
        add_lower_triangle<K, R + 1>(sums, x, y);
    }
}
// The rows x[r] times the last r digits before y_end, 0 < r < K.
template <int K, int R = 1>
WARPINT_SIMD_INLINE void add_upper_triangle(Sum *sums, const Digits *x, const Digits *y_end) {
    if constexpr (R < K) {
        add_row<R>(sums, x[R], y_end - R);
        add_upper_triangle<K, R + 1>(sums, x, y_end);
    }
}

// t[0..2n) = the column sums of a b, n = K windows: sum t[i] 2^(52 i) = a b, of 2 n units
// (sum.h). Digits of a and b need not be clean. t overlaps neither.
template <int K>
WARPINT_SIMD_CALL void multiply(Digits *t, const Digits *a, const Digits *b, int windows) {
    const int n = digits_of<K>(windows);
    Sum beyond{}; // the sum of the column after a window
    for (int c = 0; c < n; c += K) {
        Sum sums[K + 1];
        clear_sums<K>(sums);
        for (int i = 0; i < c; ++i)
            add_row<K>(sums, a[i], b + (c - i));
        add_lower_triangle<K>(sums, a + c, b);
        sums[0] += beyond;
        beyond = sums[K];
        store_sums<K>(t + c, sums, 2 * n);
    }
    for (int c = 0; c < n; c += K) {
        Sum sums[K + 1];
        clear_sums<K>(sums);
        add_upper_triangle<K>(sums, a + c, b + n);
        for (int i = c + K; i < n; ++i)
            add_row<K>(sums, a[i], b + (n + c - i));
        sums[0] += beyond;
        beyond = sums[K];
        store_sums<K>(t + n + c, sums, 2 * n);
    }
}

// A square's window that begins at column s has products x[i] x[k], i < k, s <= i + k < s + K,
// once, then all sums doubled, then the squares x[i]^2. Below, x points at digit ceil(s / 2), and
// Odd is s % 2.

// Rows whose first digit, k = i + 1, lies in the window.
template <int K, int R = 0>
WARPINT_SIMD_INLINE void add_begun_rows(Sum *sums, const Digits *x) {
    constexpr int first = 2 * R + 1;
    if constexpr (first < K) {
        add_row<K - first>(sums + first, x[R], x + R + 1);
        add_begun_rows<K, R + 1>(sums, x);
    }
}
// Rows of the last window, which end in it and may also begin there; x: the last K digits.
template <int K, int R = 1>
WARPINT_SIMD_INLINE void add_last_rows(Sum *sums, const Digits *x) {
    if constexpr (R < K) {
        constexpr int first = 2 * R + 1 > K ? 2 * R + 1 - K : 0;
        if constexpr (R > first)
            add_row<R - first>(sums + first, x[R], x + K - R + first);
        add_last_rows<K, R + 1>(sums, x);
    }
}
template <int K, int Odd, int R = 0>
WARPINT_SIMD_INLINE void add_squares(Sum *sums, const Digits *x) {
    constexpr int first = 2 * R + Odd;
    if constexpr (first < K) {
        sums[first] = lo(sums[first], x[R], x[R]);
        sums[first + 1] = hi(sums[first + 1], x[R], x[R]);
        add_squares<K, Odd, R + 1>(sums, x);
    }
}
template <int K, int Odd>
WARPINT_SIMD_INLINE void finish_square_window(Digits *t, Sum *sums, const Digits *x, Sum &beyond,
                                              int units) {
    WARPINT_SIMD_UNROLL
    for (int j = 0; j <= K; ++j)
        sums[j] += sums[j];
    add_squares<K, Odd>(sums, x);
    sums[0] += beyond;
    beyond = sums[K];
    store_sums<K>(t, sums, units);
}

// t[0..2n) = the column sums of a^2, as multiply's. K is even where windows > 1.
template <int K>
WARPINT_SIMD_CALL void square(Digits *t, const Digits *a, int windows) {
    const int n = digits_of<K>(windows);
    Sum beyond{};
    for (int s = 0; s < 2 * n - K; s += K) {
        Sum sums[K + 1];
        clear_sums<K>(sums);
        int i = 0;
        if (n > K && s >= n) {
            add_upper_triangle<K>(sums, a + (s - n), a + n);
            i = s - n + K;
        }
        for (; 2 * i < s; ++i)
            add_row<K>(sums, a[i], a + (s - i));
        add_begun_rows<K>(sums, a + s / 2);
        finish_square_window<K, 0>(t + s, sums, a + s / 2, beyond, 2 * n);
    }
    const int s = 2 * n - K;
    Sum sums[K + 1];
    clear_sums<K>(sums);
    add_last_rows<K>(sums, a + n - K);
    finish_square_window<K, K % 2>(t + s, sums, a + (s + 1) / 2, beyond, 2 * n);
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
