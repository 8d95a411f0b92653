// SPDX-License-Identifier: Apache-2.0
// The kernel of formulas with cuts (cut.h): each thread evaluates a row of elements, that lie as
// far apart as the block has threads, so that the block reads and writes whole lines.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../evaluation/cut.h"
#include "../tuning/choose.h"

namespace warpint::execution {

// Elements of a thread: one inversion for them; a word of fault bits. Without inverses one.
template <class Formula>
inline constexpr int gpu_row = has_inversions<Formula> ? tuning::inverse_row : 1;
static_assert(tuning::inverse_row == 32); // RowsOfWarp

// Of a formula with its targets.
template <class Formula>
struct RowKernel;
template <class Rest, class... Cuts>
struct RowKernel<CutFormula<Rest, Cuts...>> {
    using Formula = CutFormula<Rest, Cuts...>;
    using Positions = std::index_sequence_for<Cuts...>;
    struct NoDivisors {};
    using Divisors = expression::Tuple<
        std::conditional_t<Cuts::inverts, arith::HostSmallDivisors, NoDivisors>...>;
    using Last = typename cut_t<Formula::cuts - 1, Formula>::Element;
    // Blocks per SM that the registers leave room for.
    static constexpr int min_blocks = [] {
        int bits = 0;
        ((bits = expression::larger(bits, expression::value_bits<typename Cuts::Element>)), ...);
        return has_inversions<Formula>
                   ? tuning::Known::inverse_blocks(WARPINT_COMPILED_CAPABILITY, bits)
                   : 1;
    }();
};

namespace detail {

// The rows of a warp, of 32 elements each, which lie one after another in the block, as
// arith::inverse_row takes its neighbours. All threads of the warp call together.
template <int k, class Row>
struct RowsOfWarp {
    static constexpr bool exist = true;
    // Rows that are multiplied one after another by the warp: 8 products each instead of 32 to 64.
    static constexpr int max_rows = 6;
    using Inverses = RowOfInverses<k, Row>;
    using T = typename Inverses::T;

