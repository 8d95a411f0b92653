// SPDX-License-Identifier: Apache-2.0
// Reducing a formula on a GPU: one launch, in which each block reduces its share and the block that
// finishes last reduces what the blocks found.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "fit.h"
#include "kernel_facts.h"
#include "memory.h"
#include "reducer.h"
#include "run_cuda.h"

#include <memory>

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
    static constexpr int most_columns = 2048;

    unsigned long long fault_count;
    unsigned long long last_complement; // the largest of ~index of those elements
    unsigned finished_blocks;
    unsigned unused;
    unsigned long long columns[most_columns]; // of column_sum_cuda.h
};

// What a reduction writes to the host.
template <class Accumulator>
struct ReductionResult {
    unsigned long long fault_count;
    unsigned long long last_complement;
    Accumulator value;
};

// Memory of reductions on one GPU: the state, then one partial result for each block, and pinned
// memory for the result. A reduction has it for itself until its stream has ended; it is kept for
// the next one, because making it would take longer than most reductions.
class ReductionRoom {
public:
    // Of the current device, with room for so many bytes behind the state and in the result.
    ReductionRoom(int device, std::size_t partial_bytes, std::size_t result_bytes)
        : device_{device} {
        {
            const std::lock_guard lock(mutex());
            auto &kept = rooms(device);
            if (!kept.empty()) {
                memory_ = kept.back();
                kept.pop_back();
            }
        }
        const RelaxedCapture relaxed;
        if (memory_.partial_bytes < partial_bytes) {
            cudaFree(memory_.device);
            memory_.device = nullptr;
            memory_.partial_bytes = 0;
            const std::size_t bytes = std::max(partial_bytes, std::size_t{1} << 18);
            make(cudaMalloc(&memory_.device, state_bytes + bytes), "warpint: cudaMalloc");
            make(cudaMemset(memory_.device, 0, state_bytes), "warpint: cudaMemset");
            memory_.partial_bytes = bytes;
        }
        if (memory_.result_bytes < result_bytes) {
            cudaFreeHost(memory_.host);
            memory_.host = nullptr;
            memory_.result_bytes = 0;
            const std::size_t bytes = std::max(result_bytes, std::size_t{1} << 12);
            make(cudaMallocHost(&memory_.host, bytes), "warpint: cudaMallocHost");
            memory_.result_bytes = bytes;
        }
    }
    // Given back only by keep(): after an error the state may not be 0.
    ~ReductionRoom() = default;
    ReductionRoom(const ReductionRoom &) = delete;
    ReductionRoom &operator=(const ReductionRoom &) = delete;
    void keep() {
        const std::lock_guard lock(mutex());
        rooms(device_).push_back(memory_);
    }

    [[nodiscard]] ReductionState *state() const {
        return static_cast<ReductionState *>(memory_.device);
    }
    [[nodiscard]] void *partials() const {
        return static_cast<char *>(memory_.device) + state_bytes;
    }
    [[nodiscard]] void *result() const { return memory_.host; }

private:
    static constexpr std::size_t state_bytes = (sizeof(ReductionState) + 255) / 256 * 256;
    struct Memory {
        void *device = nullptr;
        void *host = nullptr;
        std::size_t partial_bytes = 0;
        std::size_t result_bytes = 0;
    };
    void make(cudaError_t error, const char *what) {
        if (error != cudaSuccess) {
            cudaFree(memory_.device);
            cudaFreeHost(memory_.host);
        }
        check_cuda(error, what);
    }
    static std::mutex &mutex() {
        static auto *const one = new std::mutex; // outlives every vector
        return *one;
    }
    static std::vector<Memory> &rooms(int device) {
        static auto *const all = new std::vector<std::vector<Memory>>(64);
        return (*all)[static_cast<std::size_t>(device & 63)];
    }

    int device_;
    Memory memory_;
};

namespace detail {

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

// What another block wrote, past this multiprocessor's cache.
template <class T>
__device__ __forceinline__ T load_partial(const T *from) {
    T r = *reinterpret_cast<const T *>(from); // every word is read again below
    std::uint32_t *const to = reinterpret_cast<std::uint32_t *>(&r);
    WARPINT_UNROLL(words_of_value<T>, 80)
    for (unsigned k = 0; k < words_of_value<T>; ++k)
        to[k] = __ldcg(reinterpret_cast<const unsigned *>(from) + k);
    return r;
}

} // namespace detail

// Whether elements are counted over lanes: formulas whose results are computed so.
template <class Reducer, class Tree>
inline constexpr bool counts_over_lanes = false;
template <AnyNumber Value, class Tree>
inline constexpr bool counts_over_lanes<CountReducer<Value>, Tree> =
    is_over_lanes<Tree> &&expression::cost<Tree>.work == WorkKind::streaming;

