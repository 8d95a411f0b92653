// SPDX-License-Identifier: Apache-2.0
// The kernel of reductions: each block reduces its share, and the block that finishes last reduces
// what the blocks found.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../evaluation/reducer.h"
#include "formula.h"

namespace warpint::execution {

inline constexpr int reduction_threads = 128;

// Of the elements, each of which a thread reads by itself or with its warp.
template <class Tree>
inline constexpr Cost reduction_cost = cost_of<Tree, char>;
template <class Tree>
WARPINT_HOST_DEVICE constexpr int elements_together(int capability) {
    constexpr Cost cost = reduction_cost<Tree>;
    return tuning::Known::elements_together(capability, cost);
}

// What the blocks of a reduction count together; all 0 before the launch and behind it.
struct ReductionState {
    static constexpr int max_columns = 2048;

    unsigned long long fault_count;
    unsigned long long last_complement; // the largest of ~index of those elements
    unsigned finished_blocks;
    unsigned unused;
    unsigned long long columns[max_columns]; // of column_sum.h
};

// What a reduction writes to the host.
template <class Accumulator>
struct ReductionResult {
    unsigned long long fault_count;
    unsigned long long last_complement;
    Accumulator value;
};

template <class T>
inline constexpr unsigned words_of_value = [] {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0 && alignof(T) >= 4);
    return static_cast<unsigned>(sizeof(T) / 4);
}();

// The value of the lane `distance` above; a lane without one gets its own.
template <class T>
__device__ __forceinline__ T from_lane_above(const T &x, unsigned distance) {
    T r = x;
    const std::uint32_t *const from = reinterpret_cast<const std::uint32_t *>(&x);
    std::uint32_t *const to = reinterpret_cast<std::uint32_t *>(&r);
    WARPINT_UNROLL(words_of_value<T>, 80)
    for (unsigned k = 0; k < words_of_value<T>; ++k)
        to[k] = __shfl_down_sync(0xffffffffu, from[k], distance);
    return r;
}

// The accumulators of a block's threads, combined in thread 0. shared has room for one a warp.
template <class Reducer, class Accumulator = typename Reducer::Accumulator>
__device__ void reduce_block(const Reducer &reducer, Accumulator &r, Accumulator *shared) {
    WARPINT_UNROLL(1, 0)
    for (unsigned distance = 16; distance > 0; distance /= 2)
        reducer.combine(r, from_lane_above(r, distance));
    const unsigned warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0)
        shared[warp] = r;
    __syncthreads();
    if (threadIdx.x == 0) {
        WARPINT_UNROLL(1, 0)
        for (unsigned other = 1; other < reduction_threads / 32; ++other)
            reducer.combine(r, shared[other]);
    }
    __syncthreads();
}

// What another block wrote, past this SM's cache.
template <class T>
__device__ __forceinline__ T load_partial(const T *from) {
    T r = *reinterpret_cast<const T *>(from); // every word is read again below
    std::uint32_t *const to = reinterpret_cast<std::uint32_t *>(&r);
    WARPINT_UNROLL(words_of_value<T>, 80)
    for (unsigned k = 0; k < words_of_value<T>; ++k)
        to[k] = __ldcg(reinterpret_cast<const unsigned *>(from) + k);
    return r;
}

template <class Reducer>
inline constexpr bool counts_numbers = false;
template <AnyNumber Value>
inline constexpr bool counts_numbers<CountReducer<Value>> = true;

// Lanes that count an element, in code for this architecture: several for formulas of numbers
// whose results are computed so.
template <class Reducer, class Tree>
WARPINT_HOST_DEVICE constexpr int counting_lanes([[maybe_unused]] int capability) {
    if constexpr (counts_numbers<Reducer> && expression::cost<Tree>.work == WorkKind::streaming) {
        constexpr Cost cost = gpu_cost<Tree>;
        const TuningRow row = tuning::Known::row(capability, cost, tuning::Slot::large);
        if (row.family == KernelFamily::lanes_per_number)
            return row.lanes;
    }
    return 1;
}

// The elements of [0, count) that the groups of lanes of this warp take.
template <int lanes, class Reducer, class Tree>
__device__ __forceinline__ void count_elements_over_lanes(typename Reducer::Accumulator &r,
                                                          ReductionFaults &faults,
                                                          std::size_t count, const Tree &tree) {
    constexpr unsigned L = lanes;
    constexpr unsigned numbers = 32 / L; // of a warp at once
    const unsigned lane = threadIdx.x % 32;
    const std::size_t warp = std::size_t{blockIdx.x} * (reduction_threads / 32) + threadIdx.x / 32;
    const std::size_t warps = std::size_t{gridDim.x} * (reduction_threads / 32);
    for (std::size_t first = warp * numbers; first < count; first += warps * numbers) {
        const std::size_t index = first + lane / L;
        const bool exists = index < count;
        bool fault = false;
        const bool holds = static_cast<bool>(
            evaluate(tree, LanesContext<lanes>{exists ? index : count - 1}, fault));
        if (exists && lane % L == 0) {
            if (fault) {
                faults.note(index);
            } else {
                r += holds ? 1u : 0u;
            }
        }
    }
}

