// SPDX-License-Identifier: Apache-2.0
// The sum of a vector on a GPU, limb by limb: limb k of all numbers is a column, the columns are
// summed by themselves in 64 bits, and their carries are resolved once, in the end, on the host. A
// thread reads 16 bytes that lie side by side with its neighbours', whatever the width, and always
// meets the same four columns.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "reduce_cuda.h"

namespace warpint::execution {

inline constexpr int column_threads = 256;

// Whether a reduction can be done so: the sum of a vector of numbers.
template <class Reducer, class Tree>
inline constexpr bool sums_columns = false;
template <BigNumber T>
inline constexpr bool sums_columns<SumReducer<T>, Elements<T>> =
    T::limb_count <= ReductionState::most_columns;

// Columns hold sums of this many limbs.
inline constexpr std::size_t most_summed_by_columns = std::size_t{1} << 32;

namespace detail {

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

} // namespace detail

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
            sums[0] += detail::column_value<is_signed>(vector.x, is_top[0]);
            sums[1] += detail::column_value<is_signed>(vector.y, is_top[1]);
            sums[2] += detail::column_value<is_signed>(vector.z, is_top[2]);
            sums[3] += detail::column_value<is_signed>(vector.w, is_top[3]);
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
        atomicAdd(&state->columns[column],
                  detail::column_value<is_signed>(limb, column == limbs - 1));
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

// The number whose columns these are, modulo its width: at least 64 bits more than limbs of 32.
template <class Number>
Number number_of_columns(const unsigned long long *columns, int limbs) {
    Number r{};
    std::uint64_t carry = 0;
    for (int k = 0; k < Number::limb_count; ++k) {
        const std::uint64_t column = k < limbs ? columns[k] : 0;
        const std::uint64_t low = (column & 0xffffffffu) + (carry & 0xffffffffu);
        r.limbs[k] = static_cast<std::uint32_t>(low);
        const bool is_signed = Number::is_signed && k >= limbs - 1;
        const auto above = [is_signed](std::uint64_t x) {
            return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(x) >> 32)
                             : x >> 32;
        };
        carry = above(column) + above(carry) + (low >> 32);
    }
    number::normalise<Number::bits, Number::is_signed>(r.limbs);
    return r;
}

// Vectors of 16 bytes after which columns repeat.
template <class T>
inline constexpr unsigned column_period = [] {
    constexpr unsigned limbs = T::limb_count;
    return limbs % 4 == 0 ? limbs / 4 : limbs % 2 == 0 ? limbs / 2 : limbs;
}();

// The plan of such a sum of `count` numbers.
template <class T>
Plan plan_column_sum(std::size_t count, int device) {
    constexpr unsigned limbs = T::limb_count;
    Plan plan;
    plan.kernel = reinterpret_cast<const void *>(sum_columns_kernel<T::is_signed>);
    const KernelFacts facts = kernel_facts(plan.kernel, device);
    plan.family = KernelFamily::thread_per_number;
    plan.threads_per_block = column_threads;
    plan.registers = facts.registers;
    plan.local_bytes = facts.local_bytes;
    plan.reduces = true;
    plan.reason = "a sum of numbers in memory: threads add the limbs of a column";
    int multiprocessors = 0;
    check_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
               "warpint: cudaDeviceGetAttribute");
    const std::size_t words = count * limbs;
    const std::size_t most =
        static_cast<std::size_t>(multiprocessors) *
        static_cast<std::size_t>(tuning::Known::column_sums(facts.gpu.compiled_for).blocks);
    const std::size_t needed = (words / 4 + column_threads - 1) / column_threads;
    const std::size_t least = (column_period<T> + column_threads - 1) / column_threads;
    plan.blocks = std::max(least, std::min(most, needed));
    return plan;
}

// The sum of `count` numbers without faults at a multiple of 16 bytes, by a plan of
// plan_column_sum(), on a stream of the current device. On input: 0 < count <=
// most_summed_by_columns.
template <class T>
ReductionOnGpu<typename SumReducer<T>::Accumulator>
start_column_sum(const T *numbers, std::size_t count, const Plan &plan, int device,
                 cudaStream_t stream) {
    constexpr unsigned limbs = T::limb_count;
    constexpr unsigned period = column_period<T>;
    const auto stride = static_cast<unsigned>(plan.blocks * column_threads / period * period);
    auto room = std::make_unique<ReductionRoom>(device, 1, limbs * sizeof(unsigned long long));
    sum_columns_kernel<T::is_signed>
        <<<static_cast<unsigned>(plan.blocks), column_threads, 0, stream>>>(
            reinterpret_cast<const uint4 *>(numbers), count * limbs, limbs, stride, room->state(),
            static_cast<unsigned long long *>(room->result()));
    check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
    return {std::move(room), device, stream, [](const void *columns, ReductionFaults &) {
                return number_of_columns<typename SumReducer<T>::Accumulator>(
                    static_cast<const unsigned long long *>(columns), T::limb_count);
            }};
}

} // namespace warpint::execution

#endif
