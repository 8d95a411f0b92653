// SPDX-License-Identifier: Apache-2.0
// BigInt and SignedBigInt, widths of five to eight limbs, those of elliptic curves.
#include "bigint_cases.h"

#define WIDTHS "curve widths"
namespace tested {
namespace {

using Widths = bigint_cases::WidthList<160, 163, 191, 239, 256>;
using Mixed = bigint_cases::WidthList<163, 256>;
using Builtin = bigint_cases::WidthList<256>;
constexpr int samples = 6000;
constexpr int divisions = 9000;
constexpr int builtin_samples = 3000;

} // namespace
} // namespace tested

#include "bigint_laws.h"

TEST_CASE("ring operators across widths and signs") {
    check_ring<BigInt<109>, BigInt<256>>("109 with 256 bits", 6000);
    check_ring<BigInt<256>, BigInt<131>>("256 with 131 bits", 6000);
    check_ring<SignedBigInt<131>, SignedBigInt<239>>("signed 131 with 239 bits", 6000);
    check_ring<SignedBigInt<163>, BigInt<191>>("signed 163 with unsigned 191 bits", 6000);
    check_ring<BigInt<256>, SignedBigInt<109>>("unsigned 256 with signed 109 bits", 6000);
}

TEST_CASE("division across widths and signs") {
    check_division<BigInt<256>, BigInt<131>>("256 by 131 bits", 12000);
    check_division<BigInt<256>, BigInt<64>>("256 by 64 bits", 12000);
    check_division<BigInt<131>, BigInt<239>>("131 by 239 bits", 12000);
    check_division<SignedBigInt<191>, SignedBigInt<109>>("signed 191 by 109 bits", 12000);
    check_division<SignedBigInt<191>, BigInt<109>>("signed 191 by unsigned 109 bits", 12000);
    check_division<BigInt<160>, SignedBigInt<109>>("unsigned 160 by signed 109 bits", 12000);
}
