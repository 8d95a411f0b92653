// SPDX-License-Identifier: Apache-2.0
// The Chinese remainder theorem and square roots modulo a prime for numbers over lanes, by the
// rules of BigInt. Variable time.
#pragma once

#include "../theory/crt.h"
#include "../theory/sqrt_mod.h"
#include "kind.h"
#include "montgomery_ring.h"

namespace warpint {

// The x in [0, lcm(m, n)) with x = a mod m and x = b mod n, or nothing if there is none. a and b
// may be unreduced; m and n are at least 1, coprime or not. A modulus below 1: std::domain_error on
// a host, nothing in device code.
template <number::Held A, class M, number::Held B, class N>
requires number::OperandsTogether<M, N>
[[nodiscard]] WARPINT_HOST_DEVICE auto crt(const A &a, const M &m, const B &b, const N &n) {
    constexpr int bits_m = number::bits_of<warp_int::scalar_t<M>>;
    constexpr int bits_n = number::bits_of<warp_int::scalar_t<N>>;
    using First = number::like_t<BigInt<bits_m>, M, N>;
    using Second = number::like_t<BigInt<bits_n>, M, N>;
    using R = number::like_t<BigInt<bits_m + bits_n>, M, N>;
    const auto value_m = warp_int::as_number<M, N>(m);
    const auto value_n = warp_int::as_number<M, N>(n);
    const bool exists_m = value_m > 0;
    const bool exists_n = value_n > 0;
    return theory::solve_congruences<R>(
        warp_int::as_number<A, First>(a),
        warp_int::select(exists_m, First(value_m), First(0)), // which is an error
        warp_int::as_number<B, Second>(b), warp_int::select(exists_n, Second(value_n), Second(0)));
}

// The x in [0, lcm of all moduli) with x = residues[i] mod moduli[i] for every i; otherwise as
// above.
template <WarpNumber W, std::size_t K>
requires(!W::is_signed)
    [[nodiscard]] WARPINT_HOST_DEVICE auto crt(const W (&residues)[K], const W (&moduli)[K]) {
    using R = number::like_t<BigInt<static_cast<int>(K) * W::bits>, W>;
    return theory::solve_congruences<R, static_cast<int>(K)>(residues, moduli);
}

// The square root of a modulo a prime p: the smaller r with r^2 = a mod p, or nothing if a is not a
// square modulo p. For a composite p a root is right, but an empty result does not prove that there
// is none. The root modulo 1 is 0. p = 0: std::domain_error on a host, nothing in device code.
template <number::Held A, WarpNumber P>
[[nodiscard]] WARPINT_HOST_DEVICE Optional<P> sqrt_mod(const A &a, const P &p) {
    static_assert(!P::is_signed, "the modulus must be unsigned");
    return theory::square_root_modulo(warp_int::as_number<A, P>(a), p);
}

} // namespace warpint
