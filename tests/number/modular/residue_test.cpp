// SPDX-License-Identifier: Apache-2.0
// Residue<N> against GMP: the laws of arithmetic modulo odd, even and special moduli, mixing with
// plain numbers, errors and what must not compile.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/modular.h>

#include <warpint/number/stream.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::modulo;
using test::Operands;
using test::OperandSource;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::Modulus;
using warpint::Residue;
using warpint::SignedBigInt;

/// Moduli of every kind: 1, powers of two, all ones, odd, even, of any width up to N bits.
template <int N>
Integer draw_modulus(OperandSource &source) {
    switch (source.below(8)) {
    case 0:
        return test::power_of_two(source.below(N));
    case 1:
        return test::all_ones(N);
    case 2:
        return test::all_ones(N) - 1 > 0 ? test::all_ones(N) - 1 : Integer(1);
    case 3:
        return source.modulus(N);
    case 4: {
        const Integer even = source.number(N) & ~Integer(1);
        return even.is_zero() ? Integer(1) : even;
    }
    default:
        return source.odd_modulus(N);
    }
}

/// A residue, its neighbours of 0 and m preferred.
Integer draw_near(OperandSource &source, int bits, const Integer &m) {
    switch (source.below(6)) {
    case 0:
        return test::store_unsigned(m - 1, bits);
    case 1:
        return test::store_unsigned(Integer(source.below(3)), bits);
    default:
        return source.number(bits);
    }
}

/// a and b have A bits and need not be reduced.
template <int N, int A>
void check_laws(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        const Integer m = draw_modulus<N>(source);
        const Integer a = draw_near(source, A, m);
        return {a, draw_near(source, A, m), m, source.exponent(40, m)};
    };
    check_property(name, N, count, draw, [](Verdict &verdict, const Operands &v) {
        if (v[2].is_zero())
            return;
        const Integer &m = v[2];
        const auto a = from_integer<BigInt<A>>(v[0]);
        const auto b = from_integer<BigInt<A>>(v[1]);
        const auto c = from_integer<SignedBigInt<A>>(v[1]);
        const Modulus<N> modulus(from_integer<BigInt<N>>(m));
        const auto x = modulus(a);
        const auto y = modulus(b);
        static_assert(std::is_same_v<decltype(x), const Residue<N>>);
        verdict.equal("modulus.value()", to_integer(modulus.value()), m);
        verdict.equal("m(a).value()", to_integer(x.value()), modulo(v[0], m));
        verdict.equal("m(signed).value()", to_integer(modulus(c).value()),
                      modulo(to_integer(c), m));
        verdict.equal("remainder", to_integer(warpint::number::remainder(a, modulus)),
                      modulo(v[0], m));
        verdict.equal("remainder of a product",
                      to_integer(warpint::number::remainder(a * b, modulus)),
                      modulo(v[0] * v[1], m));
        verdict.equal("remainder, signed", to_integer(warpint::number::remainder(c, modulus)),
                      modulo(to_integer(c), m));
        verdict.equal("x + y", to_integer((x + y).value()), modulo(v[0] + v[1], m));
        verdict.equal("x - y", to_integer((x - y).value()), modulo(v[0] - v[1], m));
        verdict.equal("y - x", to_integer((y - x).value()), modulo(v[1] - v[0], m));
        verdict.equal("-x", to_integer((-x).value()), modulo(-v[0], m));
        verdict.equal("x * y", to_integer((x * y).value()), modulo(v[0] * v[1], m));
        verdict.equal("x * x", to_integer((x * x).value()), modulo(v[0] * v[0], m));
        verdict.equal("sqr(x)", to_integer(sqr(x).value()), modulo(v[0] * v[0], m));
        verdict.equal("x * x * x - y", to_integer((x * x * x - y).value()),
                      modulo(v[0] * v[0] * v[0] - v[1], m));
        verdict.is_true("x == y", (x == y) == (modulo(v[0] - v[1], m) == 0));
        verdict.is_true("x != y", (x != y) != (modulo(v[0] - v[1], m) == 0));
        verdict.is_true("x + y - y == x", x + y - y == x);
        verdict.equal("pow", to_integer(pow(x, v[3].to_uint64()).value()),
                      test::power_modulo(v[0], v[3], m));

        const bool has_inverse = test::greatest_common_divisor(v[1], m) == 1;
        const auto inverse_of_y = inverse(y);
        verdict.is_true("inverse exists", inverse_of_y.has_value() == has_inverse);
        if (has_inverse) {
            verdict.equal("inverse", to_integer(inverse_of_y->value()),
                          test::inverse_or_zero(v[1], m));
            verdict.is_true("x / y * y", x / y * y == x);
        }

        auto z = x;
        z += y;
        z *= x;
        z -= y;
        verdict.equal("compound", to_integer(z.value()), modulo((v[0] + v[1]) * v[0] - v[1], m));
        verdict.equal("x++", to_integer((z++).value()), modulo((v[0] + v[1]) * v[0] - v[1], m));
        verdict.equal("++, --", to_integer((--(++z)).value()),
                      modulo((v[0] + v[1]) * v[0] - v[1] + 1, m));
        verdict.equal("--x", to_integer((--z).value()), modulo((v[0] + v[1]) * v[0] - v[1], m));
    });
}

