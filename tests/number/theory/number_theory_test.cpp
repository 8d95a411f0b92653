// SPDX-License-Identifier: Apache-2.0
// gcd, lcm, gcd_ext, inverse and jacobi of plain numbers against GMP: all widths, signs and operand
// classes, built-in integers, every small pair, and the corners by name. (Inverses of twelve bits:
// inverse_exhaustive_test.cpp.)

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/number_theory.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace {

using test::check_property;
using test::from_integer;
using test::greatest_common_divisor;
using test::Integer;
using test::inverse_or_zero;
using test::Operands;
using test::OperandSource;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::Modulus;
using warpint::Optional;
using warpint::SignedBigInt;

Integer least_common_multiple(const Integer &a, const Integer &b) {
    Integer result;
    mpz_lcm(result.raw(), a.raw(), b.raw());
    return result;
}

/// gcd, lcm and gcd_ext of numbers of types A and B with the values a and b.
template <typename A, typename B>
void check_divisors(Verdict &verdict, const A &x, const B &y, const Integer &a, const Integer &b) {
    const Integer divisor = greatest_common_divisor(a, b);
    verdict.equal("gcd", to_integer(gcd(x, y)), divisor);
    verdict.equal("lcm", to_integer(lcm(x, y)), least_common_multiple(a, b));
    Integer expected, expected_x, expected_y;
    mpz_gcdext(expected.raw(), expected_x.raw(), expected_y.raw(), a.raw(), b.raw());
    const auto extended = gcd_ext(x, y);
    verdict.equal("gcd_ext, gcd", to_integer(extended.gcd), divisor);
    verdict.equal("gcd_ext, x", to_integer(extended.x), expected_x);
    verdict.equal("gcd_ext, y", to_integer(extended.y), expected_y);
    verdict.equal("a x + b y", a * to_integer(extended.x) + b * to_integer(extended.y), divisor);
}

/// inverse(x, modulus) for the values a and m >= 1; modulus is a number or a Modulus.
template <typename A, typename M>
void check_inverse(Verdict &verdict, const char *what, const A &x, const M &modulus,
                   const Integer &a, const Integer &m) {
    const auto r = inverse(x, modulus);
    verdict.equal(what, Integer(r.has_value()), Integer(greatest_common_divisor(a, m) == 1));
    if (r) {
        verdict.equal(what, to_integer(*r), inverse_or_zero(a, m));
    }
}

/// All functions of unsigned numbers of A and B bits.
template <int A, int B>
void check_unsigned(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandPair p = source.inverse_pair(A, B);
        if (A == B && source.one_in(2)) {
            return {p.b, p.a};
        }
        return {p.a, p.b};
    };
    check_property(name, A, count, draw, [](Verdict &verdict, const Operands &v) {
        const Integer &a = v[0], &b = v[1];
        const auto x = from_integer<BigInt<A>>(a);
        const auto y = from_integer<BigInt<B>>(b);
        static_assert(decltype(gcd(x, y))::bits == (A > B ? A : B));
        static_assert(decltype(lcm(x, y))::bits == A + B);
        static_assert(std::is_same_v<decltype(inverse(x, y)), Optional<BigInt<B>>>);
        check_divisors(verdict, x, y, a, b);
        if (!b.is_zero()) {
            check_inverse(verdict, "inverse", x, y, a, b);
        }
        const Integer odd = b | 1;
        const auto n = from_integer<BigInt<B>>(odd);
        verdict.equal("jacobi", Integer(jacobi(x, n)), Integer(mpz_jacobi(a.raw(), odd.raw())));
        check_inverse(verdict, "inverse modulo an odd number", x, n, a, odd);
    });
}

