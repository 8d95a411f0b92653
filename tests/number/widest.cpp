// Widths of 8192 and 32768 bits.
#include "widths.h"

namespace number_test {
namespace {

const Registration widest([] {
#if NUMBER_TEST_SELECTED_ONLY
    add_case<Group::sums, BigInt<8192>, BigInt<8192>>();
    add_case<Group::orders, BigInt<32768>, BigInt<32768>>();
    add_case<Group::divisions, BigInt<32768>, BigInt<32768>>();
#elif defined(__CUDACC__)
    // Kernels of 32768 bits take minutes to compile: the groups with algorithms of their own there.
    add_unsigned<8192>();
    add_case<Group::sums, BigInt<32768>, BigInt<32768>>();
    add_case<Group::products, BigInt<32768>, BigInt<32768>>();
    add_case<Group::orders, BigInt<32768>, BigInt<32768>>();
    add_case<Group::divisions, BigInt<32768>, BigInt<32768>>();
#else
    add_unsigned<8192, 32768>();
#ifdef WARPINT_LONG_TESTS
    add_signed<8192, 32768>();
#endif
#endif
});

} // namespace
} // namespace number_test
