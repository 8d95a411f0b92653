// Powers modulo 2^Bits.
#pragma once

#include "../algorithm/power/power_low.h"
#include "arithmetic.h"

namespace warpint {

namespace number {

// a^e modulo 2^N.
template <int N, int M>
WARPINT_HOST_DEVICE constexpr BigInt<N> power_wrapping(const BigInt<N> &a, const BigInt<M> &e) {
    constexpr int n = BigInt<N>::limb_count;
    constexpr int exponent_limbs = BigInt<M>::limb_count;
    BigInt<N> r{};
    if constexpr (has_words) {
        if (limb::use_words()) {
            std::uint64_t x[word_count<n>];
            std::uint64_t z[word_count<n>];
            load_words<n>(x, a.limbs);
            algorithm::power_low<word_count<n>>(z, x, e.limbs, exponent_limbs);
            store_words<n>(r.limbs, z);
            normalise<N, false>(r.limbs);
            return r;
        }
    }
    algorithm::power_low<n>(r.limbs, a.limbs, e.limbs, exponent_limbs);
    normalise<N, false>(r.limbs);
    return r;
}

} // namespace number

// a^e modulo 2^Bits, of a's type; e >= 0, 0^0 = 1. With a modulus: modular.h. Variable time in e.
// Errors: std::domain_error for e < 0; 0 in device code.
template <BigNumber A, AnyNumber E>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A pow(const A &a, const E &e) {
    const auto exponent = number::as_number(e);
    if (number::is_negative(exponent)) {
        number::report_domain_error("warpint: pow with a negative exponent");
        return A{};
    }
    return number::to<A>(number::power_wrapping(number::to<BigInt<A::bits>>(a),
                                                number::to<BigInt<number::bits_of<E>>>(exponent)));
}

} // namespace warpint
