// SPDX-License-Identifier: Apache-2.0
// Modular arithmetic: Modulus, pow, mulmod, addmod, submod, sqrmod against the law.
//
// Operands need not be reduced, the modulus is any number >= 1, odd or even, the exponent may be 0
// and have any width; the result is the canonical value in [0, m).

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/modular.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>

namespace {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::modulo;
using test::Operands;
using test::OperandSource;
using test::power_modulo;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::Modulus;
using warpint::SignedBigInt;

/// a^e mod m; a has A bits, e has E bits, m has N bits.
template <int N, int A, int E>
void check_pow(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandTriple triple = source.triple(A, A, N);
        return {triple.a, source.exponent(E, triple.m), triple.m};
    };
    check_property(name, N, count, draw, [](Verdict &verdict, const Operands &v) {
        if (v[2].is_zero()) {
            return;
        }
        const auto a = from_integer<BigInt<A>>(v[0]);
        const auto e = from_integer<BigInt<E>>(v[1]);
        const auto m = from_integer<BigInt<N>>(v[2]);
        const Modulus<N> modulus(m);
        static_assert(decltype(pow(a, e, m))::bits == N);
        static_assert(decltype(pow(a, e, modulus))::bits == N);
        const Integer expected = power_modulo(v[0], v[1], v[2]);
        verdict.equal("pow(a, e, m)", to_integer(pow(a, e, m)), expected);
        verdict.equal("pow(a, e, Modulus(m))", to_integer(pow(a, e, modulus)), expected);
        verdict.equal("Modulus(m).value()", to_integer(modulus.value()), v[2]);
    });
}

/// Sums and products modulo m of unreduced operands.
template <int N, int A, int B>
void check_products(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandTriple triple = source.triple(A, B, N);
        return {triple.a, triple.b, triple.m};
    };
    check_property(name, N, count, draw, [](Verdict &verdict, const Operands &v) {
        if (v[2].is_zero()) {
            return;
        }
        const auto a = from_integer<BigInt<A>>(v[0]);
        const auto b = from_integer<BigInt<B>>(v[1]);
        const auto m = from_integer<BigInt<N>>(v[2]);
        const Integer product = modulo(v[0] * v[1], v[2]);
        verdict.equal("a * b % m", to_integer(a * b % m), product);
        verdict.equal("sqr(a) % m", to_integer(sqr(a) % m), modulo(v[0] * v[0], v[2]));
        const auto check = [&](const auto &modulus) {
            verdict.equal("a % modulus", to_integer(a % modulus), modulo(v[0], v[2]));
            verdict.equal("mulmod", to_integer(mulmod(a, b, modulus)), product);
            verdict.equal("sqrmod", to_integer(sqrmod(a, modulus)), modulo(v[0] * v[0], v[2]));
            verdict.equal("addmod", to_integer(addmod(a, b, modulus)), modulo(v[0] + v[1], v[2]));
            verdict.equal("submod", to_integer(submod(a, b, modulus)), modulo(v[0] - v[1], v[2]));
            verdict.equal("submod, the other way", to_integer(submod(b, a, modulus)),
                          modulo(v[1] - v[0], v[2]));
        };
        check(m);
        const Modulus<N> prepared(m);
        check(prepared);
        verdict.equal("-1 % modulus", to_integer(-1 % prepared), modulo(Integer(-1), v[2]));
        const auto word = std::uint64_t(a);
        verdict.equal("word % modulus", to_integer(word % prepared), modulo(Integer(word), v[2]));
    });
}

/// Negative and positive operands.
template <int N, int A>
void check_signed(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const test::OperandTriple triple = source.triple(A, A, N);
        const Integer b = test::store_signed(triple.b, A);
        return {source.one_in(2) ? -triple.a : source.signed_number(A + 1), b, triple.m,
                source.exponent(64, triple.m)};
    };
    check_property(name, N, count, draw, [](Verdict &verdict, const Operands &v) {
        if (v[2].is_zero()) {
            return;
        }
        const auto a = from_integer<SignedBigInt<A + 1>>(v[0]);
        const auto b = from_integer<SignedBigInt<A>>(v[1]);
        const Modulus<N> m(from_integer<BigInt<N>>(v[2]));
        const auto e = from_integer<BigInt<64>>(v[3]);
        verdict.equal("signed a % m", to_integer(a % m), modulo(v[0], v[2]));
        verdict.equal("signed mulmod", to_integer(mulmod(a, b, m)), modulo(v[0] * v[1], v[2]));
        verdict.equal("signed sqrmod", to_integer(sqrmod(a, m)), modulo(v[0] * v[0], v[2]));
        verdict.equal("signed addmod", to_integer(addmod(a, b, m)), modulo(v[0] + v[1], v[2]));
        verdict.equal("signed submod", to_integer(submod(a, b, m)), modulo(v[0] - v[1], v[2]));
        verdict.equal("pow of a signed base", to_integer(pow(a, e, m)),
                      power_modulo(v[0], v[3], v[2]));
    });
}

