// SPDX-License-Identifier: Apache-2.0
// is_square and iroot against GMP: exhaustively at the narrowest widths, on powers and their
// neighbours, and on every class of operands.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::Operands;
using test::OperandSource;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::SignedBigInt;

template <int... Widths, typename Check>
void for_widths(Check check) {
    (check.template operator()<Widths>(), ...);
}

bool is_perfect_square(const Integer &a) {
    return mpz_perfect_square_p(a.raw()) != 0;
}
Integer power(const Integer &a, unsigned long k) {
    Integer r;
    mpz_pow_ui(r.raw(), a.raw(), k);
    return r;
}

/// A number of at most `bits` bits; half of them are a k-th power or beside one.
Integer near_power(OperandSource &source, int bits, int k) {
    if (bits < k || source.one_in(2))
        return source.number(bits);
    const Integer exact = power(source.number(bits / k), static_cast<unsigned long>(k));
    const Integer beside = exact + Integer(static_cast<int>(source.below(3)) - 1);
    return beside.sign() < 0 || beside.bit_width() > bits ? exact : beside;
}

template <int N>
void check_squares(long count) {
    check_property(
        "is_square", N, count,
        [](OperandSource &source) -> Operands { return {near_power(source, N, 2)}; },
        [](Verdict &verdict, const Operands &v) {
            const auto a = from_integer<BigInt<N>>(v[0]);
            const SignedBigInt<N + 1> same = a;
            const bool expected = is_perfect_square(v[0]);
            verdict.is_true("is_square", is_square(a) == expected);
            verdict.is_true("is_square of a signed number", is_square(same) == expected);
            verdict.is_true("negative numbers are no squares", is_square(-same) == v[0].is_zero());
        });
}

Integer root_of(const Integer &a, unsigned long k) {
    Integer r;
    mpz_root(r.raw(), a.raw(), k);
    return r;
}

/// Degrees: few, about the square root of the width, about the width, and beyond.
int draw_degree(OperandSource &source, int bits) {
    switch (source.below(6)) {
    case 0:
        return 1 + source.below(bits + 40);
    case 1:
        return bits + source.below(4) - 1 + (bits == 1 ? 1 : 0);
    case 2:
        return std::numeric_limits<int>::max() - source.below(3);
    default:
        return 1 + source.below(20);
    }
}

template <typename A>
void check_roots(long count) {
    constexpr int bits = A::bits - test::is_signed_number<A>;
    check_property(
        "iroot", A::bits, count,
        [](OperandSource &source) -> Operands {
            const int k = draw_degree(source, bits);
            return {near_power(source, bits, k), Integer(k)};
        },
        [](Verdict &verdict, const Operands &v) {
            const auto k = static_cast<std::uint32_t>(v[1].to_uint64());
            if (k == 0)
                return;
            const A a = from_integer<A>(v[0]);
            const auto root = iroot(a, k);
            static_assert(std::is_same_v<decltype(root), const A>);
            verdict.equal("iroot", to_integer(root), root_of(v[0], k));
            verdict.is_true("a degree of another type",
                            iroot(a, SignedBigInt<33>(k)) == root &&
                                iroot(a, static_cast<std::int64_t>(k)) == root);
            if (k == 2)
                verdict.is_true("isqrt", isqrt(a) == root);
        });
}

constexpr bool constant_roots() {
    const BigInt<200> cube = BigInt<200>(1) << 150;
    static_assert(std::is_same_v<decltype(warpint::iroot(48, 2u)), SignedBigInt<32>>);
    return iroot(cube, 3) == BigInt<51>(1) << 50 && iroot(cube - 1, 3) == (cube >> 100) - 1 &&
           iroot(cube, 200) == 1 && iroot(BigInt<1>(1), 5) == 1 && iroot(BigInt<2048>(0), 2) == 0 &&
           iroot(SignedBigInt<96>(-0), 2) == 0 && warpint::iroot(48, 2u) == 6 &&
           iroot((BigInt<512>(1) << 510) - 1, 3) == (BigInt<512>(1) << 170) - 1 &&
           iroot(BigInt<512>(1) << 510, 3) == BigInt<512>(1) << 170;
}
static_assert(constant_roots());

