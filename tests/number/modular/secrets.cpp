// SPDX-License-Identifier: Apache-2.0
// The functions that keep secrets, at many widths.
#include "cases.h"

namespace modular_test {
namespace {

const Registration secrets([] {
#ifdef __CUDACC__
    add_constant_time<131, 256>();
    add_constant_time_powers<131, 64>();
#ifdef WARPINT_LONG_TESTS
    add_constant_time<31, 64, 521, 1024>();
    add_constant_time_powers<32>();
    add_constant_time_powers<64>();
    add_constant_time_powers<256>();
    add_constant_time_powers<521, 160>();
#endif
#else
    add_constant_time<7, 31, 32, 33, 64, 96, 131, 160, 192, 256, 384, 521, 1024>();
    add_constant_time_powers<7>();
    add_constant_time_powers<32>();
    add_constant_time_powers<33>();
    add_constant_time_powers<64>();
    add_constant_time_powers<131>();
    add_constant_time_powers<256>();
    add_constant_time_powers<521, 160>();
    add_constant_time_powers<1024>();
#ifdef WARPINT_LONG_TESTS
    add_constant_time<2048, 4096>();
    add_constant_time_powers<2048>();
#endif
#endif
});

} // namespace
} // namespace modular_test
