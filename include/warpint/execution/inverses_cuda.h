// SPDX-License-Identifier: Apache-2.0
// Inverses modulo a shared modulus on a GPU: each thread computes a row of elements together, that
// lie as far apart as the block has threads, so that the block reads and writes whole lines.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "inverses.h"
#include "memory.h"
#include "run_cuda.h"

namespace warpint::execution {

inline constexpr int inverse_threads = 128;
// Elements of a thread: one inversion for them.
inline constexpr int inverse_row = 32;
// Smaller batches do not fill the GPU this way: one inversion each.
inline constexpr std::size_t least_bulk_inverses = std::size_t{1} << 16;

// prefix: room for count elements, the target's own memory if no operand lies there.
template <class Tree, class T>
__global__ void __launch_bounds__(inverse_threads)
    inverses_kernel(T *target, std::uint32_t *faults, T *prefix, std::size_t count,
                    const __grid_constant__ Tree tree) {
    using Bulk = SharedInverse<Tree>;
    const std::size_t begin =
        std::size_t{blockIdx.x} * (inverse_threads * inverse_row) + threadIdx.x;
    const auto ring = Bulk::ring(tree);
    const auto index_of = [begin](int k) {
        return begin + static_cast<std::size_t>(k) * inverse_threads;
    };
    const auto load = [&](std::size_t i, bool &fault) {
        return ring.load(Bulk::element(tree, DirectContext{i}, fault));
    };

    int first = inverse_row; // element that takes part
    bool zeros = false;
    T running = ring.zero();
    WARPINT_UNROLL(1, 0)
    for (int k = 0; k < inverse_row; ++k) {
        const std::size_t i = index_of(k);
        if (i >= count)
            break;
        bool fault = false;
        const T x = load(i, fault);
        if (fault || ring.is_zero(x)) {
            zeros = true;
        } else if (first == inverse_row) {
            running = x;
            first = k;
        } else {
            running = ring.product(running, x);
        }
        prefix[i] = running;
    }
    T inverse_of_zero = ring.zero();
    const bool zero_exists = zeros && ring.invert(inverse_of_zero);
    const bool all_exist = first == inverse_row || ring.invert(running);
    WARPINT_UNROLL(1, 0)
    for (int k = inverse_row - 1; k >= 0; --k) {
        const std::size_t i = index_of(k);
        const bool inside = i < count;
        bool found = true;
        if (inside) {
            bool fault = false;
            T x = load(i, fault);
            if (fault || ring.is_zero(x)) {
                found = zero_exists && !fault;
                x = ring.zero();
            } else if (!all_exist) {
                found = ring.invert(x);
                if (!found)
                    x = ring.zero();
            } else if (k == first) {
                x = running;
            } else { // running is the inverse of prefix[i]
                const T rest = ring.product(running, x);
                x = ring.product(running, prefix[i - inverse_threads]);
                running = rest;
            }
            target[i] = x;
        }
        if (faults != nullptr) {
            const unsigned mask = __ballot_sync(0xffffffffu, !found);
            if (inside && threadIdx.x % 32 == 0)
                faults[i / 32] = mask;
        }
    }
}

// As run_on_gpu(). separate: an operand lies where the target does.
template <class Tree, class T>
void run_inverses_on_gpu(const Target<T> &target, std::size_t count, const Tree &tree,
                         bool separate, memory_resource &memory, cudaStream_t stream) {
    constexpr std::size_t block = std::size_t{inverse_threads} * inverse_row;
    T *const data = place<0>(target).data;
    T *const prefix =
        separate ? static_cast<T *>(memory.allocate(count * sizeof(T), stream)) : data;
    inverses_kernel<Tree, T>
        <<<static_cast<unsigned>((count + block - 1) / block), inverse_threads, 0, stream>>>(
            data, place<0>(target).faults, prefix, count, tree);
    const cudaError_t error = cudaGetLastError();
    if (separate)
        memory.deallocate(prefix, count * sizeof(T), stream);
    check_cuda(error, "warpint: kernel launch failed");
}

} // namespace warpint::execution

#endif
