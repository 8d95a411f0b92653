// SPDX-License-Identifier: Apache-2.0
// Division over lanes, with quotient and remainder, for any divisor but 0. Row by row from the top,
// as on paper, in two forms. The fast one leaves carries between lanes for the end (top_rows.h) and
// takes each digit of the quotient from the top lane as it is; if one of many rare things happens
// (about once in 2^28 rows), everything is done again in the exact one: Knuth, The Art of Computer
// Programming 2, 4.3.1 D, with trial quotients of three limbs by two
// (arith/limbs/division/reciprocal.h), the only one for less than 4 words a lane. Variable time.
#pragma once

#include "product.h"
#include "top_rows.h"

namespace warpint::lanes {

// r = (r B + next) mod m, returns the quotient; r < m, m as above.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::limb
divide_step(const G &group, typename G::word *r, typename G::limb next, const typename G::word *m,
            const TopLimbs<typename G::limb> &top) {
    using limb = typename G::limb;
    using word = typename G::word;
    using pair = typename G::pair;
    constexpr int pairs = K / 2;
    WARPINT_ASSERT_ON_HOST(less<K>(group, r, m));
    const limb u2 = group.broadcast(r[K - 1], G::lanes - 1);
    const word entering = G::select(group.first(), word(next), group.from_below(r[K - 1]));
    WARPINT_UNROLL(K, K)
    for (int i = K - 1; i > 0; --i)
        r[i] = r[i - 1];
    r[0] = entering;
    const limb u1 = group.broadcast(r[K - 1], G::lanes - 1);
    const limb u0 = group.broadcast(r[K - 2], G::lanes - 1);
    // The quotient, or one more: of normalised m the two top limbs, and of r three, miss less than
    // 2 / B of it, and where r begins as m does it is B - 1.
    const bool largest = u2 > top.high || (u2 == top.high && u1 >= top.low);
    limb q = static_cast<limb>(detail::all_ones);
    if (!largest)
        q = arith::divide_3by2(u2, u1, u0, top.high, top.low, top.reciprocal).quotient;

    // r -= q m, in each lane, then what the lane below took too much.
    pair even[pairs];
    pair odd[pairs];
    WARPINT_UNROLL(pairs, pairs)
    for (int i = 0; i < pairs; ++i) {
        even[i] = multiply_pair(m[2 * i], q);
        odd[i] = multiply_pair(m[2 * i + 1], q);
    }
    typename G::chain chain;
    word product[K];
    detail::join_pairs<K, G>(chain, product, even, odd);
    word over = chain.end(high_half(odd[pairs - 1])); // below B - 1
    r[0] = chain.subtract(r[0], product[0]);
    WARPINT_UNROLL(K, K)
    for (int i = 1; i < K; ++i)
        r[i] = chain.subtract_next(r[i], product[i]);
    over = over - chain.subtract_end(word(0));
    detail::subtract_from_lanes<K, G>(chain, r,
                                      G::select(group.first(), word(0), group.from_below(over)));
    const bool out = detail::settle_difference<K>(group, r, word(0) - chain.subtract_end(word(0)));
    limb above = static_cast<limb>(u2 - group.broadcast(over, G::lanes - 1) - (out ? 1u : 0u));
    if (group.vote(above != 0)) { // below zero: once is enough
        word sum[K];
        const bool carry = add<K>(group, sum, r, m);
        const bool negative = above != 0;
        select<K>(group, r, negative, sum, r);
        q = static_cast<limb>(q - (negative ? 1u : 0u));
        above = static_cast<limb>(above + (negative && carry ? 1u : 0u));
    }
    WARPINT_ASSERT_ON_HOST(above == 0 && less<K>(group, r, m));
    return q;
}

namespace detail {

// r = a 2^count for a count of any sign, rounded down.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void shift(const G &group, typename G::word *r,
                                                     const typename G::word *a, int count) {
    copy<K>(r, a);
    if (group.vote(count > 0))
        shift_left<K>(group, r, r, count > 0 ? count : 0);
    if (group.vote(count < 0))
        shift_right<K>(group, r, r, count < 0 ? -count : 0);
}

// What the rows of a division read and write: limb `row` of a dividend and of a quotient, both in K
// words a lane. The quotient is null if nobody wants it.
template <int K, class G>
struct LimbsAtRows {
    const G &group;
    const typename G::word *dividend;
    typename G::word *quotient;

    // Of limb `row`; unsigned, as that divides in fewer instructions.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE static int word_of(int row) {
        return static_cast<int>(static_cast<unsigned>(row) % K);
    }
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE static int lane_of(int row) {
        return static_cast<int>(static_cast<unsigned>(row) / K);
    }
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::limb next(int row) const {
        return group.broadcast(dividend[word_of(row)], lane_of(row));
    }
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void digit(int row, typename G::limb q) const {
        using word = typename G::word;
        if (quotient != nullptr) {
            G::assign_where(group.template place<1>(0) == lane_of(row), quotient[word_of(row)],
                            word(q));
        }
    }
};
// Zeros, and a quotient that nobody wants.
template <class G>
struct ZerosAtRows {
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE typename G::limb next(int) const { return 0; }
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void digit(int, typename G::limb) const {}
};

