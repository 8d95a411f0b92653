// SPDX-License-Identifier: Apache-2.0
// Division of limb arrays: by one and two limbs with a reciprocal, schoolbook
// (divide_schoolbook.h), and recursive on hosts for wide numbers (divide_recursive.h). Variable
// time.
#pragma once

#include "divide_in_vectors.h"
#include "divide_recursive.h"

namespace warpint::arith {

namespace detail {

// divide_schoolbook, divide_recursive or in vectors, whichever is faster; q may be null. n <= M,
// m + n <= N + 1.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr void divide_normalised(Limb *q, Limb *u, int m, const Limb *v, int n,
                                                     Limb inverse) {
#if WARPINT_DIVIDES_IN_VECTORS
    if constexpr (sizeof(Limb) == 8 && may_divide_in_vectors<2 * N, 2 * M>) {
        if (WARPINT_USES_WORDS) {
            auto *const rest = reinterpret_cast<std::uint32_t *>(u);
            if (divide_in_vectors<2 * N + 2, 2 * M>(
                    {reinterpret_cast<std::uint32_t *>(q), 2 * m}, {rest, 2 * n}, rest, 2 * (m + n),
                    reinterpret_cast<const std::uint32_t *>(v), 2 * n))
                return;
        }
    }
#endif
    constexpr int room = N < M ? N : M;
    constexpr bool can_be_recursive = WARPINT_DEVICE_PASS == 0 && room > recursive_division_limbs &&
                                      N >= 2 * recursive_division_limbs;
    if constexpr (can_be_recursive) {
        if (WARPINT_USES_WORDS && m >= recursive_division_limbs && n > recursive_division_limbs) {
            Limb digits[N];
            Limb scratch[division_scratch<Limb>(room)];
            divide_recursive(q != nullptr ? q : digits, u, m, v, n, inverse, scratch);
            return;
        }
    }
    divide_schoolbook(q, u, m, v, n, inverse);
}

// q[0] = a / b and r = a mod b for n limbs each, n >= 3, if the quotient is not zero; q and r may
// be null. Only the top limbs are normalised.
template <int M, class Limb>
WARPINT_HOST_DEVICE constexpr void divide_short(Limb *q, Limb *r, const Limb *a, const Limb *b,
                                                int n) {
    const int shift = limb::countl_zero(b[n - 1]);
    const Limb d1 = join_left(b[n - 1], b[n - 2], shift);
    const Limb d0 = join_left(b[n - 2], b[n - 3], shift);
    const auto step =
        divide_3by2(shifted_out(a[n - 1], shift), join_left(a[n - 1], a[n - 2], shift),
                    join_left(a[n - 2], a[n - 3], shift), d1, d0, reciprocal(d1, d0));
    // With what follows the three limbs and the two, the quotient is the same or one less: digit
    // times what follows the two is less than digit in units of the last one, so that it is the
    // same where as much remains.
    Limb digit = step.quotient;
    if (r == nullptr && (step.r1 != 0 || step.r0 >= digit)) [[likely]] {
        if (q != nullptr)
            q[0] = digit;
        return;
    }
    Limb u[M];
    for (int i = 0; i < n; ++i)
        u[i] = a[i];
    if (limb::multiply_sub_row(u, b, n, digit) != 0) [[unlikely]] {
        --digit;
        limb::add_row(u, u, b, n);
    }
    WARPINT_ASSERT(less_row(u, b, n));
    if (q != nullptr)
        q[0] = digit;
    if (r != nullptr) {
        for (int i = 0; i < n; ++i)
            r[i] = u[i];
    }
}

// q = a / b, r = a mod b for a of `length` and b of n limbs, 3 <= n <= length, without leading
// zeros; q and r may be null. Writes n limbs of r and as many of q as it returns.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr int divide_long(Limb *q, Limb *r, const Limb *a, int length,
                                              const Limb *b, int n) {
    Limb u[N + 1];
    Limb v[M];
    const int shift = limb::countl_zero(b[n - 1]); // the divisor's top bit becomes 1
    shift_left_row(v, b, n, shift);
    u[length] = shift_left_row(u, a, length, shift);
    int digits = length - n + 1;
    if (u[length] == 0 && u[length - 1] < v[n - 1])
        --digits; // the first one is zero
    divide_normalised<N, M>(q, u, digits, v, n, reciprocal(v[n - 1], v[n - 2]));
    if (r != nullptr)
        shift_right_row(r, u, n, shift);
    return digits;
}

