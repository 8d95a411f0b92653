// SPDX-License-Identifier: Apache-2.0
// Selection and comparison of numbers without a branch. No branch and no memory address depends on
// an operand's value or on the condition. Widths and types are public; all operands may be secret.
// A caller that branches on the result, as in `if (equal_ct(a, b))`, gives it away.
#pragma once

#include "../arith/limbs/constant_time/arithmetic.h"
#include "arithmetic.h"
#include "compare.h"

namespace warpint {

namespace number {

// The value of x in type R, which holds all values of T. Unlike to<R>, the sign is spread by
// arithmetic.
template <BigNumber R, AnyNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R widen_ct(const T &x) {
    constexpr int to = R::limb_count;
    R r{};
    std::uint32_t fill = 0;
    int from = 0;
    if constexpr (BuiltinInteger<T>) {
        constexpr int limbs = static_cast<int>((sizeof(T) + 3) / 4);
        for (; from < (to < limbs ? to : limbs); ++from) {
            // A type of up to 32 bits is converted, which copies its sign, instead of being
            // shifted.
            r.limbs[from] = static_cast<std::uint32_t>(
                x >> (32 * from < static_cast<int>(sizeof(T) * 8) ? 32 * from : 0));
        }
        if constexpr (signed_of<T>)
            fill = 0u - (r.limbs[from - 1] >> 31);
    } else {
        constexpr int limbs = T::limb_count;
        arith::copy<(to < limbs ? to : limbs)>(r.limbs, x.limbs);
        from = to < limbs ? to : limbs;
        if constexpr (T::is_signed)
            fill = 0u - (x.limbs[limbs - 1] >> 31);
    }
    WARPINT_UNROLL(to, limb::chain_limbs)
    for (int i = 0; i < to; ++i) {
        if (i >= from)
            r.limbs[i] = fill;
    }
    normalise<R::bits, R::is_signed>(r.limbs);
    return r;
}
// A literal is not secret.
template <BigNumber R, LiteralNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R widen_ct(const T &) {
    return T::template as<R>();
}

} // namespace number

// Selects a if the condition holds and b otherwise, in the narrowest type that holds the values of
// both: BigInt<256> and int give a SignedBigInt<257>. Constant time: condition, a and b may be
// secret.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::common_value_t<A, B>
select_ct(bool condition, const A &a, const B &b) {
    using R = number::common_value_t<A, B>;
    const R x = number::widen_ct<R>(a);
    const R y = number::widen_ct<R>(b);
    R r{};
    arith::constant_time::select<R::limb_count>(
        r.limbs, arith::constant_time::mask<std::uint32_t>(condition), x.limbs, y.limbs);
    return r;
}

// Exchanges a and b if condition holds. Constant time: condition, a and b may be secret.
template <BigNumber T>
WARPINT_HOST_DEVICE constexpr void swap_ct(bool condition, T &a, T &b) {
    arith::constant_time::swap<T::limb_count>(arith::constant_time::mask<std::uint32_t>(condition),
                                              a.limbs, b.limbs);
}

// Whether a == b, by value, across widths and signs. Constant time: a and b may be secret.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool equal_ct(const A &a, const B &b) {
    using T = number::common_value_t<A, B>;
    const T x = number::widen_ct<T>(a);
    const T y = number::widen_ct<T>(b);
    return arith::constant_time::equal<T::limb_count>(x.limbs, y.limbs);
}

// Whether a < b, by value, across widths and signs. Constant time: a and b may be secret.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool less_ct(const A &a, const B &b) {
    using T = number::common_value_t<A, B>;
    constexpr int n = T::limb_count;
    T x = number::widen_ct<T>(a);
    T y = number::widen_ct<T>(b);
    if constexpr (T::is_signed) { // the order of two's complement with its sign bit flipped
        x.limbs[n - 1] ^= 0x80000000u;
        y.limbs[n - 1] ^= 0x80000000u;
    }
    return arith::constant_time::less<n>(x.limbs, y.limbs);
}

// Whether a == 0. Constant time: a may be secret.
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_zero_ct(const A &a) {
    return arith::constant_time::is_zero<A::limb_count>(a.limbs);
}

} // namespace warpint
