// SPDX-License-Identifier: Apache-2.0
// Powers with an exponent known at compile time, by addition chains.
#pragma once

#include "../../arith/limbs/power/addition_chain.h"
#include "residue.h"

namespace warpint {

namespace number {

// Products of residues for arith::power_by_chain.
template <AnyResidue R>
struct ResidueProducts {
    WARPINT_HOST_DEVICE constexpr R square(const R &x) const { return R::square(x); }
    WARPINT_HOST_DEVICE constexpr R product(const R &x, const R &y) const {
        return R::product(x, y);
    }
};

} // namespace number

// The power x^E of a residue, by an addition chain of sliding windows (Handbook of Applied
// Cryptography, algorithm 14.85) that is found at compile time. No branch depends on x, so it takes
// constant time if the products do. pow<0>(x) is 1 mod m.
//
//   y = pow<65537>(x);     // x a Residue or StaticResidue
template <std::uint64_t E, AnyResidue R>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr R pow(const R &x) {
    if constexpr (E == 0) {
        return x.like(1);
    } else {
        return arith::power_by_chain<E>(x, number::ResidueProducts<R>{});
    }
}

// The power a^E mod m of any number, in [0, m). Costs two more products than for a residue.
template <std::uint64_t E, AnyNumber A, int Bits>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<Bits> pow(const A &a, const Modulus<Bits> &m) {
    return pow<E>(m(a)).value();
}

} // namespace warpint
