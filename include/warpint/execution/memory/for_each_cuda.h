// SPDX-License-Identifier: Apache-2.0
// A function for each index on a GPU, and how much scratch memory there is.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../kernels/for_each.h"
#include "cuda_support.h"
#include "resource.h"

namespace warpint::execution {

// f(0) ... f(count - 1), a thread each.
template <class Function>
void for_each_on_gpu(std::size_t count, const Function &f, cudaStream_t stream) {
    if (count == 0)
        return;
    constexpr std::size_t threads = 256;
    for_each_kernel<<<static_cast<unsigned>((count + threads - 1) / threads),
                      static_cast<unsigned>(threads), 0, stream>>>(count, f);
    check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
}

// Bytes of scratch memory on this device; tests make it less.
inline std::size_t &max_scratch_bytes(int device) {
    static std::size_t most[64];
    static std::once_flag known[64];
    std::call_once(known[device & 63], [&] {
        std::size_t free = 0;
        std::size_t total = 0;
        check_cuda(cudaMemGetInfo(&free, &total), "warpint: cudaMemGetInfo");
        most[device & 63] = total / 8;
    });
    return most[device & 63];
}

} // namespace warpint::execution

#endif
