// SPDX-License-Identifier: Apache-2.0
// Integer square roots of numbers.
#pragma once

#include "../algorithm/division/square_root.h"
#include "compare.h"
#include "machine.h"

namespace warpint {

// What sqrt_rem(a) returns: a = root^2 + remainder with 0 <= remainder <= 2 root. Both have a's
// type.
template <class Number>
struct SqrtRemResult {
    Number root;
    Number remainder;
};

namespace number {

// root = floor(sqrt(a)), remainder = a - root^2, an output of N's limbs or no_output().
template <int N, class Remainder>
WARPINT_HOST_DEVICE constexpr void square_root(BigInt<N> &root, const Remainder &remainder,
                                               const BigInt<N> &a) {
    constexpr int n = BigInt<N>::limb_count;
    root = BigInt<N>{};
    on_machine_limbs(
        []<class Limb>(Limb *s, Limb *r, const Limb *x)
            WARPINT_INLINE_LAMBDA { algorithm::square_root<machine_limbs<n, Limb>>(s, r, x); },
        cleared_output<n>(root.limbs), remainder, input<n>(a.limbs));
}

} // namespace number

// The integer square root, floor(sqrt(a)), in a's type. Negative a: std::domain_error on the host,
// 0 in device code. Variable time.
// Example:
//     const auto root = isqrt(BigInt<64>(99)); // 9
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A isqrt(const A &a) {
    if (number::is_negative(a)) {
        number::report_domain_error("warpint: square root of a negative number");
        return A{};
    }
    BigInt<A::bits> root{};
    number::square_root<A::bits>(root, number::no_output(), number::to<BigInt<A::bits>>(a));
    return number::to<A>(root);
}

// The integer square root and the remainder, as {root, remainder}. Negative a: as for isqrt.
// Variable time.
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr SqrtRemResult<A> sqrt_rem(const A &a) {
    if (number::is_negative(a)) {
        number::report_domain_error("warpint: square root of a negative number");
        return SqrtRemResult<A>{};
    }
    BigInt<A::bits> root{};
    BigInt<A::bits> remainder{};
    number::square_root<A::bits>(root, number::output<A::limb_count>(remainder.limbs),
                                 number::to<BigInt<A::bits>>(a));
    return {number::to<A>(root), number::to<A>(remainder)};
}

} // namespace warpint