/// a^e modulo 2^N.
template <typename A, int E>
void check_wrapping_pow(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const Integer a = source.number(A::bits);
        return {test::stored<A>(a), source.exponent(E, test::power_of_two(A::bits))};
    };
    check_property(name, A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const Integer power = power_modulo(v[0], v[1], test::power_of_two(A::bits));
        verdict.equal("pow(a, e)",
                      to_integer(pow(from_integer<A>(v[0]), from_integer<BigInt<E>>(v[1]))),
                      test::stored<A>(power));
    });
}

template <int N>
void check_width(long products, long powers) {
#if !WARPINT_HAS_INT128 // slow
    products = (products + 3) / 4;
    powers = (powers + 3) / 4;
#endif
    check_products<N, N, N>("modular products", products);
    check_pow<N, N, N>("modular powers", powers);
    check_pow<N, N, 33>("modular powers, short exponents", powers);
}

} // namespace

// Without a 128-bit type, where this is compiled a second time, a width for each way that products
// and reductions go: one, two, a few, eight and many limbs. The others differ in masks and lengths,
// which limb arrays are tested with (products_test.cpp, in the same program).
TEST_CASE("modular arithmetic, one limb") {
    check_width<1>(4000, 4000);
    check_width<7>(16000, 16000);
    check_width<32>(16000, 16000);
}
TEST_CASE("modular arithmetic, 64 bits") {
    check_width<64>(16000, 8000);
}
TEST_CASE("modular arithmetic, 131 bits") {
    check_width<131>(16000, 8000);
}
TEST_CASE("modular arithmetic, 256 bits") {
    check_width<256>(16000, 4000);
}
TEST_CASE("modular arithmetic, 1024 bits") {
    check_width<1024>(4000, 480);
}
#if WARPINT_HAS_INT128
TEST_CASE("modular arithmetic, 33 bits") {
    check_width<33>(16000, 16000);
}
TEST_CASE("modular arithmetic, 109 bits") {
    check_width<109>(16000, 8000);
}
TEST_CASE("modular arithmetic, 521 bits") {
    check_width<521>(8000, 1600);
}
TEST_CASE("modular arithmetic, 2048 bits") {
    check_width<2048>(1600, 120);
}
#endif

TEST_CASE("modular arithmetic, mixed widths") {
    check_products<64, 256, 33>("products, modulus narrower", 5000);
    check_products<256, 33, 64>("products, modulus wider", 5000);
    check_products<131, 521, 7>("products, one operand wide", 5000);
    check_pow<64, 256, 128>("powers, base wider than the modulus", 2500);
    check_pow<256, 33, 521>("powers, exponent wider than the modulus", 500);
    check_pow<131, 521, 1>("powers, exponent of one bit", 2500);
}

TEST_CASE("modular arithmetic of negative numbers") {
    check_signed<7, 7>("signed modular arithmetic", 5000);
    check_signed<64, 109>("signed, operands wider than the modulus", 5000);
    check_signed<131, 33>("signed, operands narrower than the modulus", 5000);
    check_signed<256, 256>("signed modular arithmetic", 2000);
}

TEST_CASE("powers modulo a power of two") {
    check_wrapping_pow<BigInt<1>, 33>("wrapping powers", 500);
    check_wrapping_pow<BigInt<7>, 64>("wrapping powers", 5000);
    check_wrapping_pow<BigInt<109>, 33>("wrapping powers", 5000);
    check_wrapping_pow<SignedBigInt<131>, 64>("signed wrapping powers", 2000);
    check_wrapping_pow<BigInt<256>, 256>("wrapping powers", 500);
}

TEST_CASE("every base, exponent and modulus of five bits") {
    Verdict verdict;
    for (unsigned m = 1; m < 32; ++m) {
        const Modulus<5> modulus(BigInt<5>{m});
        for (unsigned a = 0; a < 32; ++a) {
            unsigned expected = 1 % m;
            for (unsigned e = 0; e < 32; ++e, expected = expected * a % m) {
                verdict.equal("pow", to_integer(pow(BigInt<5>(a), BigInt<5>(e), modulus)),
                              expected);
                verdict.equal("mulmod", to_integer(mulmod(BigInt<5>(a), BigInt<5>(e), modulus)),
                              a * e % m);
            }
        }
    }
    INFO(verdict.message());
    CHECK_FALSE(verdict.failed());
}

TEST_CASE("the corners by name") {
    const BigInt<64> zero = 0, one = 1, big = ~std::uint64_t(0);
    CHECK(pow(zero, zero, BigInt<64>(7)) == 1);
    CHECK(pow(zero, zero, one) == 0);
    CHECK(pow(big, big, one) == 0);
    CHECK(pow(zero, one, BigInt<64>(7)) == 0);
    CHECK(pow(big, zero, big) == 1);
    CHECK(pow(big, big, big) == 0);
    CHECK(pow(BigInt<64>(2), BigInt<64>(64), BigInt<65>(1) << 64) == 0);
    CHECK(mulmod(big, big, one) == 0);
    CHECK(addmod(big, big, big) == 0);
    CHECK(submod(zero, big, big) == 0);
    CHECK(submod(zero, one, big) == big - 1);
    CHECK(pow(BigInt<64>(3), 5, BigInt<64>(100)) == 43); // built-in exponents and operands
    CHECK(pow(3, BigInt<64>(5), BigInt<64>(100)) == 43);
    CHECK(mulmod(-3, BigInt<64>(5), BigInt<64>(100)) == 85);
    CHECK(BigInt<64>(205) % Modulus<64>(BigInt<64>(100)) == 5);
}

