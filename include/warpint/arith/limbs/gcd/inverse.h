// SPDX-License-Identifier: Apache-2.0
// Inverses for any modulus and greatest common divisors of any numbers: what is left to do around
// gcd.h and divsteps.h, which want one odd number.
#pragma once

#include "divsteps.h"
#include "euclid.h"
#include "gcd.h"

namespace warpint::arith {

namespace detail {

// Device code in registers takes divsteps, whose steps have no branches; everything else the
// binary algorithm, which needs fewer steps.
template <int N>
WARPINT_HOST_DEVICE constexpr bool use_divsteps() {
    return WARPINT_USES_PTX && N <= gcd_register_limbs;
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
    if constexpr (use_euclid<N>) {
        gcd_euclid<N>(gcd, a, m);
    } else if (detail::use_divsteps<N>()) {
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
    if constexpr (use_euclid<N>) {
        gcd_euclid<N>(r, a, b);
        return;
    }
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
    if (detail::use_divsteps<N>()) {
        gcd_divsteps<N>(y, x, y);
    } else {
        gcd_odd<N>(x, y);
    }
    shift_left<N>(r, y, zeros_a < zeros_b ? zeros_a : zeros_b);
}

// The Jacobi symbol (a / b) for odd b: 1, -1, or 0 where a and b have a common factor. Destroys a
// and b. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int jacobi(Limb *a, Limb *b) {
    if constexpr (use_euclid<N>)
        return jacobi_euclid<N>(a, b);
    else
        return jacobi_odd<N>(a, b);
}

namespace detail {

// r = m / g, for odd g that divides m. r may be g.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void exact_quotient(Limb *r, const Limb *m, const Limb *g) {
    Limb rest[N]{}, divisor[N]{};
    copy<N>(divisor, g);
    copy<N>(rest, m);
    negate_limbs<N>(rest, N, static_cast<Limb>(~Limb{0}));
    negative_exact_quotient<N>(r, rest, divisor);
}

} // namespace detail

// r = m / g, where g is the largest odd common divisor of m and a, which is not 0. Variable time. r
// is no input.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void quotient_by_common_factor(Limb *r, const Limb *a,
                                                             const Limb *m) {
    Limb g[N]{};
    shift_right<N>(g, a, countr_zero<N>(a));
    gcd_with_odd<N>(g, m, g);
    detail::exact_quotient<N>(r, m, g);
}

// r = a^-1 modulo m in [0, m) for odd m and any a; returns whether it exists, otherwise with or_gcd
// r is the gcd. Variable time. r is no input.
template <int N, bool or_gcd = false, class Limb>
WARPINT_HOST_DEVICE constexpr bool inverse_odd(Limb *r, const Limb *a, const Limb *m) {
    if (detail::use_divsteps<N>()) {
        return inverse_divsteps<false, N, or_gcd>(r, a, m);
    } else {
        Limb gcd[N]{}, one[N]{};
        one[0] = 1;
        if constexpr (use_euclid<N>) { // m need not be odd
            if (cofactor_euclid<N>(r, gcd, a, m))
                limb::sub<N>(r, m, r);
        } else {
            cofactor_odd<N>(r, gcd, a, m);
        }
        const bool exists = equal<N>(gcd, one);
        if constexpr (or_gcd) {
            if (!exists)
                copy<N>(r, gcd);
        }
        return exists;
    }
}

// The same for a that is not 0 modulo m; without an inverse r = m / gcd(a, m), and a r = 0.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool inverse_or_annihilator(Limb *r, const Limb *a, const Limb *m) {
    const bool exists = inverse_odd<N, true>(r, a, m);
    if (!exists)
        detail::exact_quotient<N>(r, m, r);
    return exists;
}

namespace detail {

// a^-1 modulo B, for odd a.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb inverse_of_limb(Limb a) {
    return static_cast<Limb>(Limb{0} - limb::negative_inverse(a));
}

// lift_inverse for z of up to one limb.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
lift_inverse_by_limb(Limb *x, Limb a, const Limb *odd, Limb odd_inverse, int z) {
    const Limb inverse = inverse_of_limb(a);
    const Limb t = static_cast<Limb>(
        static_cast<Limb>(multiply_word(static_cast<Limb>(x[0] - inverse), odd_inverse)) &
        static_cast<Limb>(static_cast<Limb>(~Limb{0}) >> (limb::limb_bits<Limb> - z)));
    add_low_row<N>(x, odd, t, 0);
}

} // namespace detail

// x = a^-1 modulo odd 2^z, from x = a^-1 modulo odd: both in the range of their modulus, of N
// limbs. a and `odd` are odd, odd_inverse = -1 / odd modulo B, z >= 1. x + odd t is the inverse for
// t = (a^-1 - x) / odd modulo 2^z, which is computed limb by limb, and so is a^-1.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void lift_inverse(Limb *x, const Limb *a, const Limb *odd,
                                                Limb odd_inverse, int z) {
    constexpr int bits = limb::limb_bits<Limb>;
    if (N == 1 || z <= bits) {
        detail::lift_inverse_by_limb<N>(x, a[0], odd, odd_inverse, z);
        return;
    }
    using Wide = limb::double_limb_t<Limb>;
    const Limb first = detail::inverse_of_limb(a[0]);
    Limb inverse[N]{};
    Wide sum = 0; // of products of a and the inverse, up to limb i
    Limb top = 0;
    WARPINT_UNROLL(1, 0)
    for (int i = 0; i * bits < z; ++i) {
        const auto take = [&](Limb y, Limb w) {
            const Wide product = static_cast<Wide>(Wide{y} * w);
            sum = static_cast<Wide>(sum + product);
            top = static_cast<Limb>(top + (sum < product ? 1 : 0));
        };
        WARPINT_UNROLL(1, 0)
        for (int j = 1; j <= i; ++j)
            take(a[j], inverse[i - j]);
        const Limb wanted = static_cast<Limb>((i == 0 ? 1u : 0u) - static_cast<Limb>(sum));
        inverse[i] = detail::multiply_word(wanted, first);
        take(a[0], inverse[i]);
        sum = static_cast<Wide>((sum >> bits) | static_cast<Wide>(Wide{top} << bits));
        top = 0;
        Limb t = detail::multiply_word(static_cast<Limb>(x[i] - inverse[i]), odd_inverse);
        if (z - i * bits < bits)
            t = static_cast<Limb>(t & static_cast<Limb>((Limb{1} << (z - i * bits)) - 1));
        Limb carry = 0;
        WARPINT_UNROLL(1, 0)
        for (int j = 0; i + j < N; ++j)
            x[i + j] = limb::multiply_add(odd[j], t, x[i + j], carry);
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
    if constexpr (use_euclid<N>)
        return inverse_odd<N>(r, a, m);
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
