// SPDX-License-Identifier: Apache-2.0
// Powers, by windows and by combs, at many widths.
#include "cases.h"

namespace modular_test {
namespace {

const Registration powers([] {
#ifdef __CUDACC__
    add_powers<256>();
    add_powers<2048, 128>(); // beyond the registers: called functions
    add_fixed_bases<131, 131, 3>();
#ifdef WARPINT_LONG_TESTS
    add_powers<7, 33>();
    add_powers<64>();
    add_powers<131>();
    add_powers<521, 160>();
    add_powers<1024>();
    add_powers<4096, 64>();
    add_fixed_bases<256, 256, 4>();
    add_fixed_bases<1024, 160, 3>();
#endif
#else
    add_powers<1, 5>();
    add_powers<7, 33>();
    add_powers<31>();
    add_powers<32>();
    add_powers<33, 64>();
    add_powers<64>();
    add_powers<96>();
    add_powers<131>();
    add_powers<160>();
    add_powers<192>();
    add_powers<256>();
    add_powers<384>();
    add_powers<521>();
    add_powers<768, 160>();
    add_powers<1024>();
    add_powers<2048>();

    add_fixed_bases<5, 7, 1>();
    add_fixed_bases<33, 33, 2>();
    add_fixed_bases<64, 64, 3>();
    add_fixed_bases<131, 131, 3>();
    add_fixed_bases<256, 256, 5>();
    add_fixed_bases<521, 160, 8>();
    add_fixed_bases<1024, 512, 6>();
#ifdef WARPINT_LONG_TESTS
    add_powers<4096>();
    add_fixed_bases<2048, 2048, 4>();
#endif
#endif
});

} // namespace
} // namespace modular_test