TEST_CASE("laws of residues") {
    check_laws<1, 40>("1 bit", 300);
    check_laws<7, 7>("7 bits", 1000);
    check_laws<31, 31>("31 bits", 600);
    check_laws<33, 80>("33 bits", 600);
    check_laws<64, 64>("64 bits", 600);
    check_laws<96, 200>("96 bits", 600);
    check_laws<131, 131>("131 bits", 600);
    check_laws<256, 256>("256 bits", 800);
    check_laws<384, 300>("384 bits", 400);
    check_laws<521, 521>("521 bits", 300);
    check_laws<1024, 1024>("1024 bits", 100);
}

TEST_CASE("all residues of small moduli") {
    long failures = 0;
    for (int m = 1; m <= 40; ++m) {
        const Modulus<6> modulus(m);
        for (int a = 0; a < m; ++a) {
            for (int b = 0; b < m; ++b) {
                const auto x = modulus(a);
                const auto y = modulus(b - m);
                failures += (x + y).value() != (a + b) % m;
                failures += (x - y).value() != (a - b + m) % m;
                failures += (x * y).value() != a * b % m;
                failures += (x == y) != (a == b);
            }
        }
    }
    CHECK(failures == 0);
}

TEST_CASE("plain numbers beside residues") {
    for (const BigInt<256> &p :
         {(BigInt<256>(1) << 255) - 19, (BigInt<256>(1) << 255) - 18, BigInt<256>(1000003)}) {
        const Modulus<256> m(p);
        const Integer n = to_integer(p);
        const auto x = m(7);
        const auto value = [](const auto &r) { return to_integer(r.value()); };
        CHECK(x == 7);
        CHECK(7 == x);
        CHECK(x == m(7) + p);
        CHECK(x != -7);
        CHECK(x - 14 == -7);
        CHECK(value(x * x + 3) == modulo(52, n));
        CHECK(value(3 * x) == modulo(21, n));
        CHECK(value(3 - x) == modulo(-4, n));
        CHECK(value(x - 1'000'000'007) == modulo(7 - 1'000'000'007, n));
        CHECK(value(x * std::numeric_limits<std::int64_t>::min()) ==
              modulo(Integer(7) * std::numeric_limits<std::int64_t>::min(), n));
        CHECK(value(x + std::numeric_limits<std::uint64_t>::max()) ==
              modulo(Integer(7) + Integer(std::numeric_limits<std::uint64_t>::max()), n));
        CHECK(value(x * true) == 7);
#if defined(__SIZEOF_INT128__)
        __extension__ using Wide = unsigned __int128;
        CHECK(value(m((Wide{1} << 64) + 1)) == modulo(test::power_of_two(64) + 1, n));
#endif
        CHECK(value(x + BigInt<600>(p) * p + 2) == 9);
        CHECK(value(x * SignedBigInt<80>(-5)) == modulo(-35, n));
        CHECK(value(3 / (x - 4)) == 1);
        CHECK(x / 7 == 1);
        for (int i = -40; i <= 40; ++i) { // small numbers take a path of their own
            CHECK(value(m(i)) == modulo(i, n));
            CHECK(value(x * i) == modulo(7 * i, n));
        }
        auto y = x;
        y += 3;
        y *= 2;
        y -= 1;
        y /= 19;
        CHECK(y == 1);
        CHECK(pow(x, 0) == 1);
        CHECK(pow(m(0), 0) == 1);
        CHECK(pow(x, BigInt<300>(2)) == 49);
    }
}

