// SPDX-License-Identifier: Apache-2.0
// Running a formula on a GPU: which of its kernels (kernels/formula.h) a batch takes, the plan for
// it (plan.h), and the launch.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../kernels/formula.h"
#include "../memory/backend.h"
#include "../memory/cuda_support.h"
#include "../plan/fit.h"
#include "../plan/kernel_facts.h"

namespace warpint::execution {

// The plan for a batch on this device, which is current. small: null without a kernel of its own
// for small batches. aligned: as fit() takes it.
inline Plan plan_kernel(const Cost &cost, const void *large, const void *small, std::size_t count,
                        int device, bool aligned) {
    KernelFacts facts = kernel_facts(large, device);
    const tuning::Choice choice = tuning::Known::choose(cost, count, facts.gpu);
    const bool is_small = choice.slot == tuning::Slot::small;
    if (is_small)
        facts = kernel_facts(small, device);
    Plan plan = fit(choice, cost, count, aligned, facts);
    plan.kernel = is_small ? small : large;
    return plan;
}
// Launches a kernel, with arguments as it takes them.
template <class... Arguments>
void launch_code(const void *kernel, std::size_t blocks, int threads, int shared_bytes,
                 cudaStream_t stream, const Arguments &...arguments) {
    void *pointers[] = {const_cast<void *>(static_cast<const void *>(&arguments))...};
    (void)cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)),
                           dim3(static_cast<unsigned>(threads)), pointers,
                           static_cast<std::size_t>(shared_bytes), stream);
    check_cuda(cudaGetLastError(), "warpint: kernel launch failed"); // which forgets it
    launch_counter().fetch_add(1, std::memory_order_relaxed);
}
// The plan's.
template <class... Arguments>
void launch(const Plan &plan, cudaStream_t stream, const Arguments &...arguments) {
    launch_code(plan.kernel, plan.blocks, plan.threads_per_block, plan.shared_bytes, stream,
                arguments...);
}
// One of a way that has several.
template <class... Parameters, class... Arguments>
void launch_kernel(void (*kernel)(Parameters...), std::size_t blocks, int threads, int shared_bytes,
                   cudaStream_t stream, const Arguments &...arguments) {
    static_assert((std::is_same_v<std::remove_cv_t<Parameters>, Arguments> && ...));
    launch_code(reinterpret_cast<const void *>(kernel), blocks, threads, shared_bytes, stream,
                arguments...);
}

// Plan::run of a formula's kernel.
template <class Tree, class... T>
void run_formula(const Plan &plan, const void *target, std::size_t count, const void *tree,
                 memory_resource &, stream_handle stream) {
    const unsigned vectors =
        static_cast<unsigned>(plan.shared_bytes / (plan.threads_per_block / 32) / 16);
    const std::uint32_t *const marked = nullptr;
    launch(plan, stream, *static_cast<const Target<T...> *>(target), count, vectors, marked,
           *static_cast<const Tree *>(tree));
}

template <class Tree, class... T>
Plan plan_formula(std::size_t count, int device, bool aligned) {
    const void *small = nullptr;
    if constexpr (has_small_kernel<Tree, T...>)
        small = reinterpret_cast<const void *>(formula_kernel<tuning::Slot::small, Tree, T...>);
    Plan plan =
        plan_kernel(gpu_cost<Tree, T...>,
                    reinterpret_cast<const void *>(formula_kernel<tuning::Slot::large, Tree, T...>),
                    small, count, device, aligned);
    plan.run = &run_formula<Tree, T...>;
    return plan;
}

} // namespace warpint::execution

#endif
