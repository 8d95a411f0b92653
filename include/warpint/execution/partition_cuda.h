// SPDX-License-Identifier: Apache-2.0
// Numbers of one GPU by the parts that splitters make of them (order.h), in two passes: how many
// each part has, then each number to its part. Within a part the order is any.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "for_each_cuda.h"
#include "order.h"

namespace warpint::execution {

inline constexpr unsigned partition_threads = 256;
inline constexpr unsigned partition_together = 8; // numbers of a thread

namespace detail {

// The rank of this thread's number among those of its block in the same part; counts: one for each
// part, in shared memory. All lanes of a warp call it.
__device__ __forceinline__ unsigned rank_in_block(unsigned part, unsigned *counts) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned same = __match_any_sync(0xffffffffu, part);
    const int leader = __ffs(static_cast<int>(same)) - 1;
    unsigned before = 0;
    if (static_cast<int>(lane) == leader)
        before = atomicAdd(counts + part, static_cast<unsigned>(__popc(same)));
    before = __shfl_sync(0xffffffffu, before, leader);
    return before + static_cast<unsigned>(__popc(same & ((1u << lane) - 1u)));
}

} // namespace detail

// Adds how many numbers each part has to next[part]; or, with sizes of the parts and a place to
// write them, writes each to its part, next[part] of which are written. Shared memory: three words
// for each part and one part more.
template <class T, bool writes>
__global__ void __launch_bounds__(partition_threads)
    partition_kernel(const T *numbers, std::size_t count, std::size_t run,
                     const PlacedNumber<T> *splitters, unsigned splitter_count,
                     unsigned long long *next, const unsigned long long *sizes, T *to) {
    extern __shared__ unsigned long long partition_shared[];
    const unsigned parts = splitter_count + 1;
    unsigned long long *const starts = partition_shared;
    unsigned *const counts = reinterpret_cast<unsigned *>(partition_shared + parts + 1);
    for (unsigned p = threadIdx.x; p <= parts; p += partition_threads)
        counts[p] = 0;
    __syncthreads();
    const std::size_t first =
        std::size_t{blockIdx.x} * partition_threads * partition_together + threadIdx.x;
    unsigned part[partition_together];
    unsigned rank[partition_together];
    WARPINT_UNROLL(partition_together, 8)
    for (unsigned k = 0; k < partition_together; ++k) {
        const std::size_t i = first + std::size_t{k} * partition_threads;
        part[k] = parts; // beyond the end
        if (i < count)
            part[k] = part_of(numbers[i], run, i, splitters, splitter_count);
        rank[k] = detail::rank_in_block(part[k], counts);
    }
    __syncthreads();
    for (unsigned p = threadIdx.x; p < parts; p += partition_threads) {
        starts[p] = atomicAdd(next + p, static_cast<unsigned long long>(counts[p]));
        if constexpr (writes) {
            for (unsigned earlier = 0; earlier < p; ++earlier)
                starts[p] += sizes[earlier];
        }
    }
    if constexpr (writes) {
        __syncthreads();
        WARPINT_UNROLL(partition_together, 8)
        for (unsigned k = 0; k < partition_together; ++k) {
            if (part[k] < parts)
                to[starts[part[k]] + rank[k]] = numbers[first + std::size_t{k} * partition_threads];
        }
    }
}

// How many of numbers[0, count), which are those of `run`, each part has; their copies, part by
// part, go to `to`. On the legacy stream of the current device, which ends later than this.
template <AnyNumber T>
std::vector<std::size_t> partition_on_gpu(const T *numbers, std::size_t count, std::size_t run,
                                          const std::vector<PlacedNumber<T>> &splitters, T *to,
                                          memory_resource &memory) {
    const std::size_t parts = splitters.size() + 1;
    std::vector<std::size_t> sizes(parts, 0);
    if (count == 0)
        return sizes;
    const Workspace<PlacedNumber<T>> device_splitters(memory, splitters.size(), nullptr);
    const Workspace<unsigned long long> device_sizes(memory, 2 * parts, nullptr);
    unsigned long long *const device_next = device_sizes.data() + parts;
    constexpr std::size_t in_block = std::size_t{partition_threads} * partition_together;
    const auto blocks = static_cast<unsigned>((count + in_block - 1) / in_block);
    const std::size_t shared = (parts + 1) * (sizeof(unsigned long long) + sizeof(unsigned));
    check_cuda(cudaMemcpyAsync(device_splitters.data(), splitters.data(),
                               splitters.size() * sizeof(PlacedNumber<T>), cudaMemcpyHostToDevice,
                               nullptr),
               "warpint: a sort failed");
    check_cuda(
        cudaMemsetAsync(device_sizes.data(), 0, 2 * parts * sizeof(unsigned long long), nullptr),
        "warpint: cudaMemsetAsync");
    const auto run_kernel = [&](auto kernel, unsigned long long *next) {
        kernel<<<blocks, partition_threads, shared>>>(numbers, count, run, device_splitters.data(),
                                                      static_cast<unsigned>(splitters.size()), next,
                                                      device_sizes.data(), to);
        check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
    };
    run_kernel(partition_kernel<T, false>, device_sizes.data());
    run_kernel(partition_kernel<T, true>, device_next);
    std::vector<unsigned long long> found(parts);
    check_cuda(cudaMemcpy(found.data(), device_sizes.data(), parts * sizeof(found[0]),
                          cudaMemcpyDeviceToHost),
               "warpint: a sort failed");
    for (std::size_t p = 0; p < parts; ++p)
        sizes[p] = static_cast<std::size_t>(found[p]);
    return sizes;
}

} // namespace warpint::execution

#endif
