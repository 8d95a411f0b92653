// SPDX-License-Identifier: Apache-2.0
// BigInt and SignedBigInt, widths of 12 to 64 limbs.

#include "bigint_cases.h"

#include <doctest/doctest.h>

using namespace bigint_cases;

namespace {

using Widths = WidthList<384, 521, 1024, 2048>;

} // namespace

TEST_CASE("layout: size, alignment, zero on construction") {
    Widths::for_each([]<int N>() { check_layout<N>(); });
}

TEST_CASE("ring operators follow the law") {
    Widths::for_each([]<int N>() {
        check_ring<BigInt<N>, BigInt<N>>("unsigned ring operators", 2100);
        check_ring<SignedBigInt<N>, SignedBigInt<N>>("signed ring operators", 2100);
    });
}

TEST_CASE("ring operators across widths and signs") {
    check_ring<BigInt<521>, BigInt<2048>>("521 with 2048 bits", 1500);
    check_ring<BigInt<1024>, BigInt<384>>("1024 with 384 bits", 1500);
    check_ring<SignedBigInt<521>, BigInt<384>>("signed 521 with unsigned 384 bits", 1500);
}

TEST_CASE("unary operators, aliasing, squares, low and high products") {
    Widths::for_each([]<int N>() {
        check_unary<BigInt<N>>("unsigned unary operators", 2100);
        check_unary<SignedBigInt<N>>("signed unary operators", 2100);
    });
}

TEST_CASE("division follows the law") {
    Widths::for_each([]<int N>() {
        check_division<BigInt<N>, BigInt<N>>("unsigned division", 3000);
        check_division<SignedBigInt<N>, SignedBigInt<N>>("signed division", 3000);
    });
}

TEST_CASE("division across widths and signs") {
    check_division<BigInt<2048>, BigInt<521>>("2048 by 521 bits", 4500);
    check_division<BigInt<2048>, BigInt<1024>>("2048 by 1024 bits", 4500);
    check_division<BigInt<384>, BigInt<1024>>("384 by 1024 bits", 4500);
    check_division<SignedBigInt<1024>, SignedBigInt<521>>("signed 1024 by 521 bits", 4500);
    check_division<SignedBigInt<1024>, BigInt<521>>("signed 1024 by unsigned 521 bits", 4500);
}

TEST_CASE("division by zero throws and leaves the target alone") {
    Widths::for_each([]<int N>() {
        check_division_by_zero<BigInt<N>>();
        check_division_by_zero<SignedBigInt<N>>();
    });
}

TEST_CASE("shifts by 0 to beyond the width") {
    Widths::for_each([]<int N>() {
        check_shifts<BigInt<N>>("unsigned shifts", 2100);
        check_shifts<SignedBigInt<N>>("signed shifts", 2100);
    });
}

TEST_CASE("comparisons are by value across widths and signs") {
    Widths::for_each([]<int N>() {
        check_comparisons<BigInt<N>, BigInt<N>>("unsigned comparisons", 2100);
        check_comparisons<SignedBigInt<N>, SignedBigInt<N>>("signed comparisons", 2100);
    });
    WidthList<521, 1024>::for_each([]<int N>() {
        check_comparisons<BigInt<N>, SignedBigInt<N>>("mixed comparisons", 2100);
        check_comparisons<BigInt<N>, SignedBigInt<N + 33>>("mixed, wider signed", 2100);
        check_comparisons<SignedBigInt<N>, BigInt<N + 33>>("mixed, wider unsigned", 2100);
        check_comparisons<BigInt<N>, BigInt<N + 64>>("wider unsigned comparisons", 2100);
    });
}

TEST_CASE("bit functions") {
    Widths::for_each([]<int N>() { check_bits<N>("bit functions", 2100); });
}

TEST_CASE("conversions") {
    Widths::for_each([]<int N>() {
        check_conversions<BigInt<N>>("unsigned conversions", 2100);
        check_conversions<SignedBigInt<N>>("signed conversions", 2100);
    });
}

TEST_CASE("bytes") {
    Widths::for_each([]<int N>() {
        check_bytes<BigInt<N>>("unsigned bytes", 2100);
        check_bytes<SignedBigInt<N>>("signed bytes", 2100);
    });
}

TEST_CASE("built-in operands count as numbers of their own width") {
    const auto check = []<int N>() {
        check_builtin<BigInt<N>, int>("unsigned with int", 1500);
        check_builtin<BigInt<N>, std::uint64_t>("unsigned with uint64_t", 1500);
        check_builtin<SignedBigInt<N>, std::int64_t>("signed with int64_t", 1500);
        check_builtin<SignedBigInt<N>, unsigned>("signed with unsigned", 1500);
    };
    check.template operator()<521>();
}
