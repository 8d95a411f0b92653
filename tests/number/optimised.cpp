// SPDX-License-Identifier: Apache-2.0
// A few widths once more, as users compile them: optimised, with everything copied into its callers
// that asks for it. A program of its own, as a linker keeps one copy of a function.
#include "number/widths.h"

namespace number_test {
namespace {

const Registration optimised([] {
    add_unsigned<64, 131>();
    add_all<SignedBigInt<256>, BigInt<109>>();
    add_case<Group::products, BigInt<1024>, BigInt<1024>>();
    add_case<Group::divisions, BigInt<2048>, BigInt<1024>>();
});

} // namespace
} // namespace number_test
