// SPDX-License-Identifier: Apache-2.0
// Reduction by folding, without quotient estimates, for moduli that differ from number to number:
// any parity and size. With F = B^(N + 2) mod M each row takes the top limb u of the dividend away
// and adds u F where it stood: N products and a handful of sums, in two accumulators of limb pairs
// that are merged only where the next u is needed. The last three digits are those of a division
// (arith/limbs/division/quotient_digit.h); by a modulus that was prepared for many products they
// are one fold and two digits at once. Everything stays in registers where a GPU runs it; the same
// text runs with 32- and 8-bit limbs on hosts, for tests.
//
// Folding the top of a number down by a power of the base known modulo m is old (Dubois and
// others); the accumulators are those of Emmart, Luitjens, Weems and Woolley (ARITH 2016). B is the
// number of values of a limb. Variable time.
//
// The modulus m may have leading zero limbs: M = m B^z has none, and U B^z mod M = (U mod m) B^z.
#pragma once

#include "fold_modulus.h"
#include "fold_product.h"
#include "fold_term.h"

namespace warpint::arith {

namespace detail {

// u + odd of N + 2 limbs becomes u mod M in u, N limbs, M = m B^places.
template <int N, int L, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
reduce_folded(Limb *u, const Limb *odd, const Limb *negative_m,
              const FoldModulus<N, Limb> &prepared, LostCarries<L, Limb> &lost, const M &) {
    if constexpr (L > N + 2)
        merge_folded<N>(u, odd, lost);
    fold_places<N, L>(u, prepared.f, prepared.places, lost);
    highest_digit<N>(u, negative_m, prepared.top);
    quotient_digit<N, 1, false>(u, negative_m, prepared.top);
    quotient_digit<N, 0, false>(u, negative_m, prepared.top);
}

// u mod M for u < M B^2, N + 2 limbs, by two digits at once. With h the top three limbs of
// u << shift and V the reciprocal, G = h + h V / B^3 is Q B for the real quotient Q, less at most 3
// for what h and V leave out and 6 for what the sum below does: floor(G / B) is the quotient, or
// one less if the lowest limb of G is next to B. The remainder is then next to M, and which it is
// shows the sign of the difference.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
two_digits(Limb *u, const PreparedFold<N, Limb> &m) {
    using Wide = limb::double_limb_t<Limb>;
    constexpr int bits = limb::limb_bits<Limb>;
    const int shift = m.fold.top.shift;
    WARPINT_ASSERT(is_remainder<N>(u + 2, &m.negative_m[0]));
    const Limb h2 = funnel_left(u[N + 1], u[N], shift);
    const Limb h1 = funnel_left(u[N], u[N - 1], shift);
    const Limb h0 = funnel_left(u[N - 1], u[N - 2], shift);
    const Limb *const v = m.reciprocal;
    const Wide x = static_cast<Wide>(static_cast<Wide>(static_cast<Wide>(h2) * v[1]) + h0 +
                                     multiply_high_limb(h2, v[0]));
    const Wide y = static_cast<Wide>(static_cast<Wide>(static_cast<Wide>(h1) * v[2]) +
                                     multiply_high_limb(h1, v[1]) + multiply_high_limb(h0, v[2]));
    const Wide lowest =
        static_cast<Wide>(static_cast<Wide>(static_cast<Limb>(x)) + static_cast<Limb>(y));
    const Wide q = static_cast<Wide>(static_cast<Wide>(static_cast<Wide>(h2) * v[2]) +
                                     static_cast<Wide>(x >> bits) + static_cast<Wide>(y >> bits) +
                                     static_cast<Wide>(static_cast<Wide>(h2) << bits | h1) +
                                     static_cast<Wide>(lowest >> bits));
    Limb odd[N + 1]{};
    add_split_row<N, 0, N, false>(u, &odd[0], m.negative_m, static_cast<Limb>(q));
    add_split_row<N - 1, 1, N, false>(u, &odd[0], m.negative_m, static_cast<Limb>(q >> bits));
    limb::add<N - 1>(u + 1, u + 1, &odd[1]);
    if (static_cast<Limb>(lowest) >= static_cast<Limb>(Limb{0} - Limb{9})) [[unlikely]] {
        Limb less[N]{};
        limb::add<N>(less, u, m.negative_m);
        if ((less[N - 1] >> (bits - 1)) == 0) {
            copy<N>(u, less);
        }
    }
    WARPINT_ASSERT(is_remainder<N>(u, &m.negative_m[0]));
}

// By a prepared modulus. Where its top bits are 0 one fold more leaves less than 2 B^(N + 1) + B^N,
// which is less than M B^2.
template <int N, int L, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
reduce_folded(Limb *u, Limb *odd, const Limb *, const FoldModulus<N, Limb> &prepared,
              LostCarries<L, Limb> &lost, const PreparedFold<N, Limb> &m) {
    constexpr bool top_is_even = (N - 1) % 2 == 0;
    constexpr int max_shift = limb::limb_bits<Limb> - 3;
    const int shift = prepared.top.shift;
    if (L > N + 2 && shift != 0 && shift <= max_shift && prepared.places == 0) {
        Limb *const top = top_is_even ? u : odd;
        const Limb digit = top[N + 1];
        top[N + 1] = 0;
        add_split_row<N, 0, N + 2, true>(u, odd, m.last_f, digit);
        limb::add<N + 2>(u, u, odd);
    } else {
        if constexpr (L > N + 2)
            merge_folded<N>(u, odd, lost);
        fold_places<N, L>(u, prepared.f, prepared.places, lost);
        highest_digit<N>(u, m.negative_m, prepared.top);
    }
    two_digits<N>(u, m);
}

// r = u mod m for u of L limbs, which is overwritten; it has room for N + 2.
// The same of u + odd, odd at most L - 3 limbs.
template <int N, int L, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
fold_to_remainder(Limb *r, Limb *u, [[maybe_unused]] Limb *odd,
                  const FoldModulus<N, Limb> &prepared, const M &m) {
    static_assert(N == 1 || L >= N + 2);
    LostCarries<L, Limb> lost;
    if constexpr (L > N + 2)
        fold_down<N, L>(u, odd, prepared.f, lost, static_cast<Limb *>(nullptr));
    Limb negative_m[N]{};
    load_negative<N>(negative_m, m, prepared.places);
    if constexpr (N > 1) {
        reduce_folded<N>(u, odd, &negative_m[0], prepared, lost, m);
    } else {
        if constexpr (L > 2)
            merge_folded<N>(u, odd, lost);
        if constexpr (L == 3)
            highest_digit<N>(u, negative_m, prepared.top);
        quotient_digit<N, 1, L == 2>(u, negative_m, prepared.top);
        quotient_digit<N, 0, false>(u, negative_m, prepared.top);
    }
    if (lost.any()) [[unlikely]]
        add_lost_carries<N, 0, L>(u, lost, negative_m, prepared.top, static_cast<Limb *>(nullptr));
    if (prepared.places != 0)
        move_limbs_in_registers<N, false>(u, prepared.places, Limb{0});
    copy<N>(r, u);
}
template <int N, int L, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
fold_to_remainder(Limb *r, Limb *u, const FoldModulus<N, Limb> &prepared, const M &m) {
    Limb odd[L]{};
    fold_to_remainder<N, L>(r, u, &odd[0], prepared, m);
}

// Whether products of N limbs modulo M take one level of Karatsuba's method.
template <int N, class M>
inline constexpr bool folds_by_halves = false;
template <int N, class Limb>
inline constexpr bool folds_by_halves<N, PreparedFold<N, Limb>> =
    N >= fold_karatsuba_limbs && (N % 2 == 0 || N > 10);

// r = a b + c, a b - c or a b mod m, as multiply_modulo_fold, by halves.
template <int N, FoldTerm term, class Limb, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
multiply_modulo_halves(Limb *r, const Limb *a, const B &b, [[maybe_unused]] const Limb *c,
                       const PreparedFold<N, Limb> &m) {
    Limb even[2 * N + 3]{};
    Limb odd[2 * N + 3]{};
    karatsuba_product<N, term == FoldTerm::plus>(even, odd, a, b, c);
    if constexpr (term == FoldTerm::minus) { // the lower limbs of odd are free
        constexpr int h = (N + 1) / 2;
        Limb t[3 * h + 1]{};
        twice_normalised<N>(t, m);
        t[N] = static_cast<Limb>(t[N] - limb::sub<N>(t, t, c));
        copy<h>(odd, t);
        limb::add<2 * h + 1>(odd + h, odd + h, t + h);
    }
    fold_to_remainder<N, 2 * N>(r, even, odd, m.fold, m);
}

} // namespace detail

// r = a b + term modulo m in [0, m), where the term is 0 (none), c (plus), -c (minus), c d
// (plus_product) or -c d (minus_product). All numbers have N limbs and any value; m != 0. a and c
// are arrays; b(i) and d(i) give limb i; m is as ModulusLimbs. d is asked for each limb in
// ascending order, for -c d twice.
//
// -c is added as 2 D - c, D = M << shift >= B^N / 2; -c d as (B^N - 1 - c) d + d + (2 D - d) B^N:
// congruent, and not negative.
template <int N, FoldTerm term, class Limb, class B, class D, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
multiply_modulo_fold(Limb *r, const Limb *a, const B &b, [[maybe_unused]] const Limb *c,
                     [[maybe_unused]] const D &d, const M &m) {
    constexpr bool two_products = term == FoldTerm::plus_product || term == FoldTerm::minus_product;
    if constexpr (!two_products && detail::folds_by_halves<N, M>) {
        detail::multiply_modulo_halves<N, term>(r, a, b, c, m);
    } else {
        constexpr int length = two_products ? 2 * N + 1 : 2 * N;
        Limb even[2 * N + 3]{};
        Limb odd[2 * N + 3]{};
        if constexpr (term == FoldTerm::plus) {
            copy<N>(even, c);
        } else if constexpr (term == FoldTerm::minus) {
            detail::twice_normalised<N>(even, m);
            const Limb borrow = limb::sub<N>(even, even, c);
            // At limb N the accumulator takes it that waits for the carry of the first row.
            const Limb high = static_cast<Limb>(even[N] - borrow);
            even[N] = N % 2 == 0 ? high : Limb{0};
            odd[N] = N % 2 == 0 ? Limb{0} : high;
        }
        if constexpr (term == FoldTerm::minus_product) {
            Limb complement[N]{};
            WARPINT_UNROLL(N, register_limbs)
            for (int i = 0; i < N; ++i) {
                complement[i] = static_cast<Limb>(~c[i]);
                even[i] = d(i);
            }
            detail::add_product_rows<N, 0, true>(even, odd, a, b, complement, d, Limb{0});
            Limb upper[N + 1]{};
            WARPINT_UNROLL(N, register_limbs)
            for (int i = 0; i < N; ++i)
                upper[i] = d(i);
            limb::sub<N + 1>(even + N, even + N, upper);
            detail::twice_normalised<N>(upper, m);
            limb::add<N + 1>(even + N, even + N, upper);
        } else {
            detail::add_product_rows<N, 0, two_products>(even, odd, a, b, c, d, Limb{0});
        }
        const auto &prepared = detail::load_fold<N, Limb>(m);
        detail::fold_to_remainder<N, length>(r, even, prepared, m);
    }
}

// r = a^2 mod m, likewise.
template <int N, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void square_modulo_fold(Limb *r, const Limb *a,
                                                                            const M &m) {
    Limb square[2 * N + 1]{};
    square_alternate<N>(square, a);
    const auto &prepared = detail::load_fold<N, Limb>(m);
    detail::fold_to_remainder<N, 2 * N>(r, square, prepared, m);
}

// r = a mod m for a of L limbs, r and m of N; N < L <= 2 register_limbs + 1. m != 0.
template <int N, int L, class Limb, class M>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void remainder_fold(Limb *r, const Limb *a,
                                                                        const M &m) {
    static_assert(L > N && L <= 2 * register_limbs + 1 && (N > 1 || L <= 3));
    constexpr int length = L < N + 2 && N > 1 ? N + 2 : L;
    Limb u[length + 1]{};
    copy<L>(u, a);
    const auto &prepared = detail::load_fold<N, Limb>(m);
    detail::fold_to_remainder<N, length>(r, u, prepared, m);
}

} // namespace warpint::arith
