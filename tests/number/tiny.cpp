// Widths of 1 to 6 bits: all values of all operands.
#include "widths.h"

namespace number_test {
namespace {

const Registration tiny([] {
    add_unsigned<1, 3, 6>();
    add_signed<1, 4>();
    add_all<BigInt<3>, SignedBigInt<5>>();
    add_all<SignedBigInt<6>, BigInt<2>>();
#if !NUMBER_TEST_SELECTED_ONLY
    add_unsigned<2, 4, 5>();
    add_signed<2, 3, 5, 6>();
#endif
});

} // namespace
} // namespace number_test
