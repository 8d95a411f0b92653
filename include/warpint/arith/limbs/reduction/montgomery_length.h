// SPDX-License-Identifier: Apache-2.0
// Montgomery arithmetic on hosts modulo numbers much shorter than their type: one text for all
// lengths n, which are known at run time. R = B^n, m odd, without leading zeros, m_inverse = -m^-1
// mod B; operands and results have n limbs. Room: a bound on n. Variable time.
#pragma once

#include "../division/divide_schoolbook.h"
#include "montgomery.h"

namespace warpint::arith {

// Whether arithmetic modulo numbers of N limbs follows the length of the modulus: on hosts that
// compute in words, from N on that make a difference.
template <int N, class Limb>
inline constexpr bool follows_length =
    WARPINT_DEVICE_PASS == 0 && sizeof(Limb) == 8 && N > length_limbs;

namespace detail {

// The greatest length that is followed. Types of up to eight words have products that are faster
// than those below for all but the shortest lengths: pow(a, e, m) of BigInt<512> takes 18, 20, 23
// us modulo numbers of 5, 6, 7 words, by those below 22, 31, 46.
template <int N>
inline constexpr int max_length = N <= limb::block_limbs ? length_limbs : N - 1;

// Bounds on lengths that many widths share, so that a program has few copies of the text. The
// second has no Karatsuba products in it.
template <int N>
inline constexpr int length_room = N <= limb::block_limbs ? length_limbs
                                   : N <= 32              ? 32
                                   : N <= 64              ? 64
                                                          : N;

// r = (top : t) - m if that is not negative, else t; for a value below 2 m. r may be t.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void subtract_once_row(Limb *r, const Limb *t, Limb top,
                                                     const Limb *m, int n) {
    WARPINT_ASSERT(bounds::below(t, top, m, n, 1));
    if (top != 0 || !less_row(t, m, n)) {
        limb::sub_row(r, t, m, n);
    } else {
        for (int i = 0; i < n; ++i)
            r[i] = t[i];
    }
    WARPINT_ASSERT(bounds::below(r, Limb{0}, m, n, 0));
}

// r = t / R mod m for t < m R of 2 n limbs, which is overwritten.
template <int Room, class Limb>
WARPINT_HOST_DEVICE constexpr void reduce_product_row(Limb *r, Limb *t, const Limb *m,
                                                      Limb m_inverse, int n) {
    Limb low[2 * Room];
    low[n] = 0; // (g++ warns of a length 0)
    for (int i = 0; i < n; ++i)
        low[i] = t[i];
    reduce_blocks(low, m, n, m_inverse);
    const Limb top = limb::add_row(low + n, low + n, t + n, n);
    subtract_once_row(r, low + n, top, m, n);
}

// r = a b / B mod m of one limb.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb montgomery_multiply_limb(Limb a, Limb b, Limb m,
                                                                           Limb m_inverse) {
    using Wide = limb::double_limb_t<Limb>;
    const Wide product = static_cast<Wide>(Wide{a} * b);
    const Limb low = static_cast<Limb>(product);
    const Limb high = static_cast<Limb>(product >> limb::limb_bits<Limb>);
    WARPINT_ASSERT(high < m);
    const Limb q = static_cast<Limb>(1u * low * m_inverse);
    const Limb added = static_cast<Limb>((Wide{q} * m) >> limb::limb_bits<Limb>);
    // low + q m is 0 modulo B, so it carries unless low is 0. high < m, as a b < m B.
    const Limb rest = static_cast<Limb>(m - high - static_cast<Limb>(low != 0)); // >= 0
    return static_cast<Limb>(added >= rest ? added - rest : added - rest + m);
}

// r = a b / R mod m for a b < m R. r may be a or b.
template <int Room, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
montgomery_multiply_row(Limb *r, const Limb *a, const Limb *b, const Limb *m, Limb m_inverse,
                        int n) {
    switch (n) {
    case 1:
        r[0] = montgomery_multiply_limb(a[0], b[0], m[0], m_inverse);
        return;
    case 2:
        montgomery_multiply_short<2>(r, a, b, m, m_inverse);
        return;
    case 3:
        montgomery_multiply_short<3>(r, a, b, m, m_inverse);
        return;
    case 4:
        montgomery_multiply_short<4>(r, a, b, m, m_inverse);
        return;
    default:
        break;
    }
    if constexpr (Room > 4) {
        constexpr int depth = karatsuba_levels(Room, Tuning<Limb>::karatsuba_limbs);
        Limb t[2 * Room];
        Limb scratch[product_scratch<Limb>(Room)];
        multiply_sliced<Tuning<Limb>::karatsuba_limbs, depth>(t, a, n, b, n, scratch);
        reduce_product_row<Room>(r, t, m, m_inverse, n);
    }
}

// r = a^2 / R mod m. r may be a.
template <int Room, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
montgomery_square_row(Limb *r, const Limb *a, const Limb *m, Limb m_inverse, int n) {
    if (Room <= limb::block_limbs || n <= limb::block_limbs)
        return montgomery_multiply_row<Room>(r, a, a, m, m_inverse, n);
    if constexpr (Room > limb::block_limbs) {
        constexpr int depth = karatsuba_levels(Room, Tuning<Limb>::karatsuba_square_limbs);
        Limb t[2 * Room];
        Limb scratch[square_scratch(Room)];
        square_karatsuba<Tuning<Limb>::karatsuba_square_limbs, depth>(t, a, n, scratch);
        reduce_product_row<Room>(r, t, m, m_inverse, n);
    }
}

