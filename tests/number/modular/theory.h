// SPDX-License-Identifier: Apache-2.0
// Bodies of the batched tests of number theory. See residues.h.
#pragma once

#include "residues.h"

#include <warpint/number_theory.h>

namespace modular_test {

struct Divisors {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &,
                                          Results &out) {
        BATCH_TEST_RESULT(gcd(a, b));
        BATCH_TEST_RESULT(lcm(a, b));
        BATCH_TEST_NAMED("gcd(a, integer)", gcd(a, small_integer(b)));
    }
};

struct Bezout {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &,
                                          Results &out) {
        const auto all = gcd_ext(a, b);
        out.copy("gcd_ext, gcd", all.gcd);
        out.copy("gcd_ext, x", all.x);
        out.copy("gcd_ext, y", all.y);
    }
};

struct Symbols {
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &,
                                          Results &out) {
        const auto odd = abs(b) | 1u;
        BATCH_TEST_NAMED("jacobi(a, b)", jacobi(a, odd));
        BATCH_TEST_NAMED("jacobi(integer, b)", jacobi(small_integer(a), odd));
    }
};

/// Square roots modulo primes and composite numbers.
struct Roots {
    template <int N, class B>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const Parameters &, Results &out) {
        const auto of_a = sqrt_mod(a, m);
        BATCH_TEST_NAMED("sqrt_mod(a, m)", of_a.has_value());
        BATCH_TEST_NAMED("sqrt_mod(a, m)", of_a.has_value() ? *of_a : BigInt<N>(0u));
        const auto of_square = sqrt_mod(sqr(b), m);
        BATCH_TEST_NAMED("sqrt_mod(b^2, m)", of_square.has_value());
        BATCH_TEST_NAMED("sqrt_mod(b^2, m)", of_square.has_value() ? *of_square : BigInt<N>(0u));
    }
};

/// x = a mod m, x = b mod n; and three congruences.
struct Congruences {
    template <int N, class B, int M>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const B &b, const BigInt<N> &m,
                                          const BigInt<M> &n, const Parameters &, Results &out) {
        const auto two = crt(a, m, b, n);
        BATCH_TEST_NAMED("crt(a, m, b, n)", two.has_value());
        BATCH_TEST_NAMED("crt(a, m, b, n)", two.has_value() ? *two : BigInt<N + M>(0u));
        const BigInt<N> residues[3] = {a, BigInt<N>(b), m};
        const BigInt<N> moduli[3] = {m, BigInt<N>(n) | 1u, a | 1u};
        const auto three = crt(residues, moduli);
        BATCH_TEST_NAMED("crt of three", three.has_value());
        BATCH_TEST_NAMED("crt of three", three.has_value() ? *three : BigInt<3 * N>(0u));
    }
};

struct Primes {
    template <int N>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const Parameters &, Results &out) {
        BATCH_TEST_RESULT(is_probable_prime(a));
        BATCH_TEST_RESULT(is_probable_prime(a, 2));
        BATCH_TEST_NAMED("is_probable_prime(a, 1, generator)",
                         is_probable_prime(a, 1, warpint::Philox(static_cast<std::uint64_t>(a))));
        BATCH_TEST_NAMED("is_probable_prime(-a)", is_probable_prime(-SignedBigInt<N + 1>(a)));
    }
};

struct SafePrimes {
    template <int N>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const Parameters &, Results &out) {
        BATCH_TEST_RESULT(is_safe_prime(a));
    }
};

struct NextPrimes {
    template <int N>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const Parameters &, Results &out) {
        BATCH_TEST_RESULT(next_prime(a));
    }
};

struct NextSafePrimes {
    template <int N>
    WARPINT_HOST_DEVICE static void apply(const BigInt<N> &a, const Parameters &, Results &out) {
        BATCH_TEST_RESULT(next_safe_prime(a));
    }
};

/// Keyed by a.
template <int N>
struct RandomPrimes {
    WARPINT_HOST_DEVICE static void apply(const BigInt<64> &a, const Parameters &, Results &out) {
        warpint::Philox generator(static_cast<std::uint64_t>(a));
        BATCH_TEST_NAMED("random_prime", warpint::random_prime<N>(generator));
    }
};
template <int N>
struct RandomSafePrimes {
    WARPINT_HOST_DEVICE static void apply(const BigInt<64> &a, const Parameters &, Results &out) {
        warpint::Philox generator(static_cast<std::uint64_t>(a), 1);
        BATCH_TEST_NAMED("random_safe_prime", warpint::random_safe_prime<N>(generator));
    }
};

} // namespace modular_test
