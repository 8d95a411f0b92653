// SPDX-License-Identifier: Apache-2.0
// The Chinese remainder theorem and square roots modulo a prime for numbers over lanes, by the
// rules of BigInt. Variable time.
#pragma once

#include "lucas.h"

namespace warpint {

namespace warp_int {

// Adds the congruence x = b mod n, b < n, to x mod m, as number::join_congruence (theory/crt.h)
// does. Returns whether there is such an x; m becomes the least common multiple.
template <class W, class N>
WARPINT_HOST_DEVICE bool join_congruence(W &x, W &m, const N &b, const N &n) {
    const N known = x % n;
    const N step = m % n;
    const N difference = submod(b, known, n);
    const N divisor = greatest_divisor(step, n);
    const N rest = difference % divisor;
    const bool exists = !static_cast<bool>(rest);
    const N reduced = n / divisor;
    const auto factor = inverse(step / divisor, reduced); // exists
    const N t = mulmod(difference / divisor, *factor, reduced);
    x = to<W>(x + to<W>(m * t));
    m = to<W>(m * reduced);
    return exists;
}

} // namespace warp_int

// The x in [0, lcm(m, n)) with x = a mod m and x = b mod n, or nothing if there is none. a and b
// may be unreduced; m and n are at least 1, coprime or not. A modulus below 1: std::domain_error on
// a host, nothing in device code.
template <warp_int::Any A, class M, warp_int::Any B, class N>
requires warp_int::Operands<M, N>
[[nodiscard]] WARPINT_HOST_DEVICE auto crt(const A &a, const M &m, const B &b, const N &n) {
    constexpr int bits_m = number::bits_of<warp_int::plain_t<M>>;
    constexpr int bits_n = number::bits_of<warp_int::plain_t<N>>;
    using First = warp_int::over_lanes<M, N, BigInt<bits_m>>;
    using Second = warp_int::over_lanes<M, N, BigInt<bits_n>>;
    using R = warp_int::over_lanes<M, N, BigInt<bits_m + bits_n>>;
    const auto value_m = warp_int::as_number<M, N>(m);
    const auto value_n = warp_int::as_number<M, N>(n);
    const bool below_m = !(value_m > 0);
    const bool below_n = !(value_n > 0);
    if (below_m || below_n)
        number::report_domain_error("warpint: modulus 0");
    const First first = warp_int::select(below_m, First(1), First(value_m));
    const Second second = warp_int::select(below_n, Second(1), Second(value_n));
    R x = warp_int::to<R>(First(warp_int::as_number<A, First>(a) % first));
    R modulus = warp_int::to<R>(first);
    const Second residue(warp_int::as_number<B, Second>(b) % second);
    const bool solvable = warp_int::join_congruence(x, modulus, residue, second);
    const bool exists = solvable && !below_m && !below_n;
    return Optional<R>(warp_int::select(exists, x, R(0)), exists);
}

// The x in [0, lcm of all moduli) with x = residues[i] mod moduli[i] for every i; otherwise as
// above.
template <WarpNumber W, std::size_t K>
requires(!W::is_signed)
    [[nodiscard]] WARPINT_HOST_DEVICE auto crt(const W (&residues)[K], const W (&moduli)[K]) {
    using R = warp_int::over_lanes<W, W, BigInt<static_cast<int>(K) * W::bits>>;
    R x(0);
    R modulus(1);
    bool exists = true;
    for (std::size_t i = 0; i < K; ++i) {
        const bool some = static_cast<bool>(moduli[i]);
        if (!some)
            number::report_domain_error("warpint: modulus 0");
        const W n = warp_int::select(some, moduli[i], W(1));
        const bool solvable = warp_int::join_congruence(x, modulus, residues[i] % n, n);
        exists = exists && some && solvable;
    }
    return Optional<R>(warp_int::select(exists, x, R(0)), exists);
}

namespace warp_int {

// V_((p - 1) / 4)(a t^2 - 2) / t for p = 1 mod 4, where a t^2 - 4 is not a square: a root of a
// (algorithm/prime/root_modulo.h has the source). The same number of products for any such p.
template <class T, class Modulus>
WARPINT_HOST_DEVICE T root_modulo_lucas(const T &a, const T &p, const Modulus &m, bool wanted) {
    const typename T::group g;
    const auto two = m(2);
    const auto four = m(4);
    const auto x = m(a);
    auto parameter = x;
    unsigned factor = 1;
    bool searching = wanted;
    for (unsigned t = 1; t <= 255 && g.vote(searching); ++t) {
        const auto next = x * (t * t);
        const auto below = next - four;
        const T value = below.value();
        const bool zero = !static_cast<bool>(value); // then 2 / t is the root
        const int symbol = jacobi(value, p);
        const bool found = zero || symbol < 0;
        parameter = select(searching && found, next, parameter);
        factor = searching && found ? t : factor;
        searching = searching && !found;
    }
    // A parameter of 4 is right as well: V_k(2) is 2 for all k.
    const auto pair = lucas_pair(parameter - two, two, p >> 2);
    T root = pair.v.value();
    if (g.vote(factor != 1)) {
        const auto divided = inverse(T(factor), p);
        root = mulmod(root, *divided, p);
    }
    return root;
}

} // namespace warp_int

// The square root of a modulo a prime p: the smaller r with r^2 = a mod p, or nothing if a is not a
// square modulo p. For a composite p a root is right, but an empty result does not prove that there
// is none. The root modulo 1 is 0. p = 0: std::domain_error on a host, nothing in device code.
template <warp_int::Any A, WarpNumber P>
[[nodiscard]] WARPINT_HOST_DEVICE Optional<P> sqrt_mod(const A &a, const P &p) {
    static_assert(!P::is_signed, "the modulus must be unsigned");
    const typename P::group g;
    const bool prepared = static_cast<bool>(p);
    if (!prepared)
        number::report_domain_error("warpint: modulus 0");
    const int width = bit_width(p);
    const bool odd = test_bit(p, 0);
    const bool searches = odd && width >= 2;
    const P given = warp_int::select(prepared, p, P(1));
    const P own = warp_int::to<P>(warp_int::as_number<A, P>(a) % given);
    P root = own; // modulo 1 and 2
    bool exists = prepared && width <= 2 && !searches;
    if constexpr (P::bits >= 2) {
        if (g.vote(searches)) {
            const P modulus = warp_int::select(searches, p, P(3));
            const P x = warp_int::select(searches, own, P(0));
            const bool three = test_bit(modulus, 1);
            const bool some = static_cast<bool>(x);
            P found(0);
            if (g.vote(three)) // a^((p + 1) / 4)
                found = mulmod(pow(x, modulus >> 2, modulus), x, modulus);
            if (g.vote(!three)) {
                const WarpModulus<P::bits, P::lanes, warp_int::traits<P>::together> m(modulus);
                const P other = warp_int::root_modulo_lucas(x, modulus, m, some && !three);
                found = warp_int::select(three || !some, found, other);
            }
            const bool is_root = sqrmod(found, modulus) == x;
            const P opposite = modulus - found;
            const bool smaller = opposite < found;
            found = warp_int::select(smaller, opposite, found);
            root = warp_int::select(searches, found, root);
            exists = searches ? is_root : exists;
        }
    }
    return {warp_int::select(exists, root, P(0)), exists};
}

} // namespace warpint
