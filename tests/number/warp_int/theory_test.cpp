// SPDX-License-Identifier: Apache-2.0
// gcd_ext, jacobi, crt, sqrt_mod and random numbers of WarpInt against BigInt, on the host over
// lanes in lock step.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/warp_int.h>

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>

namespace {

using namespace warpint;

template <int Bits, int L>
void check_divisors(int count) {
    using A = SignedBigInt<Bits>;
    using B = BigInt<Bits - 20>;
    using X = SignedWarpInt<Bits, L>;
    using Y = WarpInt<Bits - 20, L>;
    test::OperandSource source(test::property_seed("warp_int divisors", Bits * 64 + L));
    for (long round = 0; round < test::scaled(count); ++round) {
        const auto pair = source.inverse_pair(Bits, Bits - 20);
        A a = test::from_integer<A>(pair.a);
        B b = test::from_integer<B>(pair.b);
        if (source.one_in(4)) { // common twos
            a <<= source.below(40);
            b <<= source.below(40);
        }
        if (source.one_in(10))
            b = 0;
        if (source.one_in(10))
            a = A(b);
        INFO("a = ", a, ", b = ", b, ", ", Bits, " bits, ", L, " lanes");
        const X x(&a);
        const Y y(&b);
        const auto found = gcd_ext(x, y);
        const auto expected = gcd_ext(a, b);
        static_assert(decltype(found.x)::bits == decltype(expected.x)::bits);
        static_assert(decltype(found.y)::bits == decltype(expected.y)::bits);
        REQUIRE(static_cast<BigInt<Bits>>(found.gcd) == expected.gcd);
        REQUIRE(static_cast<typename decltype(found.x)::plain>(found.x) == expected.x);
        REQUIRE(static_cast<typename decltype(found.y)::plain>(found.y) == expected.y);
        const B n = b | 1;
        REQUIRE(jacobi(x, Y(&n)) == jacobi(a, n));
        REQUIRE(jacobi(5, Y(&n)) == jacobi(5, n));
    }
    CHECK_THROWS_AS((void)jacobi(X(3), Y(4)), std::domain_error);
}

template <int Bits, int L>
void check_congruences(int count) {
    using B = BigInt<Bits>;
    using W = WarpInt<Bits, L>;
    test::OperandSource source(test::property_seed("warp_int congruences", Bits * 64 + L));
    int solved = 0;
    for (long round = 0; round < test::scaled(count); ++round) {
        const auto triple = source.triple(Bits, Bits, Bits);
        const B a = test::from_integer<B>(triple.a);
        B b = test::from_integer<B>(triple.b);
        B m = test::from_integer<B>(triple.m);
        BigInt<Bits / 2> n(m ^ a);
        if (source.one_in(2)) { // with common factors, and half of them solvable
            m = (m >> 8) * 12;
            n = (n >> 8) * 18;
            if (source.one_in(2))
                b = a;
        }
        if (m == 0 || n == 0)
            continue;
        INFO("a = ", a, ", m = ", m, ", b = ", b, ", n = ", n, ", ", L, " lanes");
        const auto found = crt(W(&a), W(&m), W(&b), WarpInt<Bits / 2, L>(n));
        const auto expected = crt(a, m, b, n);
        REQUIRE(found.has_value() == expected.has_value());
        if (expected) {
            ++solved;
            REQUIRE(static_cast<BigInt<Bits + Bits / 2>>(*found) == *expected);
        }
    }
    CHECK(solved > 0);
    const W residues[] = {W(2), W(3), W(2)};
    const W moduli[] = {W(3), W(5), W(7)};
    CHECK(*crt(residues, moduli) == 23);
    CHECK_THROWS_AS((void)crt(W(1), W(0), W(1), W(2)), std::domain_error);
}

template <int Bits, int L>
void check_roots(const char *prime, int count) {
    using B = BigInt<Bits>;
    using W = WarpInt<Bits, L>;
    const B p = B::parse(prime);
    test::OperandSource source(test::property_seed("warp_int roots", Bits * 64 + L));
    int roots = 0;
    for (long round = 0; round < test::scaled(count); ++round) {
        B a = test::from_integer<B>(source.number(Bits));
        if (source.one_in(2))
            a = mulmod(a, a, p);
        if (round == 0)
            a = 0;
        if (round == 1)
            a = 4;
        INFO("a = ", a, ", p = ", p, ", ", L, " lanes");
        const auto found = sqrt_mod(W(&a), W(&p));
        const auto expected = sqrt_mod(a, p);
        REQUIRE(found.has_value() == expected.has_value());
        if (expected) {
            ++roots;
            REQUIRE(B(*found) == *expected);
        }
    }
    CHECK(roots > 0);
}

} // namespace

