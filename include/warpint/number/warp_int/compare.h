// SPDX-License-Identifier: Apache-2.0
// Comparisons of numbers over lanes, by mathematical value, across widths and signs. The result is
// the same in all lanes.
#pragma once

#include "storage.h"

namespace warpint {

namespace warp_int {

template <class A, class B>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool equal(const A &a, const B &b) {
    using T = number::common_number_t<A, B>;
    const T x = to<T>(a);
    const T y = to<T>(b);
    return lanes::equal<T::limbs_per_lane>(typename T::group{}, x.words, y.words);
}

template <class A, class B>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool less(const A &a, const B &b) {
    using T = number::common_number_t<A, B>;
    constexpr int count = T::limbs_per_lane;
    const typename T::group g;
    T x = to<T>(a);
    T y = to<T>(b);
    if constexpr (T::is_signed) { // flipping the top bits turns the signed order into the unsigned
        using word = typename T::word;
        const word flip = T::group::select(g.last(), word(0x80000000u), word(0u));
        x.words[count - 1] ^= flip;
        y.words[count - 1] ^= flip;
    }
    return lanes::less<count>(g, x.words, y.words);
}

} // namespace warp_int

#define WARPINT_WARP_COMPARISON(op, expression)                                                    \
    template <class A, class B>                                                                    \
        requires number::OperandsTogether<A, B>                                                    \
    [[nodiscard]] WARPINT_HOST_DEVICE bool operator op(const A &a, const B &b) {                   \
        return expression;                                                                         \
    }
WARPINT_WARP_COMPARISON(==, warp_int::equal(a, b))
WARPINT_WARP_COMPARISON(<, warp_int::less(a, b))
WARPINT_WARP_COMPARISON(>, warp_int::less(b, a))
WARPINT_WARP_COMPARISON(<=, !warp_int::less(b, a))
WARPINT_WARP_COMPARISON(>=, !warp_int::less(a, b))
#undef WARPINT_WARP_COMPARISON

// Three-way comparison: -1, 0 or 1 as a is less than, equal to or greater than b.
template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE int compare(const A &a, const B &b) {
    const bool less = warp_int::less(a, b);
    const bool equal = warp_int::equal(a, b);
    return less ? -1 : equal ? 0 : 1;
}

namespace warp_int {

// condition ? a : b, the condition the same in all lanes of the number; no branch.
template <WarpNumber T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE T select(bool condition, const T &a, const T &b) {
    T r;
    lanes::select<T::limbs_per_lane>(typename T::group{}, r.words, condition, a.words, b.words);
    return r;
}

} // namespace warp_int

} // namespace warpint
