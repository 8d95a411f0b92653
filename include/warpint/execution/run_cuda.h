// SPDX-License-Identifier: Apache-2.0
// Running a formula on a GPU: the kernels of the two families, a thread per number and several lanes
// of a warp per number, and their launch (plan_cuda.h decides on it). Which family a formula is
// compiled for follows from its type (is_over_lanes).
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "cuda_support.h"
#include "held_operands.h"
#include "over_lanes.h"
#include "tuning/lanes_rows.h"
#include "tuning/rows.h"
#include "warp_context.h"

namespace warpint::execution {

// Whether a formula is held (held_operands.h) for these targets: results leave through the same
// shared memory.
template <class Tree, class... T>
inline constexpr bool is_held =
    Held<Tree>::operands != 0 &&
    ((staging_bytes_per_warp(static_cast<int>(sizeof(T))) <= default_shared_bytes) && ...);

// The row that a kernel's launch bounds come from: the library's own, for the architecture it is
// compiled for and large batches.
template <class Tree, class... T>
WARPINT_HOST_DEVICE constexpr TuningRow compiled_row(int compute_capability) {
    constexpr Work work = work_of<Tree, T...>();
    return tuning::row_for(work, ~std::size_t{0}, compute_capability);
}

// The blocks that a multiprocessor shall hold: the row's, and of products modulo m that are held as
// many as their registers allow.
template <class Tree, class... T>
WARPINT_HOST_DEVICE constexpr int compiled_min_blocks(int compute_capability) {
    using H = Held<Tree>;
    constexpr int blocks =
        is_held<Tree, T...> && H::folded_limbs > 0
            ? tuning::folded_blocks(H::folded_limbs, H::operands, H::shares_modulus, H::subtracts)
            : 0;
    return blocks > 0 ? blocks : compiled_row<Tree, T...>(compute_capability).min_blocks;
}

namespace detail {

template <class T, class Value>
__device__ __forceinline__ void store_result(const Place<T> &place, const Value &value, bool fault,
                                             const WarpContext &context) {
    context.store(place.data, stored<T>(value), fault);
}

template <class T, class Value>
__device__ __forceinline__ void store_result(const Place<expression::InLimbRows<T>> &place,
                                             const Value &value, bool fault,
                                             const WarpContext &context) {
    if (context.exists())
        place.data.store(context.index, fault ? T{} : stored<T>(value));
}

template <class... T, class Value, std::size_t... i>
__device__ __forceinline__ void store_results(std::index_sequence<i...>,
                                              const Target<T...> &target, const Value &value,
                                              bool fault, const WarpContext &context) {
    (store_result(place<i>(target), result<i, sizeof...(T)>(value), fault, context), ...);
    if (((place<i>(target).faults != nullptr) || ...)) {
        const unsigned mask = __ballot_sync(0xffffffffu, fault && context.exists());
        if (context.lane == 0) {
            ((place<i>(target).faults != nullptr
                  ? void(place<i>(target).faults[context.index / 32] = mask)
                  : void()),
             ...);
        }
    }
}

} // namespace detail

// Elements of a thread: two where a formula streams so few bytes that too few are under way; both
// are loaded before one is stored. a << k and a < b of 64 bits: 1.01 and 1.03 of a copy on an H200,
// with one 0.79 and 0.84.
template <class Tree, class... T>
inline constexpr unsigned elements_of_thread =
    work_of<Tree, T...>().kind == WorkKind::streaming && work_of<Tree, T...>().bytes_moved < 20 &&
            !expression::properties<Tree>.runs_user_code && !is_held<Tree, T...>
        ? 2
        : 1;

// Results of the formula for elements [0, count), elements_of_thread for each. staging_vectors:
// shared memory of a warp in vectors of 16 bytes; 0: each thread reads by itself.
template <class Tree, class... T>
__global__ void __launch_bounds__(
    (compiled_row<Tree, T...>(WARPINT_COMPILED_CAPABILITY).threads_per_block),
    (compiled_min_blocks<Tree, T...>(WARPINT_COMPILED_CAPABILITY)))
    thread_per_number_kernel(const __grid_constant__ Target<T...> target, std::size_t count,
                             unsigned staging_vectors, const __grid_constant__ Tree tree) {
    extern __shared__ uint4 shared[];
    constexpr std::size_t elements = elements_of_thread<Tree, T...>;
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    const std::size_t warp_first = (thread - lane) * elements;
    if (warp_first >= count)
        return;
    const std::size_t remaining = count - warp_first;
    const WarpContext context{
        staging_vectors != 0 ? shared + threadIdx.x / 32 * staging_vectors : nullptr, warp_first,
        warp_first + lane, remaining < 32 ? static_cast<unsigned>(remaining) : 32u, lane};
    bool fault = false;
    if constexpr (elements == 2) {
        WarpContext second = context;
        second.warp_first += 32;
        second.index += 32;
        second.warp_elements = remaining < 32   ? 0u
                               : remaining < 64 ? static_cast<unsigned>(remaining) - 32u
                                                : 32u;
        bool second_fault = false;
        const auto &value = evaluate(tree, context, fault);
        const auto &second_value = evaluate(tree, second, second_fault);
        detail::store_results(std::index_sequence_for<T...>{}, target, value, fault, context);
        if (second.warp_elements != 0) {
            detail::store_results(std::index_sequence_for<T...>{}, target, second_value,
                                  second_fault, second);
        }
    } else if constexpr (is_held<Tree, T...>) {
        const auto value = evaluate_held(tree, context, fault);
        detail::store_results(std::index_sequence_for<T...>{}, target, value, fault, context);
    } else {
        const auto &value = evaluate(tree, context, fault);
        detail::store_results(std::index_sequence_for<T...>{}, target, value, fault, context);
    }
}

// ---- several lanes per number

// The row of a formula over lanes, for its type and a batch of this size; of the thread family if
// lanes do not pay or an operation has no form over lanes.
template <class Tree, std::size_t count = tuning::any_count>
inline constexpr TuningRow lanes_row = [] {
    constexpr detail::LaneShape shape = lane_shape<Tree>;
    constexpr expression::Properties properties = expression::properties<Tree>;
    constexpr int bits =
        properties.work == WorkKind::streaming ? properties.widest_bits : shape.bits;
    return shape.supported
               ? tuning::lanes_row_for(properties.work, bits, properties.power_bits, count,
                                       shape.takes_roots, shape.takes_cofactors, shape.folds)
               : TuningRow{};
}();
template <class Tree>
inline constexpr bool is_over_lanes =
    lanes_row<Tree>.family == KernelFamily::lanes_per_number;
// Whether small batches have a kernel of their own, with more lanes for each number.
template <class Tree>
inline constexpr bool has_small_kernel =
    is_over_lanes<Tree> &&lanes_row<Tree, 0>.family == KernelFamily::lanes_per_number &&
    lanes_row<Tree, 0>.lanes != lanes_row<Tree>.lanes;

namespace detail {

// Sets the fault bits of a warp's elements, which are part of a word: bit l L of `bits` for element
// l.
template <int L>
__device__ __forceinline__ void store_faults(std::uint32_t *faults, std::size_t index,
                                             unsigned ballot, unsigned lane, bool exists) {
    if (!exists || lane % L != 0)
        return;
    const unsigned bit = 1u << (index % 32);
    if ((ballot >> lane & 1u) != 0) {
        atomicOr(faults + index / 32, bit);
    } else {
        atomicAnd(faults + index / 32, ~bit);
    }
}

template <class T, class Value>
__device__ __forceinline__ void store_over_lanes(const Place<T> &place, const Value &value,
                                                 bool fault, std::size_t index, bool exists,
                                                 bool first) {
    if constexpr (WarpNumber<Value> && BigNumber<T>) {
        using R = lane_number_t<Value::lanes, T>;
        const R stored = warp_int::select(fault, R(0), warp_int::to<R>(value));
        if (exists)
            stored.store(place.data + index);
    } else {
        T plain{};
        if constexpr (WarpNumber<Value>) {
            plain = static_cast<T>(value);
        } else {
            plain = stored<T>(value);
        }
        if (exists && first)
            place.data[index] = fault ? T{} : plain;
    }
}

// The value for these targets, of the target's width where there is one.
template <int L, class... T, class Tree>
__device__ __forceinline__ auto evaluate_for(const Tree &tree, const LanesContext<L> &context,
                                             bool &fault) {
    if constexpr (sizeof...(T) == 1 && (BigNumber<T> && ...) &&
                  AnyNumber<typename Tree::value_type>) {
        return evaluate_modulo<lane_number_t<L, T>...>(tree, context, fault);
    } else {
        return evaluate(tree, context, fault);
    }
}

template <int L, class... T, class Value, std::size_t... i>
__device__ __forceinline__ void
store_results_over_lanes(std::index_sequence<i...>, const Target<T...> &target, const Value &value,
                         bool fault, std::size_t index, bool exists) {
    const unsigned lane = threadIdx.x % 32;
    (store_over_lanes(place<i>(target), result<i, sizeof...(T)>(value), fault, index, exists,
                      lane % L == 0),
     ...);
    const unsigned ballot = __ballot_sync(0xffffffffu, fault);
    ((place<i>(target).faults != nullptr
          ? store_faults<L>(place<i>(target).faults, index, ballot, lane, exists)
          : void()),
     ...);
}

// Formulas that are one exact product of numbers of one width, stored at twice the width: it leaves
// as it comes. Wider ones are left to Karatsuba's method.
template <int L, class Tree, class... T>
inline constexpr bool is_stored_product = false;
template <int L, class A, class B, class T>
requires(std::is_same_v<typename A::value_type, typename B::value_type> &&
         BigNumber<typename A::value_type>)
inline constexpr bool is_stored_product<L, expression::Node<operation::Multiply, A, B>, T> = [] {
    using W = lane_number_t<L, typename A::value_type>;
    return warp_int::has_stored_product<W> && W::limb_count < warpint::lanes::karatsuba_limbs &&
           std::is_same_v<T, BigInt<2 * W::bits>>;
}();

// Nothing but the address lives across the rows: faults are stored before them, a factor is made 0
// where there is no value, and lanes beyond the end write the last element again.
template <int L, class Tree, class T>
__device__ __forceinline__ void store_product_over_lanes(const Target<T> &target, const Tree &tree,
                                                         const LanesContext<L> &context,
                                                         bool exists) {
    using Factor = std::remove_cvref_t<decltype(expression::slot<0>(tree.operands))>;
    using W = lane_number_t<L, typename Factor::value_type>;
    bool fault = false;
    W a = warp_int::to<W>(evaluate(expression::slot<0>(tree.operands), context, fault));
    const W b = warp_int::to<W>(evaluate(expression::slot<1>(tree.operands), context, fault));
    const auto &to = place<0>(target);
    const unsigned faults = __ballot_sync(0xffffffffu, fault);
    if (faults != 0)
        a = warp_int::select(fault, W(0), a);
    if (to.faults != nullptr)
        store_faults<L>(to.faults, context.index, faults, threadIdx.x % 32, exists);
    warpint::lanes::multiply_and_store<W::words_per_lane, W::limb_count>(
        typename W::group{}, to.data[context.index].limbs, a.words, b.words);
}

} // namespace detail

// Results of the formula for elements [0, count), the lanes of lanes_row<Tree, batch> each. Warps
// leave as a whole.
template <std::size_t batch, class Tree, class... T>
__global__ void __launch_bounds__((lanes_row<Tree, batch>.threads_per_block),
                                  (lanes_row<Tree, batch>.min_blocks))
    lanes_per_number_kernel(const __grid_constant__ Target<T...> target, std::size_t count,
                            const __grid_constant__ Tree tree) {
    constexpr int L = lanes_row<Tree, batch>.lanes;
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (thread / 32 * (32 / L) >= count)
        return;
    const std::size_t index = thread / L;
    const bool exists = index < count;
    const LanesContext<L> context{exists ? index : count - 1};
    if constexpr (detail::is_stored_product<L, Tree, T...>) {
        detail::store_product_over_lanes(target, tree, context, exists);
    } else {
        bool fault = false;
        const auto value = detail::evaluate_for<L, T...>(tree, context, fault);
        detail::store_results_over_lanes<L>(std::index_sequence_for<T...>{}, target, value, fault,
                                            context.index, exists);
    }
}

// The window of powers over lanes whose exponents differ, in bits; 0 without one.
template <std::size_t batch, class Tree>
inline constexpr int lanes_window = 0;
template <std::size_t batch, class Operation, class... Operands>
inline constexpr int lanes_window<batch, expression::Node<Operation, Operands...>> = [] {
    int window = 0;
    ((window = expression::larger(window, lanes_window<batch, Operands>)), ...);
    return window;
}();
template <std::size_t batch, class A, class E, class M>
requires AnyNumber<typename E::value_type>
inline constexpr int lanes_window<batch, expression::Node<operation::Power, A, E, M>> = [] {
    using Whole = expression::Node<operation::Power, A, E, M>;
    constexpr int count = lanes_row<Whole, batch>.lanes;
    return lanes::power_window<
        warp_int::word_count<expression::value_bits<typename M::value_type>, count>,
        expression::value_bits<typename E::value_type>>;
}();

// The kernel that a formula was compiled for.
template <class Tree, class... T>
auto formula_kernel() {
    if constexpr (is_over_lanes<Tree>) {
        return lanes_per_number_kernel<tuning::any_count, Tree, T...>;
    } else {
        return thread_per_number_kernel<Tree, T...>;
    }
}

// Launches the formula on the stream of the current device. Does not synchronise.
template <class Tree, class... T>
void run_on_gpu(const Target<T...> &target, std::size_t count, const Tree &tree, const Plan &plan,
                cudaStream_t stream) {
    const std::size_t threads = static_cast<std::size_t>(plan.threads_per_block);
    if constexpr (is_over_lanes<Tree>) {
        const std::size_t numbers = threads / static_cast<std::size_t>(plan.lanes);
        const unsigned blocks = static_cast<unsigned>((count + numbers - 1) / numbers);
        auto kernel = lanes_per_number_kernel<tuning::any_count, Tree, T...>;
        if constexpr (has_small_kernel<Tree>) {
            if (plan.lanes == lanes_row<Tree, 0>.lanes)
                kernel = lanes_per_number_kernel<0, Tree, T...>;
        }
        kernel<<<blocks, static_cast<unsigned>(threads), 0, stream>>>(target, count, tree);
        check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
    } else {
        const std::size_t elements = threads * elements_of_thread<Tree, T...>;
        const std::size_t blocks = (count + elements - 1) / elements;
        thread_per_number_kernel<Tree, T...>
            <<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads),
               static_cast<std::size_t>(plan.shared_bytes), stream>>>(
                target, count,
                static_cast<unsigned>(plan.shared_bytes / (plan.threads_per_block / 32) / 16), tree);
        check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
    }
}

} // namespace warpint::execution

#endif
