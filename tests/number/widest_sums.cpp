// Numbers of 32768 bits: sums, comparisons and conversions.
// The groups have files of their own because kernels of this width take minutes to compile.
#include "widths.h"

namespace number_test {
namespace {

using Widest = BigInt<32768>;
#ifdef WARPINT_LONG_TESTS
using SignedWidest = SignedBigInt<32768>;
#endif

const Registration widest_sums([] {
    add_case<Group::sums, Widest, Widest>();
    add_case<Group::orders, Widest, Widest>();
#if !NUMBER_TEST_SELECTED_ONLY
    add_case<Group::conversions, Widest, Widest>();
#endif
#ifdef WARPINT_LONG_TESTS
    add_case<Group::sums, SignedWidest, SignedWidest>();
    add_case<Group::orders, SignedWidest, SignedWidest>();
    add_case<Group::conversions, SignedWidest, SignedWidest>();
#endif
});

} // namespace
} // namespace number_test
