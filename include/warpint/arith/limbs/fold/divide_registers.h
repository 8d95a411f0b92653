// SPDX-License-Identifier: Apache-2.0
// Division of limb arrays whose lengths are known at compile time, every limb in a register: what
// GPUs run up to 1024 bits. Digit by digit for any lengths, by folding
// (fold.h) where the dividend is much longer than the divisor. The same text runs with
// 32- and 8-bit limbs on hosts, for tests. B is the number of values of a limb. Variable time.
#pragma once

#include "../division/divide_schoolbook.h"
#include "../inline_or_call.h"
#include "fold.h"

namespace warpint::arith {

// The longest dividend: a product of two numbers in registers and a bit.
inline constexpr int register_dividend_limbs = 2 * register_limbs + 1;

namespace detail {

// a / M by digits: q gets N limbs if Quotient, r the H limbs of (a mod M) / B^places if Remainder.
// a has N >= H limbs; m = M = b B^places has H, the top one not 0. The dividend moves up through
// the window of its top H limbs, a limb a digit, and the digits follow it from below: the divisor's
// lowest `places` limbs are 0 and leave them alone.
template <int N, int H, bool Quotient, bool Remainder, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
divide_by_digits(Limb *q, Limb *r, const Limb *a, const Limb *m, int places) {
    const auto top = top_reciprocal<H>(m);
    Limb negative_m[H]{};
    negate<H>(negative_m, m);
    Limb u[N + 1]{};
    copy<N>(u, a);
    Limb *const window = u + (N - H);
    Limb digit = quotient_digit<H, 0, true>(window, negative_m, top);
    const int steps = N - H + places;
    WARPINT_UNROLL(2, 1)
    for (int i = 0; i < steps; ++i) {
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int k = N; k > 0; --k)
            u[k] = u[k - 1];
        u[0] = digit;
        digit = quotient_digit<H, 0, false>(window, negative_m, top);
    }
    if constexpr (Quotient) {
        // The remainder's limbs stand above the digits.
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = N - 1; i > 0; --i)
            q[i] = i - 1 < steps ? u[i - 1] : Limb{0};
        q[0] = digit;
    }
    if constexpr (Remainder) {
        if (places != 0)
            move_limbs_in_registers<H, false>(window, places, Limb{0});
        copy<H>(r, window);
    }
}

// a / m for a of N >= M + 3 limbs and m of M without leading zero limbs. The folds take V K D away,
// V the digits that they fold and D = m << shift.
template <int N, int M, bool Remainder, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
divide_by_folds(Limb *q, Limb *r, const Limb *a, const Limb *m) {
    constexpr int rows = N - M - 2;
    constexpr int digits = N - M + 1;
    auto prepared = prepare_fold<M>(m, 0);
    Limb u[N + 1]{};
    copy<N>(u, a);
    LostCarries<N, Limb> lost;
    Limb folded[rows]{};
    Limb odd[N]{};
    fold_down<M, N>(u, odd, prepared.f, lost, folded);
    merge_folded<M>(u, odd, lost);
    Limb negative_m[M]{};
    negate<M>(negative_m, m);
    const auto &top = prepared.top;
    Limb quotient[digits]{};
    quotient[2] = highest_digit<M>(u, negative_m, top);
    quotient[1] = quotient_digit<M, 1, false>(u, negative_m, top);
    quotient[0] = quotient_digit<M, 0, false>(u, negative_m, top);
    add_multiple<rows, 0, 3>(quotient, folded, static_cast<Limb>(top.k0 << top.shift));
    add_multiple<rows, 1, 2>(quotient, folded, funnel_left(top.k1, top.k0, top.shift));
    add_multiple<rows, 2, 1>(quotient, folded, funnel_left(Limb{1}, top.k1, top.shift));
    if (lost.any()) [[unlikely]]
        add_lost_carries<M, digits, N>(u, lost, negative_m, top, &quotient[0]);
    if constexpr (Remainder)
        copy<M>(r, u);
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        q[i] = i < digits ? quotient[i] : Limb{0};
}

} // namespace detail

