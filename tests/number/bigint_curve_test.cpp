// SPDX-License-Identifier: Apache-2.0
// BigInt and SignedBigInt, widths of five to eight limbs, those of elliptic curves.

#include "bigint_cases.h"

#include <doctest/doctest.h>

using namespace bigint_cases;

namespace {

using Widths = WidthList<160, 163, 191, 239, 256>;

} // namespace

TEST_CASE("layout: size, alignment, zero on construction") {
    Widths::for_each([]<int N>() { check_layout<N>(); });
}

TEST_CASE("ring operators follow the law") {
    Widths::for_each([]<int N>() {
        check_ring<BigInt<N>, BigInt<N>>("unsigned ring operators", 6000);
        check_ring<SignedBigInt<N>, SignedBigInt<N>>("signed ring operators", 6000);
    });
}

TEST_CASE("ring operators across widths and signs") {
    check_ring<BigInt<109>, BigInt<256>>("109 with 256 bits", 6000);
    check_ring<BigInt<256>, BigInt<131>>("256 with 131 bits", 6000);
    check_ring<SignedBigInt<131>, SignedBigInt<239>>("signed 131 with 239 bits", 6000);
    check_ring<SignedBigInt<163>, BigInt<191>>("signed 163 with unsigned 191 bits", 6000);
    check_ring<BigInt<256>, SignedBigInt<109>>("unsigned 256 with signed 109 bits", 6000);
}

TEST_CASE("unary operators, aliasing, squares, low and high products") {
    Widths::for_each([]<int N>() {
        check_unary<BigInt<N>>("unsigned unary operators", 6000);
        check_unary<SignedBigInt<N>>("signed unary operators", 6000);
    });
}

TEST_CASE("division follows the law") {
    Widths::for_each([]<int N>() {
        check_division<BigInt<N>, BigInt<N>>("unsigned division", 9000);
        check_division<SignedBigInt<N>, SignedBigInt<N>>("signed division", 9000);
    });
}

TEST_CASE("division across widths and signs") {
    check_division<BigInt<256>, BigInt<131>>("256 by 131 bits", 12000);
    check_division<BigInt<256>, BigInt<64>>("256 by 64 bits", 12000);
    check_division<BigInt<131>, BigInt<239>>("131 by 239 bits", 12000);
    check_division<SignedBigInt<191>, SignedBigInt<109>>("signed 191 by 109 bits", 12000);
    check_division<SignedBigInt<191>, BigInt<109>>("signed 191 by unsigned 109 bits", 12000);
    check_division<BigInt<160>, SignedBigInt<109>>("unsigned 160 by signed 109 bits", 12000);
}

TEST_CASE("division by zero throws and leaves the target alone") {
    Widths::for_each([]<int N>() {
        check_division_by_zero<BigInt<N>>();
        check_division_by_zero<SignedBigInt<N>>();
    });
}

TEST_CASE("shifts by 0 to beyond the width") {
    Widths::for_each([]<int N>() {
        check_shifts<BigInt<N>>("unsigned shifts", 6000);
        check_shifts<SignedBigInt<N>>("signed shifts", 6000);
    });
}

TEST_CASE("comparisons are by value across widths and signs") {
    Widths::for_each([]<int N>() {
        check_comparisons<BigInt<N>, BigInt<N>>("unsigned comparisons", 6000);
        check_comparisons<SignedBigInt<N>, SignedBigInt<N>>("signed comparisons", 6000);
    });
    WidthList<163, 256>::for_each([]<int N>() {
        check_comparisons<BigInt<N>, SignedBigInt<N>>("mixed comparisons", 6000);
        check_comparisons<BigInt<N>, SignedBigInt<N + 33>>("mixed, wider signed", 6000);
        check_comparisons<SignedBigInt<N>, BigInt<N + 33>>("mixed, wider unsigned", 6000);
        check_comparisons<BigInt<N>, BigInt<N + 64>>("wider unsigned comparisons", 6000);
    });
}

TEST_CASE("bit functions") {
    Widths::for_each([]<int N>() { check_bits<N>("bit functions", 6000); });
}

TEST_CASE("conversions") {
    Widths::for_each([]<int N>() {
        check_conversions<BigInt<N>>("unsigned conversions", 6000);
        check_conversions<SignedBigInt<N>>("signed conversions", 6000);
    });
}

TEST_CASE("bytes") {
    Widths::for_each([]<int N>() {
        check_bytes<BigInt<N>>("unsigned bytes", 6000);
        check_bytes<SignedBigInt<N>>("signed bytes", 6000);
    });
}

TEST_CASE("built-in operands count as numbers of their own width") {
    const auto check = []<int N>() {
        check_builtin<BigInt<N>, int>("unsigned with int", 3000);
        check_builtin<BigInt<N>, std::uint64_t>("unsigned with uint64_t", 3000);
        check_builtin<SignedBigInt<N>, std::int64_t>("signed with int64_t", 3000);
        check_builtin<SignedBigInt<N>, unsigned>("signed with unsigned", 3000);
    };
    check.template operator()<256>();
}
