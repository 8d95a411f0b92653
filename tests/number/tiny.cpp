// SPDX-License-Identifier: Apache-2.0
// Widths of 1 to 6 bits: all values of all operands.
#include "widths.h"

#include <warpint/number/standard.h>

#if defined(__CUDACC__) && __has_include(<cuda/std/limits>)
#include <cuda/std/limits> // behind ours, which only declares it
#endif

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

// For code that runs through Thrust and CUB.
#if defined(__CUDACC__) && __has_include(<cuda/std/limits>)
using Device109 = cuda::std::numeric_limits<BigInt<109>>;
static_assert(Device109::is_specialized && Device109::digits == 109 && Device109::max() + 1 == 0);
static_assert(Device109::round_style == cuda::std::round_toward_zero);
static_assert(Device109::has_denorm == cuda::std::denorm_absent);
using DeviceSigned33 = cuda::std::numeric_limits<SignedBigInt<33>>;
static_assert(DeviceSigned33::is_specialized && DeviceSigned33::digits == 32);
static_assert(DeviceSigned33::round_style == cuda::std::round_toward_zero);
static_assert(DeviceSigned33::has_denorm == cuda::std::denorm_absent);
#endif

} // namespace
} // namespace number_test