TEST_CASE("modulo 1 everything is equal") {
    const Modulus<64> one(1);
    CHECK(one(1) == one(0));
    CHECK(one(~std::uint64_t{0}) == one(-1));
    CHECK(one(5).value() == 0);
    CHECK((one(5) * one(7) + one(3)).value() == 0);
}

TEST_CASE("swap") {
    const Modulus<64> m(101), n(97);
    Residue<64> x = m(3), y = n(5);
    swap(x, y);
    CHECK((x == n(5) && y == m(3)));
    std::swap(x, y);
    CHECK((x == m(3) && y == n(5)));
    swap(x, x);
    CHECK(x == m(3));
}

TEST_CASE("text of a residue") {
    const Modulus<64> m(1000);
    std::ostringstream stream;
    stream << m(-1) << " " << std::hex << m(255);
    CHECK(stream.str() == "999 ff");
    CHECK(to_string(m(1255), 16) == "ff");
}

TEST_CASE("errors") {
    const Modulus<128> m(100);
    const Modulus<128> other(101);
    const Modulus<128> equal(100);
    CHECK_THROWS_AS(static_cast<void>(m(1) + other(1)), warpint::wrong_modulus);
    CHECK_THROWS_AS(static_cast<void>(m(1) * other(1)), warpint::wrong_modulus);
    CHECK_THROWS_AS(static_cast<void>(m(1) == other(1)), warpint::wrong_modulus);
    CHECK_THROWS_AS(static_cast<void>(m(1) / other(3)), warpint::wrong_modulus);
    CHECK_THROWS_AS(static_cast<void>(m(1) / other(0)), warpint::wrong_modulus);
    CHECK(m(1) + equal(2) == 103);
    CHECK_THROWS_AS(static_cast<void>(m(1) / m(10)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(m(1) / 0), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(pow(m(3), -1)), std::domain_error);
    CHECK_THROWS_AS(Modulus<128>(BigInt<128>(0)), std::domain_error);
    CHECK(!inverse(m(10)));
    CHECK(inverse(m(3))->value() == 67);
}

TEST_CASE("the modulus of a residue") {
    const Modulus<128> m(100);
    const auto x = m(7);
    CHECK(&x.modulus() == &m);
    CHECK(&(x * x + 1).modulus() == &m);
    Residue<128> y;
    y = x;
    CHECK(y == x);
}

// A residue refers to its modulus: none of a temporary one. (m(1) of one is a static_assert inside,
// for its message: must_not_compile_batches.cpp has it.)
template <class M>
concept MakesResidues = requires(M &&m) { static_cast<M &&>(m)(1); };
static_assert(MakesResidues<const Modulus<64> &>);
static_assert(MakesResidues<Modulus<64> &>);
static_assert(std::is_constructible_v<Residue<64>, int, const Modulus<64> &>);
static_assert(!std::is_constructible_v<Residue<64>, int, Modulus<64>>);

template <class A, class B>
concept Adds = requires(A a, B b) { a + b; };
static_assert(Adds<Residue<64>, Residue<64>> && Adds<Residue<64>, int> && Adds<int, Residue<64>>);
static_assert(!Adds<Residue<64>, Residue<128>> && !Adds<Residue<64>, double>);
static_assert(!std::is_convertible_v<Residue<64>, BigInt<64>>);

static_assert(std::is_trivially_copyable_v<Modulus<256>>);
static_assert(std::is_standard_layout_v<Modulus<256>>);
static_assert(std::is_trivially_copyable_v<Residue<256>>);
static_assert(std::is_trivially_default_constructible_v<Residue<256>>);
static_assert(sizeof(Modulus<256>) <= 5 * 32 + 24);

constexpr bool computes(int modulus) {
    const Modulus<128> m(modulus);
    const auto x = m(3);
    return x * x + 3 == 12 && (x * 5).value() == 15 && pow(x, 4) == 81 && x - 4 == -1 &&
           -x + 3 == 0 && x / 1 == 3 && m(BigInt<300>(1) << 290) == pow(m(2), 290);
}
static_assert(computes(1001) && computes(1000));

} // namespace
