// SPDX-License-Identifier: Apache-2.0
// is_square against GMP: exhaustively at the narrowest widths, on squares and their neighbours, and
// on every class of operands.

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>

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

TEST_CASE("residues tell most numbers that are no squares") {
    OperandSource source(test::property_seed("residues of squares", 64));
    int left = 0;
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t a = source.uniform_bits(64).to_uint64();
        left += warpint::algorithm::may_be_square(static_cast<std::uint32_t>(a), a);
    }
    CHECK(left < 2 * 100'000 / 480);
    CHECK(left > 0);
}
