// SPDX-License-Identifier: Apache-2.0
// Powers modulo an even number over lanes, m = 2^t m' with m' odd: the power modulo m' by
// Montgomery products, the power modulo 2^t by low products, and the Chinese remainder theorem.
// Nothing divides: kernels with powers hold products and little else, of which ptxas makes the
// better code (it spreads sums over the multiplier's pipe where a kernel has many of them).
// Variable time.
#pragma once

#include "../limbs/power/even_modulus.h"
#include "power.h"
#include "product.h"

namespace warpint::lanes {

namespace detail {

// a b modulo B^limbs, limbs even, for b with zeros below lane `first`: the rows of the limbs of b
// from there on. Both are the same for all numbers.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Words<K, G>
multiply_low_rows(G group, Words<K, G> a, Words<K, G> b, int first, int limbs) {
    using word = typename G::word;
    using pair = typename G::pair;
    constexpr int pairs = K / 2;
    const LimbsOfLanes<K, G> factor{group, b.words};
    ProductRows<K, G> rows{group, pair(0)};
    pair x[pairs + 1];
    pair y[pairs + 1];
    WARPINT_UNROLL(pairs + 1, pairs + 1)
    for (int i = 0; i <= pairs; ++i) {
        x[i] = pair(0);
        y[i] = pair(0);
    }
    Words<K, G> r;
    fill<K>(r.words, word(0));
    const auto rank = group.template place<1>(0);
    WARPINT_UNROLL(2, 1)
    for (int lane = first; lane * K < limbs; ++lane) {
        const auto here = rank == lane;
        WARPINT_UNROLL(K, K)
        for (int i = 0; i < K; i += 2) {
            if (lane * K + i >= limbs)
                break;
            const word even = rows.add(x, y, a.words, factor(lane, i));
            r.words[i] = G::select(here, word(group.broadcast(even, 0)), r.words[i]);
            const word odd = rows.add(y, x, a.words, factor(lane, i + 1));
            r.words[i + 1] = G::select(here, word(group.broadcast(odd, 0)), r.words[i + 1]);
        }
    }
    return r;
}

// a = floor(a / 2^count), 0 <= count; each number has its own. Limb by limb: short code.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void drop_low_bits(const G &group, typename G::word *a,
                                                             int count) {
    using word = typename G::word;
    constexpr int bits = warpint::limb::limb_bits<typename G::limb>;
    while (group.vote(count >= bits)) {
        const bool moves = count >= bits; // others of the warp may
        word above = G::select(group.last(), word(0), group.from_above(a[0]));
        WARPINT_UNROLL(K, K)
        for (int i = K - 1; i >= 0; --i) {
            const word moved = above;
            above = a[i];
            a[i] = G::select(moves, moved, a[i]);
        }
        count -= moves ? bits : 0;
    }
    const word above = G::select(group.last(), word(0), group.from_above(a[0]));
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        a[i] = funnel_right(i + 1 < K ? a[i + 1 < K ? i + 1 : 0] : above, a[i], count);
}

// a^e modulo 2^bits, 0 <= bits, each number its own, at most those of `limbs` limbs; what is above
// them is undefined. (arith/limbs/power/even_modulus.h says how.) All numbers take as many steps as
// one of them needs: more change nothing.
template <int K, int KE, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE Words<K, G>
power_low(const G &group, const Words<K, G> &a, const Words<KE, G> &e, int bits, int limbs) {
    using word = typename G::word;
    const bool odd = (group.broadcast(a.words[0], 0) & 1u) != 0;
    const int length = bit_width<KE>(group, e.words);
    const int enough = arith::low_power_steps(odd, length, bits);
    const bool is_zero = !odd && enough < length;
    const int steps = group.largest(bits != 0 && !is_zero ? enough : 0);
    const bool all_odd = !group.vote(bits != 0 && !is_zero && !odd);
    constexpr int lane_bits = K * warpint::limb::limb_bits<typename G::limb>;

    Words<K, G> x; // the power by the bits below j
    Words<K, G> z; // a^(2^j) - 1
    Words<K, G> t;
    set_limb<K>(group, x.words, typename G::limb{1});
    subtract<K>(group, z.words, a.words, x.words);
    int first = 0; // lanes below are zero in z
    WARPINT_UNROLL(2, 1)
    for (int j = 0; j < steps; ++j) {
        const bool takes = extract_digit<KE>(group, e.words, j, 1) != 0;
        if (group.vote(takes)) {
            t = multiply_low_rows<K>(group, x, z, first, limbs);
            add<K>(group, t.words, t.words, x.words);
            select<K>(group, x.words, takes, t.words, x.words);
        }
        t = multiply_low_rows<K>(group, z, z, first, limbs);
        add<K>(group, z.words, z.words, z.words);
        add<K>(group, z.words, z.words, t.words);
        if (all_odd)
            first = arith::low_power_zeros(j + 1) / lane_bits;
    }
    const bool goes_on = odd && steps < length;
    if (group.vote(goes_on)) {
        Words<KE, G> rest;
        copy<KE>(rest.words, e.words);
        drop_low_bits<KE>(group, rest.words, steps);
        resize<K, KE>(group, t.words, rest.words);
        t = multiply_low_rows<K>(group, t, z, first, limbs);
        t = multiply_low_rows<K>(group, x, t, first, limbs);
        add<K>(group, t.words, t.words, x.words);
        select<K>(group, x.words, goes_on, t.words, x.words);
    }
    const word keep = word(static_cast<typename G::limb>(is_zero ? 0u : all_ones));
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        x.words[i] = x.words[i] & keep;
    return x;
}

// -1 / m modulo B^limbs for an odd m: Newton's iteration x (2 + m x), from one limb on, as far
// as the lowest `bits` bits need it.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE Words<K, G>
negative_inverse_low(const G &group, const Words<K, G> &m, int bits, int limbs) {
    using limb = typename G::limb;
    Words<K, G> x;
    set_limb<K>(group, x.words, montgomery_inverse(group, m.words));
    WARPINT_UNROLL(2, 1)
    for (int right = warpint::limb::limb_bits<limb>; right < bits; right *= 2) {
        Words<K, G> y = multiply_low_rows<K>(group, m, x, 0, limbs);
        add_limb<K>(group, y.words, y.words, limb{2});
        x = multiply_low_rows<K>(group, x, y, 0, limbs);
    }
    return x;
}

// a^e mod 2^twos odd, given a^e mod odd; twos may be 0.
template <int K, int KE, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Words<K, G>
power_of_even_modulus(G group, Words<K, G> power_of_odd, Words<K, G> odd, int twos, Words<K, G> a,
                      Words<KE, G> e) {
    constexpr int pair_bits = 2 * warpint::limb::limb_bits<typename G::limb>;
    const int bits = group.largest(twos);
    const int limbs = (bits + pair_bits - 1) / pair_bits * 2;
    Words<K, G> x = power_low<K, KE>(group, a, e, twos, limbs);
    subtract<K>(group, x.words, power_of_odd.words, x.words);
    x = multiply_low_rows<K>(group, x, negative_inverse_low<K>(group, odd, bits, limbs), 0, limbs);
    set_above<K>(group, x.words, twos, 0);
    x = multiply_low_rows<K>(group, x, odd, 0, K * G::lanes);
    add<K>(group, x.words, x.words, power_of_odd.words);
    return x;
}

// r = a^e mod m for any m by power_of_odd(r, m') with its odd part m', which for m = 0 is 1.
template <int K, int KE, class G, class PowerOfOdd>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
power_of_any_parity(const G &group, typename G::word *r, const typename G::word *a,
                    const typename G::word *e, const typename G::word *m,
                    const PowerOfOdd &power_of_odd) {
    const int twos = countr_zero<K>(group, m);
    const bool some_even = group.vote(twos != 0);
    Words<K, G> odd;
    copy<K>(odd.words, m);
    if (some_even)
        drop_low_bits<K>(group, odd.words, twos);
    odd.words[0] = odd.words[0] | G::to_word(group.first());
    power_of_odd(r, odd.words);
    if (some_even) {
        Words<K, G> power;
        Words<K, G> x;
        Words<KE, G> exponent;
        copy<K>(power.words, r);
        copy<K>(x.words, a);
        copy<KE>(exponent.words, e);
        power = power_of_even_modulus<K, KE>(group, power, odd, twos, x, exponent);
        copy<K>(r, power.words);
    }
}

} // namespace detail

} // namespace warpint::lanes
