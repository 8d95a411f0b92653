// SPDX-License-Identifier: Apache-2.0
// What division by small primes says of a number's primality. Variable time.
#pragma once

#include "small_primes.h"

namespace warpint::arith {

namespace detail {

// The low 32 bits of a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr std::uint32_t low_word(const Limb *a) {
    std::uint32_t word = static_cast<std::uint32_t>(a[0]);
    for (int i = 1; i < N && i * limb::limb_bits<Limb> < 32; ++i)
        word |= static_cast<std::uint32_t>(a[i]) << (i * limb::limb_bits<Limb> % 32);
    return word;
}

} // namespace detail

enum class Primality { composite, prime, undecided };

// What trial division says of n: undecided only for odd n beyond the square of small_factor_bound.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr Primality divide_by_small_primes(const Limb *n) {
    const int width = bit_width<N>(n);
    if ((n[0] & 1u) == 0)
        return width == 2 && n[0] == 2 ? Primality::prime : Primality::composite;
    const std::uint32_t factor = small_factor<N>(n);
    if (factor != 0)
        return width <= 16 && detail::low_word<N>(n) == factor ? Primality::prime
                                                               : Primality::composite;
    constexpr std::uint32_t bound = small_factor_bound<N, Limb>;
    if (width <= 31 && detail::low_word<N>(n) < bound * bound)
        return detail::low_word<N>(n) == 1 ? Primality::composite : Primality::prime;
    return Primality::undecided;
}

} // namespace warpint::arith