TEST_CASE("a negative exponent or modulus is an error") {
    const BigInt<64> one = 1, m = 7;
    CHECK_THROWS_AS(static_cast<void>(pow(one, -1, m)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(pow(one, SignedBigInt<64>(-5), Modulus<64>(m))),
                    std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(mulmod(one, one, -7)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(pow(one, one, SignedBigInt<64>(-7))), std::domain_error);
}

TEST_CASE("constant expressions") {
    constexpr BigInt<127> p = (BigInt<127>(1) << 127) - 1;
    static_assert(pow(BigInt<127>(3), p - 1, p) == 1);
    static_assert(mulmod(p - 1, p - 1, p) == 1 && addmod(p - 1, p - 1, p) == p - 2);
    constexpr Modulus<127> modulus(p);
    static_assert(pow(BigInt<8>(2), BigInt<8>(127), modulus) == 1);
    static_assert(pow(BigInt<8>(6), BigInt<8>(5), BigInt<8>(96)) == 0);
    static_assert(pow(BigInt<8>(6), BigInt<8>(3), BigInt<8>(96)) == 24);
    CHECK(pow(BigInt<127>(3), p - 1, p) == 1);
}

TEST_CASE("a modulus is never negative or narrowed without a word") {
    CHECK_THROWS_WITH_AS(Modulus<64>{-5}, "warpint: negative modulus", std::domain_error);
    CHECK_THROWS_WITH_AS(Modulus<16>{std::int64_t{-1} << 16}, "warpint: negative modulus",
                         std::domain_error);
    CHECK_THROWS_WITH_AS(Modulus<16>{70000}, "warpint: a modulus of more bits than its Modulus has",
                         std::domain_error);
    CHECK(Modulus<16>{65535}.value() == 65535);
    CHECK(Modulus<8>{std::uint64_t{255}}.value() == 255);
    using namespace warpint::literals;
    CHECK(Modulus<64>{1000_bi}.value() == 1000);
    static_assert(!std::is_constructible_v<Modulus<64>, BigInt<65>>);
    static_assert(!std::is_constructible_v<Modulus<64>, const BigInt<65> &>);
    static_assert(!std::is_constructible_v<Modulus<64>, SignedBigInt<8>>);
    static_assert(std::is_constructible_v<Modulus<64>, BigInt<8>>);
    static_assert(!std::is_convertible_v<int, Modulus<64>>);
    const BigInt<64> p = BigInt<64>(1) << 40;
    CHECK(Modulus<64>{BigInt<64>(p * p + 7u)}.value() == 7);
    CHECK(Modulus<128>{p * p + 7u}.value() == p * p + 7u);
}

TEST_CASE("a modulus of zero is an error") {
    const BigInt<64> zero = 0, one = 1;
    CHECK_THROWS_AS(Modulus<64>{zero}, std::domain_error);
    const auto check = [&](const auto &a, const auto &m) {
        const auto refused = [](const auto &function) {
            CHECK_THROWS_WITH_AS(static_cast<void>(function()), "warpint: modulus 0",
                                 std::domain_error);
        };
        refused([&] { return pow(a, one, m); });
        refused([&] { return mulmod(a, one, m); });
        refused([&] { return addmod(a, one, m); });
        refused([&] { return submod(a, one, m); });
        refused([&] { return sqrmod(a, m); });
        refused([&] { return muladdmod(a, one, one, m); });
        refused([&] { return mulsubmod(a, one, one, one, m); });
        refused([&] { return inverse(a, m); });
    };
    check(one, zero);
    check(SignedBigInt<64>(-3), zero);
    check(BigInt<512>(9), zero);
    check(BigInt<2048>(9), BigInt<2048>(0));
    check(one, 0u);
    check(7, zero);
}

TEST_CASE("a modulus can be copied and used again") {
    OperandSource source(test::property_seed("modulus copies", 1280));
    Modulus<256> current(BigInt<256>(1));
    for (int i = 0; i < 200; ++i) {
        const Integer m = source.modulus(256);
        const Modulus<256> original(from_integer<BigInt<256>>(m));
        current = original;
        const Modulus<256> copy(current);
        const Integer a = source.number(256), e = source.exponent(64, m);
        const auto result = pow(from_integer<BigInt<256>>(a), from_integer<BigInt<64>>(e), copy);
        REQUIRE(to_integer(result) == power_modulo(a, e, m));
    }
}
