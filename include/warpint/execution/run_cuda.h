// SPDX-License-Identifier: Apache-2.0
// Running a formula on a GPU: the launch of its kernels (kernels/formula.h) as planned (plan.h).
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "cuda_support.h"
#include "fit.h"
#include "kernels/formula.h"

namespace warpint::execution {

// The kernels of a formula; small is null without one of its own for small batches.
struct Kernels {
    const void *large = nullptr;
    const void *small = nullptr;
};
template <class Tree, class... T>
Kernels kernels_of() {
    Kernels kernels;
    kernels.large = reinterpret_cast<const void *>(formula_kernel<tuning::Slot::large, Tree, T...>);
    if constexpr (has_small_kernel<Tree, T...>) {
        kernels.small =
            reinterpret_cast<const void *>(formula_kernel<tuning::Slot::small, Tree, T...>);
    }
    return kernels;
}

// Launches the plan's kernel, with arguments as its family takes them.
template <class... Arguments>
void launch(const Plan &plan, cudaStream_t stream, const Arguments &...arguments) {
    void *pointers[] = {const_cast<void *>(static_cast<const void *>(&arguments))...};
    (void)cudaLaunchKernel(plan.kernel, dim3(static_cast<unsigned>(plan.blocks)),
                           dim3(static_cast<unsigned>(plan.threads_per_block)), pointers,
                           static_cast<std::size_t>(plan.shared_bytes), stream);
    check_cuda(cudaGetLastError(), "warpint: kernel launch failed"); // which forgets it
}

// Launches the formula on the stream of the current device. Does not synchronise.
template <class Tree, class... T>
void run_on_gpu(const Target<T...> &target, std::size_t count, const Tree &tree, const Plan &plan,
                cudaStream_t stream) {
    const unsigned vectors =
        static_cast<unsigned>(plan.shared_bytes / (plan.threads_per_block / 32) / 16);
    launch(plan, stream, target, count, vectors, tree);
}

} // namespace warpint::execution

#endif
