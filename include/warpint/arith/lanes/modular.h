// SPDX-License-Identifier: Apache-2.0
// Products and powers modulo any number over lanes, even ones included. Variable time.
#pragma once

#include "../limbs/fold/fold_term.h"
#include "divide.h"
#include "even_modulus.h"
#include "power.h"
#include "tuning.h"

namespace warpint::lanes {

namespace detail {

// r = a B^places, 0 <= places < K.
template <int K, int places, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void move_up_by(const G &group, typename G::word *r,
                                                          const typename G::word *a) {
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        r[i] = moved_limb<K, true>(group, a, i, places, 0);
}

// a b mod m, of at most N limbs each.
template <int K, int N, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Words<K, G>
multiply_modulo_by_division(G group, Words<K, G> a, Words<K, G> b, Words<K, G> m) {
    constexpr int wide = (N + G::lanes - 1) / G::lanes * 2; // words of a product
    return divide_outlined<wide, K>(group, multiply_outlined<wide, K, K, N>(group, a, b), m)
        .remainder;
}
// a b + c mod m or a b - c mod m.
template <int K, int N, arith::FoldTerm term, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Words<K, G>
multiply_add_modulo_by_division(G group, Words<K, G> a, Words<K, G> b, Words<K, G> c,
                                Words<K, G> m) {
    a = multiply_modulo_by_division<K, N, G>(group, a, b, m);
    c = divide_outlined<K, K>(group, c, m).remainder;
    if constexpr (term == arith::FoldTerm::plus) {
        const bool over = add<K>(group, a.words, a.words, c.words);
        subtract_if<K>(group, a.words, over, m.words);
    } else {
        const bool below = subtract<K>(group, a.words, a.words, c.words);
        add<K>(group, b.words, a.words, m.words);
        select<K>(group, a.words, below, b.words, a.words);
    }
    return a;
}

// above B^n + sum, plus or less c, and less nothing below 0: then twice a divisor with its top bit
// set is added. Three limbs `above`, which have room.
template <int K, arith::FoldTerm term, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
add_term(const G &group, typename G::word *sum, typename G::limb *above, const typename G::word *c,
         const typename G::word *divisor) {
    using limb = typename G::limb;
    const auto carry_up = [above](bool carry) {
        limb in = static_cast<limb>(carry ? 1 : 0);
        for (int i = 0; i < 3; ++i) {
            above[i] = static_cast<limb>(above[i] + in);
            in = static_cast<limb>(above[i] < in ? 1 : 0);
        }
    };
    if constexpr (term == arith::FoldTerm::plus) {
        carry_up(add<K>(group, sum, sum, c));
    } else {
        const bool borrow = subtract<K>(group, sum, sum, c);
        const bool below = borrow && (above[0] | above[1] | above[2]) == 0;
        if (borrow) {
            limb out = 1;
            for (int i = 0; i < 3; ++i) {
                const limb before = above[i];
                above[i] = static_cast<limb>(before - out);
                out = static_cast<limb>(before < out ? 1 : 0);
            }
        }
        if (group.vote(below)) { // products of few limbs
            typename G::word raised[K];
            for (int k = 0; k < 2; ++k) {
                const bool carry = add<K>(group, raised, sum, divisor);
                select<K>(group, sum, below, raised, sum);
                carry_up(below && carry);
            }
        }
    }
}

// t = floor(t / B^3), the three limbs `above` coming in at the top.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void move_down_three(const G &group, typename G::word *r,
                                                               const typename G::word *t,
                                                               const typename G::limb *above) {
    using word = typename G::word;
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i) {
        const int from = i + 3;
        r[i] = from < K ? t[from < K ? from : 0]
                        : G::select(group.last(), word(above[from < K ? 0 : from - K]),
                                    group.from_above(t[from < K ? 0 : from - K]));
    }
}

} // namespace detail

