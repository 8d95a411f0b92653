// SPDX-License-Identifier: Apache-2.0
// Powers of limb arrays modulo a power of the base.
#pragma once

#include "../product/multiply.h"

namespace warpint::arith {

// r = a^e mod B^N, bit by bit from the top; e has exponent_limbs little-endian 32-bit limbs. r
// overlaps nothing. Variable time in e.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr void power_low(Limb *r, const Limb *a, const std::uint32_t *e,
                                             int exponent_limbs) {
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
