// SPDX-License-Identifier: Apache-2.0
// Part WARPINT_PART of 4 of the grid's functions at WARPINT_BITS bits, each in a kernel of many:
// compiled and never run. Part 2 at 2,200 bits had the fault that README.md beside it tells of.
#include "grid/place_kernels.h"

static const batch_test::Registration registration([] {
    grid::add_kernels<WARPINT_BITS, grid::Part{WARPINT_PART, 4}>();
});
