// SPDX-License-Identifier: Apache-2.0
// Fitting a choice to the kernel that was loaded, and to where the elements lie.
#pragma once

#include "../evaluation/cost.h"
#include "plan.h"
#include "tuning/choose.h"

namespace warpint::execution {

// The choice, as it fits the kernel: threads up to what it was compiled for, and shared memory
// where there is room for the elements. aligned: whether all operands and results lie on multiples
// of 16 bytes.
constexpr Plan fit(const tuning::Choice &choice, const Cost &cost, std::size_t count, bool aligned,
                   const KernelFacts &kernel) {
    Plan plan;
    plan.choice = choice;
    plan.family = choice.row.family;
    plan.lanes_per_number = choice.row.lanes;
    plan.registers = kernel.registers;
    plan.local_bytes = kernel.local_bytes;
    int &threads = plan.threads_per_block;
    threads = choice.row.threads_per_block;
    if (threads > kernel.max_threads)
        threads = kernel.max_threads / 32 * 32;
    std::size_t elements = 1; // of a thread, or of `lanes` threads
    if (plan.family == KernelFamily::thread_per_number) {
        elements = static_cast<std::size_t>(
            tuning::Known::elements_of_thread(kernel.gpu.compiled_for, cost));
        if (cost.staged_bytes != 0) {
            while (threads > 32 && threads / 32 * cost.staged_bytes > default_shared_bytes)
                threads = threads / 64 * 32;
            plan.shared_bytes = threads / 32 * cost.staged_bytes;
        } else if (choice.row.loading == Loading::through_shared && aligned) {
            const int bytes = threads / 32 * staging_bytes_per_warp(cost.transposed_bytes);
            plan.shared_bytes = bytes <= default_shared_bytes ? bytes : 0;
        }
        if (plan.shared_bytes != 0)
            plan.loading = Loading::through_shared;
    }
    const std::size_t in_block =
        static_cast<std::size_t>(threads / plan.lanes_per_number) * elements;
    plan.blocks = (count + in_block - 1) / in_block;
    return plan;
}

// The kernel of a reduction, whose blocks are of its own size.
struct ReductionKernel {
    KernelFacts facts;
    int threads = 0;      // of a block
    int lanes = 1;        // of a number
    int elements = 1;     // of a thread at once
    int shared_bytes = 0; // of a block, beside the elements that its warps transpose
};

// The choice for a reduction as it fits that kernel; more blocks than the GPU holds at once are
// left to the caller. aligned: as above.
constexpr Plan fit_reduction(const tuning::Choice &choice, const Cost &cost, std::size_t count,
                             bool aligned, const ReductionKernel &kernel) {
    Plan plan;
    plan.choice = choice;
    plan.reduces = true;
    plan.family =
        kernel.lanes == 1 ? KernelFamily::thread_per_number : KernelFamily::lanes_per_number;
    plan.lanes_per_number = kernel.lanes;
    plan.threads_per_block = kernel.threads;
    plan.registers = kernel.facts.registers;
    plan.local_bytes = kernel.facts.local_bytes;
    const int staging = kernel.threads / 32 * staging_bytes_per_warp(cost.transposed_bytes);
    if (choice.row.loading == Loading::through_shared && aligned && kernel.lanes == 1 &&
        cost.transposed_bytes > 0 && staging + kernel.shared_bytes <= default_shared_bytes) {
        plan.loading = Loading::through_shared;
        plan.shared_bytes = staging;
    }
    const std::size_t in_block = static_cast<std::size_t>(kernel.threads * kernel.elements);
    plan.blocks = (count + in_block - 1) / in_block;
    return plan;
}

} // namespace warpint::execution
