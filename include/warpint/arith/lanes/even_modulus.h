// SPDX-License-Identifier: Apache-2.0
// Powers modulo an even number over lanes, m = 2^t m' with m' odd: the power modulo m' by
// Montgomery products, the power modulo 2^t by low products, and the Chinese remainder theorem.
// Nothing divides: kernels with powers hold products and little else, of which ptxas makes the
// better code (it spreads sums over the multiplier's pipe where a kernel has many of them).
// Variable time.
#pragma once

#include "power.h"
#include "product.h"

namespace warpint::lanes {

namespace detail {

// a b modulo B^n, n = K L.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Words<K, G>
multiply_low_outlined(G group, Words<K, G> a, Words<K, G> b) {
    Words<K, G> r;
    multiply<K, K, K, K * G::lanes>(group, r.words, a.words, b.words);
    return r;
}

// a^e modulo B^n, by windows of 4 bits.
template <int K, int KE, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE Words<K, G>
power_low(const G &group, const Words<K, G> &a, const Words<KE, G> &e) {
    constexpr int window = 4;
    Words<K, G> table[1 << window];
    set_limb<K>(group, table[0].words, typename G::limb{1});
    WARPINT_UNROLL(2, 1)
    for (int k = 1; k < (1 << window); ++k)
        table[k] = multiply_low_outlined<K>(group, table[k - 1], a);
    const int length = group.largest(bit_width<KE>(group, e.words));
    int at = length == 0 ? 0 : (length - 1) / window * window;
    Words<K, G> x = table[extract_digit<KE>(group, e.words, at, window)];
    while (at > 0) {
        at -= window;
        WARPINT_UNROLL(2, 1)
        for (int k = 0; k < window; ++k)
            x = multiply_low_outlined<K>(group, x, x);
        x = multiply_low_outlined<K>(group, x,
                                     table[extract_digit<KE>(group, e.words, at, window)]);
    }
    return x;
}

// -1 / m modulo B^n for an odd m: Newton's iteration x (2 + m x), from one limb on.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE Words<K, G> negative_inverse_low(const G &group,
                                                                           const Words<K, G> &m) {
    using limb = typename G::limb;
    Words<K, G> x;
    set_limb<K>(group, x.words, montgomery_inverse(group, m.words));
    WARPINT_UNROLL(2, 1)
    for (int limbs = 1; limbs < K * G::lanes; limbs *= 2) {
        Words<K, G> y = multiply_low_outlined<K>(group, m, x);
        add_limb<K>(group, y.words, y.words, limb{2});
        x = multiply_low_outlined<K>(group, x, y);
    }
    return x;
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

// a^e mod 2^twos odd, given a^e mod odd.
template <int K, int KE, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE Words<K, G>
power_of_even_modulus(G group, Words<K, G> power_of_odd, Words<K, G> odd, int twos, Words<K, G> a,
                      Words<KE, G> e) {
    Words<K, G> x = power_low<K, KE>(group, a, e);
    subtract<K>(group, x.words, power_of_odd.words, x.words);
    x = multiply_low_outlined<K>(group, x, negative_inverse_low<K>(group, odd));
    set_above<K>(group, x.words, twos, 0);
    x = multiply_low_outlined<K>(group, x, odd);
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
