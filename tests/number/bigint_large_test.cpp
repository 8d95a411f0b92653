// SPDX-License-Identifier: Apache-2.0
// BigInt and SignedBigInt, widths of 12 to 64 limbs.
#include "bigint_cases.h"

#define WIDTHS "large widths"
namespace tested {
namespace {

using Widths = bigint_cases::WidthList<384, 521, 1024, 2048>;
using Mixed = bigint_cases::WidthList<521, 1024>;
using Builtin = bigint_cases::WidthList<521>;
constexpr int samples = 2100;
constexpr int divisions = 3000;
constexpr int builtin_samples = 1500;

} // namespace
} // namespace tested

#include "bigint_laws.h"

TEST_CASE("ring operators across widths and signs") {
    check_ring<BigInt<521>, BigInt<2048>>("521 with 2048 bits", 1500);
    check_ring<BigInt<1024>, BigInt<384>>("1024 with 384 bits", 1500);
    check_ring<SignedBigInt<521>, BigInt<384>>("signed 521 with unsigned 384 bits", 1500);
}

TEST_CASE("division across widths and signs") {
    check_division<BigInt<2048>, BigInt<521>>("2048 by 521 bits", 4500);
    check_division<BigInt<2048>, BigInt<1024>>("2048 by 1024 bits", 4500);
    check_division<BigInt<384>, BigInt<1024>>("384 by 1024 bits", 4500);
    check_division<SignedBigInt<1024>, SignedBigInt<521>>("signed 1024 by 521 bits", 4500);
    check_division<SignedBigInt<1024>, BigInt<521>>("signed 1024 by unsigned 521 bits", 4500);
}
