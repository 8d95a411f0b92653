// Widths of 7 to 192 bits.
#include "widths.h"

namespace number_test {
namespace {

const Registration narrow([] {
    add_unsigned<33, 64, 131>();
    add_all<BigInt<96>, SignedBigInt<33>>();
#if !NUMBER_TEST_SELECTED_ONLY
    add_unsigned<7, 31, 32, 96, 109, 128, 160, 163, 191, 192>();
    add_signed<7, 32, 33, 64, 131, 191>();
    add_all<SignedBigInt<33>, BigInt<131>>();
    add_all<SignedBigInt<64>, SignedBigInt<109>>();
    add_all<BigInt<192>, BigInt<31>>();
#endif
#ifdef WARPINT_LONG_TESTS
    add_signed<31, 96, 109, 128, 160, 163, 192>();
#endif
});

} // namespace
} // namespace number_test
