// SPDX-License-Identifier: Apache-2.0
// sqrt_mod against every square modulo every small odd number and against GMP at large primes, also
// those with a high power of two in p - 1; crt against its definition.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/number/theory/crt.h>
#include <warpint/number/theory/sqrt_mod.h>

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using test::all_ones;
using test::check_property;
using test::from_integer;
using test::greatest_common_divisor;
using test::Integer;
using test::modulo;
using test::Operands;
using test::OperandSource;
using test::power_of_two;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::Optional;
using warpint::SignedBigInt;

bool is_prime(const Integer &n) {
    return mpz_probab_prime_p(n.raw(), 30) != 0;
}

/// sqrt_mod(x, modulus) for numbers with the values a and m, m odd. Roots modulo a prime exist
/// exactly for the residues with Legendre symbol 0 or 1; modulo other numbers only what was found
/// is looked at.
template <typename A, typename M>
void check_root(Verdict &verdict, const A &x, const M &modulus, const Integer &a, const Integer &m,
                bool prime) {
    const auto r = sqrt_mod(x, modulus);
    if (prime) {
        verdict.equal("a root exists", Integer(r.has_value()),
                      Integer(mpz_legendre(a.raw(), m.raw()) >= 0));
    }
    if (r) {
        const Integer root = to_integer(*r);
        verdict.equal("root^2", modulo(root * root, m), modulo(a, m));
        verdict.is_true("the smaller root", root + root <= m);
    } else {
        verdict.is_true("a is not 0", !modulo(a, m).is_zero());
    }
}

/// The smallest prime c 2^k + 1 of at least `bits` bits, c odd from a random start.
Integer prime_with_twos(OperandSource &source, int bits, int k) {
    Integer c = k + 1 < bits ? source.uniform_bits(bits - k) | power_of_two(bits - k - 1) | 1 : 1;
    while (!is_prime((c << std::size_t(k)) + 1)) {
        c += 2;
    }
    return (c << std::size_t(k)) + 1;
}

template <int N>
void check_prime(Verdict &verdict, OperandSource &source, const Integer &p, long count) {
    const auto modulus = from_integer<BigInt<N>>(p);
    verdict.equal("the prime fits", to_integer(modulus), p);
    for (long i = 0; i < test::scaled(count); ++i) {
        const Integer a = source.number(N);
        check_root(verdict, from_integer<BigInt<N>>(a), modulus, a, p, true);
        const Integer square = modulo(a * a, p);
        check_root(verdict, from_integer<BigInt<N>>(square), modulus, square, p, true);
    }
    for (const Integer &a : {Integer(0), Integer(1), p - 1, p, modulo(Integer(4), p)}) {
        check_root(verdict, from_integer<BigInt<N>>(a), modulus, a, p, true);
    }
}

void report(const Verdict &verdict) {
    INFO(verdict.message(), " WARPINT_TEST_SEED=", test::run_seed());
    CHECK_FALSE(verdict.failed());
    CHECK(verdict.comparisons() > 0);
}

/// x = a mod m, x = b mod n by GMP: the smallest x >= 0, or -1.
Integer join(const Integer &a, const Integer &m, const Integer &b, const Integer &n) {
    const Integer divisor = greatest_common_divisor(m, n);
    if (!modulo(b - a, divisor).is_zero()) {
        return Integer(-1);
    }
    const Integer reduced = n / divisor;
    const Integer factor =
        reduced == 1 ? Integer(0) : test::inverse_or_zero(modulo(m / divisor, reduced), reduced);
    const Integer start = modulo(a, m);
    return start + m * modulo((b - start) / divisor * factor, reduced);
}

template <int M, int N>
void check_pairs(long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandPair moduli = source.gcd_pair(M, N);
        Integer m = source.one_in(2) ? source.modulus(M) : moduli.a;
        const Integer n = source.one_in(2) ? source.modulus(N) : moduli.b;
        if (source.one_in(4) && M >= N) {
            m = n;
        }
        Integer a = source.number(M + 5);
        // Half of all pairs agree modulo the common divisor.
        Integer b = source.one_in(2) ? source.number(N + 3) : test::store_unsigned(a, N + 3);
        return {a, m, b, n};
    };
    check_property("crt", M + N, count, draw, [](Verdict &verdict, const Operands &v) {
        const Integer &a = v[0], &m = v[1], &b = v[2], &n = v[3];
        if (m.sign() <= 0 || n.sign() <= 0) {
            return;
        }
        const auto modulus_m = from_integer<BigInt<M>>(m);
        const auto modulus_n = from_integer<BigInt<N>>(n);
        const auto x = crt(from_integer<BigInt<M + 5>>(a), modulus_m,
                           from_integer<BigInt<N + 3>>(b), modulus_n);
        static_assert(std::is_same_v<std::remove_cv_t<decltype(x)>, Optional<BigInt<M + N>>>);
        verdict.equal("crt", x ? to_integer(*x) : Integer(-1), join(a, m, b, n));
        const auto y = crt(from_integer<SignedBigInt<M + 6>>(-a), modulus_m,
                           from_integer<SignedBigInt<N + 4>>(-b), modulus_n);
        verdict.equal("crt, negative", y ? to_integer(*y) : Integer(-1), join(-a, m, -b, n));
    });
}

