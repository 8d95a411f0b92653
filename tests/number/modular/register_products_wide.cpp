// SPDX-License-Identifier: Apache-2.0
// The same for wide moduli.
#include "cases.h"

namespace modular_test {
namespace {

const Registration register_products_wide([] {
    add_sums_of_products<521, 1024>();
#if !defined(__CUDACC__) || defined(WARPINT_LONG_TESTS)
    add_sums_of_products<768, 1000>();
#endif
});

} // namespace
} // namespace modular_test
