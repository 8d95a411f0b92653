// SPDX-License-Identifier: Apache-2.0
// Rows from the top of a number down, for divisions and for products modulo a number. A row moves
// the sums of all lanes up by a limb and adds multiples of one or two numbers; what a lane holds
// beyond its limbs moves to the next one a limb a row, carries wait for the end. Rare carries that
// would need more are only noted: then the caller does everything again in another way.
#pragma once

#include "../limbs/division/reciprocal.h"
#include "move.h"

namespace warpint::lanes {

// A divisor shifted up until its top bit is that of the lanes: its top limbs, and
// floor((B^4 - 1) / (high B + low)) - B^2 in two limbs.
template <class Limb>
struct TopLimbs {
    Limb high;
    Limb low;
    Limb reciprocal;
    Limb reciprocal_low;
};
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE TopLimbs<Limb> prepare_top(Limb high, Limb low) {
    using pair = warpint::limb::double_limb_t<Limb>;
    const Limb reciprocal = arith::reciprocal(high, low);
    // What B + reciprocal leaves of B^3 - 1, below the divisor; modulo B^2.
    const pair divisor = warpint::limb::join_halves(low, high);
    const pair left =
        static_cast<pair>(~pair{0} - static_cast<pair>(divisor * reciprocal) -
                          static_cast<pair>(pair{low} << warpint::limb::limb_bits<Limb>));
    const Limb next =
        arith::divide_3by2(warpint::limb::high_half(left), warpint::limb::low_half(left),
                           static_cast<Limb>(detail::all_ones), high, low, reciprocal)
            .quotient;
    return {high, low, reciprocal, next};
}
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE TopLimbs<typename G::limb>
top_limbs(const G &group, const typename G::word *m) {
    return prepare_top(group.broadcast(m[K - 1], G::lanes - 1),
                       group.broadcast(m[K - 2], G::lanes - 1));
}

namespace detail {

template <int K, class G>
struct TopRows {
    static_assert(K >= 4 && K % 2 == 0, "pairs of limbs, and room between a lane's ends");
    using limb = typename G::limb;
    using word = typename G::word;
    using pair = typename G::pair;
    static constexpr int pairs = K / 2;

    // A lane's sum: "even" pairs i at places 2 i, 2 i + 1, "odd" ones at 2 i + 1, 2 i + 2, over at
    // place K + 1. A row makes each pair array the other: even(i) stays where it is and is odd
    // then, odd(i) becomes even(i + 1).
    const G &group;
    pair even[pairs];
    pair odd[pairs];
    word over;
    word rare; // not 0 in any lane: a carry was lost

    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE explicit TopRows(const G &g)
        : group{g}, over{word(0)}, rare{word(0)} {
        WARPINT_UNROLL(pairs, pairs)
        for (int i = 0; i < pairs; ++i) {
            even[i] = pair(0);
            odd[i] = pair(0);
        }
    }

    // x = the odd pairs one place up, `next` at the bottom of lane 0, and what the lane below held
    // at its place K + 1, now this lane's place 2.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void move_up(pair *x, const pair *o, limb next) {
        x[0] = join_halves(G::select(group.first(), word(next), word(0)), word(0));
        WARPINT_UNROLL(pairs, pairs)
        for (int i = 0; i < pairs; ++i)
            x[i + 1] = o[i];
        const word entering = G::select(group.first(), word(0), group.from_below(over));
        typename G::chain chain;
        const word low = chain.add(low_half(x[1]), entering);
        const word high = chain.add_next(high_half(x[1]), word(0));
        x[1] = join_halves(low, high);
        rare |= chain.end(word(0));
    }
    // Adds a b to the pairs e, odd now, and x, even; the carries to place K + 1 and K are added to
    // those given.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
    add_product(pair *e, pair *x, const word *a, limb b, word &carry_odd, word &carry_even) {
        typename G::chain chain;
        multiply_add_pairs<K, G>(chain, e, a + 1, word(b));
        carry_odd = chain.end(carry_odd);
        multiply_add_pairs<K, G>(chain, x, a, word(b));
        carry_even = chain.end(carry_even);
    }
    // Joins place K, sets `over`, and stores x over o; returns what place K + 2 would get.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE word close(pair *e, pair *o, const pair *x,
                                                         word carry_odd, word carry_even) {
        typename G::chain chain;
        word place = chain.add(high_half(e[pairs - 1]), low_half(x[pairs]));
        over = chain.add_next(high_half(x[pairs]), carry_odd);
        word beyond = chain.end(word(0));
        place = chain.add(place, carry_even);
        over = chain.add_next(over, word(0));
        beyond = chain.end(beyond);
        e[pairs - 1] = join_halves(low_half(e[pairs - 1]), place);
        WARPINT_UNROLL(pairs, pairs)
        for (int i = 0; i < pairs; ++i)
            o[i] = x[i];
        return beyond;
    }

