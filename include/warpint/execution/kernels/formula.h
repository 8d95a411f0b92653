// SPDX-License-Identifier: Apache-2.0
// The kernel of formulas. It computes in one of two families: a thread per number, or several lanes
// of a warp per number. Which one is said by the row it is compiled with.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../evaluation/over_lanes.h"
#include "../evaluation/staged_operands.h"
#include "../evaluation/tensor_power.h"
#include "../evaluation/warp_context.h"
#include "../plan/tuning/choose.h"

namespace warpint::execution {

// The row that a kernel is compiled with: in device code that of the architecture it is compiled
// for.
template <class Tree, tuning::Slot slot, class... T>
inline constexpr TuningRow compiled_row =
    tuning::Known::row(WARPINT_COMPILED_CAPABILITY, gpu_cost<Tree, T...>, slot);
template <class Tree, tuning::Slot slot, class... T>
inline constexpr bool is_over_lanes =
    compiled_row<Tree, slot, T...>.family == KernelFamily::lanes_per_number;

// Whether a formula has a kernel of its own for small batches: the same on all architectures.
template <class Tree, class... T>
inline constexpr bool has_small_kernel = tuning::Known::has_small(gpu_cost<Tree, T...>);

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
__device__ __forceinline__ void store_results(std::index_sequence<i...>, const Target<T...> &target,
                                              const Value &value, bool fault,
                                              const WarpContext &context) {
    (store_result(place<i>(target), result<i, sizeof...(T)>(value), fault, context), ...);
    if (((place<i>(target).faults != nullptr) || ...)) {
        const unsigned mask = __ballot_sync(0xffffffffu, fault && context.exists());
        if (context.lane == 0)
            set_fault_word(target, context.index / 32, mask);
    }
}

// What the threads of a grid compute: results for elements [0, count), `elements` each.
// staging_vectors: shared memory of a warp in vectors of 16 bytes; 0: each thread reads by itself.
template <std::size_t elements, class Tree, class... T>
__device__ __forceinline__ void compute_in_threads(const Target<T...> &target, std::size_t count,
                                                   unsigned staging_vectors, const Tree &tree) {
    extern __shared__ uint4 shared[];
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
        const auto &value = evaluate_for<T...>(tree, context, fault);
        const auto &second_value = evaluate_for<T...>(tree, second, second_fault);
        store_results(std::index_sequence_for<T...>{}, target, value, fault, context);
        if (second.warp_elements != 0) {
            store_results(std::index_sequence_for<T...>{}, target, second_value, second_fault,
                          second);
        }
    } else if constexpr (is_staged<Tree, T...>) {
        const auto value = evaluate_staged(tree, context, fault);
        store_results(std::index_sequence_for<T...>{}, target, value, fault, context);
    } else {
        const auto &value = evaluate_for<T...>(tree, context, fault);
        store_results(std::index_sequence_for<T...>{}, target, value, fault, context);
    }
}

// ---- several lanes per number

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
__device__ __forceinline__ auto evaluate_over_lanes(const Tree &tree,
                                                    const LanesContext<L> &context, bool &fault) {
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

// Formulas that are one exact product of numbers of one width, or a square, stored at twice the
// width: it leaves as it comes.
template <int L, class Factor, class T>
inline constexpr bool is_stored_at_twice_width = [] {
    if constexpr (BigNumber<Factor>) {
        using W = lane_number_t<L, Factor>;
        return warp_int::has_stored_product<W> && std::is_same_v<T, BigInt<2 * W::bits>>;
    }
    return false;
}();
template <int L, class Tree, class... T>
inline constexpr bool is_stored_product = false;
template <int L, class Operation, class A, class... B, class T>
    requires(Operation::is_product)
inline constexpr bool is_stored_product<L, Node<Operation, A, B...>, T> =
    (std::is_same_v<typename A::value_type, typename B::value_type> && ...) &&
    is_stored_at_twice_width<L, typename A::value_type, T>;

// Nothing but the address lives across the rows: faults are stored before them, a factor is made 0
// where there is no value, and lanes beyond the end write the last element again.
template <int L, class Tree, class T>
__device__ __forceinline__ void store_product_over_lanes(const Target<T> &target, const Tree &tree,
                                                         const LanesContext<L> &context,
                                                         bool exists) {
    using Factor = std::remove_cvref_t<decltype(item<0>(tree.operands))>;
    using W = lane_number_t<L, typename Factor::value_type>;
    bool fault = false;
    W a = warp_int::to<W>(evaluate(item<0>(tree.operands), context, fault));
    const W b = [&] {
        if constexpr (requires { item<1>(tree.operands); }) {
            return warp_int::to<W>(evaluate(item<1>(tree.operands), context, fault));
        } else {
            return a;
        }
    }();
    const auto &to = place<0>(target);
    const unsigned faults = __ballot_sync(0xffffffffu, fault);
    if (faults != 0)
        a = warp_int::select(fault, W(0), a);
    if (to.faults != nullptr)
        store_faults<L>(to.faults, context.index, faults, threadIdx.x % 32, exists);
    warpint::lanes::multiply_and_store<W::limbs_per_lane, W::limb_count>(
        typename W::group{}, to.data[context.index].limbs, a.words, b.words);
}

// What the threads of a grid compute: results for elements [0, count), over L lanes each; of powers
// for those that are marked, unless null. Warps leave as a whole.
template <int L, class Tree, class... T>
__device__ __forceinline__ void compute_over_lanes(const Target<T...> &target, std::size_t count,
                                                   [[maybe_unused]] const std::uint32_t *marked,
                                                   const Tree &tree) {
    const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (thread / 32 * (32 / L) >= count)
        return;
    const std::size_t index = thread / L;
    bool exists = index < count;
    const LanesContext<L> context{exists ? index : count - 1};
    if constexpr (is_tensor_power<Tree>) {
        if (marked != nullptr) {
            exists = exists && (marked[index / 32] >> (index % 32) & 1u) != 0;
            if (!__any_sync(0xffffffffu, exists))
                return;
        }
    }
    if constexpr (is_stored_product<L, Tree, T...>) {
        store_product_over_lanes(target, tree, context, exists);
    } else {
        bool fault = false;
        const auto value = evaluate_over_lanes<L, T...>(tree, context, fault);
        store_results_over_lanes<L>(std::index_sequence_for<T...>{}, target, value, fault,
                                    context.index, exists);
    }
}

// ---- the kernel

// Results of the formula for elements [0, count), as the slot's row has it. staging_vectors: as
// compute_in_threads() takes it; 0 over lanes. marked: null, or a bit for each element: the others
// are left alone. For powers over lanes, which leave the others to tensor cores.
template <tuning::Slot slot, class Tree, class... T>
__global__ void __launch_bounds__((compiled_row<Tree, slot, T...>.threads_per_block),
                                  (compiled_row<Tree, slot, T...>.min_blocks))
    formula_kernel(const __grid_constant__ Target<T...> target, std::size_t count,
                   unsigned staging_vectors, const std::uint32_t *marked,
                   const __grid_constant__ Tree tree) {
    if constexpr (is_over_lanes<Tree, slot, T...>) {
        compute_over_lanes<compiled_row<Tree, slot, T...>.lanes>(target, count, marked, tree);
    } else {
        constexpr Cost cost = cost_of<Tree, T...>;
        constexpr std::size_t elements =
            tuning::Known::elements_of_thread(WARPINT_COMPILED_CAPABILITY, cost);
        compute_in_threads<elements>(target, count, staging_vectors, tree);
    }
}

} // namespace warpint::execution

#endif
