// Numbers of 32768 bits: shifts and bit fields.
// The groups have files of their own because kernels of this width take minutes to compile.
#include "widths.h"

namespace number_test {
namespace {

using Widest = BigInt<32768>;
#ifdef WARPINT_LONG_TESTS
using SignedWidest = SignedBigInt<32768>;
#endif

const Registration widest_bits([] {
#if !NUMBER_TEST_SELECTED_ONLY
    add_case<Group::bits, Widest, Widest>();
#endif
#ifdef WARPINT_LONG_TESTS
    add_case<Group::bits, SignedWidest, SignedWidest>();
#endif
});

} // namespace
} // namespace number_test
