// SPDX-License-Identifier: Apache-2.0
// Powers without a modulus of numbers over lanes, by the rules of BigInt. Variable time.
#pragma once

#include "../optional.h"
#include "gcd.h"
#include "root.h"

namespace warpint {

// The power a^e modulo 2^Bits; e >= 0, and 0^0 is 1.
template <WarpNumber A, number::Held E>
[[nodiscard]] WARPINT_HOST_DEVICE A pow(const A &a, const E &e) {
    const typename A::group g;
    const auto exponent = warp_int::as_number<A, A>(e);
    const bool negative = exponent.is_negative();
    if (negative)
        number::report_domain_error("warpint: pow with a negative exponent");
    A r(1);
    for (int i = g.largest(bit_width(exponent)) - 1; i >= 0; --i) {
        r *= r;
        const A product = mul_low(r, a);
        r = warp_int::select(test_bit(exponent, i), product, r);
    }
    return warp_int::select(negative, A(0), r);
}

} // namespace warpint
