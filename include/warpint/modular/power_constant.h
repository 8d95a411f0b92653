// SPDX-License-Identifier: Apache-2.0
// pow<e>(x): powers whose exponent is part of the program, by addition chains.
#pragma once

#include "../algorithm/power/addition_chain.h"
#include "residue.h"

namespace warpint {

// x^E by an addition chain found at compile time: the shortest for nearly all E < 512, windows
// beyond. No branch depends on x: constant time where the products are. pow<0>(x) is 1 modulo m.
//
//   y = pow<65537>(x);     // x a Residue or StaticResidue
template <std::uint64_t E, AnyResidue R>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr R pow(const R &x) {
    if constexpr (E == 0) {
        return x.like(1);
    } else {
        return algorithm::power_by_chain<E>(x, number::ResidueProducts<R>{});
    }
}

// a^E mod m in [0, m) for any number a; two products more than for a residue.
template <std::uint64_t E, AnyNumber A, int Bits>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<Bits> pow(const A &a, const Modulus<Bits> &m) {
    return pow<E>(m(a)).value();
}

} // namespace warpint