/// What root_bound promises, for the least and the greatest number with these top bits.
void check_bound(std::uint32_t top, int width, std::uint32_t k) {
    const auto bound = warpint::arith::root_bound(top, width, k);
    const Integer value = Integer(bound.mantissa) << static_cast<std::size_t>(bound.shift);
    const auto place = static_cast<std::size_t>(width > 32 ? width - 32 : 0);
    const Integer least = width > 32 ? Integer(top) << place : Integer(top >> (32 - width));
    const Integer greatest = width > 32 ? (Integer(top) + 1 << place) - 1 : least;
    INFO("top ", top, ", width ", width, ", k ", k);
    REQUIRE(root_of(greatest, k) < value);
    // value < (1 + 2^-25) root + 1
    const Integer root = root_of(least << std::size_t{30} * k, k); // 2^30 times as large
    REQUIRE(((value - 1) << std::size_t{55}) < (root + 1) * ((Integer(1) << std::size_t{25}) + 1));
}

constexpr bool constant_squares() {
    const auto large = BigInt<64>(0xffffffffffffffffu) * BigInt<64>(0xffffffffffffffffu);
    return is_square(large) && !is_square(large - 1) && !is_square(large + 1) &&
           is_square(BigInt<1>(1)) && is_square(BigInt<2048>(0)) &&
           !is_square(SignedBigInt<96>(-1)) && warpint::is_square(49) && !warpint::is_square(-49) &&
           !warpint::is_square(~std::uint64_t{0});
}
static_assert(constant_squares());

} // namespace

TEST_CASE("is_square, against GMP") {
    for_widths<1, 2, 7, 31, 32, 33, 64, 65, 96, 127, 131, 193, 256, 385, 1000, 2048>(
        []<int N>() { check_squares<N>(N > 500 ? 2000 : 6000); });
    check_squares<8192>(200);
}

TEST_CASE("is_square, all numbers of 12 bits, and around the largest squares") {
    for (int a = 0; a < 4096; ++a)
        REQUIRE(is_square(BigInt<12>(a)) == is_perfect_square(Integer(a)));
    for_widths<16, 64, 130, 512, 1024>([]<int N>() {
        const BigInt<N / 2> root = std::numeric_limits<BigInt<N / 2>>::max();
        const BigInt<N> square = root * root;
        CHECK(is_square(square));
        for (int i = 1; i < 100; ++i) {
            CHECK(is_square(square - i) == false);
            CHECK(is_square(square + i) == false);
        }
        CHECK(is_square(std::numeric_limits<BigInt<N>>::max()) == false);
    });
}

TEST_CASE("iroot, against GMP") {
    for_widths<1, 2, 3, 7, 31, 32, 33, 64, 65, 96, 127, 131, 256, 1000, 2048>(
        []<int N>() { check_roots<BigInt<N>>(N > 500 ? 600 : 3000); });
    for_widths<2, 32, 65, 256, 521>([]<int N>() { check_roots<SignedBigInt<N>>(600); });
    check_roots<BigInt<8192>>(40);
}

TEST_CASE("iroot, all numbers of 9 bits, and around the largest powers") {
    for (int a = 0; a < 512; ++a) {
        for (int k = 1; k < 12; ++k)
            REQUIRE(to_integer(iroot(BigInt<9>(a), k)) ==
                    root_of(Integer(a), static_cast<unsigned long>(k)));
    }
    for_widths<3, 64, 65, 130, 512>([]<int N>() {
        const auto most = std::numeric_limits<BigInt<N>>::max();
        for (int k = 1; k <= N + 1; ++k) {
            const Integer root = root_of(to_integer(most), static_cast<unsigned long>(k));
            const auto exact = from_integer<BigInt<N>>(power(root, static_cast<unsigned long>(k)));
            REQUIRE(to_integer(iroot(most, k)) == root);
            REQUIRE(to_integer(iroot(exact, k)) == root);
            if (root > 1)
                REQUIRE(to_integer(iroot(exact - 1, k)) == root - 1);
        }
    });
}

