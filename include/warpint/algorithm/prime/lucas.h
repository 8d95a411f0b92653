// SPDX-License-Identifier: Apache-2.0
// What tests of primality and square roots modulo a prime share: small quotients and Lucas
// sequences in Montgomery form, all operands below the modulus, and Jacobi symbols of words.
// Variable time.
#pragma once

#include "../division/divide_schoolbook.h"
#include "../power/power.h"
#include "../reduction/modular_sum.h"

namespace warpint::algorithm {

// Bit `position` of a.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool bit_at(const Limb *a, int position) {
    constexpr int width = limb::limb_bits<Limb>;
    return ((a[position / width] >> (position % width)) & 1u) != 0;
}

namespace detail {

// The Jacobi symbol (a / n) for odd n and any a.
WARPINT_HOST_DEVICE constexpr int jacobi_of_words(std::uint32_t a, std::uint32_t n) {
    int symbol = 1;
    a %= n;
    while (a != 0) {
        const int zeros = limb::countr_zero(a);
        a >>= zeros;
        if ((zeros & 1) != 0 && ((n ^ (n >> 1)) & 2u) != 0) // (2 / n)^zeros, n = 3 or 5 mod 8
            symbol = -symbol;
        if ((a & n & 2u) != 0)
            symbol = -symbol;
        const std::uint32_t next = n % a;
        n = a;
        a = next;
    }
    return n == 1 ? symbol : 0;
}

// r = a / q mod n for an odd n and 1 <= q < B; false if they have a common factor that shows: then
// no multiple of n makes a divisible by q. a < n; r may be a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool divide_by_small(Limb *r, const Limb *a, Limb q, const Limb *n) {
    if (q == 1) {
        copy<N>(r, a);
        return true;
    }
    const auto divisor = prepare_divisor(q);
    const Limb rest_a = divide_row_by_limb<Limb>(nullptr, a, N, divisor);
    const Limb rest_n = divide_row_by_limb<Limb>(nullptr, n, N, divisor);
    // The smallest t with a + t n = 0 mod q.
    Limb t = 0;
    for (Limb rest = rest_a; rest != 0;) {
        if (++t == q)
            return false;
        const Limb below = static_cast<Limb>(q - rest_n);
        rest = rest >= below ? static_cast<Limb>(rest - below) : static_cast<Limb>(rest + rest_n);
    }
    Limb sum[N + 1]{};
    copy<N>(sum, a);
    sum[N] = limb::multiply_add_row(sum, n, N, t);
    divide_row_by_limb(sum, sum, N + 1, divisor);
    copy<N>(r, sum);
    return true;
}

} // namespace detail

// v = V_k and w = V_(k + 1) of the Lucas sequence V_0 = 2, V_1 = p, V_i = p V_(i - 1) - V_(i - 2)
// (Q = 1), in Montgomery form. k is the part of the number `exponent` from bit `end` to bit `begin`
// - 1, and its top bit is 1; with lowest_set its lowest bit counts as 1. A product and a square for
// each bit below the first: V_2i = V_i^2 - 2 and V_(2i + 1) = V_i V_(i + 1) - p (Crandall and
// Pomerance, Prime Numbers, algorithm 3.6.7). v and w overlap nothing. two = 2 R mod m.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void
lucas_pair(Limb *v, Limb *w, const Limb *p, const Limb *two, const Limb *exponent, int begin,
           int end, bool lowest_set, const MontgomeryContext<N, Limb> &context) {
    const Limb *m = context.modulus;
    copy<N>(v, p);
    montgomery_square<N>(w, p, m, context.inverse);
    subtract_modulo<N>(w, w, two, m);
    // x is the number to square: V_i where the bit is 0, else V_(i + 1); y is the other one.
    bool exchanged = false;
    WARPINT_UNROLL(1, 0)
    for (int i = begin - 2; i >= end; --i) {
        const bool bit = bit_at(exponent, i) || (lowest_set && i == end);
        Limb x[N]{};
        Limb y[N]{};
        select<N>(x, bit != exchanged, w, v);
        select<N>(y, bit != exchanged, v, w);
        montgomery_multiply<N>(y, x, y, m, context.inverse);
        subtract_modulo<N>(w, y, p, m);
        montgomery_square<N>(x, x, m, context.inverse);
        subtract_modulo<N>(v, x, two, m);
        exchanged = bit;
    }
    Limb x[N]{};
    copy<N>(x, v);
    select<N>(v, exchanged, w, v);
    select<N>(w, exchanged, x, w);
}

} // namespace warpint::algorithm
