// SPDX-License-Identifier: Apache-2.0
// The kernel that puts numbers into the parts that splitters make of them (partition_cuda.h).
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "order.h"

namespace warpint::execution {

inline constexpr unsigned partition_threads = 256;
inline constexpr unsigned partition_together = 8; // numbers of a thread

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
        rank[k] = rank_in_block(part[k], counts);
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

} // namespace warpint::execution

#endif