template <int K, class G, class Rows>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Words<K, G>
divide_rows_exactly(G group, Words<K, G> rest, Words<K, G> m, TopLimbs<typename G::limb> top,
                    int rows, Rows limbs) {
    WARPINT_UNROLL(2, 1)
    for (int row = rows - 1; row >= 0; --row)
        limbs.digit(row, divide_step<K>(group, rest.words, limbs.next(row), m.words, top));
    return rest;
}

} // namespace detail

// rest = (rest B^rows + what limbs.next gives, from row rows - 1 down) mod m; the digits of the
// quotient go to limbs.digit. rest < m, m with its top bit set, rows even. (Four rows in the loop's
// body move fewer limbs between registers, and were slower on an H200: a division of 4096 by 2048
// bits 521 M a second, 537 M with two.)
template <int K, class G, class Rows>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
divide_rows(const G &group, typename G::word *rest, const typename G::word *m,
            const TopLimbs<typename G::limb> &top, int rows, const Rows &limbs) {
    using limb = typename G::limb;
    using word = typename G::word;
    if constexpr (K >= 4) {
        word c[K]; // B^n - m
        negate_if<K>(group, c, true, m);
        detail::TopRows<K, G> sums(group);
        WARPINT_UNROLL(K / 2, K / 2)
        for (int i = 0; i < K / 2; ++i)
            sums.even[i] = join_halves(rest[2 * i], rest[2 * i + 1]);
        WARPINT_UNROLL(2, 1)
        for (int row = rows - 1; row > 0; row -= 2) {
            const limb first = limbs.next(row); // both before the rows wait for each other
            const limb second = limbs.next(row - 1);
            limbs.digit(row, sums.divide_row(sums.even, sums.odd, first, c, top));
            limbs.digit(row - 1, sums.divide_row(sums.odd, sums.even, second, c, top));
        }
        word result[K];
        limb above[3];
        sums.join(result, above);
        const bool reduced = less<K>(group, result, m);
        const bool wrong = above[0] != 0 || !reduced;
        if (!group.vote((sums.rare != word(0)) | wrong)) {
            copy<K>(rest, result);
            return;
        }
    }
    Words<K, G> from;
    Words<K, G> divisor;
    copy<K>(from.words, rest);
    copy<K>(divisor.words, m);
    from = detail::divide_rows_exactly<K, G>(group, from, divisor, top, rows, limbs);
    copy<K>(rest, from.words);
}

// u = q m + r, 0 <= r < m. u and q have KU words, r and m KM; q may be null. For m = 0 the results
// are unspecified. q and r may be u and m.
template <int KU, int KM, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
divide(const G &group, typename G::word *q, typename G::word *r, const typename G::word *u,
       const typename G::word *m) {
    using limb = typename G::limb;
    using word = typename G::word;
    constexpr int bits = warpint::limb::limb_bits<limb>;
    constexpr int top_bits = bits * KM * G::lanes;
    constexpr int K = KU > KM ? KU : KM;

    word divisor[KM];
    const int length = bit_width<KM>(group, m);
    const int shift = top_bits - (length != 0 ? length : 1);
    copy<KM>(divisor, m);
    divisor[0] = divisor[0] | G::select(group.first() & (length == 0), word(1), word(0));
    shift_left<KM>(group, divisor, divisor, shift);
    const TopLimbs<limb> top = top_limbs<KM>(group, divisor);

    // The dividend, shifted as far: so many limbs that what is above them is below the divisor are
    // brought down one by one.
    word dividend[K];
    resize<K, KU>(group, dividend, u);
    const int excess = bit_width<K>(group, dividend) + shift - top_bits + 1;
    const int rows = group.largest(excess > 0 ? (excess + 2 * bits - 1) / (2 * bits) * 2 : 0);
    word rest[KM];
    {
        word above[K];
        detail::shift<K>(group, above, dividend, shift - rows * bits);
        resize<KM, K>(group, rest, above);
    }
    shift_left<K>(group, dividend, dividend, shift);
    word quotient[K]; // both at run-time places
    fill<K>(quotient, word(0));
    divide_rows<KM>(group, rest, divisor, top, rows,
                    detail::LimbsAtRows<K, G>{group, dividend, q != nullptr ? quotient : nullptr});
    if (q != nullptr)
        resize<KU, K>(group, q, quotient);
    shift_right<KM>(group, r, rest, shift);
}

// The same out of line, for texts that divide several times or take little of their time here: one
// function for all of a width.
template <int KU, int KM, class G>
struct Division {
    Words<KU, G> quotient;
    Words<KM, G> remainder;
};
template <int KU, int KM, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Division<KU, KM, G>
divide_outlined(G group, Words<KU, G> u, Words<KM, G> m) {
    warpint::limb::keep_arrays_apart();
    Division<KU, KM, G> r;
    divide<KU, KM>(group, r.quotient.words, r.remainder.words, u.words, m.words);
    return r;
}

} // namespace warpint::lanes
