// SPDX-License-Identifier: Apache-2.0
// Montgomery products by every name, in 32-bit limbs, at many widths.
#include "cases.h"

namespace modular_test {
namespace {

const Registration montgomery([] {
#ifdef __CUDACC__
    add_montgomery<32, 64, 160, 256>();
#ifdef WARPINT_LONG_TESTS
    add_montgomery<96, 128, 192, 224, 288, 384, 544, 1024, 1056, 2048>();
#endif
#else
    add_montgomery<32, 64, 96, 128, 160, 192, 224, 256, 288, 384, 544, 768, 1024, 1056, 2048>();
#ifdef WARPINT_LONG_TESTS
    add_montgomery<4096>();
#endif
#endif
});

} // namespace
} // namespace modular_test
