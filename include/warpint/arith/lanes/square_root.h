// SPDX-License-Identifier: Apache-2.0
// Integer square roots over lanes, limb by limb from the top, as on paper: with the root so far s
// and d = 2 s, the next limb is q = floor(rest B / d) nearly always, and the rest loses
// q (d + q B^j). So a root costs the rows of a division half as long (top_rows.h), whose divisor
// grows by a limb in every row. Two limbs of the root are found first, in every lane, so that the
// divisor's top limbs are those of all rows. If one of many rare things happens, as in a division,
// everything is done again bit by bit. Variable time.
#pragma once

#include "../limbs/division/square_root.h"
#include "divide.h"

namespace warpint::lanes {

namespace detail {

// floor(sqrt(a)) of four limbs, a >= B^4 / 16 and below B^4 / 4, and the rest.
template <class Limb>
struct PairRoot {
    warpint::limb::double_limb_t<Limb> root;
    warpint::limb::double_limb_t<Limb> rest;
};
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE PairRoot<Limb> root_of_four(Limb a3, Limb a2, Limb a1,
                                                                      Limb a0) {
    using pair = warpint::limb::double_limb_t<Limb>;
    constexpr int bits = warpint::limb::limb_bits<Limb>;
    const pair top = warpint::limb::join_halves(a2, a3);
    const Limb s =
        static_cast<Limb>(arith::detail::root_of_two<Limb>(static_cast<pair>(top << 2)).root >> 1);
    // top = s^2 + left, left <= 2 s < B; the next limb is (left B + a1) / 2 s, or a little less.
    const Limb left = warpint::limb::low_half(static_cast<pair>(top - multiply_pair(s, s)));
    const Limb twice = static_cast<Limb>(s << 1);
    Limb q = static_cast<Limb>(all_ones);
    if (left < twice)
        q = arith::divide_2by1(left, a1, twice, arith::reciprocal(twice)).quotient;
    const pair part =
        static_cast<pair>(warpint::limb::join_halves(a1, left) - multiply_pair(q, twice));
    const pair square = multiply_pair(q, q);
    const pair before = static_cast<pair>(static_cast<pair>(part << bits) | a0);
    pair root = warpint::limb::join_halves(q, s);
    pair rest = static_cast<pair>(before - square);
    bool below_zero = part >> bits == 0 && before < square;
    for (int i = 0; i < 2; ++i) { // q was one or two too large, as s may be as small as B / 4
        const pair more = static_cast<pair>(below_zero ? 2u * root - 1u : 0u);
        root = static_cast<pair>(root - (below_zero ? 1u : 0u));
        rest = static_cast<pair>(rest + more);
        below_zero = below_zero && rest >= more;
    }
    return {root, rest};
}

} // namespace detail

// twice = 2 s and rest = a - s^2 with s = floor(sqrt(a)), for a = high B^n + low, n = K L, with
// B^2n / 16 <= a < B^2n / 4. Returns whether that is so for all numbers that run together: rare
// ones are left to the caller, and then twice and rest are unspecified. No output is an input.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool
square_root_rows(const G &group, typename G::word *twice, typename G::word *rest,
                 const typename G::word *high, const typename G::word *low) {
    using limb = typename G::limb;
    using word = typename G::word;
    constexpr int last = G::lanes - 1;
    const auto begin = detail::root_of_four<limb>(
        group.broadcast(high[K - 1], last), group.broadcast(high[K - 2], last),
        group.broadcast(high[K - 3], last), group.broadcast(high[K - 4], last));
    const auto divisor = static_cast<warpint::limb::double_limb_t<limb>>(begin.root << 1);
    const TopLimbs<limb> top =
        prepare_top(warpint::limb::high_half(divisor), warpint::limb::low_half(divisor));
    const auto at_top = group.last();

    word c[K]; // the complement of 2 s
    fill<K>(c, word(static_cast<limb>(detail::all_ones)));
    c[K - 1] = G::select(at_top, word(static_cast<limb>(~top.high)), c[K - 1]);
    c[K - 2] = G::select(at_top, word(static_cast<limb>(~top.low)), c[K - 2]);

    // a without the square of what is known of the root, less its last n - 2 limbs.
    word sum[K];
    sum[0] = G::select(group.first(), word(group.broadcast(low[K - 2], last)),
                       group.from_below(high[K - 2]));
    sum[1] = G::select(group.first(), word(group.broadcast(low[K - 1], last)),
                       group.from_below(high[K - 1]));
    WARPINT_UNROLL(K, K)
    for (int i = 2; i < K; ++i)
        sum[i] = high[i - 2];
    sum[K - 1] = G::select(at_top, word(warpint::limb::high_half(begin.rest)), sum[K - 1]);
    sum[K - 2] = G::select(at_top, word(warpint::limb::low_half(begin.rest)), sum[K - 2]);

    detail::TopRows<K, G> rows(group);
    WARPINT_UNROLL(K / 2, K / 2)
    for (int i = 0; i < K / 2; ++i)
        rows.even[i] = join_halves(sum[2 * i], sum[2 * i + 1]);
    WARPINT_UNROLL(2, 1)
    for (int lane = last; lane >= 0; --lane) {
        WARPINT_UNROLL(K, K)
        for (int i = K - 2; i >= 0; i -= 2) {
            if (i < K - 2 || lane < last) {
                const limb next = group.broadcast(low[i + 1], lane);
                const limb second = group.broadcast(low[i], lane);
                rows.root_row(rows.even, rows.odd, next, c, lane, i + 1, top);
                rows.root_row(rows.odd, rows.even, second, c, lane, i, top);
            }
        }
    }
    limb above[3];
    rows.join(rest, above);
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        twice[i] = ~c[i];
    const bool beyond = less<K>(group, twice, rest);
    return !group.vote((rows.rare != word(0)) | (above[0] != 0 || beyond));
}

} // namespace warpint::lanes