struct QuotientLengths {
    int quotient;
    int remainder;
};

// Divides as divide does, but leaves the limbs above the returned lengths alone.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE QuotientLengths divide_significant(Limb *q, Limb *r,
                                                                                const Limb *a,
                                                                                const Limb *b) {
    WARPINT_ASSERT(!is_zero<M>(b));
    if constexpr (M == 1 && N == 1 && WARPINT_DEVICE_PASS == 0) {
        const Limb quotient = static_cast<Limb>(a[0] / b[0]);
        const Limb remainder = static_cast<Limb>(a[0] - static_cast<Limb>(1u * quotient * b[0]));
        if (q != nullptr)
            q[0] = quotient;
        if (r != nullptr)
            r[0] = remainder;
        return {1, 1};
    }
    if constexpr (M == 1 && N <= unrolled_division_limbs && WARPINT_DEVICE_PASS == 0) {
        // Leading zeros are divided too: to find them costs more.
        const Limb remainder = divide_by_limb<N>(q, a, prepare_divisor(b[0]));
        if (r != nullptr)
            r[0] = remainder;
        return {N, 1};
    }
    if constexpr (M == 2 && 2 < N && N <= unrolled_division_limbs && WARPINT_DEVICE_PASS == 0) {
        if (b[1] != 0) [[likely]] {
            divide_by_two(q, r, a, N, b);
            return {N - 1, 2};
        }
    }
    const int n = significant_limbs<M>(b);
    const int length = significant_limbs<N>(a);
    if (length < n || (length == n && a[length - 1] < b[n - 1])) { // a < b
        if (r != nullptr)
            copy<(N < M ? N : M)>(r, a);
        return {0, N < M ? N : M};
    }
    if (n == 1) {
        const auto divisor = prepare_divisor(b[0]);
        const Limb remainder = WARPINT_DEVICE_PASS != 0 || N < remainder_turn_limbs || q != nullptr
                                   ? divide_row_by_limb(q, a, length, divisor)
                                   : remainder_row_by_limb(a, length, divisor);
        if (r != nullptr)
            r[0] = remainder;
        return {length, 1};
    }
    if (n == 2) {
        divide_row_by_two(q, r, a, length, b);
        return {length - 1, 2};
    }
    if constexpr (M > 2 && N > 2) {
        if (length == n && WARPINT_DEVICE_PASS == 0) {
            divide_short<M>(q, r, a, b, n);
            return {1, n};
        }
        if constexpr (WARPINT_DEVICE_PASS == 0 && sizeof(Limb) == 8 && M <= window_division_limbs) {
            if (n == M || M == 3) [[likely]] // n > 2
                return {divide_in_window<M>(q, r, a, length, b), M};
        }
        return {divide_long<N, M>(q, r, a, length, b, n), n};
    }
    return {0, 0}; // not reached
}

} // namespace detail

// q = a / b, r = a mod b for b != 0. a and q have N limbs, b and r have M. q and r may be null (not
// wanted); q may be a and r may be b.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void divide(Limb *q, Limb *r, const Limb *a,
                                                                  const Limb *b) {
    const auto lengths = detail::divide_significant<N, M>(q, r, a, b);
    if (q != nullptr) {
        for (int i = lengths.quotient; i < N; ++i)
            q[i] = 0;
    }
    if (r != nullptr) {
        for (int i = lengths.remainder; i < M; ++i)
            r[i] = 0;
    }
}

// The same for q and r that hold 0 and overlap nothing.
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void
divide_into_zeros(Limb *q, Limb *r, const Limb *a, const Limb *b) {
    detail::divide_significant<N, M>(q, r, a, b);
}

} // namespace warpint::arith