TEST_CASE("iroot of powers whose roots are long, and of their neighbours") {
    for_widths<96, 128, 200, 1000, 4096, 9000>([]<int N>() {
        using A = BigInt<N>;
        OperandSource source(test::property_seed("powers of long roots", N));
        for (int k = 2; k <= 40 && k < N / 4; ++k) {
            for (int i = 0; i < 8; ++i) {
                const int width = i < 4 ? N / k : 1 + source.below(N / k);
                const Integer two_to = Integer(1) << static_cast<std::size_t>(width - 1);
                const Integer root = i == 0   ? two_to
                                     : i == 1 ? (two_to << std::size_t{1}) - 1
                                     : i == 2 ? two_to + 1
                                              : source.number(width) + 1;
                const Integer exact = power(root, static_cast<unsigned long>(k));
                if (exact.bit_width() > N)
                    continue;
                REQUIRE(to_integer(iroot(from_integer<A>(exact), k)) == root);
                REQUIRE(to_integer(iroot(from_integer<A>(exact - 1), k)) == root - 1);
                if ((exact + 1).bit_width() <= N && root > 1)
                    REQUIRE(to_integer(iroot(from_integer<A>(exact + 1), k)) == root);
                const Integer next = power(root + 1, static_cast<unsigned long>(k)) - 1;
                if (next.bit_width() <= N)
                    REQUIRE(to_integer(iroot(from_integer<A>(next), k)) == root);
            }
        }
    });
}

TEST_CASE("iroot of a negative number, and without a degree") {
    CHECK_THROWS_AS(static_cast<void>(iroot(SignedBigInt<64>(-8), 3)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(iroot(SignedBigInt<64>(-8), 1)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(iroot(BigInt<64>(8), 0)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(iroot(BigInt<64>(0), 0u)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(iroot(BigInt<64>(8), -1)), std::domain_error);
    CHECK(iroot(BigInt<64>(8), std::numeric_limits<std::uint64_t>::max()) == 1);
    CHECK(iroot(BigInt<64>(8), BigInt<64>(1) << 32) == 1);
}

TEST_CASE("the bound that roots begin with") {
    OperandSource source(test::property_seed("bounds of roots", 32));
    for (int i = 0; i < 5'000; ++i) {
        const int width = 1 + source.below(i % 2 == 0 ? 64 : 3000);
        const int k = 1 + source.below(i % 4 < 2 ? 4 : width);
        std::uint32_t top =
            static_cast<std::uint32_t>(source.number(32).to_uint64()) | std::uint32_t{1} << 31;
        if (width < 32)
            top &= ~std::uint32_t{0} << (32 - width);
        check_bound(top, width, static_cast<std::uint32_t>(k));
    }
    for (int width = 1; width <= 200; ++width) {
        for (std::uint32_t k = 1; k <= 40; ++k) {
            check_bound(std::uint32_t{1} << 31, width, k);
            check_bound(~std::uint32_t{0} << (width < 32 ? 32 - width : 0), width, k);
        }
    }
}

TEST_CASE("roots of built-in integers") {
    static_assert(std::is_same_v<decltype(warpint::isqrt(std::uint64_t{99})), warpint::BigInt<64>>);
    CHECK(warpint::isqrt(std::uint64_t{99}) == 9u);
    CHECK(warpint::isqrt(~std::uint64_t{0}) == 0xffffffffu);
    CHECK(warpint::isqrt(80) == 8);
    CHECK_THROWS_AS((void)warpint::isqrt(-1), std::domain_error);
    const auto found = warpint::sqrt_rem(99u);
    CHECK(found.root == 9u);
    CHECK(found.remainder == 18u);
}

TEST_CASE("residues tell most numbers that are no squares") {
    OperandSource source(test::property_seed("residues of squares", 64));
    int left = 0;
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t a = source.uniform_bits(64).to_uint64();
        left += warpint::arith::may_be_square(static_cast<std::uint32_t>(a), a);
    }
    CHECK(left < 2 * 100'000 / 480);
    CHECK(left > 0);
}