// r = a b mod m for any a, b, or a b + c or a b - c mod m for any c as well (term plus or minus);
// all of at most N limbs. c is read for a term only. For m = 0 the result is unspecified. r may be
// an operand. By Horner's rule from the top limb of b down, where what grows beyond two limbs above
// m is folded back, t B^(n + 2) = t f modulo m, f = B^(n + 2) mod m: no quotient is estimated in
// the rows, only for f (two limbs) and at the end (four).
template <int K, int N, arith::FoldTerm term, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
multiply_modulo(const G &group, typename G::word *r, const typename G::word *a,
                const typename G::word *b, const typename G::word *c, const typename G::word *m) {
    using limb = typename G::limb;
    using word = typename G::word;
    constexpr int bits = warpint::limb::limb_bits<limb>;
    constexpr int n = K * G::lanes;
    if constexpr (K >= 4 && n >= 8) {
        // a goes to the top of the lanes, and the sum is that of a b B^unused: its remainder by the
        // shifted divisor takes only the rows that moduli shorter than N limbs need.
        constexpr int unused = n - N < K ? n - N : 0;
        const int length = bit_width<K>(group, m);
        const int shift = bits * n - (length != 0 ? length : 1);
        const int left = shift - bits * unused;
        const int places = group.largest(left / bits);
        if (!group.vote(places > n - unused - 8)) { // short moduli by division
            word divisor[K];
            copy<K>(divisor, m);
            divisor[0] = divisor[0] | G::select(group.first() & (length == 0), word(1), word(0));
            shift_left<K>(group, divisor, divisor, shift);
            const TopLimbs<limb> top = top_limbs<K>(group, divisor);
            word folded[K];
            negate_if<K>(group, folded, true, divisor);
            subtract_if<K>(group, folded, false, divisor);
            divide_rows<K>(group, folded, divisor, top, 2, detail::ZerosAtRows<G>{});

            word top_a[K];
            detail::move_up_by<K, unused>(group, top_a, a);
            detail::TopRows<K, G> sums(group);
            constexpr int lanes_of_b = factor_lanes<K, N>;
            constexpr int in_last = (N - K * (lanes_of_b - 1) + 1) / 2 * 2;
            // Fewer moves of limbs between registers at the loop's end: 702 M products modulo m of
            // 2048 bits, 197 M of 4096 bits a second on an H200, 692 M and 192 M lane by lane. With
            // 12 limbs a lane the registers that it takes cost more (1536 bits 1.08 G, in a
            // loop 1.12 G), over two lanes it spills.
            [[maybe_unused]] constexpr int unrolled = K < 16 || lanes_of_b < 4 ? 1
                                                      : lanes_of_b >= 8        ? 4
                                                                               : 2;
            WARPINT_UNROLL(unrolled, unrolled)
            for (int lane = lanes_of_b - 1; lane >= 0; --lane) {
                WARPINT_UNROLL(K, K)
                for (int i = K - 2; i >= 0; i -= 2) {
                    if (i >= in_last && lane == lanes_of_b - 1)
                        continue;
                    const limb high = group.broadcast(b[i + 1], lane);
                    const limb low = group.broadcast(b[i], lane);
                    sums.fold_row(sums.even, sums.odd, top_a, high, folded);
                    sums.fold_row(sums.odd, sums.even, top_a, low, folded);
                }
            }
            word sum[K];
            limb above[3];
            sums.join(sum, above);
            if (!group.vote(sums.rare != word(0))) {
                if constexpr (term != arith::FoldTerm::none) {
                    word top_c[K];
                    detail::move_up_by<K, unused>(group, top_c, c);
                    detail::add_term<K, term>(group, sum, above, top_c, divisor);
                }
                // (above B^n + sum) 2^left mod the divisor, from the top.
                const int rows = (places + 5) / 2 * 2;
                word rest[K];
                detail::move_down_three<K>(group, rest, sum, above);
                shift_right<K>(group, rest, rest, (rows - 3) * bits - left);
                shift_left<K>(group, sum, sum, left);
                divide_rows<K>(group, rest, divisor, top, rows,
                               detail::LimbsAtRows<K, G>{group, sum, nullptr});
                shift_right<K>(group, r, rest, shift);
                WARPINT_ASSERT_ON_HOST(length == 0 || less<K>(group, r, m));
                return;
            }
        }
    }
    Words<K, G> x;
    Words<K, G> y;
    Words<K, G> z;
    copy<K>(x.words, a);
    copy<K>(y.words, b);
    copy<K>(z.words, m);
    if constexpr (term == arith::FoldTerm::none) {
        x = detail::multiply_modulo_by_division<K, N, G>(group, x, y, z);
    } else {
        Words<K, G> added;
        copy<K>(added.words, c);
        x = detail::multiply_add_modulo_by_division<K, N, term, G>(group, x, y, added, z);
    }
    copy<K>(r, x.words);
}

// r = a^e mod m in [0, m), for any a and m of so many bits as short_rows() made Rows of (0: as many
// as the lanes have); e of KE words. For m = 0 the result is unspecified. r must not alias an
// operand.
template <int K, int Window, int KE, int Rows = 0, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
power_modulo(const G &group, typename G::word *r, const typename G::word *a,
             const typename G::word *e, const typename G::word *m) {
    detail::power_of_any_parity<K, KE>(group, r, a, e, m,
                                       [&](auto *result, const auto *odd) WARPINT_INLINE_LAMBDA {
                                           power_odd<K, Window, KE, Rows>(group, result, a, e, odd);
                                       });
}
// The same with the steps of an exponent that all numbers share, whose windows have at most
// MaxWindow bits.
template <int K, int MaxWindow, int KE, int Rows = 0, class G, class Steps>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
power_modulo_by_steps(const G &group, typename G::word *r, const typename G::word *a,
                      const typename G::word *e, const Steps &steps, int window,
                      const typename G::word *m) {
    detail::power_of_any_parity<K, KE>(
        group, r, a, e, m, [&](auto *result, const auto *odd) WARPINT_INLINE_LAMBDA {
            power_odd_by_steps<K, MaxWindow, Rows>(group, result, a, steps, window, odd);
        });
}

} // namespace warpint::lanes
