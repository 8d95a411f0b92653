// SPDX-License-Identifier: Apache-2.0
// Text of wide numbers on a GPU: the threads of a block write or read one number, by the algorithms
// of algorithm/radix/to_digits_group.h and from_digits_group.h. One kernel writes and one reads,
// for all widths and bases, so that compile time does not grow with them.
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "../algorithm/radix/from_digits_group.h"
#include "../execution/cuda_support.h"
#include "../execution/tuning/all_gpus.h"
#include "../number/text.h"

#include <type_traits>
#include <vector>

namespace warpint::containers {

using TextTree = algorithm::RadixTree<std::uint32_t>;

#if WARPINT_DEVICE_PASS

// The threads of a block as a group (algorithm/radix/group_columns.h).
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
__global__ void __launch_bounds__(execution::tuning::most_text_threads)
    write_text_kernel(const std::uint32_t *numbers, std::size_t count, bool is_signed,
                      const Tree tree, char *text, std::uint32_t *lengths, std::size_t room) {
#if WARPINT_DEVICE_PASS
    extern __shared__ std::uint32_t text_memory[];
    __shared__ unsigned long long least;
    const BlockThreads group{&least};
    for (std::size_t i = blockIdx.x; i < count; i += gridDim.x) {
        const int length = algorithm::to_digits_group(
            group, text + (i + 1) * room, numbers + i * static_cast<std::size_t>(tree.limbs),
            is_signed, tree, text_memory);
        if (threadIdx.x == 0)
            lengths[i] = static_cast<std::uint32_t>(length);
        group.sync();
    }
#endif
}

// One block per line: NumberOfLine (text.h) for numbers of tree.limbs limbs. base: 0 or the tree's.
// Sets *any_bad if a line is no such number; the number is zero then.
template <class Tree>
__global__ void __launch_bounds__(execution::tuning::most_text_threads)
    read_text_kernel(const char *text, const std::uint64_t *offsets, std::size_t count, int base,
                     int bits, bool is_signed, const Tree tree, std::uint32_t *numbers,
                     std::uint32_t *any_bad) {
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
                        return algorithm::digit_value(digits[k]) >= head.base;
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
            good = algorithm::from_digits_group(group, x, bits, is_signed, head.negative, digits,
                                                length, line_tree, text_memory);
        } else {
            group.for_each(tree.limbs, [&](int k) { x[k] = 0; });
        }
        if (!good && threadIdx.x == 0)
            *any_bad = 1;
        group.sync();
    }
#endif
}

// What converts a batch: the host, one GPU thread per number, or one block per number.
enum class TextFamily { host, threads, blocks };

struct TextPlan {
    TextFamily family = TextFamily::threads;
    unsigned threads = 0; // of a block
    std::size_t shared_bytes = 0;
    TextTree tree;
};

// The most shared memory that a block of the current device can have.
inline std::size_t most_shared_bytes() {
    int device = 0;
    int bytes = 0;
    execution::check_cuda(cudaGetDevice(&device), "warpint: cudaGetDevice");
    execution::check_cuda(
        cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "warpint: cudaDeviceGetAttribute");
    return static_cast<std::size_t>(bytes) - 1024; // the kernels' own and the system's
}

// The shared memory that every GPU gives to a block without a request.
inline constexpr std::size_t unasked_shared_bytes = std::size_t{48} * 1024 - 64;

constexpr std::size_t text_shared_bytes(bool writes, const TextTree &tree) {
    return sizeof(std::uint32_t) *
           static_cast<std::size_t>(writes ? to_digits_memory(tree) : from_digits_memory(tree));
}

// base: 2..36, or 0 for lines with prefixes.
inline TextPlan text_plan(bool writes, int limbs, int base, std::size_t count) {
    namespace tuning = execution::tuning;
    TextPlan plan;
    plan.tree = algorithm::radix_tree<std::uint32_t>(limbs, base == 0 ? 10 : base);
    const bool by_bits = plan.tree.leaf == 0;
    const auto all_limbs = static_cast<std::size_t>(limbs) * count;
    const int least = count < tuning::few_texts ? tuning::few_text_limbs
                                                : tuning::block_text_limbs(writes, by_bits);
    if (all_limbs < tuning::host_text_limbs(writes, by_bits)) {
        plan.family = TextFamily::host;
    } else if (limbs >= least) {
        plan.threads = tuning::text_threads(limbs, count);
        plan.shared_bytes = text_shared_bytes(writes, plan.tree);
        if (plan.shared_bytes <= unasked_shared_bytes || plan.shared_bytes <= most_shared_bytes())
            plan.family = TextFamily::blocks;
    }
    return plan;
}

// Whether blocks convert all numbers of a width that hosts do not, on every GPU and in every base.
// Then kernels with a thread per number are not needed.
constexpr bool only_blocks_convert(int limbs) {
    if (limbs < execution::tuning::any_block_text_limbs)
        return false;
    for (int base = 3; base <= 36; ++base) {
        const TextTree tree = algorithm::radix_tree<std::uint32_t>(limbs, base);
        if (text_shared_bytes(true, tree) > unasked_shared_bytes ||
            text_shared_bytes(false, tree) > unasked_shared_bytes)
            return false;
    }
    return true;
}

// Launches one block for each of count > 0 numbers, as far as a grid has them.
template <class... Parameters>
void launch_text_blocks(const TextPlan &plan, void (*kernel)(Parameters...), std::size_t count,
                        std::type_identity_t<Parameters>... arguments) {
    constexpr std::size_t most = 0x7fffffff;
    if (plan.shared_bytes > unasked_shared_bytes) {
        execution::check_cuda(cudaFuncSetAttribute(kernel,
                                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   static_cast<int>(plan.shared_bytes)),
                              "warpint: cudaFuncSetAttribute");
    }
    kernel<<<static_cast<unsigned>(count < most ? count : most), plan.threads, plan.shared_bytes>>>(
        arguments...);
    execution::check_cuda(cudaGetLastError(), "warpint: kernel launch failed");
}

// The constants of a tree, in host memory.
inline std::vector<std::uint32_t> text_constants(const TextTree &tree, bool with_reciprocal) {
    std::vector<std::uint32_t> constants;
    if (tree.leaf == 0)
        return constants;
#if WARPINT_HAS_INT128
    using Word = std::uint64_t;
#else
    using Word = std::uint32_t;
#endif
    constants.resize(static_cast<std::size_t>(tree.powers_limbs() +
                                              (with_reciprocal ? tree.reciprocal_limbs() : 0)));
    std::vector<Word> scratch(static_cast<std::size_t>(algorithm::radix_tree_scratch<Word>(tree)));
    algorithm::radix_tree_constants(tree, with_reciprocal, constants.data(), scratch.data());
    return constants;
}

} // namespace warpint::containers

#endif
