// SPDX-License-Identifier: Apache-2.0
// The Chinese remainder theorem for numbers of any kind and moduli that are coprime or not.
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

// The t for which x + m t satisfies x = b mod n as well as x mod m, and is below the least common
// multiple of m and n, which is m times what n becomes. On input: x < m, b < n. Returns false, with
// t and n unspecified, if there is no such number. (Knuth, The Art of Computer Programming
// 2, 4.3.2, mixed radix; with a common divisor g, b - x must be a multiple of it, and t = (b - x) /
// g (m / g)^-1 mod n / g.)
template <class M, class N>
WARPINT_HOST_DEVICE constexpr bool join_congruence(N &t, const M &x, const M &m, const N &b, N &n) {
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
    if constexpr (number::RunsTogether<N>) {
        t = number::remainder_of(number::product_of(difference, *factor), n);
    } else {
        t = mulmod(difference, *factor, n);
    }
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
    const M first = number::choose(some_m, m, M(1u));
    N second = number::choose(some_n, n, N(1u));
    const M known(number::remainder_of(a, first));
    N t{};
    const bool solvable =
        join_congruence(t, known, first, N(number::remainder_of(b, second)), second);
    const X x(X(known) + X(number::product_of(first, t)));
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
            N t{};
            const bool solvable = join_congruence(t, x, m, residue, n);
            exists = exists && solvable;
            x = X(x + X(number::product_of(m, t)));
            if (i < K - 1)
                m = X(number::product_of(m, n));
        }
    }
    return Optional<X>(number::choose(exists, x, X(0u)), exists);
}

} // namespace theory

// The x in [0, lcm(m, n)) with x = a mod m and x = b mod n, or nothing if a and b differ modulo
// gcd(m, n): an Optional as wide as both moduli. a and b may be unreduced or negative. Variable
// time. Errors: m <= 0 or n <= 0 is a std::domain_error on the host; device code returns nothing.
// Example:
//     const auto x = crt(BigInt<8>(2), BigInt<8>(3), BigInt<8>(3), BigInt<8>(5)); // 8
template <class A, class M, class B, class N>
    requires number::OfOneKind<A, M, B, N>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto crt(const A &a, const M &m, const B &b,
                                                     const N &n) {
    using Kind = number::kind_of<A, M, B, N>;
    constexpr int bits =
        number::bits_of<number::scalar_t<M>> + number::bits_of<number::scalar_t<N>>;
    if constexpr (number::may_be_short<A, M, B, N>) {
        if (number::are_short(a, m, b, n))
            return Optional<BigInt<bits>>(crt(number::shortened(a), number::shortened(m),
                                              number::shortened(b), number::shortened(n)));
    }
    return theory::solve_congruences<typename Kind::template number_t<BigInt<bits>>>(
        number::in_kind<Kind>(a), number::modulus_value<Kind>(m), number::in_kind<Kind>(b),
        number::modulus_value<Kind>(n));
}

// The x in [0, lcm of all moduli) with x = residues[i] mod moduli[i] for every i, or nothing if
// there is none; otherwise as above. It has the width of all moduli together.
template <number::HeldBig T, std::size_t K>
    requires(!T::is_signed)
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto crt(const T (&residues)[K], const T (&moduli)[K]) {
    using R = number::like_t<BigInt<static_cast<int>(K) * T::bits>, T>;
    return theory::solve_congruences<R, static_cast<int>(K)>(residues, moduli);
}
#if WARPINT_HOSTED
// The same for std::array. Host only.
template <int N, std::size_t K>
    requires(K >= 1)
[[nodiscard]] constexpr Optional<BigInt<static_cast<int>(K) * N>>
crt(const std::array<BigInt<N>, K> &residues, const std::array<BigInt<N>, K> &moduli) {
    return theory::solve_congruences<BigInt<static_cast<int>(K) * N>, static_cast<int>(K)>(
        residues.data(), moduli.data());
}
#endif

} // namespace warpint
