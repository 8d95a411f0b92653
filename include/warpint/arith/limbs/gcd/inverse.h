// SPDX-License-Identifier: Apache-2.0
// Inverses for any modulus and greatest common divisors of any numbers: what is left to do around
// gcd.h and divsteps.h, which want one odd number.
#pragma once

#include "divsteps.h"
#include "gcd.h"

namespace warpint::arith {

namespace detail {

// Device code in registers takes divsteps, whose steps have no branches; everything else the
// binary algorithm, which needs fewer steps.
template <int N>
WARPINT_HOST_DEVICE constexpr bool use_divsteps() {
    return limb::use_ptx() && N <= gcd_register_limbs;
}

// r += a b B^place modulo B^N.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_low_row(Limb *r, const Limb *a, Limb b,
                                                              int place) {
    Limb carry = 0;
    WARPINT_UNROLL(N, fits_registers<N> ? N : 0)
    for (int j = 0; j < N; ++j) {
        if (place + j < N)
            r[place + j] = limb::multiply_add(a[j], b, r[place + j], carry);
    }
}

// r = -a / c modulo B^N, for odd c. a becomes 0. r is no input.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void negative_exact_quotient(Limb *r, Limb *a, const Limb *c) {
    const Limb inverse = limb::negative_inverse(c[0]);
    WARPINT_UNROLL(N, fits_registers<N> ? N : 0)
    for (int i = 0; i < N; ++i) { // from the lowest digit up
        r[i] = multiply_word(a[i], inverse);
        add_low_row<N>(a, c, r[i], i);
    }
}

// r = (1 - a b) / c modulo B^N, for odd c. r is no input.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void quotient_of_one_less_product(Limb *r, const Limb *a,
                                                                const Limb *b, const Limb *c) {
    Limb rest[N]{}; // a b - 1
    WARPINT_UNROLL(N, fits_registers<N> ? N : 0)
    for (int i = 0; i < N; ++i)
        add_low_row<N>(rest, a, b[i], i);
    Limb borrow = 1;
    WARPINT_UNROLL(N, fits_registers<N> ? N : 0)
    for (int i = 0; i < N; ++i)
        rest[i] = limb::sub_borrow(rest[i], Limb{0}, borrow);
    negative_exact_quotient<N>(r, rest, c);
}

} // namespace detail

// gcd = gcd(a, m) for odd m, any a. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void gcd_with_odd(Limb *gcd, const Limb *a, const Limb *m) {
    if (detail::use_divsteps<N>()) {
        gcd_divsteps<N>(gcd, a, m);
    } else {
        Limb x[N]{}, y[N]{};
        copy<N>(x, a);
        copy<N>(y, m);
        gcd_odd<N>(x, y);
        copy<N>(gcd, y);
    }
}

// r = gcd(a, b) of any numbers; gcd(a, 0) = a. r may be a or b. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void gcd(Limb *r, const Limb *a, const Limb *b) {
    Limb x[N]{}, y[N]{};
    const bool a_zero = is_zero<N>(a);
    const bool b_zero = is_zero<N>(b);
    if (a_zero || b_zero) {
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = 0; i < N; ++i)
            r[i] = static_cast<Limb>(a[i] | b[i]);
        return;
    }
    const int zeros_a = countr_zero<N>(a);
    const int zeros_b = countr_zero<N>(b);
    shift_right<N>(x, a, zeros_a);
    shift_right<N>(y, b, zeros_b);
    gcd_with_odd<N>(x, x, y);
    shift_left<N>(r, x, zeros_a < zeros_b ? zeros_a : zeros_b);
}

// r = m / g, where g is the largest odd common divisor of m and a, which is not 0. Variable time. r
// is no input.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void quotient_by_common_factor(Limb *r, const Limb *a,
                                                             const Limb *m) {
    Limb g[N]{}, rest[N]{};
    shift_right<N>(g, a, countr_zero<N>(a));
    gcd_with_odd<N>(g, m, g);
    copy<N>(rest, m);
    detail::negate_limbs<N>(rest, N, static_cast<Limb>(~Limb{0}));
    detail::negative_exact_quotient<N>(r, rest, g);
}

// r = a^-1 modulo m in [0, m) for odd m and any a; returns whether it exists. Variable time. r is
// no input.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool inverse_odd(Limb *r, const Limb *a, const Limb *m) {
    if (detail::use_divsteps<N>()) {
        return inverse_divsteps<false, N>(r, a, m);
    } else {
        Limb gcd[N]{}, one[N]{};
        one[0] = 1;
        cofactor_odd<N>(r, gcd, a, m);
        return equal<N>(gcd, one);
    }
}

// r = a^-1 modulo m in [0, m) for any m >= 1 and any a; returns whether it exists. Where m is even,
// a must be odd and may be the modulus instead: with y = m^-1 modulo a, the inverse is
// m + (1 - m y) / a. Variable time. r is no input.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool inverse(Limb *r, const Limb *a, const Limb *m) {
    const bool even = (m[0] & 1) == 0;
    if (even && (a[0] & 1) == 0)
        return false;
    Limb odd[N]{}, other[N]{};
    select<N>(odd, even, a, m);
    select<N>(other, even, m, a);
    Limb y[N]{};
    const bool exists = inverse_odd<N>(y, other, odd);
    if (!even) {
        copy<N>(r, y);
        return exists;
    }
    limb::keep_arrays_apart();
    Limb one[N]{};
    one[0] = 1;
    if (equal<N>(a, one)) { // y is 0, and 1 itself the inverse
        copy<N>(r, one);
        return true;
    }
    detail::quotient_of_one_less_product<N>(r, m, y, a);
    limb::add<N>(r, r, m);
    return exists;
}

} // namespace warpint::arith
