// SPDX-License-Identifier: Apache-2.0
// BigInt and SignedBigInt, widths of two to five limbs.

#include "bigint_cases.h"

#include <doctest/doctest.h>

using namespace bigint_cases;

namespace {

using Widths = WidthList<64, 96, 109, 128, 131>;

} // namespace

TEST_CASE("layout: size, alignment, zero on construction") {
    Widths::for_each([]<int N>() { check_layout<N>(); });
}

TEST_CASE("ring operators follow the law") {
    Widths::for_each([]<int N>() {
        check_ring<BigInt<N>, BigInt<N>>("unsigned ring operators", 12000);
        check_ring<SignedBigInt<N>, SignedBigInt<N>>("signed ring operators", 12000);
    });
}

TEST_CASE("ring operators across widths and signs") {
    check_ring<BigInt<7>, BigInt<96>>("7 with 96 bits", 9000);
    check_ring<BigInt<96>, BigInt<33>>("96 with 33 bits", 9000);
}

TEST_CASE("unary operators, aliasing, squares, low and high products") {
    Widths::for_each([]<int N>() {
        check_unary<BigInt<N>>("unsigned unary operators", 12000);
        check_unary<SignedBigInt<N>>("signed unary operators", 12000);
    });
}

TEST_CASE("division follows the law") {
    Widths::for_each([]<int N>() {
        check_division<BigInt<N>, BigInt<N>>("unsigned division", 12000);
        check_division<SignedBigInt<N>, SignedBigInt<N>>("signed division", 12000);
    });
}

TEST_CASE("division across widths and signs") {
    check_division<BigInt<96>, BigInt<33>>("96 by 33 bits", 12000);
    check_division<BigInt<33>, BigInt<96>>("33 by 96 bits", 12000);
    check_division<BigInt<96>, BigInt<7>>("96 by 7 bits", 12000);
}

TEST_CASE("division by zero throws and leaves the target alone") {
    Widths::for_each([]<int N>() {
        check_division_by_zero<BigInt<N>>();
        check_division_by_zero<SignedBigInt<N>>();
    });
}

TEST_CASE("shifts by 0 to beyond the width") {
    Widths::for_each([]<int N>() {
        check_shifts<BigInt<N>>("unsigned shifts", 12000);
        check_shifts<SignedBigInt<N>>("signed shifts", 12000);
    });
}

TEST_CASE("comparisons are by value across widths and signs") {
    Widths::for_each([]<int N>() {
        check_comparisons<BigInt<N>, BigInt<N>>("unsigned comparisons", 12000);
        check_comparisons<SignedBigInt<N>, SignedBigInt<N>>("signed comparisons", 12000);
    });
    WidthList<64, 109>::for_each([]<int N>() {
        check_comparisons<BigInt<N>, SignedBigInt<N>>("mixed comparisons", 12000);
        check_comparisons<BigInt<N>, SignedBigInt<N + 33>>("mixed, wider signed", 12000);
        check_comparisons<SignedBigInt<N>, BigInt<N + 33>>("mixed, wider unsigned", 12000);
        check_comparisons<BigInt<N>, BigInt<N + 64>>("wider unsigned comparisons", 12000);
    });
}

TEST_CASE("bit functions") {
    Widths::for_each([]<int N>() { check_bits<N>("bit functions", 12000); });
}

TEST_CASE("conversions") {
    Widths::for_each([]<int N>() {
        check_conversions<BigInt<N>>("unsigned conversions", 12000);
        check_conversions<SignedBigInt<N>>("signed conversions", 12000);
    });
}

TEST_CASE("bytes") {
    Widths::for_each([]<int N>() {
        check_bytes<BigInt<N>>("unsigned bytes", 12000);
        check_bytes<SignedBigInt<N>>("signed bytes", 12000);
    });
}

TEST_CASE("built-in operands count as numbers of their own width") {
    const auto check = []<int N>() {
        check_builtin<BigInt<N>, int>("unsigned with int", 6000);
        check_builtin<BigInt<N>, std::uint64_t>("unsigned with uint64_t", 6000);
        check_builtin<SignedBigInt<N>, std::int64_t>("signed with int64_t", 6000);
        check_builtin<SignedBigInt<N>, unsigned>("signed with unsigned", 6000);
    };
    check.template operator()<96>();
    check.template operator()<109>();
}