// True where divide_in_registers is for these lengths.
template <int N, int M, class Limb>
inline constexpr bool divides_in_registers =
    sizeof(Limb) == 4 && N <= register_dividend_limbs && M <= register_limbs;

// q = a / b if Quotient, r = a mod b if Remainder; b != 0. a and q have N limbs, b and r have M. q
// may be a and r may be b.
template <int N, int M, bool Quotient, bool Remainder, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
divide_in_registers([[maybe_unused]] Limb *q, [[maybe_unused]] Limb *r, const Limb *a,
                    const Limb *b) {
    if constexpr (N < M) {
        Limb above = 0;
        WARPINT_UNROLL(M, register_limbs)
        for (int i = N; i < M; ++i)
            above = static_cast<Limb>(above | b[i]);
        Limb quotient[N]{};
        Limb remainder[M]{};
        if (above != 0) {
            copy<N>(remainder, a);
        } else {
            divide_in_registers<N, N, Quotient, Remainder>(&quotient[0], &remainder[0], a, b);
        }
        if constexpr (Quotient)
            copy<N>(q, quotient);
        if constexpr (Remainder)
            copy<M>(r, remainder);
    } else if constexpr (M == 1) {
        const Limb rest = divide_by_limb<N>(Quotient ? q : nullptr, a, prepare_divisor(b[0]));
        if constexpr (Remainder)
            r[0] = rest;
    } else {
        constexpr bool folds = M >= 4 && N >= M + fold_excess_limbs;
        constexpr bool halves = M >= 8;
        Limb quotient[N]{};
        Limb remainder[M]{};
        Limb m[M]{};
        const int places = detail::load_aligned<M>(m, ModulusLimbs<M, Limb>{b});
        if (M >= 3 && places == M - 1) {
            remainder[0] =
                divide_by_limb<N>(Quotient ? &quotient[0] : nullptr, a, prepare_divisor(m[M - 1]));
        } else if (halves && (Quotient || !folds) && places >= M / 2) {
            constexpr int half = halves ? (M + 1) / 2 : 1;
            detail::divide_by_digits<N, half, Quotient, Remainder>(
                quotient, remainder, a, m + (M - half), places - (M - half));
        } else if (folds && !Quotient) {
            if constexpr (folds && !Quotient)
                remainder_fold<M, N>(&remainder[0], a, ModulusLimbs<M, Limb>{b});
        } else if (folds && places == 0) {
            if constexpr (folds && Quotient)
                detail::divide_by_folds<N, M, Remainder>(quotient, remainder, a, m);
        } else {
            detail::divide_by_digits<N, M, Quotient, Remainder>(quotient, remainder, a, m, places);
        }
        if constexpr (Quotient)
            copy<N>(q, quotient);
        if constexpr (Remainder)
            copy<M>(r, remainder);
    }
}

namespace detail {

template <int N, int M, bool Quotient>
struct DivideInRegisters {
    template <class Limb>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void operator()(Limb *q, Limb *r, const Limb *a,
                                                                 const Limb *b) const {
        divide_in_registers<N, M, Quotient, true>(q, r, a, b);
    }
};

} // namespace detail

// divide_in_registers, inlined or out of line (../inline_or_call.h): folds of long dividends of
// much shorter divisors are long texts, and kernels that divide so in several places should compile
// quickly: one with all operators of 2048 and 256 bits in 38 s instead of 53. They run at 0.93 to
// 0.96 of the speed (an H200). Out of line the remainder is always found.
template <int N, int M, bool Quotient, bool Remainder, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
inline_or_call_division([[maybe_unused]] Limb *q, [[maybe_unused]] Limb *r, const Limb *a,
                        const Limb *b) {
    if constexpr (N <= inlined_limbs || N <= 2 * M + 1 || M < 4) {
        divide_in_registers<N, M, Quotient, Remainder>(q, r, a, b);
    } else {
        [[maybe_unused]] Limb remainder[M];
        if constexpr (!Remainder)
            r = &remainder[0];
        inline_or_call<false>(detail::DivideInRegisters<N, M, Quotient>{}, q, r, a, b);
    }
}

} // namespace warpint::arith
