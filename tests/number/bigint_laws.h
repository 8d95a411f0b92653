// SPDX-License-Identifier: Apache-2.0
// The laws of BigInt and SignedBigInt at the widths of the file that includes this. It defines
// before: WIDTHS, a text (doctest takes cases of one name and line as one), namespace `tested` with
// WidthLists Widths, Mixed (some of them, beside numbers of other widths and signs) and Builtin,
// and the samples of each kind of case.
#include <doctest/doctest.h>

using namespace bigint_cases;

TEST_CASE(WIDTHS ": layout: size, alignment, zero on construction") {
    tested::Widths::for_each([]<int N>() { check_layout<N>(); });
}

TEST_CASE(WIDTHS ": ring operators follow the law") {
    tested::Widths::for_each([]<int N>() {
        check_ring<BigInt<N>, BigInt<N>>("unsigned ring operators", tested::samples);
        check_ring<SignedBigInt<N>, SignedBigInt<N>>("signed ring operators", tested::samples);
    });
}

TEST_CASE(WIDTHS ": unary operators, aliasing, squares, low and high products") {
    tested::Widths::for_each([]<int N>() {
        check_unary<BigInt<N>>("unsigned unary operators", tested::samples);
        check_unary<SignedBigInt<N>>("signed unary operators", tested::samples);
    });
}

TEST_CASE(WIDTHS ": division follows the law") {
    tested::Widths::for_each([]<int N>() {
        check_division<BigInt<N>, BigInt<N>>("unsigned division", tested::divisions);
        check_division<SignedBigInt<N>, SignedBigInt<N>>("signed division", tested::divisions);
    });
}

TEST_CASE(WIDTHS ": division by zero throws and leaves the target alone") {
    tested::Widths::for_each([]<int N>() {
        check_division_by_zero<BigInt<N>>();
        check_division_by_zero<SignedBigInt<N>>();
    });
}

TEST_CASE(WIDTHS ": shifts by 0 to beyond the width") {
    tested::Widths::for_each([]<int N>() {
        check_shifts<BigInt<N>>("unsigned shifts", tested::samples);
        check_shifts<SignedBigInt<N>>("signed shifts", tested::samples);
    });
}

TEST_CASE(WIDTHS ": comparisons are by value across widths and signs") {
    tested::Widths::for_each([]<int N>() {
        check_comparisons<BigInt<N>, BigInt<N>>("unsigned comparisons", tested::samples);
        check_comparisons<SignedBigInt<N>, SignedBigInt<N>>("signed comparisons", tested::samples);
    });
    tested::Mixed::for_each([]<int N>() {
        check_comparisons<BigInt<N>, SignedBigInt<N>>("mixed comparisons", tested::samples);
        check_comparisons<BigInt<N>, SignedBigInt<N + 33>>("mixed, wider signed", tested::samples);
        check_comparisons<SignedBigInt<N>, BigInt<N + 33>>("mixed, wider unsigned",
                                                           tested::samples);
        check_comparisons<BigInt<N>, BigInt<N + 64>>("wider unsigned comparisons", tested::samples);
    });
}

TEST_CASE(WIDTHS ": bit functions") {
    tested::Widths::for_each([]<int N>() { check_bits<N>("bit functions", tested::samples); });
}

TEST_CASE(WIDTHS ": conversions") {
    tested::Widths::for_each([]<int N>() {
        check_conversions<BigInt<N>>("unsigned conversions", tested::samples);
        check_conversions<SignedBigInt<N>>("signed conversions", tested::samples);
    });
}

TEST_CASE(WIDTHS ": bytes") {
    tested::Widths::for_each([]<int N>() {
        check_bytes<BigInt<N>>("unsigned bytes", tested::samples);
        check_bytes<SignedBigInt<N>>("signed bytes", tested::samples);
    });
}

TEST_CASE(WIDTHS ": built-in operands count as numbers of their own width") {
    tested::Builtin::for_each([]<int N>() {
        check_builtin<BigInt<N>, int>("unsigned with int", tested::builtin_samples);
        check_builtin<BigInt<N>, std::uint64_t>("unsigned with uint64_t", tested::builtin_samples);
        check_builtin<SignedBigInt<N>, std::int64_t>("signed with int64_t",
                                                     tested::builtin_samples);
        check_builtin<SignedBigInt<N>, unsigned>("signed with unsigned", tested::builtin_samples);
    });
}