template <int N, std::size_t K>
void check_many(long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        Operands v;
        const Integer x = source.number(int(K) * N);
        const int divisor_bits = source.below(N);
        const bool consistent = !source.one_in(4);
        for (std::size_t i = 0; i < K; ++i) {
            Integer m = source.one_in(3) ? source.uniform_bits(N) : source.modulus(N);
            if (source.one_in(3)) { // moduli with a large factor in common
                m = (m >> std::size_t(divisor_bits)) << std::size_t(divisor_bits);
            }
            v.push_back(m);
            v.push_back(consistent && !m.is_zero() ? modulo(x, m) : source.number(N));
        }
        return v;
    };
    check_property("crt of many", N * int(K), count, draw, [](Verdict &verdict, const Operands &v) {
        std::array<BigInt<N>, K> residues{}, moduli{};
        BigInt<N> plain_residues[K], plain_moduli[K];
        Integer expected = 0, m = 1;
        for (std::size_t i = 0; i < K; ++i) {
            if (v[2 * i].is_zero()) {
                return;
            }
            plain_moduli[i] = moduli[i] = from_integer<BigInt<N>>(v[2 * i]);
            plain_residues[i] = residues[i] = from_integer<BigInt<N>>(v[2 * i + 1]);
            if (expected.sign() >= 0) {
                expected = join(expected, m, v[2 * i + 1], v[2 * i]);
                m = m / greatest_common_divisor(m, v[2 * i]) * v[2 * i];
            }
        }
        const auto x = crt(residues, moduli);
        const auto y = warpint::crt(plain_residues, plain_moduli);
        verdict.equal("crt", x ? to_integer(*x) : Integer(-1), expected);
        verdict.equal("crt of plain arrays", y ? to_integer(*y) : Integer(-1), expected);
    });
}

} // namespace

TEST_CASE("square roots modulo every odd number below 2^10") {
    // A root modulo a composite number may be missed, a wrong one may not be returned.
    long wrong = 0, missing_modulo_primes = 0;
    for (unsigned m = 1; m < 1024; m += 2) {
        std::vector<unsigned> smallest(m, m); // the smallest root of each number, m if none
        for (unsigned r = m; r-- > 0;) {
            smallest[r * r % m] = r;
        }
        const bool prime = is_prime(Integer(m));
        const BigInt<10> modulus(m);
        for (unsigned a = 0; a < m; ++a) {
            const auto r = sqrt_mod(BigInt<10>(a), modulus);
            if (!r) {
                missing_modulo_primes += prime && smallest[a] != m;
            } else {
                const unsigned root = static_cast<unsigned>(*r);
                wrong += prime ? root != smallest[a] : root * root % m != a || root > m / 2;
            }
        }
    }
    CHECK(wrong == 0);
    CHECK(missing_modulo_primes == 0);
}

TEST_CASE("square roots modulo primes of every class") {
    Verdict verdict;
    OperandSource source(test::property_seed("sqrt_mod", 0));
    for (int round = 0; round < 8; ++round) {
        for (int k = 1; k < 12; ++k) {
            check_prime<64>(verdict, source, prime_with_twos(source, 40, k), 5);
            check_prime<131>(verdict, source, prime_with_twos(source, 130, k), 2);
        }
    }
    for (int k : {1, 2, 3, 16, 32, 40, 64, 100, 200, 250}) {
        check_prime<270>(verdict, source, prime_with_twos(source, 250, k), 8);
    }
    report(verdict);
}

