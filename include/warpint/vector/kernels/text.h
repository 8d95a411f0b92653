// SPDX-License-Identifier: Apache-2.0
// The kernels of text of wide numbers: the threads of a block write or read one number, by the
// algorithms of arith/limbs/text/to_digits_group.h and from_digits_group.h. One kernel writes and
// one reads, for all widths and bases, so that compile time does not grow with them.
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../../arith/limbs/text/from_digits_group.h"
#include "../../arith/limbs/text/to_digits_group.h"
#include "../../execution/plan/tuning/all_gpus.h"
#include "../../number/digits.h"

namespace warpint::containers {

using TextTree = arith::RadixTree<std::uint32_t>;

#if WARPINT_DEVICE_PASS

// The threads of a block as a group (arith/limbs/text/group_columns.h).
struct BlockThreads {
    unsigned long long *least; // in shared memory

    __device__ int size() const { return static_cast<int>(blockDim.x); }
    __device__ void sync() const { __syncthreads(); }
    template <class Index, class Function>
    __device__ __forceinline__ void for_each(Index count, const Function &f) const {
        for (auto i = static_cast<Index>(threadIdx.x); i < count;
             i += static_cast<Index>(blockDim.x))
            f(i);
    }
    template <class Index, class Predicate>
    __device__ __forceinline__ Index first_of(Index count, const Predicate &predicate) const {
        if (threadIdx.x == 0)
            *least = static_cast<unsigned long long>(count);
        __syncthreads();
        for (auto i = static_cast<Index>(threadIdx.x); i < count;
             i += static_cast<Index>(blockDim.x)) {
            if (predicate(i)) {
                atomicMin(least, static_cast<unsigned long long>(i));
                break;
            }
        }
        __syncthreads();
        const auto first = static_cast<Index>(*least);
        __syncthreads();
        return first;
    }
};

#endif

// One block per number: TextOfNumbers (text.h) for numbers of tree.limbs limbs.
template <class Tree>
__global__ void __launch_bounds__(execution::tuning::max_text_threads)
    write_text_kernel(const std::uint32_t *numbers, std::size_t count, bool is_signed,
                      const Tree tree, char *text, std::uint32_t *lengths, std::size_t room) {
#if WARPINT_DEVICE_PASS
    extern __shared__ std::uint32_t text_memory[];
    __shared__ unsigned long long least;
    const BlockThreads group{&least};
    for (std::size_t i = blockIdx.x; i < count; i += gridDim.x) {
        const int length = arith::to_digits_group(
            group, text + (i + 1) * room, numbers + i * static_cast<std::size_t>(tree.limbs),
            is_signed, tree, text_memory);
        if (threadIdx.x == 0)
            lengths[i] = static_cast<std::uint32_t>(length);
        group.sync();
    }
#endif
}

// One block per line: NumberOfLine (text.h) for numbers of tree.limbs limbs. base: 0 or the tree's.
// A line that is no such number is a fault, bit i of the words `faults`; the number is zero then.
template <class Tree>
__global__ void __launch_bounds__(execution::tuning::max_text_threads)
    read_text_kernel(const char *text, const std::uint64_t *offsets, std::size_t count, int base,
                     int bits, bool is_signed, const Tree tree, std::uint32_t *numbers,
                     std::uint32_t *faults) {
#if WARPINT_DEVICE_PASS
    extern __shared__ std::uint32_t text_memory[];
    __shared__ unsigned long long least;
    const BlockThreads group{&least};
    for (std::size_t i = blockIdx.x; i < count; i += gridDim.x) {
        const char *digits = text + offsets[i];
        const std::size_t size = number::size_of_line(digits, offsets[i + 1] - offsets[i]);
        const number::TextHead head = number::head_of_text(digits, size, base);
        digits += head.start;
        std::size_t length = head.start < size ? size - head.start : 0;
        bool good = length > 0 && (is_signed || !head.negative) &&
                    group.first_of(length, [&](std::size_t k) {
                        return arith::digit_value(digits[k]) >= head.base;
                    }) == length;
        if (good) {
            const std::size_t zeros =
                group.first_of(length, [&](std::size_t k) { return digits[k] != '0'; });
            digits += zeros;
            length -= zeros;
        }
        Tree line_tree = tree;
        if (head.base != tree.base) { // a prefix, so a power of two
            line_tree.base = head.base;
            line_tree.leaf = 0;
        }
        std::uint32_t *const x = numbers + i * static_cast<std::size_t>(tree.limbs);
        if (good) {
            good = arith::from_digits_group(group, x, bits, is_signed, head.negative, digits,
                                            length, line_tree, text_memory);
        } else {
            group.for_each(tree.limbs, [&](int k) { x[k] = 0; });
        }
        if (!good && threadIdx.x == 0)
            atomicOr(faults + i / 32, std::uint32_t{1} << (i % 32));
        group.sync();
    }
#endif
}

} // namespace warpint::containers

#endif
