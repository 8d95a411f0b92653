// SPDX-License-Identifier: Apache-2.0
// One level of Karatsuba's method over lanes: three products of half the length, over all lanes
// each, with the middle one of differences (arith/limbs/product/karatsuba.h has the same form for
// one thread). Constant time but for the carries of the products.
#pragma once

#include "product.h"
#include "tuning.h"

namespace warpint::lanes {

namespace detail {

// low = the lower half of x, high = the upper one: lane l of a half holds half a lane of x.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void split_in_two(const G &group, typename G::word *low,
                                                            typename G::word *high,
                                                            const typename G::word *x) {
    if constexpr (G::lanes == 1) {
        copy<K / 2>(low, x);
        copy<K / 2>(high, x + K / 2);
    } else {
        const auto rank = group.template place<1>(0);
        const auto upper = rank % 2 == 1;
        WARPINT_UNROLL(K / 2, K / 2)
        for (int i = 0; i < K / 2; ++i) {
            low[i] = G::select(upper, group.gather(x[K / 2 + i], rank / 2),
                               group.gather(x[i], rank / 2));
            high[i] = G::select(upper, group.gather(x[K / 2 + i], rank / 2 + G::lanes / 2),
                                group.gather(x[i], rank / 2 + G::lanes / 2));
        }
    }
}

// r = |a - b|; returns whether a < b.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool distance(const G &group, typename G::word *r,
                                                        const typename G::word *a,
                                                        const typename G::word *b) {
    const bool below = subtract<K>(group, r, a, b);
    negate_if<K>(group, r, below, r);
    return below;
}

} // namespace detail

// r = a b, exactly: 2 K words of r, K of a and b, K a multiple of 4. r must not alias an operand.
template <int K, class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
multiply_karatsuba(const G &group, typename G::word *r, const typename G::word *a,
                   const typename G::word *b) {
    static_assert(K % 4 == 0);
    using limb = typename G::limb;
    using word = typename G::word;
    constexpr int half = K / 2;
    constexpr int half_limbs = half * G::lanes;
    word lower[K];  // a0 b0
    word upper[K];  // a1 b1
    word middle[K]; // |a0 - a1| |b0 - b1|
    bool negative = false;
    {
        word a0[half];
        word a1[half];
        word b0[half];
        word b1[half];
        detail::split_in_two<K>(group, a0, a1, a);
        detail::split_in_two<K>(group, b0, b1, b);
        multiply<K, half, half, half_limbs>(group, lower, a0, b0);
        multiply<K, half, half, half_limbs>(group, upper, a1, b1);
        const bool below_a = detail::distance<half>(group, a0, a0, a1);
        const bool below_b = detail::distance<half>(group, b0, b0, b1);
        negative = below_a != below_b;
        multiply<K, half, half, half_limbs>(group, middle, a0, b0);
    }
    // a0 b1 + a1 b0 = lower + upper - middle, or + middle; n limbs and a bit.
    word sum[K];
    limb above = static_cast<limb>(add<K>(group, sum, lower, upper) ? 1 : 0);
    negate_if<K>(group, middle, !negative, middle);
    const bool zero = is_zero<K>(group, middle);
    const bool carry = add<K>(group, sum, sum, middle);
    // Of a negated number that is not 0, B^n has been added as well.
    above = static_cast<limb>(above + (carry ? 1u : 0u) - (!negative && !zero ? 1u : 0u));
    relayout<2 * K, K, 0>(group, r, lower);
    {
        word moved[2 * K];
        relayout<2 * K, K, K * G::lanes>(group, moved, upper);
        WARPINT_UNROLL(2 * K, 2 * K)
        for (int i = 0; i < 2 * K; ++i)
            r[i] = r[i] | moved[i];
        relayout<2 * K, K, half_limbs>(group, moved, sum);
        // The bit above goes where nothing else is.
        WARPINT_UNROLL(2 * K, 2 * K)
        for (int i = 0; i < 2 * K; ++i) {
            const auto here = group.template place<2 * K>(i) == half_limbs + K * G::lanes;
            moved[i] = moved[i] | G::select(here, word(above), word(0));
        }
        add<2 * K>(group, r, r, moved);
    }
}

} // namespace warpint::lanes
