// SPDX-License-Identifier: Apache-2.0
// Barrett reduction (Barrett, CRYPTO '86; Handbook of Applied Cryptography, algorithm 14.42) for
// moduli of any parity, on a normalised modulus: m is shifted up until its top bit is set, so that
// the reciprocal floor(B^(2N) / m) is B^N plus a number of N limbs and every size is known at
// compile time. Constant time in the dividend; the shift counts are variable time on hosts.
//
// Residues are kept scaled: x mod m as (x mod m) 2^shift, a residue of the normalised modulus, so
// that sums need no shift and a product needs one.
#pragma once

#include "../division/divide.h"
#include "../product/multiply.h"
#include "modular_sum.h"

namespace warpint::arith {

// normalised = m << shift with the top bit set, reciprocal = floor((B^(2N) - 1) / normalised) -
// B^N; returns shift. (The - 1 keeps it within N limbs when m is a power of two.) On input: m != 0.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int prepare_barrett(Limb *normalised, Limb *reciprocal,
                                                  const Limb *m) {
    WARPINT_ASSERT(!is_zero<N>(m));
    const int shift = N * limb::limb_bits<Limb> - bit_width<N>(m);
    shift_left<N>(normalised, m, shift);
    if constexpr (N == 1) {
        reciprocal[0] = arith::reciprocal(normalised[0]);
    } else {
        Limb dividend[2 * N]{}; // B^(2N) - 1 - B^N normalised: its upper half is below normalised
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = 0; i < N; ++i) {
            dividend[i] = static_cast<Limb>(~Limb{0});
            dividend[N + i] = static_cast<Limb>(~normalised[i]);
        }
        int zeros = 0; // low limbs of a short modulus, which leave dividend and divisor
        if constexpr (WARPINT_DEVICE_PASS == 0) {
            while (zeros < N - 2 && normalised[zeros] == 0)
                ++zeros;
        }
        detail::divide_normalised<2 * N, N>(
            reciprocal, dividend + zeros, N, normalised + zeros, N - zeros,
            arith::reciprocal(normalised[N - 1], normalised[N - 2]));
    }
    return shift;
}

namespace detail {

// True where the products of a reduction are unrolled, half of each left out.
template <int N, class Limb>
inline constexpr bool barrett_by_halves =
    N >= 4 && (in_registers<N, N, Limb> || half_by_columns<N, Limb>);
// True where they go by blocks of eight rows, of which the limbs that are not wanted are left out.
template <int N, class Limb>
inline constexpr bool barrett_by_blocks =
    sizeof(Limb) == 8 && N % limb::block_limbs == 0 && levels<N, Limb> == 0;

// r[0..Last - First) = that window of the product; see multiply_columns.
template <int N, int First, int Last, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_window(Limb *r, const Limb *a,
                                                                  const Limb *b) {
    if constexpr (in_registers<N, N, Limb>) {
        if (WARPINT_USES_PTX) {
            multiply_alternate<N, N, First, Last>(r, a, b);
            return;
        }
    }
    multiply_columns<N, N, First, Last>(r, a, b);
}

// (top : t) -= (m or 2 m, by Doubled) if that is not larger; t has N limbs and top holds the rest.
template <int N, bool Doubled, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_if_reached(Limb *t, Limb &top,
                                                                      const Limb *m) {
    Limb multiple[N + 1]{};
    if constexpr (Doubled) {
        multiple[N] = limb::add<N>(multiple, m, m);
    } else {
        move<N>(multiple, m);
    }
    Limb difference[N]{};
    const Limb borrow = limb::sub<N>(difference, t, multiple);
    const Limb needed = static_cast<Limb>(multiple[N] + borrow); // of top; at most 2
    const bool reached = top >= needed;
    choose<N>(t, reached, difference, t);
    top = reached ? static_cast<Limb>(top - needed) : top;
}

// r = x - product of limbs [0, N], below 4 m, reduced. r may be x.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
barrett_correct(Limb *r, const Limb *x, const Limb *product, const Limb *m) {
    Limb rest[N]{};
    const Limb borrow = limb::sub<N>(rest, x, product);
    Limb top = static_cast<Limb>(x[N] - product[N] - borrow);
    WARPINT_ASSERT(top <= 3); // below 4 m
    subtract_if_reached<N, true>(rest, top, m);
    subtract_if_reached<N, false>(rest, top, m);
    WARPINT_ASSERT(top == 0 && less<N>(rest, m));
    move<N>(r, rest);
}

// barrett_reduce for numbers that lie in memory, out of line.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
barrett_reduce_blocks(Limb *r, const Limb *x, const Limb *m, const Limb *reciprocal) {
    Limb product[2 * N];
    Limb quotient[N];
    multiply_high_blocks(product, x + N, reciprocal, N);
    limb::add<N>(quotient, product + N, x + N);
    multiply_low_blocks(product, quotient, m, N);
    barrett_correct<N>(r, x, product, m);
}

} // namespace detail

