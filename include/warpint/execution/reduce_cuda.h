// SPDX-License-Identifier: Apache-2.0
// Reducing a formula on a GPU: one launch, in which each block reduces its share and the block that
// finishes last reduces what the blocks found.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "memory.h"
#include "reducer.h"
#include "run_cuda.h"

namespace warpint::execution {

inline constexpr int reduction_threads = 128;

// At the start of a reduction's workspace, all 0 before the launch; then the result, then one
// partial result for each block.
struct ReductionState {
    unsigned long long fault_count;
    unsigned long long last_complement; // the largest of ~index of those elements
    unsigned finished_blocks;
    unsigned unused;
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

template <class Reducer, class Tree>
__global__ void __launch_bounds__(reduction_threads)
    reduce_kernel(const __grid_constant__ Reducer reducer, std::size_t count,
                  unsigned staging_vectors, ReductionState *state,
                  typename Reducer::Accumulator *partials, const __grid_constant__ Tree tree) {
    using Accumulator = typename Reducer::Accumulator;
    constexpr unsigned warps = reduction_threads / 32;
    extern __shared__ uint4 staging[];
    __shared__ alignas(16) unsigned char room[warps * sizeof(Accumulator)];
    __shared__ bool is_last;
    Accumulator *const shared = reinterpret_cast<Accumulator *>(room);

    const unsigned warp = threadIdx.x / 32;
    const unsigned lane = threadIdx.x % 32;
    Accumulator r = reducer.identity();
    ReductionFaults faults;
    const std::size_t stride = std::size_t{gridDim.x} * reduction_threads;
    for (std::size_t first = std::size_t{blockIdx.x} * reduction_threads + warp * 32; first < count;
         first += stride) {
        const std::size_t remaining = count - first;
        const WarpContext context{staging_vectors != 0 ? staging + warp * staging_vectors : nullptr,
                                  first, first + lane,
                                  remaining < 32 ? static_cast<unsigned>(remaining) : 32u, lane};
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
    if (faults.count != 0) {
        atomicAdd(&state->fault_count, static_cast<unsigned long long>(faults.count));
        atomicMax(&state->last_complement, ~static_cast<unsigned long long>(faults.first));
    }
    detail::reduce_block(reducer, r, shared);
    if (threadIdx.x == 0) {
        partials[1 + blockIdx.x] = r;
        __threadfence();
        is_last = atomicAdd(&state->finished_blocks, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    r = reducer.identity();
    for (unsigned block = threadIdx.x; block < gridDim.x; block += reduction_threads)
        reducer.combine(r, detail::load_partial(partials + 1 + block));
    detail::reduce_block(reducer, r, shared);
    if (threadIdx.x == 0)
        partials[0] = r;
}

// Blocks that the current device holds at once.
template <class Reducer, class Tree>
unsigned resident_blocks(int device, int shared_bytes) {
    struct Known {
        int device;
        int shared_bytes;
        unsigned blocks;
    };
    static std::mutex mutex;
    static std::vector<Known> known;
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

// Reduces elements [0, count), count > 0, on a stream of the current device, and waits for the
// result. aligned: whether all operands lie on multiples of 16 bytes.
template <class Reducer, class Tree>
ReductionFaults reduce_on_gpu(typename Reducer::Accumulator &result, const Reducer &reducer,
                              std::size_t count, const Tree &tree, int device, bool aligned,
                              memory_resource &memory, cudaStream_t stream) {
    using Accumulator = typename Reducer::Accumulator;
    constexpr Work work = work_of<Tree, char>();
    constexpr int warps = reduction_threads / 32;
    constexpr int own_shared = warps * static_cast<int>(sizeof(Accumulator)) + 16;
    constexpr int widest = staged_bytes<Tree>;
    constexpr int staging = warps * staging_bytes_per_warp(widest);
    const TuningRow row = tuning::row_for(work, count, WARPINT_COMPILED_CAPABILITY);
    const bool staged = row.loading == Loading::through_shared && aligned &&
                        widest > 0 && staging + own_shared <= default_shared_bytes;
    const int shared_bytes = staged ? staging : 0;
    const std::size_t needed = (count + reduction_threads - 1) / reduction_threads;
    const unsigned blocks = static_cast<unsigned>(
        std::min<std::size_t>(needed, resident_blocks<Reducer, Tree>(device, shared_bytes)));

    const std::size_t offset = (sizeof(ReductionState) + alignof(Accumulator) - 1) /
                               alignof(Accumulator) * alignof(Accumulator);
    const std::size_t bytes = offset + (std::size_t{blocks} + 1) * sizeof(Accumulator);
    struct Workspace {
        memory_resource &memory;
        std::size_t bytes;
        cudaStream_t stream;
        char *data;
        ~Workspace() { memory.deallocate(data, bytes, stream); }
    } const workspace{memory, bytes, stream, static_cast<char *>(memory.allocate(bytes, stream))};
    check_cuda(cudaMemsetAsync(workspace.data, 0, sizeof(ReductionState), stream),
               "warpint: cudaMemsetAsync");
    reduce_kernel<Reducer, Tree>
        <<<blocks, reduction_threads, static_cast<std::size_t>(shared_bytes), stream>>>(
            reducer, count, static_cast<unsigned>(shared_bytes / warps / 16),
            reinterpret_cast<ReductionState *>(workspace.data),
            reinterpret_cast<Accumulator *>(workspace.data + offset), tree);
    check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
    std::vector<char> found(offset + sizeof(Accumulator));
    check_cuda(
        cudaMemcpyAsync(found.data(), workspace.data, found.size(), cudaMemcpyDeviceToHost, stream),
        "warpint: copy to the host");
    check_cuda(cudaStreamSynchronize(stream), "warpint: a reduction failed");
    ReductionState state;
    std::memcpy(&state, found.data(), sizeof(state));
    std::memcpy(&result, found.data() + offset, sizeof(Accumulator));
    return {state.fault_count, ~state.last_complement};
}

} // namespace warpint::execution

#endif
