// SPDX-License-Identifier: Apache-2.0
// Running a formula with cuts (evaluation/cut.h) on a GPU, in rows of elements (kernels/rows.h).
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "evaluation/cut.h"
#include "for_each_cuda.h"
#include "kernel_facts.h"
#include "kernels/rows.h"
#include "memory.h"
#include "run_cuda.h"

#include <optional>

namespace warpint::execution {

// Smaller batches with inverses do not fill the GPU this way: one inversion each.
template <class Formula>
inline constexpr std::size_t min_in_rows = Formula::inverts ? tuning::min_bulk_inverses : 1;

// What the launch of a formula's kernel prepares.
template <class Formula>
struct RowLaunch;
template <class Rest, class... Cuts>
struct RowLaunch<CutFormula<Rest, Cuts...>> : RowKernel<CutFormula<Rest, Cuts...>> {
    using Kernel = RowKernel<CutFormula<Rest, Cuts...>>;
    using typename Kernel::Divisors;
    using typename Kernel::Formula;
    using typename Kernel::Last;
    using typename Kernel::NoDivisors;

    // Bytes of scratch memory for each element, of the last cut apart: an inverse keeps products.
    static constexpr std::size_t bytes_before_last =
        (sizeof(typename Cuts::Element) + ...) - sizeof(Last);
    static constexpr std::size_t bytes_of_last =
        cut_t<Formula::cuts - 1, Formula>::inverts ? sizeof(Last) : 0;
    // Whether the target has room for those of the last cut.
    template <class... T>
    static constexpr bool may_lie_in_target = sizeof...(T) == 1 && (std::is_same_v<T, Last> && ...);

    template <std::size_t... k>
    static Divisors divisors(std::index_sequence<k...>, const Formula &formula) {
        const auto of_cut = [&](const auto &cut) {
            if constexpr (std::remove_cvref_t<decltype(cut)>::inverts) {
                return number::small_divisors(cut.ring(formula.rest));
            } else {
                return NoDivisors{};
            }
        };
        return {{of_cut(expression::item<k>(formula.cut))}...};
    }
    // Of `count` elements each, one after another from `at`; the last from there or in_target.
    template <std::size_t... k>
    static typename Formula::Scratch scratch(std::index_sequence<k...>, std::byte *at,
                                             std::size_t count, Last *in_target) {
        typename Formula::Scratch room{};
        const auto take = [&]<class Element>(Element *&elements) {
            elements = reinterpret_cast<Element *>(at);
            at += count * sizeof(Element);
        };
        (take(expression::item<k>(room)), ...);
        if (in_target != nullptr)
            expression::item<sizeof...(k) - 1>(room) = in_target;
        return room;
    }
};

// The plan of a formula that takes this kernel. separate: an operand lies where the target does.
template <class Formula, class... T>
void plan_rows(Plan &plan, std::size_t count, bool separate, int device) {
    using Launch = RowLaunch<Formula>;
    constexpr std::size_t block = std::size_t{tuning::row_threads} * gpu_row<Formula>;
    plan_own_kernel(plan, reinterpret_cast<const void *>(row_per_thread_kernel<Formula, T...>),
                    tuning::row_threads, device);
    plan.blocks = (count + block - 1) / block;
    const bool in_target = Launch::template may_lie_in_target<T...> && !separate;
    plan.workspace_bytes =
        count * (Launch::bytes_before_last + (in_target ? 0 : Launch::bytes_of_last));
}

// As run_on_gpu(), by a plan of plan_rows().
template <class Formula, class... T>
void run_rows_on_gpu(const Target<T...> &target, std::size_t count, const Formula &formula,
                     const Plan &plan, memory_resource &memory, cudaStream_t stream) {
    using Launch = RowLaunch<Formula>;
    std::optional<Workspace<std::byte>> workspace;
    if (plan.workspace_bytes != 0)
        workspace.emplace(memory, plan.workspace_bytes, stream);
    typename Launch::Last *in_target = nullptr;
    if constexpr (Launch::template may_lie_in_target<T...>) {
        if (plan.workspace_bytes == count * Launch::bytes_before_last)
            in_target = place<0>(target).data;
    }
    const auto scratch = Launch::scratch(typename Formula::Positions{},
                                         workspace ? workspace->data() : nullptr, count, in_target);
    const auto divisors = Launch::divisors(typename Formula::Positions{}, formula);
    launch(plan, stream, target, scratch, count, divisors, formula);
}

} // namespace warpint::execution

#endif
