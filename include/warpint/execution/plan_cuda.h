// SPDX-License-Identifier: Apache-2.0
// The plan of a formula on a GPU.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "fit.h"
#include "kernel_facts.h"
#include "run_cuda.h"

namespace warpint::execution {

// For a batch on this device, which is current. aligned: as fit() takes it.
inline Plan plan_on_gpu(const Cost &cost, const Kernels &kernels, int device, std::size_t count,
                        bool aligned) {
    KernelFacts facts = kernel_facts(kernels.large, device);
    const tuning::Choice choice = UserRows::instance().read([&](std::span<const TuningRow> rows) {
        return tuning::Known::choose(cost, count, facts.gpu, rows);
    });
    const bool small = choice.slot == tuning::Slot::small;
    const void *const kernel = small ? kernels.small : kernels.large;
    if (small)
        facts = kernel_facts(kernel, device);
    Plan plan = fit(choice, cost, count, aligned, facts);
    plan.kernel = kernel;
    return plan;
}

} // namespace warpint::execution

#endif
