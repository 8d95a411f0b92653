// SPDX-License-Identifier: Apache-2.0
// The Chinese remainder theorem, for moduli that are coprime or not.
#pragma once

#include "../kinds.h"
#include "../modular/arithmetic.h"
#include "../modular/inverse.h"
#include "gcd.h"

#if WARPINT_HOSTED
#include <array>
#endif

namespace warpint {

namespace theory {

template <class N>
WARPINT_HOST_DEVICE constexpr N product_modulo(const N &a, const N &b, const N &n) {
    if constexpr (number::RunsTogether<N>) {
        return number::remainder_of(number::product_of(a, b), n);
    } else {
        return mulmod(a, b, n);
    }
}

// Adds the congruence x = b mod n to the known one, x mod m. On input: x < m, b < n; the least
// common multiple of m and n is below 2^(bits of X). On output: sum is x modulo that multiple, and
// m times n the multiple. Returns false, with sum and n unspecified, if there is no such x. sum may
// be x. (Knuth, The Art of Computer Programming 2, 4.3.2, mixed radix; with a common divisor g,
// b - x must be a multiple of it, and x + m t is right for t = (b - x) / g (m / g)^-1 mod n / g.)
template <class X, class M, class N>
WARPINT_HOST_DEVICE constexpr bool join_congruence(X &sum, const M &x, const M &m, const N &b,
                                                   N &n) {
    N step(number::remainder_of(m, n));
    const N known(number::remainder_of(x, n));
    const bool below = b < known;
    N difference(b - known);
    difference = number::choose(below, N(difference + n), difference);
    const N divisor(gcd(step, n));
    const bool is_common = divisor != 1;
    bool exists = true;
    if (number::vote<N>(is_common)) {
        exists = !static_cast<bool>(number::remainder_of(difference, divisor));
        if (!number::vote<N>(exists))
            return false;
        difference = number::quotient_of(difference, divisor);
        step = number::quotient_of(step, divisor);
        n = number::quotient_of(n, divisor);
    }
    const auto factor = inverse(step, n); // exists
    const N t(product_modulo(difference, N(*factor), n));
    sum = X(X(x) + X(number::product_of(m, t)));
    return exists;
}

// The x in [0, lcm(m, n)) with x = a mod m and x = b mod n, or nothing. A modulus of 0 is an error.
template <class X, class A, class M, class B, class N>
WARPINT_HOST_DEVICE constexpr Optional<X> solve_congruences(const A &a, const M &m, const B &b,
                                                            const N &n) {
    const bool some_m = static_cast<bool>(m);
    const bool some_n = static_cast<bool>(n);
    if (!some_m || !some_n)
        number::report_domain_error("warpint: modulus 0");
    // As narrow as they are over lanes, where each width has a division of its own.
    using Known = std::conditional_t<number::RunsTogether<M>, M, X>;
    const M first = number::choose(some_m, m, M(1u));
    N second = number::choose(some_n, n, N(1u));
    X x(M(number::remainder_of(a, first)));
    const bool solvable =
        join_congruence(x, Known(x), Known(first), N(number::remainder_of(b, second)), second);
    const bool exists = solvable && some_m && some_n;
    return Optional<X>(number::choose(exists, x, X(0u)), exists);
}

// K congruences with residues of any size; nothing if they contradict each other. A modulus of 0 is
// an error.
template <class X, int K, class N>
WARPINT_HOST_DEVICE constexpr Optional<X> solve_congruences(const N *residues, const N *moduli) {
    bool exists = true;
    for (int i = 0; i < K; ++i) {
        const bool some = static_cast<bool>(moduli[i]);
        if (!some)
            number::report_domain_error("warpint: modulus 0");
        exists = exists && some;
    }
    X x{};
    X m{};
    for (int i = 0; i < K && number::vote<N>(exists); ++i) {
        N n = number::choose(exists, moduli[i], N(1u));
        const N residue(number::remainder_of(residues[i], n));
        if (i == 0) {
            x = X(residue);
            m = X(n);
        } else {
            const bool solvable = join_congruence(x, x, m, residue, n);
            exists = exists && solvable;
            if (i < K - 1)
                m = X(number::product_of(m, n));
        }
    }
    return Optional<X>(number::choose(exists, x, X(0u)), exists);
}

} // namespace theory

// The x in [0, lcm(m, n)) with x = a mod m and x = b mod n, or nothing if a and b differ modulo
// gcd(m, n). a and b may be unreduced or negative. Variable time. Errors: m <= 0 or n <= 0 is a
// std::domain_error on the host; device code returns nothing.
// Example:
//     const auto x = crt(BigInt<8>(2), BigInt<8>(3), BigInt<8>(3), BigInt<8>(5)); // 8
template <AnyNumber A, AnyNumber M, AnyNumber B, AnyNumber N>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr Optional<
    BigInt<number::bits_of<M> + number::bits_of<N>>>
crt(const A &a, const M &m, const B &b, const N &n) {
    using R = BigInt<number::bits_of<M> + number::bits_of<N>>;
    return theory::solve_congruences<R>(number::as_number(a), number::modulus_value(m),
                                        number::as_number(b), number::modulus_value(n));
}

// The x in [0, lcm of all moduli) with x = residues[i] mod moduli[i] for every i, or nothing if
// there is none; otherwise as above.
template <int N, std::size_t K>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr Optional<BigInt<static_cast<int>(K) * N>>
crt(const BigInt<N> (&residues)[K], const BigInt<N> (&moduli)[K]) {
    return theory::solve_congruences<BigInt<static_cast<int>(K) * N>, static_cast<int>(K)>(residues,
                                                                                           moduli);
}
#if WARPINT_HOSTED
// The same for std::array. Host only.
template <int N, std::size_t K>
requires(K >= 1) [[nodiscard]] constexpr Optional<BigInt<static_cast<int>(K) * N>> crt(
    const std::array<BigInt<N>, K> &residues, const std::array<BigInt<N>, K> &moduli) {
    return theory::solve_congruences<BigInt<static_cast<int>(K) * N>, static_cast<int>(K)>(
        residues.data(), moduli.data());
}
#endif

} // namespace warpint