    // The digit of a quotient: the sum, moved up, x and e, over B^n by a divisor with these top
    // limbs. Notes in `rare` a sum that is not below the divisor.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE limb find_digit(const pair *e, const pair *x,
                                                              const TopLimbs<limb> &top) {
        typename G::chain chain;
        const word low = chain.add(high_half(x[pairs - 1]), low_half(e[pairs - 1]));
        const word high = chain.add_next(low_half(x[pairs]), high_half(e[pairs - 1]));
        const word highest = chain.end(high_half(x[pairs]));
        // The quotient (high B + low)(B^2 + reciprocal) / B^3, without the least of the products:
        // right or one less, but for 2^-31 (of 32-bit limbs), where it is one more. It is below B
        // where high is below the divisor's; carries that are still to come count in the next row.
        word q = high_half(multiply_pair(high, top.reciprocal_low));
        const word middle = high_half(multiply_pair(low, top.reciprocal));
        const pair product = multiply_pair(high, top.reciprocal);
        word sum = chain.add(low_half(product), q);
        q = chain.add_next(high_half(product), high);
        sum = chain.add(sum, middle);
        q = chain.add_next(q, word(0));
        chain.add(sum, low);
        q = chain.end(q);
        rare |= G::select(group.last(), highest | G::to_word(high >= word(top.high)), word(0));
        return group.broadcast(q, G::lanes - 1);
    }
    // x and e, plus digit c, less digit B^n: closes the row.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void take_digit(pair *e, pair *o, pair *x,
                                                              const word *c, limb digit) {
        const auto last = group.last();
        word carry_odd = word(0);
        word carry_even = word(0);
        add_product(e, x, c, digit, carry_odd, carry_even);
        const word beyond = close(e, o, x, carry_odd, carry_even);
        rare |= G::select(last, word(0), beyond);
        over = G::select(last, word(0), over);
        const word place = high_half(e[pairs - 1]) - G::select(last, word(digit), word(0));
        e[pairs - 1] = join_halves(low_half(e[pairs - 1]), place);
    }

    // The sum times B, plus `next`, less q m; returns q. c = B^n - m is added q times and q taken
    // from place n, the top lane's place K, where the sum counts modulo B: 0 <= sum < B^n holds as
    // long as nothing is noted in `rare`, and sum < m nearly always.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE limb divide_row(pair *e, pair *o, limb next,
                                                              const word *c,
                                                              const TopLimbs<limb> &top) {
        pair x[pairs + 1];
        move_up(x, o, next);
        const limb digit = find_digit(e, x, top);
        take_digit(e, o, x, c, digit);
        return digit;
    }

    // A digit of a square root, limb i of lane `lane` (square_root.h): the sum times B, plus
    // `next`, less q (d + q B^j), then d + 2 q B^j becomes d. d has zeros from limb j down, and c
    // is B^n - 1 - d: what it is below B^n - d is added to `next`.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
    root_row(pair *e, pair *o, limb next, word *c, int lane, int i, const TopLimbs<limb> &top) {
        pair x[pairs + 1];
        move_up(x, o, next);
        const limb q = find_digit(e, x, top);
        const auto rank = group.template place<1>(0);
        const auto here = rank == lane;
        c[i] = G::select(here, word(static_cast<limb>(~q)), c[i]);
        x[0] = x[0] + join_halves(G::select(group.first(), word(q), word(0)), word(0));
        take_digit(e, o, x, c, q);
        c[i] = G::select(here, word(static_cast<limb>(~static_cast<limb>(q << 1))), c[i]);
        // The top bit of 2 q goes to the limb above, whose lowest bit is 0 in d.
        const word top_bit = word(static_cast<limb>(q >> (warpint::limb::limb_bits<limb> - 1)));
        if (i + 1 < K) {
            c[i + 1 < K ? i + 1 : 0] ^= G::select(here, top_bit, word(0));
        } else {
            c[0] ^= G::select(rank == lane + 1, top_bit, word(0));
        }
    }

    // The sum times B, plus a b, where what passes place n + 2 comes back as a multiple of
    // c = B^(n + 2) mod m. The sum stays below B^(n + 2) + 2 B^(n + 1) + B^3.
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void fold_row(pair *e, pair *o, const word *a, limb b,
                                                            const word *c) {
        const limb passed = group.broadcast(over, G::lanes - 1);
        pair x[pairs + 1];
        move_up(x, o, limb{0});
        word carry_odd = word(0);
        word carry_even = word(0);
        add_product(e, x, a, b, carry_odd, carry_even);
        add_product(e, x, c, passed, carry_odd, carry_even);
        rare |= close(e, o, x, carry_odd, carry_even);
    }

    // r = the sum, exactly; above: three limbs over the number (of a division the first is 0 if
    // nothing went wrong, the others are unspecified).
    WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void join(word *r, limb *above) const {
        typename G::chain chain;
        join_pairs<K, G>(chain, r, even, odd);
        const word w0 = chain.add_next(high_half(odd[pairs - 1]), word(0));
        const word w1 = chain.add_next(over, word(0));
        const word w2 = chain.end(word(0));
        const auto first = group.first();
        r[0] = chain.add(r[0], G::select(first, word(0), group.from_below(w0)));
        r[1] = chain.add_next(r[1], G::select(first, word(0), group.from_below(w1)));
        r[2] = chain.add_next(r[2], G::select(first, word(0), group.from_below(w2)));
        WARPINT_UNROLL(K, K)
        for (int i = 3; i < K; ++i)
            r[i] = chain.add_next(r[i], word(0));
        const bool out = settle_sum<K>(group, r, chain.end(word(0)));
        limb carry = static_cast<limb>(out ? 1 : 0);
        above[0] = static_cast<limb>(group.broadcast(w0, G::lanes - 1) + carry);
        carry = static_cast<limb>(above[0] < carry ? 1 : 0);
        above[1] = static_cast<limb>(group.broadcast(w1, G::lanes - 1) + carry);
        carry = static_cast<limb>(above[1] < carry ? 1 : 0);
        above[2] = static_cast<limb>(group.broadcast(w2, G::lanes - 1) + carry);
    }
};

} // namespace detail

} // namespace warpint::lanes
