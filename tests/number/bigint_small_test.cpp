// SPDX-License-Identifier: Apache-2.0
// BigInt and SignedBigInt, widths of one and two limbs.
#include "bigint_cases.h"

#define WIDTHS "small widths"
namespace tested {
namespace {

using Widths = bigint_cases::WidthList<1, 7, 31, 32, 33>;
using Mixed = bigint_cases::WidthList<1, 33>;
using Builtin = bigint_cases::WidthList<7, 32>;
constexpr int samples = 12000;
constexpr int divisions = 12000;
constexpr int builtin_samples = 6000;

} // namespace
} // namespace tested

#include "bigint_laws.h"

TEST_CASE("ring operators across widths and signs") {
    check_ring<SignedBigInt<33>, SignedBigInt<64>>("signed 33 with 64 bits", 9000);
    check_ring<SignedBigInt<64>, SignedBigInt<1>>("signed 64 with 1 bit", 9000);
    check_ring<SignedBigInt<33>, BigInt<64>>("signed 33 with unsigned 64 bits", 9000);
    check_ring<BigInt<33>, SignedBigInt<31>>("unsigned 33 with signed 31 bits", 9000);
}

TEST_CASE("division across widths and signs") {
    check_division<SignedBigInt<64>, SignedBigInt<33>>("signed 64 by 33 bits", 12000);
    check_division<SignedBigInt<33>, SignedBigInt<64>>("signed 33 by 64 bits", 12000);
    check_division<SignedBigInt<64>, BigInt<33>>("signed 64 by unsigned 33 bits", 12000);
    check_division<SignedBigInt<31>, BigInt<64>>("signed 31 by unsigned 64 bits", 12000);
    check_division<BigInt<64>, SignedBigInt<33>>("unsigned 64 by signed 33 bits", 12000);
}

TEST_CASE("short built-in operands") {
    check_builtin<BigInt<64>, std::uint8_t>("unsigned with uint8_t", 6000);
    check_builtin<BigInt<64>, std::int16_t>("unsigned with int16_t", 6000);
    check_builtin<SignedBigInt<33>, std::int8_t>("signed with int8_t", 6000);
}
