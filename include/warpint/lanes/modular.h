// Products and powers modulo any number over lanes, even ones included. Variable time.
#pragma once

#include "divide.h"
#include "power.h"

namespace warpint::lanes {

// r = a b mod m for any a, b; m of N limbs. For m = 0 the result means nothing. r may be an operand.
template <int K, int N, class G>
WARPINT_HOST_DEVICE WARPINT_INLINE void multiply_modulo(const G &group, typename G::word *r,
                                                        const typename G::word *a,
                                                        const typename G::word *b,
                                                        const typename G::word *m) {
    typename G::word product[2 * K];
    multiply<2 * K, K, K, K * G::lanes>(group, product, a, b);
    divide<2 * K, K>(group, static_cast<typename G::word *>(nullptr), r, product, m);
}

// The same as a function that is called.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_CALLED Words<K, G> multiply_modulo_called(G group, Words<K, G> a,
                                                                      Words<K, G> b,
                                                                      Words<K, G> m) {
    multiply_modulo<K, K * G::lanes>(group, a.words, a.words, b.words, m.words);
    return a;
}

// Windows that pay for exponents of this many bits, with tables of at most 4 KiB a lane: a square
// costs about three quarters of a product.
template <int K, int Bits>
inline constexpr int power_window = [] {
    constexpr int limit = K <= 16 ? 6 : K <= 32 ? 5 : K <= 64 ? 4 : 3;
    const int wanted = Bits > 1300 ? 6 : Bits > 300 ? 5 : Bits > 90 ? 4 : Bits > 24 ? 3 : 2;
    return wanted < limit ? wanted : limit;
}();

namespace detail {

// r = a^e mod m in [0, m) for any m, by windows of 4 bits and divisions.
template <int K, int KE, class G>
WARPINT_HOST_DEVICE WARPINT_CALLED Words<K, G> power_by_division(G group, Words<K, G> a,
                                                                 Words<KE, G> e, Words<K, G> m) {
    using limb = typename G::limb;
    constexpr int window = 4;
    Words<K, G> table[1 << window];
    Words<K, G> one;
    set_limb<K>(group, one.words, limb{1});
    table[0] = one;
    subtract_if<K>(group, table[0].words, false, m.words); // m = 1
    WARPINT_UNROLL(2, 1)
    for (int k = 1; k < (1 << window); ++k)
        table[k] = multiply_modulo_called<K>(group, table[k - 1], a, m);
    const int length = group.largest(bit_width<KE>(group, e.words));
    int at = length == 0 ? 0 : (length - 1) / window * window;
    Words<K, G> x = table[extract_digit<KE>(group, e.words, at, window)];
    while (at > 0) {
        at -= window;
        WARPINT_UNROLL(2, 1)
        for (int k = 0; k < window; ++k)
            x = multiply_modulo_called<K>(group, x, x, m);
        x = multiply_modulo_called<K>(
            group, x, table[extract_digit<KE>(group, e.words, at, window)], m);
    }
    return x;
}

} // namespace detail

// r = a^e mod m in [0, m), for any a and m; e of KE words. For m = 0 the result means nothing.
template <int K, int Window, int KE, class G>
WARPINT_HOST_DEVICE WARPINT_INLINE void power_modulo(const G &group, typename G::word *r,
                                                     const typename G::word *a,
                                                     const typename G::word *e,
                                                     const typename G::word *m) {
    using word = typename G::word;
    const bool even = (group.broadcast(m[0], 0) & 1u) == 0;
    Words<K, G> by_division;
    const bool some_even = group.vote(even);
    if (some_even) {
        Words<K, G> x;
        Words<KE, G> exponent;
        Words<K, G> modulus;
        copy<K>(x.words, a);
        copy<KE>(exponent.words, e);
        copy<K>(modulus.words, m);
        by_division = detail::power_by_division<K, KE>(group, x, exponent, modulus);
    }
    if (group.vote(!even)) {
        word odd[K]; // an even modulus of another number of the warp: any odd one
        copy<K>(odd, m);
        odd[0] = odd[0] | G::to_word(group.first());
        power_odd<K, Window, KE>(group, r, a, e, odd);
    }
    if (some_even)
        select<K>(group, r, even, by_division.words, r);
}

} // namespace warpint::lanes