    static __device__ __forceinline__ bool any(bool condition) {
        return limb::warp::any(limb::warp::all_lanes, condition);
    }
    template <class Ring, class Divisors>
    static __device__ __forceinline__ bool multiply(Inverses &own, const Ring &ring,
                                                    const Divisors &divisors,
                                                    arith::RowProduct<T> &product) {
        std::uint32_t wanted = limb::warp::ballot(limb::warp::all_lanes, product.wanted);
        if (__popc(wanted) > max_rows)
            return false;
        for (; wanted != 0; wanted &= wanted - 1)
            multiply_row(__ffs(static_cast<int>(wanted)) - 1, own, ring, divisors, product);
        return true;
    }

private:
    static __device__ __forceinline__ T of_lane(const T &x, int source) {
        T r;
        WARPINT_UNROLL(T::limb_count, T::limb_count)
        for (int i = 0; i < T::limb_count; ++i)
            r.limbs[i] = limb::warp::shuffle<32>(limb::warp::all_lanes, x.limbs[i],
                                                 static_cast<std::uint32_t>(source));
        return r;
    }
    // The row of lane `owner`: each lane takes an element, and products of neighbours are joined,
    // of 2, 4, ... 32.
    template <class Ring, class Divisors>
    static __device__ __forceinline__ void multiply_row(int owner, Inverses &own, const Ring &ring,
                                                        const Divisors &divisors,
                                                        arith::RowProduct<T> &product) {
        const int lane = static_cast<int>(limb::warp::lane());
        const auto of_owner = [owner](std::uint32_t word) {
            return limb::warp::shuffle<32>(limb::warp::all_lanes, word,
                                           static_cast<std::uint32_t>(owner));
        };
        Row row = own.row;
        row.begin = row.begin - static_cast<std::size_t>(lane) + static_cast<std::size_t>(owner);
        WARPINT_UNROLL(k + 1, k + 1)
        for (int cut = 0; cut <= k; ++cut)
            row.missing[cut][0] = of_owner(row.missing[cut][0]);
        Inverses inverses{row};
        bool out = inverses.is_left_out(lane);
        const bool annihilates = of_owner(product.annihilates ? 1 : 0) != 0;
        T x{};
        if (!out) {
            x = inverses.load(lane, out);
            out = out || divisors.divide(x, true);
        }
        bool found = false;
        if (annihilates) {
            const T c = of_lane(product.annihilator, owner);
            found = !out && ring.is_zero(ring.product(c, x));
            out = out || found;
        }
        T running = out ? ring.one() : ring.product(ring.one(), x);
        WARPINT_UNROLL(1, 0)
        for (int step = 1; step < 32; step *= 2) {
            const T below = of_lane(running, lane - step);
            const T joined = ring.product(below, running);
            if (lane >= step)
                running = joined;
        }
        const T before = of_lane(running, lane - 1);
        if (!out)
            inverses.set_prefix(lane, lane == 0 ? ring.one() : before);
        const std::uint32_t left_out = limb::warp::ballot(limb::warp::all_lanes, out);
        const bool found_any = any(found);
        const T whole = of_lane(running, 31);
        if (lane == owner) {
            own.row.missing[k][0] = left_out;
            product.value = whole;
            product.found_any = found_any;
            product.is_empty = left_out == 0xffffffffu;
            product.gave_up = ring.is_zero(whole);
            product.all = true;
            product.wanted = false;
        }
        __syncwarp();
    }
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
    using Method = BlockMethod<Operation>;
    using Value = typename expression::Node<Operation, Operands...>::value_type;
    __shared__ typename Method::Room room;
    const std::size_t index = row.index(i);
    const bool exists = index < row.count;
    const CutContext<Row> context{{index}, &row, i, nullptr};
    bool fault = !exists;
    [&]<std::size_t... p>(std::index_sequence<p...>) {
        const expression::Tuple<typename Operands::value_type...> operands{
            {block_operand(expression::item<p>(cut.operand.operands), context, exists, fault)}...};
        const bool takes_part = !fault;
        const Value value =
            Method::template run<Value>(room, takes_part, fault, expression::item<p>(operands)...);
        if (exists)
            row.template put<k>(i, value, !fault);
    }
    (std::index_sequence_for<Operands...>{});
}

// Cut after cut; the formula is evaluated with the last. All threads of a block loop equally.
template <class Row, class Formula, class Divisors, std::size_t... k>
__device__ __forceinline__ void evaluate_row(std::index_sequence<k...>, Row &row,
                                             const Formula &formula, const Divisors &divisors) {
    const auto compute = [&]<std::size_t at>(std::integral_constant<std::size_t, at>) {
        const auto &cut = expression::item<at>(formula.cut);
        if constexpr (std::remove_cvref_t<decltype(cut)>::inverts) {
            const auto ring = cut.ring(formula.rest);
            number::KnownDivisors<std::remove_const_t<decltype(ring)>> known{
                ring, expression::item<at>(divisors)};
            RowOfInverses<static_cast<int>(at), Row> inverses{row};
            arith::inverse_row(inverses, gpu_row<Formula>, ring, known,
                               RowsOfWarp<static_cast<int>(at), Row>{});
        } else {
            WARPINT_UNROLL(1, 0)
            for (int i = 0; i < gpu_row<Formula>; ++i)
                compute_together<static_cast<int>(at)>(row, i, cut);
        }
    };
    (compute(std::integral_constant<std::size_t, k>{}), ...);
}

} // namespace detail

template <class Formula, class... T>
__global__ void __launch_bounds__(tuning::row_threads, RowKernel<Formula>::min_blocks)
    row_per_thread_kernel(const __grid_constant__ Target<T...> target,
                          const __grid_constant__ CutScratch<Formula> scratch, std::size_t count,
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
    detail::evaluate_row(typename RowKernel<Formula>::Positions{}, row, formula, divisors);
    const std::uint32_t missing = row.missing[Formula::cuts - 1][0];
    [&]<std::size_t... p>(std::index_sequence<p...>) {
        if (((place<p>(target).faults == nullptr) && ...))
            return;
        WARPINT_UNROLL(1, 0)
        for (int i = 0; i < gpu_row<Formula>; ++i) {
            const unsigned mask = __ballot_sync(0xffffffffu, (missing >> i & 1u) != 0);
            if (threadIdx.x % 32 == 0 && row.index(i) < count) {
                ((place<p>(target).faults != nullptr
                      ? void(place<p>(target).faults[row.index(i) / 32] = mask)
                      : void()),
                 ...);
            }
        }
    }
    (std::index_sequence_for<T...>{});
}

} // namespace warpint::execution

#endif