/// The same for signed numbers of A and B bits.
template <int A, int B>
void check_signed(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        if (source.one_in(2)) {
            const Integer a = source.signed_number(A);
            return {a, source.signed_number(B)};
        }
        const test::OperandPair p = source.inverse_pair(A, B);
        return {test::store_signed(source.one_in(2) ? -p.a : p.a, A),
                test::store_signed(source.one_in(2) ? -p.b : p.b, B)};
    };
    check_property(name, A, count, draw, [](Verdict &verdict, const Operands &v) {
        const Integer &a = v[0], &b = v[1];
        const auto x = from_integer<SignedBigInt<A>>(a);
        const auto y = from_integer<SignedBigInt<B>>(b);
        check_divisors(verdict, x, y, a, b);
        const Integer m = abs(b);
        if (!m.is_zero()) {
            const auto modulus = from_integer<BigInt<B>>(m);
            check_inverse(verdict, "inverse", x, modulus, a, m);
            if (test::fits_signed(m, B)) {
                check_inverse(verdict, "inverse, signed modulus", x,
                              from_integer<SignedBigInt<B>>(m), a, m);
            }
            check_inverse(verdict, "inverse, unsigned operand", from_integer<BigInt<A>>(abs(a)),
                          modulus, abs(a), m);
        }
        const Integer odd = m | 1;
        const auto n = from_integer<BigInt<B>>(odd);
        verdict.equal("jacobi", Integer(jacobi(x, n)), Integer(mpz_jacobi(a.raw(), odd.raw())));
    });
}

} // namespace

TEST_CASE("number theory, up to 33 bits") {
    check_unsigned<1, 1>("number theory", 1000);
    check_unsigned<7, 7>("number theory", 20000);
    check_unsigned<31, 31>("number theory", 20000);
    check_unsigned<32, 32>("number theory", 20000);
    check_unsigned<33, 33>("number theory", 20000);
}
TEST_CASE("number theory, 64 to 131 bits") {
    check_unsigned<64, 64>("number theory", 20000);
    check_unsigned<109, 109>("number theory", 15000);
    check_unsigned<131, 131>("number theory", 15000);
}
TEST_CASE("number theory, 256 to 521 bits") {
    check_unsigned<256, 256>("number theory", 15000);
    check_unsigned<384, 384>("number theory", 8000);
    check_unsigned<521, 521>("number theory", 5000);
}
TEST_CASE("number theory, 1024 to 4096 bits") {
    check_unsigned<1024, 1024>("number theory", 2000);
    check_unsigned<2048, 2048>("number theory", 600);
    check_unsigned<4096, 4096>("number theory", 150);
}
TEST_CASE("number theory, mixed widths") {
    check_unsigned<7, 256>("wide modulus", 5000);
    check_unsigned<256, 33>("narrow modulus", 5000);
    check_unsigned<1024, 109>("very narrow modulus", 2000);
}
TEST_CASE("number theory of signed numbers") {
    check_signed<1, 1>("signed number theory", 500);
    check_signed<7, 7>("signed number theory", 10000);
    check_signed<64, 32>("signed number theory, narrow modulus", 5000);
    check_signed<131, 131>("signed number theory", 5000);
    check_signed<256, 521>("signed number theory, wide modulus", 2000);
    check_signed<1024, 1024>("signed number theory", 500);
}

TEST_CASE("every pair of signed seven-bit numbers") {
    Verdict verdict;
    for (int a = -64; a < 64; ++a) {
        for (int b = -64; b < 64; ++b) {
            const SignedBigInt<7> x(a), y(b);
            check_divisors(verdict, x, y, a, b);
            if (b > 0) {
                check_inverse(verdict, "inverse", x, y, a, b);
                check_inverse(verdict, "inverse, Modulus", x, Modulus<7>(BigInt<7>(b)), a, b);
                if (b % 2 != 0) {
                    verdict.equal("jacobi", Integer(jacobi(x, y)),
                                  Integer(mpz_jacobi(Integer(a).raw(), Integer(b).raw())));
                }
            }
        }
    }
    INFO(verdict.message());
    CHECK_FALSE(verdict.failed());
}

TEST_CASE("a prepared modulus") {
    OperandSource source(test::property_seed("inverse with a Modulus", 256));
    Verdict verdict;
    for (int i = 0; i < 300; ++i) {
        const Integer m = source.modulus(256), a = source.number(300);
        check_inverse(verdict, "inverse", from_integer<BigInt<300>>(a),
                      Modulus<256>(from_integer<BigInt<256>>(m)), a, m);
    }
    INFO(verdict.message());
    CHECK_FALSE(verdict.failed());
}

