// SPDX-License-Identifier: Apache-2.0
// Text of wide numbers on a GPU: whether a block converts a number, and the launch of the kernels
// that do (kernels/text.h).
#pragma once

#include "../limb/config.h"

#if WARPINT_CUDA

#include "../execution/memory/cuda_support.h"
#include "../execution/plan/tuning/all_gpus.h"
#include "kernels/text.h"

#include <type_traits>
#include <vector>

namespace warpint::containers {

// What converts a batch: the host, one GPU thread per number, or one block per number.
enum class TextFamily { host, threads, blocks };

struct TextPlan {
    TextFamily family = TextFamily::threads;
    unsigned threads = 0; // of a block
    std::size_t shared_bytes = 0;
    TextTree tree;
};

// The most shared memory that a block of the current device can have.
inline std::size_t max_shared_bytes() {
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
    plan.tree = arith::radix_tree<std::uint32_t>(limbs, base == 0 ? 10 : base);
    const bool by_bits = plan.tree.leaf == 0;
    const auto all_limbs = static_cast<std::size_t>(limbs) * count;
    const int least = count < tuning::few_texts ? tuning::few_text_limbs
                                                : tuning::block_text_limbs(writes, by_bits);
    if (all_limbs < tuning::host_text_limbs(writes, by_bits)) {
        plan.family = TextFamily::host;
    } else if (limbs >= least) {
        plan.threads = tuning::text_threads(limbs, count);
        plan.shared_bytes = text_shared_bytes(writes, plan.tree);
        if (plan.shared_bytes <= unasked_shared_bytes || plan.shared_bytes <= max_shared_bytes())
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
        const TextTree tree = arith::radix_tree<std::uint32_t>(limbs, base);
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
    std::vector<Word> scratch(static_cast<std::size_t>(arith::radix_tree_scratch<Word>(tree)));
    arith::radix_tree_constants(tree, with_reciprocal, constants.data(), scratch.data());
    return constants;
}

} // namespace warpint::containers

#endif
