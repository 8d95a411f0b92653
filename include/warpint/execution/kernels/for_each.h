// SPDX-License-Identifier: Apache-2.0
// The kernel that calls a function for each index.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

namespace warpint::execution {

// f(0) ... f(count - 1), a thread each.
template <class Function>
__global__ void __launch_bounds__(256) for_each_kernel(std::size_t count, const Function f) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count)
        f(i);
}

} // namespace warpint::execution

#endif
