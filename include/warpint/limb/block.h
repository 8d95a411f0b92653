// SPDX-License-Identifier: Apache-2.0
// Blocks of eight rows of a product: the inner loop of long host products. A block keeps eight
// accumulators in registers while it walks along the other operand, so that each limb of the result
// is loaded and stored once per eight products. The assembly for x86-64 needs the BMI2 and ADX
// extensions and is chosen at run time. GPUs run tiles instead (algorithm/product/tiles.h).
#pragma once

#include "row.h"

namespace warpint::limb {

// Rows in one block.
inline constexpr int block_limbs = 8;

#if WARPINT_X86_64 && WARPINT_ALL_REGISTERS
namespace detail {

// One product of a block's step: accumulator `here` takes the low half on one carry chain, `next`
// the high half on the other.
#define WARPINT_BLOCK_PRODUCT(offset, here, next)                                                  \
    "mulxq " #offset "(%[a]), %[low], %[high]\n\t"                                                 \
    "adoxq %[low], %%" #here "\n\t"                                                                \
    "adcxq %[high], %%" #next "\n\t"

// clang-format off
#define WARPINT_BLOCK(first)                                                                       \
    asm volatile(                                                                                  \
        "xorl %%r8d, %%r8d\n\t"                                                                    \
        "xorl %%r9d, %%r9d\n\t"                                                                    \
        "xorl %%r10d, %%r10d\n\t"                                                                  \
        "xorl %%r11d, %%r11d\n\t"                                                                  \
        "xorl %%r12d, %%r12d\n\t"                                                                  \
        "xorl %%r13d, %%r13d\n\t"                                                                  \
        "xorl %%r14d, %%r14d\n\t"                                                                  \
        "xorl %%r15d, %%r15d\n\t"                                                                  \
        ".p2align 4\n"                                                                             \
        "1:\n\t"                                                                                   \
        "movq (%[b]), %%rdx\n\t"                                                                   \
        "xorl %k[low], %k[low]\n\t"                                                                \
        first                                                                                      \
        WARPINT_BLOCK_PRODUCT(0, r8, r9)                                                           \
        "movq %%r8, (%[r])\n\t"                                                                    \
        WARPINT_BLOCK_PRODUCT(8, r9, r10)                                                          \
        "movq %%r9, %%r8\n\t"                                                                      \
        WARPINT_BLOCK_PRODUCT(16, r10, r11)                                                        \
        "movq %%r10, %%r9\n\t"                                                                     \
        WARPINT_BLOCK_PRODUCT(24, r11, r12)                                                        \
        "movq %%r11, %%r10\n\t"                                                                    \
        WARPINT_BLOCK_PRODUCT(32, r12, r13)                                                        \
        "movq %%r12, %%r11\n\t"                                                                    \
        WARPINT_BLOCK_PRODUCT(40, r13, r14)                                                        \
        "movq %%r13, %%r12\n\t"                                                                    \
        WARPINT_BLOCK_PRODUCT(48, r14, r15)                                                        \
        "movq %%r14, %%r13\n\t"                                                                    \
        "mulxq 56(%[a]), %[low], %[high]\n\t"                                                      \
        "adoxq %[low], %%r15\n\t"                                                                  \
        "movl $0, %k[low]\n\t"                                                                     \
        "adcxq %[low], %[high]\n\t"                                                                \
        "adoxq %[low], %[high]\n\t"                                                                \
        "movq %%r15, %%r14\n\t"                                                                    \
        "movq %[high], %%r15\n\t"                                                                  \
        "leaq 8(%[r]), %[r]\n\t"                                                                   \
        "leaq 8(%[b]), %[b]\n\t"                                                                   \
        "decq %[n]\n\t"                                                                            \
        "jnz 1b\n\t"                                                                               \
        "movq %%r8, (%[r])\n\t"                                                                    \
        "movq %%r9, 8(%[r])\n\t"                                                                   \
        "movq %%r10, 16(%[r])\n\t"                                                                 \
        "movq %%r11, 24(%[r])\n\t"                                                                 \
        "movq %%r12, 32(%[r])\n\t"                                                                 \
        "movq %%r13, 40(%[r])\n\t"                                                                 \
        "movq %%r14, 48(%[r])\n\t"                                                                 \
        "movq %%r15, 56(%[r])\n\t"                                                                 \
        : [r] "+r"(r), [b] "+r"(b), [n] "+m"(n), [low] "=&r"(low), [high] "=&r"(high)              \
        : [a] "r"(a)                                                                               \
        : "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory")
// clang-format on

// r[0..n + 8) = a[0..8) b[0..n), plus r[0..n) before if Accumulate; n >= 1. Two carry chains
// (Ozturk, Guilford, Gopal, Feghali, "New Instructions Supporting Large Integer Arithmetic on Intel
// Architecture Processors", 2012). The accumulators move down by one register per step; such moves
// cost no execution unit.
template <bool Accumulate>
WARPINT_NOINLINE inline void multiply_block_adx(std::uint64_t *r, const std::uint64_t *a,
                                                const std::uint64_t *b, long n) {
    std::uint64_t low, high;
    if constexpr (Accumulate) {
        WARPINT_BLOCK("adcxq (%[r]), %%r8\n\t");
    } else {
        WARPINT_BLOCK("");
    }
}

#undef WARPINT_BLOCK
#undef WARPINT_BLOCK_PRODUCT

} // namespace detail
#endif

// r[0..n + 8) = r[0..n) + a[0..8) b[0..n); n >= 1. The upper eight limbs of r are written only. r
// overlaps neither operand. Constant time.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_add_block(Limb *r, const Limb *a, const Limb *b,
                                                      int n) {
#if WARPINT_X86_64 && WARPINT_ALL_REGISTERS
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated() && detail::has_two_carry_chains) {
            detail::multiply_block_adx<true>(r, a, b, n);
            return;
        }
    }
#endif
    for (int i = 0; i < block_limbs; ++i)
        r[n + i] = multiply_add_row(r + i, b, n, a[i]);
}

// r[0..n + 8) = a[0..8) b[0..n), likewise.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_block(Limb *r, const Limb *a, const Limb *b, int n) {
#if WARPINT_X86_64 && WARPINT_ALL_REGISTERS
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated() && detail::has_two_carry_chains) {
            detail::multiply_block_adx<false>(r, a, b, n);
            return;
        }
    }
#endif
    for (int i = 0; i < n; ++i)
        r[i] = 0;
    multiply_add_block(r, a, b, n);
}

} // namespace warpint::limb