TEST_CASE("square roots modulo known primes") {
    Verdict verdict;
    OperandSource source(test::property_seed("sqrt_mod, known primes", 0));
    check_prime<33>(verdict, source, Integer("c0000001", 16), 200); // 3 2^30 + 1
    check_prime<64>(verdict, source, Integer("ffffffff00000001", 16), 200);
    check_prime<255>(
        verdict, source, // BLS12-381 r, 2^32 divides r - 1
        Integer("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16), 100);
    check_prime<224>(verdict, source, power_of_two(224) - power_of_two(96) + 1, 100); // P-224
    check_prime<255>(verdict, source, power_of_two(255) - 19, 100);                   // 5 mod 8
    check_prime<256>(verdict, source, power_of_two(256) - power_of_two(32) - 977, 100);
    check_prime<521>(verdict, source, all_ones(521), 20);
    check_prime<131>(verdict, source, Integer("7", 10), 50);
    check_prime<17>(verdict, source, Integer(65537), 300); // 2^16 + 1
    report(verdict);
}

TEST_CASE("square roots modulo anything end and are right") {
    const auto draw = [](OperandSource &source) -> Operands {
        Integer m = source.modulus(160);
        if (source.one_in(3)) { // squares and cubes
            const Integer root = source.number(53) | 1;
            m = source.one_in(2) ? root * root : root * root * root;
        }
        const Integer a = source.number(200);
        return {source.one_in(2) ? a : modulo(a * a, m), m};
    };
    check_property(
        "sqrt_mod of any modulus", 160, 1500, draw, [](Verdict &verdict, const Operands &v) {
            if (v[1].is_zero()) {
                return;
            }
            const auto modulus = from_integer<BigInt<160>>(v[1]);
            if (v[1].is_odd()) {
                const bool prime = v[1] > 2 && is_prime(v[1]);
                check_root(verdict, from_integer<BigInt<200>>(v[0]), modulus, v[0], v[1], prime);
                check_root(verdict, from_integer<SignedBigInt<201>>(-v[0]), modulus, -v[0], v[1],
                           prime);
            } else {
                verdict.equal(
                    "even modulus",
                    Integer(sqrt_mod(from_integer<BigInt<200>>(v[0]), modulus).has_value()),
                    Integer(v[1] == 2));
            }
        });
}

TEST_CASE("square roots: corners and errors") {
    using warpint::sqrt_mod;
    const BigInt<64> zero = 0, one = 1, two = 2;
    CHECK(*sqrt_mod(5u, 1u) == 0);
    CHECK(*sqrt_mod(4u, 2u) == 0);
    CHECK(*sqrt_mod(-3, two) == 1);
    CHECK(*sqrt_mod(zero, BigInt<64>(7)) == 0);
    CHECK(*sqrt_mod(BigInt<64>(14), 7) == 0);
    CHECK(*sqrt_mod(2, 7) == 3);
    CHECK(*sqrt_mod(-3, 7) == 2);
    CHECK_FALSE(sqrt_mod(3, 7));
    CHECK_FALSE(sqrt_mod(one, 4));
    CHECK_THROWS_AS(static_cast<void>(sqrt_mod(one, zero)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(sqrt_mod(one, -7)), std::domain_error);
}

TEST_CASE("Chinese remainder theorem, two congruences") {
    check_pairs<1, 1>(300);
    check_pairs<7, 7>(8000);
    check_pairs<32, 33>(8000);
    check_pairs<64, 64>(8000);
    check_pairs<131, 64>(4000);
    check_pairs<32, 256>(3000);
    check_pairs<256, 256>(3000);
    check_pairs<521, 521>(800);
}

TEST_CASE("Chinese remainder theorem, many congruences") {
    check_many<7, 1>(500);
    check_many<31, 2>(3000);
    check_many<64, 3>(3000);
    check_many<33, 8>(1500);
    check_many<256, 4>(800);
}

TEST_CASE("Chinese remainder theorem of every pair of small moduli") {
    Verdict verdict;
    for (int m = 1; m <= 16; ++m) {
        for (int n = 1; n <= 16; ++n) {
            for (int a = -1; a < m; ++a) {
                for (int b = 0; b <= n; ++b) {
                    int x = 0; // by trial
                    while (x < m * n && ((x - a) % m != 0 || (x - b) % n != 0)) {
                        ++x;
                    }
                    const auto r = crt(a, BigInt<5>(m), b, n);
                    verdict.equal("crt", r ? to_integer(*r) : Integer(-1),
                                  Integer(x < m * n ? x : -1));
                }
            }
        }
    }
    report(verdict);
    const BigInt<8> zero = 0, one = 1;
    CHECK_THROWS_AS(static_cast<void>(crt(one, zero, one, one)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(crt(one, one, one, -1)), std::domain_error);
    const std::array<BigInt<8>, 2> residues = {1, 1}, moduli = {3, 0};
    CHECK_THROWS_AS(static_cast<void>(crt(residues, moduli)), std::domain_error);
}

TEST_CASE("roots and congruences in constant expressions") {
    static_assert(*sqrt_mod(BigInt<64>(2), BigInt<64>(7)) == 3);
    static_assert(*sqrt_mod(BigInt<64>(5), BigInt<64>(29)) == 11);
    static_assert(*sqrt_mod(BigInt<64>(2), BigInt<64>(17)) == 6);
    static_assert(*sqrt_mod(BigInt<64>(4), BigInt<64>(65537)) == 2);
    static_assert(!sqrt_mod(BigInt<64>(3), BigInt<64>(7)));
    static_assert(*crt(BigInt<8>(2), BigInt<8>(3), BigInt<8>(3), BigInt<8>(5)) == 8);
    static_assert(!crt(BigInt<8>(1), BigInt<8>(4), BigInt<8>(2), BigInt<8>(6)));
    CHECK(*sqrt_mod(BigInt<64>(2), BigInt<64>(7)) == 3);
}