// Folds the elements of [0, count) that this warp takes: those of all blocks of a grid are all.
template <class Reducer, class Tree>
__device__ __forceinline__ void
add_elements(const Reducer &reducer, typename Reducer::Accumulator &r, ReductionFaults &faults,
             std::size_t count, uint4 *staging, const Tree &tree) {
    constexpr int lanes = counting_lanes<Reducer, Tree>(WARPINT_COMPILED_CAPABILITY);
    if constexpr (lanes > 1) {
        count_elements_over_lanes<lanes, Reducer>(r, faults, count, tree);
        return;
    }
    constexpr int together = elements_together<Tree>(WARPINT_COMPILED_CAPABILITY);
    constexpr std::size_t piece = std::size_t{32} * together; // of a warp
    const std::size_t lane = threadIdx.x % 32;
    const std::size_t warp = std::size_t{blockIdx.x} * (reduction_threads / 32) + threadIdx.x / 32;
    const std::size_t warps = std::size_t{gridDim.x} * (reduction_threads / 32);
    std::size_t whole = 0; // elements in whole pieces
    if constexpr (together > 1) {
        using Value = std::remove_cvref_t<decltype(evaluate(
            tree, std::declval<const WarpContext &>(), std::declval<bool &>()))>;
        whole = count / piece * piece;
        for (std::size_t first = warp * piece; first < whole; first += warps * piece) {
            Value values[together];
            bool fault[together];
            WARPINT_UNROLL(together, 8)
            for (int k = 0; k < together; ++k) {
                const std::size_t here = first + static_cast<std::size_t>(k) * 32;
                fault[k] = false;
                values[k] = evaluate(
                    tree, WarpContext{nullptr, here, here + lane, 32, static_cast<unsigned>(lane)},
                    fault[k]);
            }
            WARPINT_UNROLL(together, 8)
            for (int k = 0; k < together; ++k) {
                if (fault[k]) {
                    faults.note(first + static_cast<std::size_t>(k) * 32 + lane);
                } else {
                    reducer.add(r, values[k]);
                }
            }
        }
    }
    for (std::size_t first = whole + warp * 32; first < count; first += warps * 32) {
        const std::size_t remaining = count - first;
        const WarpContext context{staging, first, first + lane,
                                  remaining < 32 ? static_cast<unsigned>(remaining) : 32u,
                                  static_cast<unsigned>(lane)};
        bool fault = false;
        const auto &value = evaluate(tree, context, fault);
        if (context.exists()) {
            if (fault) {
                faults.note(context.index);
            } else {
                reducer.add(r, value);
            }
        }
    }
}

template <class Reducer, class Tree>
__global__ void __launch_bounds__(reduction_threads)
    reduce_kernel(const __grid_constant__ Reducer reducer, std::size_t count,
                  unsigned staging_vectors, ReductionState *state,
                  typename Reducer::Accumulator *partials,
                  ReductionResult<typename Reducer::Accumulator> *result,
                  const __grid_constant__ Tree tree) {
    using Accumulator = typename Reducer::Accumulator;
    constexpr unsigned warps = reduction_threads / 32;
    extern __shared__ uint4 staging[];
    __shared__ alignas(16) unsigned char room[warps * sizeof(Accumulator)];
    __shared__ bool is_last;
    Accumulator *const shared = reinterpret_cast<Accumulator *>(room);

    Accumulator r = reducer.identity();
    ReductionFaults faults;
    add_elements(reducer, r, faults, count,
                 staging_vectors != 0 ? staging + threadIdx.x / 32 * staging_vectors : nullptr,
                 tree);
    if (faults.count != 0) {
        atomicAdd(&state->fault_count, static_cast<unsigned long long>(faults.count));
        atomicMax(&state->last_complement, ~static_cast<unsigned long long>(faults.first));
    }
    reduce_block(reducer, r, shared);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = r;
        __threadfence();
        is_last = atomicAdd(&state->finished_blocks, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    r = reducer.identity();
    for (unsigned block = threadIdx.x; block < gridDim.x; block += reduction_threads)
        reducer.combine(r, load_partial(partials + block));
    reduce_block(reducer, r, shared);
    if (threadIdx.x == 0) {
        result->fault_count = atomicExch(&state->fault_count, 0ull);
        result->last_complement = atomicExch(&state->last_complement, 0ull);
        result->value = r;
        state->finished_blocks = 0;
    }
}

} // namespace warpint::execution

#endif
