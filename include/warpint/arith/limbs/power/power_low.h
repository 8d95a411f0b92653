// SPDX-License-Identifier: Apache-2.0
// Powers of limb arrays modulo a power of the base.
#pragma once

#include "../product/multiply.h"

namespace warpint::arith {

namespace detail {

// Hosts raise numbers of so many limbs by products of the lengths that the powers have: 3^40 in
// 4096 bits is a number of one limb.
inline constexpr int power_by_length_limbs = 8;

// As power_low, for hosts.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void power_low_by_length(Limb *r, const Limb *a,
                                                       const std::uint32_t *e, int exponent_limbs) {
    Limb product[N];
    Limb scratch[product_scratch<Limb>(N / 2)];
    const int length = significant_limbs<N>(a);
    while (exponent_limbs > 0 && e[exponent_limbs - 1] == 0)
        --exponent_limbs;
    if (exponent_limbs == 0) {
        set_zero<N>(r);
        r[0] = 1;
        return;
    }
    int used = length; // limbs of r; what is above is not written yet
    for (int i = 0; i < used; ++i)
        r[i] = a[i];
    const auto multiply_by = [&](const Limb *b, int m) {
        if (used == 0 || m == 0) {
            used = 0;
        } else if (used + m <= N) {
            multiply_any(product, r, used, b, m, scratch);
            used += m;
            used -= product[used - 1] == 0;
        } else {
            for (int i = used; i < N; ++i)
                r[i] = 0;
            multiply_low<N>(product, r, b);
            used = significant_limbs<N>(product);
        }
        for (int i = 0; i < used; ++i)
            r[i] = product[i];
    };
    const int bits = exponent_limbs * 32 - limb::countl_zero(e[exponent_limbs - 1]);
    for (int i = bits - 2; i >= 0; --i) { // below the top bit
        multiply_by(r, used);
        if ((e[i / 32] >> (i % 32) & 1u) != 0)
            multiply_by(a, length);
    }
    for (int i = used; i < N; ++i)
        r[i] = 0;
}

} // namespace detail

// r = a^e mod B^N, bit by bit from the top; e has exponent_limbs little-endian 32-bit limbs. r
// overlaps nothing. Variable time, on hosts by the lengths of the powers.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void power_low(Limb *r, const Limb *a, const std::uint32_t *e,
                                             int exponent_limbs) {
    if constexpr (WARPINT_DEVICE_PASS == 0 && N >= detail::power_by_length_limbs) {
        detail::power_low_by_length<N>(r, a, e, exponent_limbs);
        return;
    }
    set_zero<N>(r);
    r[0] = 1;
    bool started = false;
    for (int i = exponent_limbs * 32 - 1; i >= 0; --i) {
        Limb t[N]{};
        if (started) {
            multiply_low<N>(t, r, r);
            copy<N>(r, t);
        }
        if ((e[i / 32] >> (i % 32) & 1u) != 0) {
            multiply_low<N>(t, r, a);
            copy<N>(r, t);
            started = true;
        }
    }
}

} // namespace warpint::arith
