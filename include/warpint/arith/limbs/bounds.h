// SPDX-License-Identifier: Apache-2.0
// Bounds of lazy values, those that functions hand on not fully reduced, and how checked builds
// (WARPINT_ASSERTIONS, limb/assert.h) assert them. In other builds nothing of this is left.
//
// libsecp256k1's field elements carry their bound, a magnitude, as a member of checked builds, and
// every function asserts it. Here what checks a bound depends on what the value shows of it:
//
// - It shows it: below 2 m or 4 m, in (-2 m, m), the last of signed digits, entries of a matrix of
//   steps, a carry that waits. The value itself is compared with its bound, where a function takes
//   it and where it gives it. Such values are plain arrays, in kernels registers, without a place
//   for a member; the bound is fixed by the function, and none of them are added but by functions
//   that say so. A comparison is stronger in that it finds a bound that is claimed wrongly, which a
//   member hands on, and weaker in that it says nothing of operands that no test has.
// - It wraps: the biased words of arith/rns, a carry into the end of an accumulator. What they must
//   be is computed once more in wider integers, or the wrap is seen beside it.
// - It hides it: sums of columns in words of 64 bits (arith/simd), which wrap after so many
//   additions. They carry their bound as a member (simd/sum.h).
//
// Conditions look at what one thread has, in device code too. Where they ask all lanes of a number,
// they are asserted on hosts only (WARPINT_ASSERT_ON_HOST). On a GPU, Montgomery products with
// Headroom::whole take and give anything below R: there is nothing to assert but the sum before
// it.
#pragma once

#include "../../limb/arithmetic.h"

namespace warpint::arith::bounds {

// Whether (top : t) < 2^shift m, or <= if or_equal, over n limbs, 0 <= shift < limb width. Of the
// modulus 0, which device code may meet and whose results are unspecified, everything is.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_NOINLINE constexpr bool below(const Limb *t, Limb top, const Limb *m,
                                                          int n, int shift, bool or_equal = false) {
    Limb any = 0;
    bool is_less = or_equal;
    for (int i = 0; i < n; ++i) {
        const Limb multiple = limb::funnel_left(m[i], i > 0 ? m[i - 1] : Limb{0}, shift);
        is_less = t[i] != multiple ? t[i] < multiple : is_less;
        any = static_cast<Limb>(any | m[i]);
    }
    const Limb above = limb::funnel_left(Limb{0}, m[n - 1], shift);
    return (top != above ? top < above : is_less) || any == 0;
}
template <class Limb>
WARPINT_HOST_DEVICE constexpr bool at_most(const Limb *t, Limb top, const Limb *m, int n,
                                           int shift) {
    return below(t, top, m, n, shift, true);
}
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool below_1m(const Limb *t, const Limb *m) {
    return below(t, Limb{0}, m, N, 0);
}
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool below_2m(const Limb *t, Limb top, const Limb *m) {
    return below(t, top, m, N, 1);
}

} // namespace warpint::arith::bounds
