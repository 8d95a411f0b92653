// SPDX-License-Identifier: Apache-2.0
// The law of batches over lanes, on the GPU: formulas of numbers that a thread would take, forced
// into kernels of a given number of lanes and held against GMP (law_cases.h). CUDA only. Every
// outer operation is run over every number of lanes, with one inner operation in 24 of each turn.
#pragma once

#include "law_cases.h"

#include <warpint/execution/ways/formula_cuda.h>

namespace law {

// As the kernel of the family over lanes, for L lanes whatever the tuning rows say.
template <int L, class T, class Tree>
__global__ void __launch_bounds__(128)
    lanes_kernel(const __grid_constant__ warpint::execution::Target<T> target, std::size_t count,
                 const __grid_constant__ Tree tree) {
    namespace execution = warpint::execution;
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (thread / 32 * (32 / L) >= count)
        return;
    const std::size_t index = thread / L;
    const bool exists = index < count;
    const execution::LanesContext<L> context{exists ? index : count - 1};
    bool fault = false;
    const auto value = execution::evaluate_over_lanes<L, T>(tree, context, fault);
    execution::store_results_over_lanes<L>(std::index_sequence<0>{}, target, value, fault,
                                           context.index, exists);
}

// Runs the formula over L lanes and holds every element of the result, stored as Target, to GMP.
template <class Target, int L, class Outer, class Inner, int position, class Batch>
void run_over_lanes(const Batch &batch) {
    namespace execution = warpint::execution;
    const auto tree = build<Outer, Inner, position>(batch);
    using Tree = warpint::expression::lowered_t<std::remove_const_t<decltype(tree)>>;
    if constexpr (!execution::has_lane_form<Tree>) {
        static_assert(std::is_same_v<Outer, grid::PowerModulo> &&
                      position == 2); // such a modulus is never over lanes
        return;
    } else {
        const std::size_t count = element_count();
        // No element and no mark is right before the kernel has written it.
        DeviceVector<Target> result(std::vector<Target>(count, Target(-3)));
        DeviceVector<std::uint32_t> marks(
            std::vector<std::uint32_t>((count + 31) / 32, 0x5a5a5a5au));
        const unsigned blocks = static_cast<unsigned>((count * L + 127) / 128);
        lanes_kernel<L, Target, Tree>
            <<<blocks, 128>>>(execution::Target<Target>{{{{result.data(), marks.data()}}}}, count,
                              warpint::expression::lower_formula(tree, {true, 0}));
        REQUIRE(cudaGetLastError() == cudaSuccess);
        REQUIRE(cudaDeviceSynchronize() == cudaSuccess);

        Result read;
        read.shape = shape_of<Target>();
        read.element_bytes = static_cast<int>(sizeof(Target));
        const std::vector<Target> values = result.to_host();
        const auto *bytes = reinterpret_cast<const unsigned char *>(values.data());
        read.bytes.assign(bytes, bytes + values.size() * sizeof(Target));
        const std::vector<std::uint32_t> words = marks.to_host();
        for (std::size_t i = 0; i < count; ++i)
            read.faults.push_back((words[i / 32] >> (i % 32) & 1u) != 0);
        verify(batch.name + ", " + std::to_string(L) + " lanes",
               Pair{index_of<Outer>, index_of<Inner>, position}, batch.columns, read);
    }
}

// The pairs of this outer operation of which the number modulo `turns` is `turn`.
template <class Target, int L, int turns, int turn, class Outer, class Inner, class Batch>
void run_pair_over_lanes(const Batch &batch) {
    constexpr int number = index_of<Outer> + 2 * index_of<Inner>;
    if constexpr (number % turns == turn) {
        constexpr int position = number / turns % static_cast<int>(Outer::arity);
        run_over_lanes<Target, L, Outer, Inner, position>(batch);
    }
}
template <class Target, int L, int turns, int turn, class Outer, class Batch, class... Inner>
void run_inner_over_lanes(const Batch &batch, grid::List<Inner...>) {
    (run_pair_over_lanes<Target, L, turns, turn, Outer, Inner>(batch), ...);
}
template <class Target, int L, int turns, int turn, class Batch, class... Outer>
void run_pairs_over_lanes(const Batch &batch, grid::List<Outer...>) {
    (run_inner_over_lanes<Target, L, turns, turn, Outer>(batch, AllCases{}), ...);
}

} // namespace law
