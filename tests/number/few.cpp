// SPDX-License-Identifier: Apache-2.0
// A few widths, which compile quickly: the quick set has these, optimised as users compile them.
#include "number/widths.h"

namespace number_test {
namespace {

const Registration few([] {
    add_unsigned<64, 131>();
    add_all<SignedBigInt<256>, BigInt<109>>();
    add_case<Group::products, BigInt<1024>, BigInt<1024>>();
    add_case<Group::divisions, BigInt<2048>, BigInt<1024>>();
});

} // namespace
} // namespace number_test
