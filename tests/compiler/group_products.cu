// SPDX-License-Identifier: Apache-2.0
// Powers on tensor cores by Hopper's warp-group products, for compute capability 9.0a: of 2048
// bits, whose matrices lie in shared memory, and of 3072, whose matrices are streamed.
#include <warpint/vector.h>

#if WARPINT_DEVICE_PASS && !WARPINT_HAS_GROUP_PRODUCTS
#error "the products of warp groups are not used"
#endif

const void *kernels[] = {
    reinterpret_cast<const void *>(&warpint::execution::powers_kernel<17, 2048>),
    reinterpret_cast<const void *>(&warpint::execution::powers_kernel<25, 3072>)};