// r = 2 r mod m for r < m.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void double_modulo_row(Limb *r, const Limb *m, int n) {
    const Limb top = limb::add_row(r, r, r, n);
    subtract_once_row(r, r, top, m, n);
}

// montgomery_constants: one = R mod m and r_squared = R^2 mod m.
template <int Room, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
montgomery_constants_row(Limb *one, Limb *r_squared, const Limb *m, Limb m_inverse, int n) {
    constexpr int limb_width = limb::limb_bits<Limb>;
    const int zeros = limb::countl_zero(m[n - 1]);
    if (n == 1 && m[0] == 1) {
        one[0] = r_squared[0] = 0;
        return;
    }
    // R mod m from 2^width - m, width that of m.
    Limb borrow = 0;
    for (int i = 0; i < n; ++i)
        one[i] = limb::sub_borrow(Limb{0}, m[i], borrow);
    one[n - 1] = static_cast<Limb>(one[n - 1] & (static_cast<Limb>(~Limb{0}) >> zeros));
    for (int i = 0; i < zeros; ++i)
        double_modulo_row(one, m, n);
    // 2^c R, c = (bits of R) / 2^k, is squared k times.
    for (int i = 0; i < n; ++i)
        r_squared[i] = one[i];
    const int bits = n * limb_width;
    int doublings = bits / (bits & -bits);
    while (2 * doublings <= n)
        doublings *= 2;
    for (int i = 0; i < doublings; ++i)
        double_modulo_row(r_squared, m, n);
    for (int c = doublings; c < bits; c *= 2)
        montgomery_square_row<Room>(r_squared, r_squared, m, m_inverse, n);
}

// x = a R mod m for a of any length: the digits of a to the base R from the top. x and a do not
// overlap.
template <int Room, class Limb>
WARPINT_HOST_DEVICE constexpr void enter_row(Limb *x, const Limb *a, int length,
                                             const Limb *r_squared, const Limb *m, Limb m_inverse,
                                             int n) {
    while (length > 0 && a[length - 1] == 0)
        --length;
    for (int i = 0; i < n; ++i)
        x[i] = 0;
    for (int place = (length + n - 1) / n * n - n; place >= 0; place -= n) {
        Limb digit[Room];
        for (int i = 0; i < n; ++i)
            digit[i] = place + i < length ? a[place + i] : Limb{0};
        montgomery_multiply_row<Room>(digit, digit, r_squared, m, m_inverse, n);
        montgomery_multiply_row<Room>(x, x, r_squared, m, m_inverse, n);
        const Limb top = limb::add_row(x, x, digit, n);
        subtract_once_row(x, x, top, m, n);
    }
}

// one = B^N mod m and r_squared = B^(2 N) mod m, of N limbs, for 2 n <= N.
template <int Room, class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr void
montgomery_constants_above(Limb *one, Limb *r_squared, const Limb *m, Limb m_inverse, int n,
                           int N) {
    Limb unit[Room], square[Room], power[Room];
    montgomery_constants_row<Room>(unit, square, m, m_inverse, n);
    const auto multiply = [m, m_inverse, n](Limb *r, const Limb *a, const Limb *b) {
        montgomery_multiply_row<Room>(r, a, b, m, m_inverse, n);
    };
    for (int i = 0; i < N; ++i)
        one[i] = r_squared[i] = 0;
    // B^N = B^(n q) B^r. The form of B^n is `square`, and the last product leaves the form.
    const auto q = static_cast<std::uint32_t>(N / n);
    for (int i = 0; i < n; ++i) {
        power[i] = square[i];
        unit[i] = i == N % n;
    }
    for (int bit = 30 - limb::countl_zero(q); bit >= 0; --bit) {
        multiply(power, power, power);
        if ((q >> bit & 1u) != 0)
            multiply(power, power, square);
    }
    multiply(one, power, unit);
    multiply(r_squared, one, square);
    multiply(r_squared, r_squared, one);
}

// r = r / B^count mod m for r < m of N limbs, count >= 1. Each Montgomery product of 1 with itself
// divides by B^N: some squares reach any power. Constant time in r.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void divide_by_limbs(Limb *r, const Limb *m, Limb m_inverse,
                                                   int count) {
    const int products = (count + N - 1) / N;
    Limb unit[N]{};
    unit[N * products - count] = 1; // what the products divide by too much
    montgomery_multiply<N>(r, r, unit, m, m_inverse);
    if (products == 1)
        return;
    const auto rest = static_cast<std::uint32_t>(products - 1);
    Limb power[N]{};
    power[0] = 1;
    for (int bit = 30 - limb::countl_zero(rest); bit >= 0; --bit) {
        montgomery_square<N>(power, power, m, m_inverse);
        if ((rest >> bit & 1u) != 0)
            montgomery_leave<N>(power, power, m, m_inverse); // times 1
    }
    montgomery_multiply<N>(r, r, power, m, m_inverse);
}

} // namespace detail

} // namespace warpint::arith
