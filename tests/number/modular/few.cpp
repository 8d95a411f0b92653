// SPDX-License-Identifier: Apache-2.0
// A few widths, which compile quickly: see number/few.cpp.
#include "cases.h"

namespace modular_test {
namespace {

const Registration few([] {
    add_residues<131>();
    add_functions<64>();
    add_inverses<256>();
    add_powers<256>();
    add_powers<1024, 64>();
});

} // namespace
} // namespace modular_test
