// SPDX-License-Identifier: Apache-2.0
// Roots, powers and number theory of WarpInt against BigInt, on the host over lanes in lock step.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/modular.h>
#include <warpint/number_theory.h>
#include <warpint/warp_int.h>

#include <doctest/doctest.h>

#include <stdexcept>

namespace {

using namespace warpint;

template <int Bits, int L>
void check_functions(int count) {
    using B = BigInt<Bits>;
    using W = WarpInt<Bits, L>;
    test::OperandSource source(test::property_seed("warp_int functions", Bits * 64 + L));
    for (long round = 0; round < test::scaled(count); ++round) {
        const auto pair = source.inverse_pair(Bits, Bits);
        const B a = test::from_integer<B>(pair.a);
        const B b = test::from_integer<B>(pair.b);
        const W x(&a);
        const W y(&b);
        INFO("a = ", a, ", b = ", b, ", ", Bits, " bits, ", L, " lanes");
        REQUIRE(B(isqrt(x)) == isqrt(a));
        REQUIRE(B(warp_int::root_by_bits(x)) == isqrt(a)); // what isqrt does where rows give up
        REQUIRE(B(warp_int::root_by_bits(mul_low(isqrt(x), isqrt(x)))) == isqrt(a));
        const auto root = sqrt_rem(x);
        const auto expected_root = sqrt_rem(a);
        REQUIRE(B(root.root) == expected_root.root);
        REQUIRE(B(root.remainder) == expected_root.remainder);
        REQUIRE(is_square(x) == is_square(a));
        const int k = 1 + static_cast<int>(static_cast<std::uint32_t>(b) % (Bits + 5u));
        REQUIRE(B(iroot(x, k)) == iroot(a, k));
        REQUIRE(B(iroot(x, 1 + k % 6)) == iroot(a, 1 + k % 6));
        REQUIRE(B(iroot(x, WarpInt<32, L>(k))) == iroot(a, k));
        REQUIRE(B(iroot(a, WarpInt<32, L>(k))) == iroot(a, k));
        REQUIRE(is_square(mul_low(root.root, root.root)));
        REQUIRE(is_square(SignedWarpInt<Bits, L>(a)) == is_square(SignedBigInt<Bits>(a)));
        REQUIRE(B(gcd(x, y)) == gcd(a, b));
        REQUIRE(static_cast<BigInt<2 * Bits>>(lcm(x, y)) == lcm(a, b));
        if (b != 0) {
            const auto found = inverse(x, y);
            const auto expected = inverse(a, b);
            REQUIRE(found.has_value() == expected.has_value());
            if (expected)
                REQUIRE(B(*found) == *expected);
        }
        const B n = b | 1;
        REQUIRE(jacobi(x, W(&n)) == jacobi(a, n));
        REQUIRE(B(pow(x, y)) == pow(a, b));
        REQUIRE(compare(x, y) == compare(a, b));
        REQUIRE(static_cast<double>(x) == static_cast<double>(a));
        if (b != 0) {
            // What products modulo m do where rows give up.
            using words = warp_int::words_t<W>;
            const words product =
                lanes::detail::multiply_modulo_by_division<W::limbs_per_lane, W::limb_count>(
                    typename W::group{}, warp_int::words_of(x), warp_int::words_of(x),
                    warp_int::words_of(y));
            REQUIRE(B(warp_int::number_of<W>(product)) == sqrmod(a, b));
            REQUIRE(B(muladdmod(x, y, x, y)) == muladdmod(a, b, a, b));
            REQUIRE(B(mulsubmod(x, x, y, 3, y)) == mulsubmod(a, a, b, 3, b));
        }
    }
}

template <int Bits, int L>
void check_residues(int count) {
    using B = BigInt<Bits>;
    using W = WarpInt<Bits, L>;
    test::OperandSource source(test::property_seed("warp_int residues", Bits * 64 + L));
    for (long round = 0; round < test::scaled(count); ++round) {
        const auto triple = source.triple(Bits, Bits, Bits);
        const B a = test::from_integer<B>(triple.a);
        const B b = test::from_integer<B>(triple.b);
        const B z = test::from_integer<B>(triple.m);
        INFO("a = ", a, ", b = ", b, ", m = ", z, ", ", L, " lanes");
        const W y(&b);
        const WarpModulus<Bits, L> m{W(&z)};
        const Modulus<Bits> plain(z);
        auto r = m(W(&a));
        const auto s = m(y);
        auto expected = plain(a);
        const auto other = plain(b);
        REQUIRE(B(r.value()) == expected.value());
        REQUIRE(B((r * s).value()) == (expected * other).value());
        REQUIRE(B((r + s).value()) == (expected + other).value());
        REQUIRE(B((r - s).value()) == (expected - other).value());
        REQUIRE(B((-r).value()) == (-expected).value());
        REQUIRE(B((5 * r * s - y + 3).value()) == (5 * expected * other - b + 3).value());
        // Terms beside the product, and products of few limbs less than what is taken away.
        const B few = a >> (Bits - Bits / 4);
        const W wide_m(&z);
        REQUIRE(B(muladdmod(W(&a), y, y, wide_m)) == muladdmod(a, b, b, z));
        REQUIRE(B(mulsubmod(W(&a), y, y, wide_m)) == mulsubmod(a, b, b, z));
        REQUIRE(B(muladdmod(W(&few), y, W(&a), wide_m)) == muladdmod(few, b, a, z));
        REQUIRE(B(mulsubmod(W(&few), W(&few), W(&a), wide_m)) == mulsubmod(few, few, a, z));
        REQUIRE((r == s) == (expected == other));
        REQUIRE(B(pow(r, 5).value()) == pow(expected, 5).value());
        auto t = s;
        swap(r, t);
        REQUIRE(r == s);
        swap(r, t);
        REQUIRE(t == s);
        r *= s;
        r += 1;
        REQUIRE(B(sqr(r).value()) == sqr(expected * other + 1).value());
        if (m.is_odd()) { // the inverse modulo 2^Bits, as the table in warp_int.h has it
            const auto found = inverse(W(&z), WarpInt<Bits + 1, L>(1) << Bits);
            REQUIRE(mul_low(W(&z), W(*found)) == 1);
        }
    }
    CHECK_THROWS_AS((WarpModulus<Bits, L>(W(0))), std::domain_error);
    CHECK_THROWS_AS((WarpModulus<Bits, L>(-5)), std::domain_error);
    CHECK(B(WarpModulus<Bits, L>(5).value()) == 5);
    using Context = WarpModulus<Bits, L>;
    static_assert(!std::is_constructible_v<Context, WarpInt<2 * Bits, L>>);
    static_assert(!std::is_constructible_v<Context, SignedWarpInt<Bits, L>>);
    static_assert(!std::is_constructible_v<Context, BigInt<Bits + 1>>);
    static_assert(std::is_constructible_v<Context, BigInt<Bits>>);
    CHECK(W(1.9) == 1);
}

} // namespace

TEST_CASE("roots, powers and number theory of WarpInt") {
    check_functions<1, 4>(40);
    check_functions<97, 2>(200);
    check_functions<521, 8>(60);
    CHECK_THROWS_AS(static_cast<void>(iroot(WarpInt<97, 2>(8), 0)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(iroot(SignedWarpInt<97, 2>(-8), 3)), std::domain_error);
}
TEST_CASE("residues over lanes") {
    check_residues<300, 2>(200);
    check_residues<521, 8>(60);
}
