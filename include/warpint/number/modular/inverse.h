// SPDX-License-Identifier: Apache-2.0
// Modular inverses of plain numbers.
#pragma once

#include "../../arith/limbs/gcd/inverse.h"
#include "../optional.h"
#include "modulus.h"

namespace warpint {

namespace number {

// r = a^-1 mod m in the limbs of the machine; returns whether it exists. On input: m >= 1.
template <int N>
WARPINT_HOST_DEVICE constexpr bool inverse_limbs(BigInt<N> &r, const BigInt<N> &a,
                                                 const BigInt<N> &m) {
    constexpr int n = BigInt<N>::limb_count;
    return on_machine_limbs(
        []<class Limb>(Limb *z, const Limb *x, const Limb *y)
            WARPINT_INLINE_LAMBDA { return arith::inverse<machine_limbs<n, Limb>>(z, x, y); },
        cleared_output<n>(r.limbs), input<n>(a.limbs), input<n>(m.limbs));
}

} // namespace number

// The inverse of a modulo m: the x in [0, m) with a x = 1 mod m, or nothing if gcd(a, m) is not 1.
// a may be unreduced or negative. m is any number >= 1, odd or even, or a Modulus; the inverse
// modulo 1 is 0. Variable time in both operands. Errors: m <= 0 is a std::domain_error on the host;
// device code returns nothing.
// Example:
//     const BigInt<64> m = 1009;
//     if (const auto x = inverse(BigInt<64>(5), m))
//         const bool one = mulmod(*x, 5, m) == 1; // true
template <AnyNumber A, ModulusLike M>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr Optional<BigInt<number::modulus_bits_v<M>>>
inverse(const A &a, const M &m) {
    constexpr int n = number::modulus_bits_v<M>;
    using Result = Optional<BigInt<n>>;
    const auto x = number::as_number(a);
    if constexpr (number::may_be_short<M>) {
        if (number::are_short(m)) {
            const number::ShortNumber low = number::modulus_value(number::shortened(m));
            if (!number::is_word(low))
                return Result(inverse(x % low, low));
            const auto word = number::to<number::WordNumber>(low);
            if (static_cast<bool>(word))
                return Result(inverse(x % word, word));
        }
    }
    const BigInt<n> modulus = number::modulus_value(m);
    if (!static_cast<bool>(modulus)) {
        number::report_domain_error("warpint: modulus 0");
        return Result{};
    }
    BigInt<n> value{};
    bool negative = false;
    if constexpr (number::bits_of<A> <= n) { // need not be reduced
        negative = number::is_negative(x);
        value = number::to<BigInt<n>>(number::magnitude(x));
    } else {
        value = x % modulus;
    }
    BigInt<n> r{};
    if (!number::inverse_limbs(r, value, modulus))
        return Result{};
    if (negative && static_cast<bool>(r)) {
        BigInt<n> opposite = modulus;
        number::subtract_in_place(opposite, r);
        return Result(opposite);
    }
    return Result(r);
}

} // namespace warpint