// r = x mod m for a normalised m. On input: x has 2 N limbs and x < m B^N. r may be x.
//
// With x = x1 B^N + x0 the quotient is estimated as x1 + floor(x1 v / B^N), v the reciprocal, the
// columns of that product below N - 2 left out, or, by blocks, some of those below N - 1. With t =
// m / B^N in [1/2, 1) the true quotient is less than x0 / m + x1 / B^N + N / B + 1 <= 1 / t + t + N
// / B
// + 1 < 4 larger: the remainder is below 4 m, and two conditional subtractions (2 m, m) are left.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
barrett_reduce(Limb *r, const Limb *x, const Limb *m, const Limb *reciprocal) {
    WARPINT_ASSERT(m[N - 1] >> (limb::limb_bits<Limb> - 1) != 0);
    WARPINT_ASSERT(less<N>(x + N, m));
    if constexpr (detail::barrett_by_blocks<N, Limb>) {
        detail::barrett_reduce_blocks<N>(r, x, m, reciprocal);
    } else {
        Limb quotient[N]{};
        Limb product[2 * N]{}; // its limbs [0, N] are used
        if constexpr (detail::barrett_by_halves<N, Limb>) {
            Limb high[N + 2]{};
            Limb factor[N]{}; // a copy, so that device code loads it before, not within the product
            detail::move<N>(factor, reciprocal);
            detail::multiply_window<N, N - 2, 2 * N>(high, x + N, factor);
            limb::add<N>(quotient, high + 2, x + N);
            detail::multiply_window<N, 0, N + 1>(product, quotient, m);
        } else {
            multiply<N, N>(product, x + N, reciprocal);
            limb::add<N>(quotient, product + N, x + N);
            multiply<N, N>(product, quotient, m);
        }
        detail::barrett_correct<N>(r, x, product, m);
    }
}

// r = a b for residues in scaled form (see above). r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
barrett_multiply(Limb *r, const Limb *a, const Limb *b, const Limb *m, const Limb *reciprocal,
                 int shift) {
    Limb plain[N]{};
    Limb product[2 * N]{};
    shift_right<N>(plain, a, shift);
    multiply<N, N>(product, plain, b);
    barrett_reduce<N>(r, product, m, reciprocal);
}

namespace detail {

// r = a << shift, all bits kept; a has N limbs, r has 2 N; 0 <= shift < N limb widths.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void shift_apart(Limb *r, const Limb *a, int shift) {
    set_zero<2 * N>(r);
    if (shift < limb::limb_bits<Limb>) { // the usual case: the modulus fills its limbs
        WARPINT_UNROLL_HOST
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = 0; i < N; ++i)
            r[i] = funnel_left(a[i], i > 0 ? a[i - 1] : Limb{0}, shift);
        r[N] = funnel_left(Limb{0}, a[N - 1], shift);
    } else {
        copy<N>(r, a);
        shift_left<2 * N>(r, r, shift);
    }
}

} // namespace detail

// r = (x mod m) 2^shift, the scaled form, for any x of L limbs; from the top, N limbs at a time:
// r B^N + (piece << shift) < m B^N, because r is a multiple of 2^shift below m and the bits that
// the shift moves beyond the piece are fewer than that. Variable time: a highest piece below the
// modulus, as that of a product of residues, costs nothing. r does not overlap x.
template <int L, int N, class Limb>
WARPINT_HOST_DEVICE constexpr void barrett_scaled_remainder(Limb *r, const Limb *x, const Limb *m,
                                                            const Limb *reciprocal, int shift) {
    constexpr int pieces = (L + N - 1) / N;
    set_zero<N>(r);
    WARPINT_UNROLL(pieces, 4)
    for (int i = pieces - 1; i >= 0; --i) {
        Limb piece[N]{};
        Limb shifted[2 * N]{};
        WARPINT_UNROLL_HOST
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int k = 0; k < N; ++k)
            piece[k] = i * N + k < L ? x[i * N + k] : Limb{0};
        if (i == pieces - 1 && shift == 0) {
            reduce_once<N>(r, piece, Limb{0}, m);
            continue;
        }
        if (shift == 0) {
            copy<N>(shifted, piece);
        } else {
            detail::shift_apart<N>(shifted, piece, shift);
        }
        if (i == pieces - 1 && is_zero<N>(shifted + N) && less<N>(shifted, m)) {
            copy<N>(r, shifted);
            continue;
        }
        limb::add<N>(shifted + N, shifted + N, r);
        barrett_reduce<N>(r, shifted, m, reciprocal);
    }
}

} // namespace warpint::arith
