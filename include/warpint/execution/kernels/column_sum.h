// SPDX-License-Identifier: Apache-2.0
// The kernel of sums of vectors, limb by limb (columns_cuda.h).
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "reduce.h"

namespace warpint::execution {

inline constexpr int column_threads = 256;

// A limb as it counts in its column: that with the sign of a signed number is signed.
template <bool is_signed>
__device__ __forceinline__ unsigned long long column_value(std::uint32_t limb, bool is_top) {
    if constexpr (is_signed) {
        const std::uint32_t extension = is_top ? 0u - (limb >> 31) : 0u;
        return static_cast<unsigned long long>(extension) << 32 | limb;
    } else {
        return limb;
    }
}

// Adds `words` limbs, `limbs` for each number, to the columns; the block that ends last moves them
// to the result and leaves zeros. A thread takes every `stride`-th vector of four limbs; 4 * stride
// is a multiple of limbs, and the grid has at least stride threads.
template <bool is_signed>
__global__ void __launch_bounds__(column_threads)
    sum_columns_kernel(const uint4 *vectors, std::size_t words, unsigned limbs, unsigned stride,
                       ReductionState *state, unsigned long long *result) {
    constexpr auto together = static_cast<unsigned>(
        tuning::Known::column_sums(WARPINT_COMPILED_CAPABILITY).vectors_together);
    __shared__ unsigned long long shared[4 * column_threads];
    __shared__ bool is_last;
    const unsigned thread = blockIdx.x * column_threads + threadIdx.x;
    const std::size_t whole = words / 4;
    unsigned long long sums[4] = {};
    if (thread < stride) {
        bool is_top[4];
        WARPINT_UNROLL(4, 4)
        for (unsigned j = 0; j < 4; ++j)
            is_top[j] = (4 * thread + j) % limbs == limbs - 1;
        const auto add = [&](const uint4 &vector) {
            sums[0] += column_value<is_signed>(vector.x, is_top[0]);
            sums[1] += column_value<is_signed>(vector.y, is_top[1]);
            sums[2] += column_value<is_signed>(vector.z, is_top[2]);
            sums[3] += column_value<is_signed>(vector.w, is_top[3]);
        };
        std::size_t i = thread;
        for (; i + std::size_t{together - 1} * stride < whole;
             i += std::size_t{together} * stride) {
            uint4 read[together];
            WARPINT_UNROLL(together, together)
            for (unsigned k = 0; k < together; ++k)
                read[k] = __ldcs(vectors + i + std::size_t{k} * stride);
            WARPINT_UNROLL(together, together)
            for (unsigned k = 0; k < together; ++k)
                add(read[k]);
        }
        for (; i < whole; i += stride)
            add(__ldcs(vectors + i));
    }
    if (thread < words % 4) { // behind the last whole vector
        const std::size_t word = 4 * whole + thread;
        const auto column = static_cast<unsigned>(word % limbs);
        const std::uint32_t limb = reinterpret_cast<const std::uint32_t *>(vectors)[word];
        atomicAdd(&state->columns[column], column_value<is_signed>(limb, column == limbs - 1));
    }

    // The block's sums of one column are every limbs-th of shared: of these a thread adds some,
    // then one adds what those found.
    WARPINT_UNROLL(4, 4)
    for (unsigned j = 0; j < 4; ++j)
        shared[4 * threadIdx.x + j] = sums[j];
    __syncthreads();
    const unsigned first = (4 * blockIdx.x * column_threads) % limbs; // the column of shared[0]
    const unsigned parts = limbs < column_threads ? column_threads / limbs : 1;
    unsigned long long sum = 0;
    if (parts > 1) {
        if (threadIdx.x < parts * limbs) {
            for (unsigned k = threadIdx.x; k < 4 * column_threads; k += parts * limbs)
                sum += shared[k];
        }
        __syncthreads();
        shared[threadIdx.x] = sum;
        __syncthreads();
    }
    const unsigned kept = parts > 1 ? parts * limbs : 4 * column_threads;
    for (unsigned l = threadIdx.x; l < limbs && l < kept; l += column_threads) {
        sum = 0;
        for (unsigned k = l; k < kept; k += limbs)
            sum += shared[k];
        atomicAdd(&state->columns[(first + l) % limbs], sum);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(&state->finished_blocks, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    for (unsigned l = threadIdx.x; l < limbs; l += column_threads)
        result[l] = atomicExch(&state->columns[l], 0ull);
    if (threadIdx.x == 0)
        state->finished_blocks = 0;
}

} // namespace warpint::execution

#endif
