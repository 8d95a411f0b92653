// SPDX-License-Identifier: Apache-2.0
// Products modulo m, and sums and differences of them, of widths that GPUs fold in registers, and
// of one that they do not.
#include "cases.h"

namespace modular_test {
namespace {

const Registration register_products([] {
    add_sums_of_products<31, 33, 96, 131, 256>();
#if !defined(__CUDACC__) || defined(WARPINT_LONG_TESTS)
    add_sums_of_products<64, 160, 384>();
#endif
#ifndef __CUDACC__
    add_sums_of_products<1, 7, 1088>();
#endif
});

} // namespace
} // namespace modular_test
