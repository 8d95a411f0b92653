// SPDX-License-Identifier: Apache-2.0
// Powers modulo 2^Bits.
#pragma once

#include "../arith/limbs/power/power_low.h"
#include "arithmetic.h"
#include "machine.h"

namespace warpint {

namespace number {

// a^e modulo 2^N.
template <int N, int M>
WARPINT_HOST_DEVICE constexpr BigInt<N> power_wrapping(const BigInt<N> &a, const BigInt<M> &e) {
    constexpr int n = BigInt<N>::limb_count;
    constexpr int exponent_limbs = BigInt<M>::limb_count;
    BigInt<N> r{};
    on_machine_limbs(
        [&e]<class Limb>(Limb *z, const Limb *x) WARPINT_INLINE_LAMBDA {
            arith::power_low<machine_limbs<n, Limb>>(z, x, e.limbs, exponent_limbs);
        },
        output<n>(r.limbs), input<n>(a.limbs));
    normalise<N, false>(r.limbs);
    return r;
}

} // namespace number

// Power modulo 2^Bits, in a's type; 0^0 is 1. pow(a, e, m) of <warpint/modular.h> takes a modulus.
// Variable time, on hosts by the length of the power. Errors: std::domain_error for e < 0; 0 in
// device code.
// Example:
//     const auto power = pow(BigInt<64>(3), 40); // 3^40 = 12157665459056928801
template <BigNumber A, AnyNumber E>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A pow(const A &a, const E &e) {
    const auto exponent = number::as_number(e);
    if (number::is_negative(exponent)) {
        number::report_domain_error("warpint: pow with a negative exponent");
        return A{};
    }
    const auto power = number::to<BigInt<number::bits_of<E>>>(exponent);
    if constexpr (A::is_signed && WARPINT_DEVICE_PASS == 0) { // -3 is short, 2^Bits - 3 is not
        A r = number::to<A>(number::power_wrapping(number::magnitude(a), power));
        number::negate_if(r, number::is_negative(a) && (power.limbs[0] & 1u) != 0);
        return r;
    } else {
        return number::to<A>(number::power_wrapping(number::to<BigInt<A::bits>>(a), power));
    }
}

} // namespace warpint
