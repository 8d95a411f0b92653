// SPDX-License-Identifier: Apache-2.0
// The kernel of formulas with cuts (cut.h): each thread evaluates a row of elements, that lie as
// far apart as the block has threads, so that the block reads and writes whole lines.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../evaluation/cut.h"
#include "../evaluation/rows_of_warp.h"
#include "../tuning/choose.h"

namespace warpint::execution {

// Elements of a thread: one inversion for them; a word of fault bits. Without inverses one.
template <class Formula>
inline constexpr int gpu_row = Formula::inverts ? tuning::inverse_row : 1;
static_assert(tuning::inverse_row == 32); // rows_of_warp.h

// Of a formula with its targets.
template <class Formula>
struct RowKernel;
template <class Rest, class... Cuts>
struct RowKernel<CutFormula<Rest, Cuts...>> {
    using Formula = CutFormula<Rest, Cuts...>;
    struct NoDivisors {};
    using Divisors = expression::Tuple<
        std::conditional_t<Cuts::inverts, arith::HostSmallDivisors, NoDivisors>...>;
    using Last = typename cut_t<Formula::cuts - 1, Formula>::Element;
    // Blocks per SM that the registers leave room for.
    static constexpr int min_blocks = [] {
        constexpr int bits =
            expression::greatest(expression::value_bits<typename Cuts::Element>...);
        return Formula::inverts ? tuning::Known::inverse_blocks(WARPINT_COMPILED_CAPABILITY, bits)
                                : 1;
    }();
};

namespace detail {

// The warp of a thread, as RowsOfWarp takes it.
struct WarpOfThread {
    __device__ __forceinline__ int lane() const { return static_cast<int>(threadIdx.x % 32); }
    __device__ __forceinline__ std::uint32_t ballot(bool condition) const {
        return __ballot_sync(0xffffffffu, condition);
    }
    __device__ __forceinline__ std::uint32_t of_lane(std::uint32_t word, int source) const {
        return __shfl_sync(0xffffffffu, word, source);
    }
    __device__ __forceinline__ void synchronize() const { __syncwarp(); }
};

// An operand of what a block does together; 0 where there is no element.
template <class Operand, class Context>
__device__ __forceinline__ auto block_operand(const Operand &operand, const Context &context,
                                              bool exists, bool &fault) {
    if constexpr (expression::is_constant<Operand>) {
        return operand.value;
    } else {
        typename Operand::value_type x{};
        if (exists)
            x = evaluate(operand, context, fault);
        return x;
    }
}
// Element i of each thread's row, by all threads of the block.
template <int k, class Row, class Operation, class... Operands>
__device__ __forceinline__ void
compute_together(Row &row, int i,
                 const CutTogether<expression::Node<Operation, Operands...>> &cut) {
    using Node = expression::Node<Operation, Operands...>;
    using Engine = block_engine_t<Node>;
    using Value = typename Node::value_type;
    __shared__ typename Engine::Room room;
    const std::size_t index = row.index(i);
    const bool exists = index < row.count;
    const CutContext<Row> context{{index}, &row, i, nullptr};
    bool fault = !exists;
    [&]<std::size_t... p>(std::index_sequence<p...>) {
        const expression::Tuple<typename Operands::value_type...> operands{
            {block_operand(expression::item<p>(cut.operand.operands), context, exists, fault)}...};
        Value value{};
        const bool undone = cut.operand.together(Engine{{}, &room}, &value, fault ? 0 : 1,
                                                 BlockOperand<typename Operands::value_type>{
                                                     expression::item<p>(operands)}...) != 0;
        if (undone && !fault)
            value = cut.operand.apply(fault, expression::item<p>(operands)...);
        if (exists)
            row.template put<k>(i, value, !fault);
    }
    (std::index_sequence_for<Operands...>{});
}

// Cut k of a row. All threads of the block loop equally.
template <int k, class Row, class Formula, class Divisors>
__device__ __forceinline__ void compute_cut(Row &row, const Formula &formula,
                                            const Divisors &divisors) {
    const auto &cut = expression::item<k>(formula.cut);
    if constexpr (std::remove_cvref_t<decltype(cut)>::inverts) {
        const auto ring = cut.ring(formula.rest);
        number::KnownDivisors<std::remove_const_t<decltype(ring)>> known{
            ring, expression::item<k>(divisors)};
        RowOfInverses<k, Row> inverses{row};
        const RowsOfWarp<k, Row, WarpOfThread> neighbours{};
        constexpr int limbs = decltype(inverses)::T::limb_count;
        if constexpr (limbs > tuning::called_inverse_limbs && limbs <= arith::register_limbs) {
            arith::inverse_row_inlined(inverses, gpu_row<Formula>, ring, known, neighbours);
        } else {
            arith::inverse_row(inverses, gpu_row<Formula>, ring, known, neighbours);
        }
    } else {
        WARPINT_UNROLL(1, 0)
        for (int i = 0; i < gpu_row<Formula>; ++i)
            compute_together<k>(row, i, cut);
    }
}
// Cut after cut; the formula is evaluated with the last.
template <class Row, class Formula, class Divisors, std::size_t... k>
__device__ __forceinline__ void evaluate_row(std::index_sequence<k...>, Row &row,
                                             const Formula &formula, const Divisors &divisors) {
    (compute_cut<static_cast<int>(k)>(row, formula, divisors), ...);
}

} // namespace detail

template <class Formula, class... T>
__global__ void __launch_bounds__(tuning::row_threads, RowKernel<Formula>::min_blocks)
    row_per_thread_kernel(const __grid_constant__ Target<T...> target,
                          const __grid_constant__ typename Formula::Scratch scratch,
                          std::size_t count,
                          const __grid_constant__ typename RowKernel<Formula>::Divisors divisors,
                          const __grid_constant__ Formula formula) {
    CutRow<Formula, gpu_row<Formula>, StoreInto<T...>> row{
        formula,
        {target},
        scratch,
        std::size_t{blockIdx.x} * (tuning::row_threads * gpu_row<Formula>)+threadIdx.x,
        tuning::row_threads,
        count,
        0};
    detail::evaluate_row(typename Formula::Positions{}, row, formula, divisors);
    const std::uint32_t missing = row.missing[Formula::cuts - 1][0];
    [&]<std::size_t... p>(std::index_sequence<p...>) {
        if (((place<p>(target).faults == nullptr) && ...))
            return;
        WARPINT_UNROLL(1, 0)
        for (int i = 0; i < gpu_row<Formula>; ++i) {
            const unsigned mask = __ballot_sync(0xffffffffu, (missing >> i & 1u) != 0);
            if (threadIdx.x % 32 == 0 && row.index(i) < count)
                set_fault_word(target, row.index(i) / 32, mask);
        }
    }
    (std::index_sequence_for<T...>{});
}

} // namespace warpint::execution

#endif