TEST_CASE("gcd_ext and jacobi of WarpInt") {
    check_divisors<90, 2>(300);
}
TEST_CASE("crt of WarpInt") {
    check_congruences<70, 4>(200);
}
TEST_CASE("sqrt_mod of WarpInt") {
    check_roots<64, 2>("18446744073709551557", 30); // 5 mod 8
    check_roots<64, 2>("18446744073709551427", 30); // 3 mod 4
    check_roots<64, 2>("18446744069414584321", 30); // 2^64 - 2^32 + 1
    check_roots<64, 2>("17", 30);
    check_roots<64, 2>("3", 20);
    check_roots<64, 2>("2", 10);
    check_roots<64, 2>("1", 5);
    using W = WarpInt<64, 2>;
    CHECK(!sqrt_mod(W(1), W(6)).has_value());
    CHECK_THROWS_AS((void)sqrt_mod(W(1), W(0)), std::domain_error);
}
TEST_CASE("sqrt_mod of WarpInt modulo every prime of 8 bits") {
    using B = BigInt<8>;
    using W = WarpInt<8, 2>;
    long wrong = 0;
    for (int p = 2; p < 256; ++p) {
        if (!is_probable_prime(p))
            continue;
        for (int a = 0; a < p; ++a) {
            const auto found = sqrt_mod(W(a), W(p));
            const auto expected = sqrt_mod(B(a), B(p));
            wrong += found.has_value() != expected.has_value() ||
                     (expected && static_cast<B>(*found) != *expected);
        }
    }
    CHECK(wrong == 0);
}
TEST_CASE("crt of arrays of WarpInt") {
    using B = BigInt<40>;
    using W = WarpInt<40, 2>;
    test::OperandSource source(test::property_seed("warp_int crt arrays", 40));
    int solved = 0;
    for (long round = 0; round < test::scaled(200); ++round) {
        B residues[3];
        B moduli[3];
        W lane_residues[3];
        W lane_moduli[3];
        const B x = test::from_integer<B>(source.number(40));
        for (int i = 0; i < 3; ++i) {
            moduli[i] = test::from_integer<B>(source.number(30)) * (source.one_in(2) ? 6 : 1) + 1;
            moduli[i] *= source.one_in(3) ? 12 : 1;
            residues[i] = source.one_in(10) ? test::from_integer<B>(source.number(40)) : x;
            lane_residues[i] = W(residues[i]);
            lane_moduli[i] = W(moduli[i]);
        }
        const auto found = crt(lane_residues, lane_moduli);
        const auto expected = crt(residues, moduli);
        INFO("m = ", moduli[0], ", ", moduli[1], ", ", moduli[2], ", x = ", x);
        REQUIRE(found.has_value() == expected.has_value());
        if (expected) {
            ++solved;
            REQUIRE(static_cast<BigInt<120>>(*found) == *expected);
        }
    }
    CHECK(solved > 0);
    const W residues[] = {W(1), W(2), W(3)};
    const W moduli[] = {W(2), W(2), W(0)}; // contradicting, and one that is 0
    CHECK_THROWS_AS((void)crt(residues, moduli), std::domain_error);
}
TEST_CASE("random numbers and text of WarpInt") {
    using W = WarpInt<75, 4>;
    Philox one(5);
    Philox other(5);
    for (int i = 0; i < 20; ++i) {
        CHECK(static_cast<BigInt<75>>(random_bits<W>(one)) == random_bits<75>(other));
        const BigInt<75> bound = (BigInt<75>(3) << (3 * i)) + 1;
        CHECK(static_cast<BigInt<75>>(random_below(W(bound), one)) == random_below(bound, other));
    }
    CHECK_THROWS_AS((void)random_below(W(0), one), std::domain_error);
    const SignedWarpInt<75, 4> x(-255);
    CHECK(to_string(x) == "-255");
    CHECK(to_string(x, 16) == "-ff");
    std::ostringstream stream;
    stream << std::hex << x;
    CHECK(stream.str() == "-ff");
}
