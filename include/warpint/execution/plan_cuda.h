// SPDX-License-Identifier: Apache-2.0
// Deciding which of a formula's kernels runs on a GPU, and how it is launched.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "kernel_facts.h"
#include "run_cuda.h"

#include <utility>

namespace warpint::execution {

// A kernel, and if it is one over lanes its row and the window of its powers whose exponents
// differ.
struct LanesKernel {
    const void *kernel = nullptr;
    const TuningRow *row = nullptr; // null: a thread per number
    int window = 0;
};

// What a formula's type says of its kernels, as data.
struct KernelTraits {
    LanesKernel large;           // for large batches, or all
    LanesKernel small;           // for small ones; row null: none
    int held_bytes_per_warp = 0; // of held operands; 0: not held
    int widest_staged = 0;       // bytes of the widest staged element, read or written; 0: none
};

template <class Tree, class... T>
KernelTraits kernel_traits() {
    KernelTraits traits;
    traits.large.kernel = reinterpret_cast<const void *>(formula_kernel<Tree, T...>());
    if constexpr (is_over_lanes<Tree>) {
        traits.large.row = &lanes_row<Tree>;
        traits.large.window = lanes_window<tuning::any_count, Tree>;
        if constexpr (has_small_kernel<Tree>) {
            traits.small = {reinterpret_cast<const void *>(lanes_per_number_kernel<0, Tree, T...>),
                            &lanes_row<Tree, 0>, lanes_window<0, Tree>};
        }
    } else if constexpr (is_held<Tree, T...>) {
        constexpr int bytes = expression::greatest(
            Held<Tree>::bytes_per_warp, staging_bytes_per_warp(static_cast<int>(sizeof(T)))...);
        traits.held_bytes_per_warp = bytes;
    } else {
        constexpr int widest = expression::greatest(
            staged_bytes<Tree>, (is_staged<T> ? static_cast<int>(sizeof(T)) : 0)...);
        traits.widest_staged = widest;
    }
    return traits;
}

// Whether a batch of `count` elements takes the kernel for small ones. by_program: a row that the
// program added, or null.
inline bool is_small(const KernelTraits &traits, const TuningRow *by_program, std::size_t count) {
    if (traits.small.row == nullptr)
        return false;
    return by_program != nullptr ? by_program->lanes == traits.small.row->lanes
                                 : count < traits.large.row->min_count;
}

// The plan for a batch on a GPU, and what is known of its kernel. aligned: whether all operands and
// results lie on multiples of 16 bytes.
inline std::pair<Plan, KernelFacts> plan_on_gpu(const KernelTraits &traits, int device,
                                                const Work &work, std::size_t count, bool aligned) {
    KernelFacts facts = kernel_facts(traits.large.kernel, device);
    TuningRow row;
    const bool by_program = UserRows::instance().find(row, work, count, facts.compute_capability);
    Plan plan;
    if (traits.large.row != nullptr) {
        const bool small = is_small(traits, by_program ? &row : nullptr, count);
        const LanesKernel &chosen = small ? traits.small : traits.large;
        if (small)
            facts = kernel_facts(chosen.kernel, device);
        if (!by_program)
            row = tuning::on_capability(*chosen.row, facts.measured_capability());
        plan.family = KernelFamily::lanes_per_number;
        plan.lanes = chosen.row->lanes;
        plan.threads_per_block = std::min(row.threads_per_block, facts.most_threads / 32 * 32);
        plan.most_window = row.window;
        plan.window = chosen.window;
        plan.reason = row.measured;
        return {plan, facts};
    }
    if (!by_program)
        row = tuning::row_for(work, count, facts.measured_capability());
    plan.threads_per_block = std::min(row.threads_per_block, facts.most_threads / 32 * 32);
    plan.most_window = row.window;
    plan.reason = row.measured;
    plan.family = KernelFamily::thread_per_number;
    plan.lanes = 1;
    if (traits.held_bytes_per_warp > 0) {
        while (plan.threads_per_block > 32 &&
               plan.threads_per_block / 32 * traits.held_bytes_per_warp > default_shared_bytes)
            plan.threads_per_block = plan.threads_per_block / 64 * 32;
        plan.loading = Loading::through_shared;
        plan.shared_bytes = plan.threads_per_block / 32 * traits.held_bytes_per_warp;
        return {plan, facts};
    }
    const int staged = plan.threads_per_block / 32 * staging_bytes_per_warp(traits.widest_staged);
    if (row.loading == Loading::through_shared && aligned && traits.widest_staged > 0 &&
        staged <= default_shared_bytes) {
        plan.loading = Loading::through_shared;
        plan.shared_bytes = staged;
    }
    return {plan, facts};
}

} // namespace warpint::execution

#endif
