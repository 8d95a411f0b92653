// Widths of 239 to 1024 bits.
#include "widths.h"

namespace number_test {
namespace {

const Registration medium([] {
    add_unsigned<256, 512, 521>();
    add_signed<256>();
#if !NUMBER_TEST_SELECTED_ONLY
    add_unsigned<239, 384, 544, 768, 1024>();
    add_signed<521, 1024>();
    add_all<BigInt<521>, SignedBigInt<239>>();
#endif
#ifdef WARPINT_LONG_TESTS
    add_signed<239, 384, 512, 544, 768>();
#endif
});

} // namespace
} // namespace number_test
