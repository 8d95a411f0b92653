// SPDX-License-Identifier: Apache-2.0
// Inverses modulo what all elements share, as a step of their own: a thread inverts a row of them
// at once (kernels/strips.h).
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../evaluation/cut.h"
#include "../kernels/strips.h"
#include "../memory/resource.h"
#include "../plan/kernel_facts.h"
#include "formula_cuda.h"

#include <optional>

namespace warpint::execution {

// The step as the kernel takes it, and what its launch prepares.
template <class Tree>
struct BulkInverses {
    using Formula = cut_formula_t<Inverses, Tree>;
    using Cut = cut_t<0, Formula>;
    using Element = typename Cut::Element;
    // Whether the target has room for the products that are kept.
    template <class... T>
    static constexpr bool may_lie_in_target =
        sizeof...(T) == 1 && (std::is_same_v<T, Element> && ...);
};

// Plan::run of that kernel.
template <class Tree, class... T>
void run_bulk_inverses(const Plan &plan, const void *to, std::size_t count, const void *tree,
                       memory_resource &memory, stream_handle stream) {
    using Bulk = BulkInverses<Tree>;
    const auto &target = *static_cast<const Target<T...> *>(to);
    const auto formula = cut_formula<Inverses>(*static_cast<const Tree *>(tree));
    std::optional<Workspace<typename Bulk::Element>> workspace;
    typename Bulk::Formula::Scratch scratch{};
    auto *&products = item<0>(scratch);
    if constexpr (Bulk::template may_lie_in_target<T...>)
        products = place<0>(target).data;
    if (plan.workspace_bytes != 0) {
        workspace.emplace(memory, count, stream);
        products = workspace->data();
    }
    const typename RowKernel<typename Bulk::Formula>::Divisors divisors{
        {number::small_divisors(item<0>(formula.cut).ring(formula.rest))}};
    launch(plan, stream, target, scratch, count, divisors, formula);
}

// Plans the step for that kernel, if the batch is large enough and there is a modulus; else leaves
// the plan as it is. separate: an operand lies where the target does.
template <class Tree, class... T>
void plan_bulk_inverses(Plan &plan, const Tree &tree, std::size_t count, bool separate,
                        int device) {
    using Bulk = BulkInverses<Tree>;
    if (count < tuning::min_bulk_inverses(value_bits<typename Bulk::Element>) ||
        !moduli_exist(cut_formula<Inverses>(tree)))
        return;
    constexpr std::size_t block = std::size_t{tuning::strip_threads} * tuning::inverse_strip;
    plan_own_kernel(
        plan, reinterpret_cast<const void *>(strip_per_thread_kernel<typename Bulk::Formula, T...>),
        tuning::strip_threads, device);
    plan.blocks = (count + block - 1) / block;
    plan.reason = "inverses modulo one modulus: one inversion for many elements";
    const bool in_target = Bulk::template may_lie_in_target<T...> && !separate;
    plan.workspace_bytes = in_target ? 0 : count * sizeof(typename Bulk::Element);
    plan.run = &run_bulk_inverses<Tree, T...>;
}

} // namespace warpint::execution

#endif
