// Widths of 1536 to 4096 bits.
#include "widths.h"

namespace number_test {
namespace {

const Registration wide([] {
#if NUMBER_TEST_SELECTED_ONLY
    add_unsigned<1024, 2048>();
    add_case<Group::products, BigInt<4096>, BigInt<4096>>();
#else
    add_unsigned<1536, 2048, 2112, 2240, 3072, 4096>();
    add_signed<2112>();
    add_all<BigInt<2048>, BigInt<1024>>();
#endif
#ifdef WARPINT_LONG_TESTS
    add_signed<1536, 2048, 2240, 3072, 4096>();
#endif
});

} // namespace
} // namespace number_test
