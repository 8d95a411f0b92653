// SPDX-License-Identifier: Apache-2.0
// BigInt and SignedBigInt, widths of two to five limbs.
#include "bigint_cases.h"

#define WIDTHS "medium widths"
namespace tested {
namespace {

using Widths = bigint_cases::WidthList<64, 96, 109, 128, 131>;
using Mixed = bigint_cases::WidthList<64, 109>;
using Builtin = bigint_cases::WidthList<96, 109>;
constexpr int samples = 12000;
constexpr int divisions = 12000;
constexpr int builtin_samples = 6000;

} // namespace
} // namespace tested

#include "bigint_laws.h"

TEST_CASE("ring operators across widths and signs") {
    check_ring<BigInt<7>, BigInt<96>>("7 with 96 bits", 9000);
    check_ring<BigInt<96>, BigInt<33>>("96 with 33 bits", 9000);
}

TEST_CASE("division across widths and signs") {
    check_division<BigInt<96>, BigInt<33>>("96 by 33 bits", 12000);
    check_division<BigInt<33>, BigInt<96>>("33 by 96 bits", 12000);
    check_division<BigInt<96>, BigInt<7>>("96 by 7 bits", 12000);
}
