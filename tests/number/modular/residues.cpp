// SPDX-License-Identifier: Apache-2.0
// Residues, and the modular functions of plain numbers, at many widths.
#include "cases.h"

namespace modular_test {
namespace {

const Registration residues([] {
#ifdef __CUDACC__
    add_residues<131>();
    add_mixed_operands<64>();
    add_functions<131>();
    add_all_inverses<131>();
    add_chains<131>();
#ifdef WARPINT_LONG_TESTS
    add_residues<31, 64, 192, 256, 521, 1024>();
    add_mixed_operands<256>();
    add_functions<32, 256, 1024, 2048>();
    add_all_inverses<64, 256, 1024>();
    add_chains<64, 256, 2048>();
#endif
#else
    add_residues<1, 7, 31, 32, 33, 64, 96, 131, 160, 192, 256, 384, 521, 768, 1024, 2048>();
    add_mixed_operands<7, 32, 64, 131, 256, 521, 1024>();
    add_functions<1, 7, 31, 32, 33, 64, 96, 131, 160, 192, 256, 384, 521, 768, 1024, 2048>();
    add_all_inverses<7, 32, 64, 131, 256, 521, 1024>();
    add_chains<7, 31, 64, 131, 256, 521, 1024, 2048>();
#ifdef WARPINT_LONG_TESTS
    add_residues<4096>();
    add_functions<4096>();
#endif
#endif
});

} // namespace
} // namespace modular_test
