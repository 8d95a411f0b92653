// SPDX-License-Identifier: Apache-2.0
// Which pairs of types the batched number tests cover, as macros over the width, so that each
// source has its share of them.
//
// A build for the host has all widths; a CUDA build has the selected ones unless
// WARPINT_LONG_TESTS is defined, because device code takes long to compile.
#pragma once

#include "groups.h"

#if defined(__CUDACC__) && !defined(WARPINT_LONG_TESTS)
#define NUMBER_TEST_SELECTED_ONLY 1
#else
#define NUMBER_TEST_SELECTED_ONLY 0
#endif

namespace number_test {

using batch_test::Registration;

/// BigInt<N> with itself, for each width.
template <int... Widths>
void add_unsigned() {
    (add_all<BigInt<Widths>, BigInt<Widths>>(), ...);
}
/// SignedBigInt<N> with itself.
template <int... Widths>
void add_signed() {
    (add_all<SignedBigInt<Widths>, SignedBigInt<Widths>>(), ...);
}

} // namespace number_test