TEST_CASE("built-in integers count as numbers of their own width") {
    const BigInt<100> big = 1001;
    static_assert(std::is_same_v<decltype(warpint::gcd(1u, std::int64_t(1))), BigInt<64>>);
    static_assert(std::is_same_v<decltype(lcm(big, 1u)), BigInt<132>>);
    CHECK(gcd(big, 77) == 77);
    CHECK(gcd(-77, big) == 77);
    CHECK(warpint::gcd(12, -18) == 6);
    CHECK(lcm(big, 2u) == 2002);
    CHECK(warpint::lcm(std::numeric_limits<std::int64_t>::min(), 3) == BigInt<66>(3) << 63);
    CHECK(*warpint::inverse(3, 7) == 5);
    CHECK(*inverse(-3, BigInt<64>(7)) == 2);
    CHECK(*inverse(BigInt<64>(10), 7u) == 5);
    CHECK(warpint::jacobi(-1, 7) == -1);
    CHECK(jacobi(big, 9907) == -1);
    CHECK(warpint::gcd_ext(240, 46).x == -9);
    CHECK(warpint::gcd_ext(240, 46).y == 47);
    CHECK(warpint::gcd(true, true) == 1);
}

TEST_CASE("the corners by name") {
    const BigInt<64> zero = 0, one = 1, two = 2, big = ~std::uint64_t(0);
    CHECK(gcd(zero, zero) == 0);
    CHECK(gcd(zero, big) == big);
    CHECK(gcd(big, zero) == big);
    CHECK(gcd(big, big) == big);
    CHECK(lcm(zero, zero) == 0);
    CHECK(lcm(zero, big) == 0);
    CHECK(lcm(big, big - 1) == big * (big - 1));
    CHECK(gcd(SignedBigInt<64>(std::numeric_limits<std::int64_t>::min()), zero) == BigInt<64>(1)
                                                                                       << 63);
    CHECK(inverse(zero, one));
    CHECK(*inverse(zero, one) == 0);
    CHECK(*inverse(big, one) == 0);
    CHECK_FALSE(inverse(zero, two));
    CHECK(*inverse(one, two) == 1);
    CHECK(*inverse(big, two) == 1);
    CHECK_FALSE(inverse(two, big - 1));
    CHECK_FALSE(inverse(big, big));
    CHECK(*inverse(big - 1, big) == big - 1);
    CHECK(jacobi(zero, one) == 1);
    CHECK(jacobi(big, one) == 1);
    CHECK(jacobi(zero, big) == 0);
    if (auto x = inverse(BigInt<64>(3), BigInt<64>(10))) {
        CHECK(*x == 7);
    } else {
        CHECK(false);
    }
}

TEST_CASE("what has no meaning is an error") {
    const BigInt<64> zero = 0, one = 1, even = 10;
    CHECK_THROWS_AS(static_cast<void>(inverse(one, zero)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(inverse(one, -7)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(inverse(one, SignedBigInt<64>(-7))), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(jacobi(one, zero)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(jacobi(one, even)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(jacobi(one, -7)), std::domain_error);
}

TEST_CASE("an optional value") {
    const Optional<int> none{}, some(5);
    static_assert(std::is_trivially_copyable_v<Optional<BigInt<64>>>);
    CHECK_FALSE(none);
    CHECK_FALSE(none.has_value());
    CHECK(none.value_or(3) == 3);
    CHECK_THROWS_AS(static_cast<void>(none.value()), std::bad_optional_access);
    CHECK(some);
    CHECK(*some == 5);
    CHECK(some.value() == 5);
    CHECK(some.value_or(3) == 5);
    CHECK(Optional<BigInt<64>>(BigInt<64>(7))->limbs[0] == 7);
    CHECK_FALSE(Optional<int>(5, false));
}

TEST_CASE("constant expressions") {
    constexpr BigInt<127> p = (BigInt<127>(1) << 127) - 1;
    static_assert(*inverse(BigInt<127>(2), p) == BigInt<127>(1) << 126);
    static_assert(gcd(p * BigInt<8>(6), p * BigInt<8>(10)) == p * BigInt<8>(2));
    static_assert(jacobi(BigInt<127>(3), p) == -1);
    static_assert(gcd_ext(BigInt<64>(240), BigInt<64>(46)).gcd == 2);
    static_assert(!inverse(BigInt<64>(6), BigInt<64>(9)));
    static_assert(*inverse(BigInt<64>(7), BigInt<64>(96)) == 55);
    CHECK(*inverse(BigInt<127>(2), p) == BigInt<127>(1) << 126);
}
