// SPDX-License-Identifier: Apache-2.0
// A few widths once more, as users compile them: see number/optimised.cpp.
#include "cases.h"

namespace modular_test {
namespace {

const Registration optimised([] {
    add_residues<131>();
    add_functions<64>();
    add_inverses<256>();
    add_powers<256>();
    add_powers<1024, 64>();
});

} // namespace
} // namespace modular_test
