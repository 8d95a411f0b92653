// SPDX-License-Identifier: Apache-2.0
// The smaller and the larger of two numbers, absolute values, and swap.
#pragma once

#include "compare.h"

namespace warpint {

namespace number {

// condition ? a : b, without a branch.
template <HeldBig T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE T select(bool condition, const T &a, const T &b) {
    if constexpr (RunsTogether<T>) {
        return choose(condition, a, b);
    } else {
        T r{};
        arith::select<T::limb_count>(r.limbs, condition, a.limbs, b.limbs);
        return r;
    }
}

} // namespace number

// The smaller (min) or larger (max) number, by value. Variable time on hosts; for secrets write
// select_ct(less_ct(a, b), a, b).
template <number::HeldBig T>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr T min(const T &a, const T &b) {
    return number::select(b < a, b, a);
}
template <number::HeldBig T>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr T max(const T &a, const T &b) {
    return number::select(a < b, b, a);
}

// The same for numbers of any widths and signs, one of which may be a built-in integer. The result
// has the narrowest type that holds the values of both: BigInt<256> and int give a
// SignedBigInt<257>. Variable time on hosts.
template <class A, class B>
    requires number::HeldOperands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto min(const A &a, const B &b) {
    using R = number::common_number_t<A, B>;
    return min(number::to<R>(a), number::to<R>(b));
}
template <class A, class B>
    requires number::HeldOperands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto max(const A &a, const B &b) {
    using R = number::common_number_t<A, B>;
    return max(number::to<R>(a), number::to<R>(b));
}

// Exchanges two numbers, also in device code, where std::swap does not exist. Constant time.
template <int Bits>
WARPINT_HOST_DEVICE constexpr void swap(BigInt<Bits> &a, BigInt<Bits> &b) noexcept {
    const BigInt<Bits> before = a;
    a = b;
    b = before;
}
template <int Bits>
WARPINT_HOST_DEVICE constexpr void swap(SignedBigInt<Bits> &a, SignedBigInt<Bits> &b) noexcept {
    const SignedBigInt<Bits> before = a;
    a = b;
    b = before;
}

// The absolute value, an unsigned number of the same width. Exact also for the most negative value.
// Constant time.
template <number::HeldBig A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::like_t<BigInt<A::bits>, A> abs(const A &a) {
    return number::magnitude(a);
}

} // namespace warpint