// The elements of [0, count) that the groups of lanes of this warp take.
template <class Reducer, class Tree>
__device__ __forceinline__ void count_elements_over_lanes(typename Reducer::Accumulator &r,
                                                          ReductionFaults &faults,
                                                          std::size_t count, const Tree &tree) {
    constexpr unsigned L = static_cast<unsigned>(compiled_row<Tree, tuning::Slot::large>.lanes);
    constexpr unsigned numbers = 32 / L; // of a warp at once
    const unsigned lane = threadIdx.x % 32;
    const std::size_t warp = std::size_t{blockIdx.x} * (reduction_threads / 32) + threadIdx.x / 32;
    const std::size_t warps = std::size_t{gridDim.x} * (reduction_threads / 32);
    for (std::size_t first = warp * numbers; first < count; first += warps * numbers) {
        const std::size_t index = first + lane / L;
        const bool exists = index < count;
        bool fault = false;
        const bool holds = static_cast<bool>(
            evaluate(tree, LanesContext<static_cast<int>(L)>{exists ? index : count - 1}, fault));
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
    if constexpr (counts_over_lanes<Reducer, Tree>) {
        count_elements_over_lanes<Reducer>(r, faults, count, tree);
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
    detail::reduce_block(reducer, r, shared);
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
        reducer.combine(r, detail::load_partial(partials + block));
    detail::reduce_block(reducer, r, shared);
    if (threadIdx.x == 0) {
        result->fault_count = atomicExch(&state->fault_count, 0ull);
        result->last_complement = atomicExch(&state->last_complement, 0ull);
        result->value = r;
        state->finished_blocks = 0;
    }
}

// Blocks that the current device holds at once.
template <class Reducer, class Tree>
unsigned resident_blocks(int device, int shared_bytes) {
    struct Known {
        int device;
        int shared_bytes;
        unsigned blocks;
    };
    static auto &mutex = *new std::mutex; // destructors of static objects may ask
    static auto &known = *new std::vector<Known>;
    const std::lock_guard lock(mutex);
    for (const Known &entry : known) {
        if (entry.device == device && entry.shared_bytes == shared_bytes)
            return entry.blocks;
    }
    int each = 0;
    int multiprocessors = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                   &each, reduce_kernel<Reducer, Tree>, reduction_threads,
                   static_cast<std::size_t>(shared_bytes)),
               "warpint: no kernel for this GPU");
    check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
               "warpint: cudaDeviceGetAttribute");
    const unsigned blocks = static_cast<unsigned>(std::max(1, each * multiprocessors));
    known.push_back({device, shared_bytes, blocks});
    return blocks;
}

// A reduction on its way on a stream, whose result will lie in its room. What is never waited for
// keeps the room.
template <class Accumulator>
struct ReductionOnGpu {
    std::unique_ptr<ReductionRoom> room;
    int device = 0;
    cudaStream_t stream = nullptr;
    Accumulator (*read)(const void *result, ReductionFaults &faults) = nullptr;

    // Waits for it.
    Accumulator finish(ReductionFaults &faults) {
        const CurrentDevice current(device);
        check_cuda(cudaStreamSynchronize(stream), "warpint: a reduction failed");
        const Accumulator value = read(room->result(), faults);
        room->keep();
        return value;
    }
};

// As a row of the program or the library's says. aligned: whether all operands lie on multiples of
// 16 bytes; the device is current.
template <class Reducer, class Tree>
Plan plan_reduction(std::size_t count, int device, bool aligned) {
    constexpr Cost cost = reduction_cost<Tree>;
    constexpr int warps = reduction_threads / 32;
    ReductionKernel kernel;
    const void *const code = reinterpret_cast<const void *>(reduce_kernel<Reducer, Tree>);
    kernel.facts = kernel_facts(code, device);
    kernel.threads = reduction_threads;
    if constexpr (counts_over_lanes<Reducer, Tree>)
        kernel.lanes = compiled_row<Tree, tuning::Slot::large>.lanes;
    kernel.elements = elements_together<Tree>(kernel.facts.gpu.compiled_for);
    kernel.shared_bytes = warps * static_cast<int>(sizeof(typename Reducer::Accumulator)) + 16;
    const tuning::Choice choice = UserRows::instance().read([&](std::span<const TuningRow> rows) {
        return tuning::Known::choose_reduction(cost, count, kernel.facts.gpu, rows);
    });
    Plan plan = fit_reduction(choice, cost, count, aligned, kernel);
    plan.kernel = code;
    plan.blocks = std::min<std::size_t>(plan.blocks,
                                        resident_blocks<Reducer, Tree>(device, plan.shared_bytes));
    return plan;
}

// Reduces elements [0, count), count > 0, by a plan of plan_reduction(), on a stream of the current
// device.
template <class Reducer, class Tree>
ReductionOnGpu<typename Reducer::Accumulator>
start_on_gpu(const Reducer &reducer, std::size_t count, const Tree &tree, const Plan &plan,
             int device, cudaStream_t stream) {
    using Accumulator = typename Reducer::Accumulator;
    using Written = ReductionResult<Accumulator>;
    constexpr int warps = reduction_threads / 32;
    auto room =
        std::make_unique<ReductionRoom>(device, plan.blocks * sizeof(Accumulator), sizeof(Written));
    reduce_kernel<Reducer, Tree><<<static_cast<unsigned>(plan.blocks), reduction_threads,
                                   static_cast<std::size_t>(plan.shared_bytes), stream>>>(
        reducer, count, static_cast<unsigned>(plan.shared_bytes / warps / 16), room->state(),
        static_cast<Accumulator *>(room->partials()), static_cast<Written *>(room->result()), tree);
    check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
    return {std::move(room), device, stream, [](const void *result, ReductionFaults &faults) {
                Written found;
                std::memcpy(static_cast<void *>(&found), result, sizeof(found));
                faults = {found.fault_count, ~found.last_complement};
                return found.value;
            }};
}

} // namespace warpint::execution

#endif
