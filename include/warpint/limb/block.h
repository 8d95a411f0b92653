// SPDX-License-Identifier: Apache-2.0
// Blocks of eight rows of a product: the inner loop of long host products. A block keeps eight
// accumulators in registers while it walks along the other operand, so that each limb of the result
// is loaded and stored once per eight products. The assembly for x86-64 needs the BMI2 and ADX
// extensions and is chosen at run time. GPUs run tiles instead (arith/limbs/product/tiles.h).
#pragma once

#include "row.h"

namespace warpint::limb {

// Rows in one block.
inline constexpr int block_limbs = 8;

#if WARPINT_X86_BLOCKS
namespace detail {

// clang-format off
// A step adds a[0..8) b[k / 8] to t0 .. t7, and before, by the instruction that may follow, r[k / 8].
// It stores the lowest limb and leaves the next limb above in its register, t0: the step after it
// begins with t1. After eight steps each register is again where it was, so that eight in a row need
// no moves.
#define WARPINT_BLOCK_STEP(k, t0, t1, t2, t3, t4, t5, t6, t7, ...)                                 \
    "movq " #k "(%[b]), %%rdx\n\t"                                                                 \
    WARPINT_MULX_ROW(a, __VA_OPT__(#__VA_ARGS__ " " #k "(%[r]), %%" #t0 "\n\t"),                   \
                     "movq %%" #t0 ", " #k "(%[r])\n\t", t0, t1, t2, t3, t4, t5, t6, t7)

#define WARPINT_BLOCK(...)                                                                         \
    asm volatile(                                                                                  \
        "xorl %%r8d, %%r8d\n\t"                                                                    \
        "xorl %%r9d, %%r9d\n\t"                                                                    \
        "xorl %%r10d, %%r10d\n\t"                                                                  \
        "xorl %%r11d, %%r11d\n\t"                                                                  \
        "xorl %%r12d, %%r12d\n\t"                                                                  \
        "xorl %%r13d, %%r13d\n\t"                                                                  \
        "xorl %%r14d, %%r14d\n\t"                                                                  \
        "xorl %%r15d, %%r15d\n\t"                                                                  \
        "subq $8, %[n]\n\t"                                                                        \
        "jb 2f\n\t"                                                                                \
        ".p2align 5\n"                                                                             \
        "1:\n\t"                                                                                   \
        WARPINT_BLOCK_STEP(0, r8, r9, r10, r11, r12, r13, r14, r15, __VA_ARGS__)                   \
        WARPINT_BLOCK_STEP(8, r9, r10, r11, r12, r13, r14, r15, r8, __VA_ARGS__)                   \
        WARPINT_BLOCK_STEP(16, r10, r11, r12, r13, r14, r15, r8, r9, __VA_ARGS__)                  \
        WARPINT_BLOCK_STEP(24, r11, r12, r13, r14, r15, r8, r9, r10, __VA_ARGS__)                  \
        WARPINT_BLOCK_STEP(32, r12, r13, r14, r15, r8, r9, r10, r11, __VA_ARGS__)                  \
        WARPINT_BLOCK_STEP(40, r13, r14, r15, r8, r9, r10, r11, r12, __VA_ARGS__)                  \
        WARPINT_BLOCK_STEP(48, r14, r15, r8, r9, r10, r11, r12, r13, __VA_ARGS__)                  \
        WARPINT_BLOCK_STEP(56, r15, r8, r9, r10, r11, r12, r13, r14, __VA_ARGS__)                  \
        "leaq 64(%[r]), %[r]\n\t"                                                                  \
        "leaq 64(%[b]), %[b]\n\t"                                                                  \
        "subq $8, %[n]\n\t"                                                                        \
        "jae 1b\n"                                                                                 \
        "2:\n\t"                                                                                   \
        "addq $8, %[n]\n\t"                                                                        \
        "je 4f\n\t"                                                                                \
        ".p2align 5\n"                                                                             \
        "3:\n\t" /* the other limbs of b: the registers move down by one after each step */        \
        WARPINT_BLOCK_STEP(0, r8, r9, r10, r11, r12, r13, r14, r15, __VA_ARGS__)                   \
        "movq %%r8, %[high]\n\t"                                                                   \
        "movq %%r9, %%r8\n\t"                                                                      \
        "movq %%r10, %%r9\n\t"                                                                     \
        "movq %%r11, %%r10\n\t"                                                                    \
        "movq %%r12, %%r11\n\t"                                                                    \
        "movq %%r13, %%r12\n\t"                                                                    \
        "movq %%r14, %%r13\n\t"                                                                    \
        "movq %%r15, %%r14\n\t"                                                                    \
        "movq %[high], %%r15\n\t"                                                                  \
        "leaq 8(%[r]), %[r]\n\t"                                                                   \
        "leaq 8(%[b]), %[b]\n\t"                                                                   \
        "decq %[n]\n\t"                                                                            \
        "jnz 3b\n"                                                                                 \
        "4:\n\t"                                                                                   \
        "movq %%r8, (%[r])\n\t"                                                                    \
        "movq %%r9, 8(%[r])\n\t"                                                                   \
        "movq %%r10, 16(%[r])\n\t"                                                                 \
        "movq %%r11, 24(%[r])\n\t"                                                                 \
        "movq %%r12, 32(%[r])\n\t"                                                                 \
        "movq %%r13, 40(%[r])\n\t"                                                                 \
        "movq %%r14, 48(%[r])\n\t"                                                                 \
        "movq %%r15, 56(%[r])\n\t"                                                                 \
        : [r] "+&r"(r), [b] "+&r"(b), [n] "+m"(n), [low] "=&r"(low), [high] "=&r"(high)           \
        : [a] "r"(a)                                                                               \
        : "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory")
// clang-format on

// r[0..n + 8) = a[0..8) b[0..n), plus r[0..n) before if Accumulate; n >= 1; 64-bit words at any
// addresses. Two carry chains (Ozturk, Guilford, Gopal, Feghali, "New Instructions Supporting Large
// Integer Arithmetic on Intel Architecture Processors", 2012).
template <bool Accumulate>
WARPINT_HOT inline void multiply_block_adx(void *r, const void *a, const void *b, long n) {
    std::uint64_t low, high;
    if constexpr (Accumulate) {
        WARPINT_BLOCK(adcxq);
    } else {
        WARPINT_BLOCK();
    }
}

#undef WARPINT_BLOCK
#undef WARPINT_BLOCK_STEP

// The same for a block of four rows.
// clang-format off
#define WARPINT_BLOCK_STEP(k, t0, t1, t2, t3, ...)                                                 \
    "movq " #k "(%[b]), %%rdx\n\t"                                                                 \
    "xorl %k[low], %k[low]\n\t"                                                                    \
    __VA_OPT__(#__VA_ARGS__ " " #k "(%[r]), %%" #t0 "\n\t")                                        \
    WARPINT_MULX(a, 0, t0, t1)                                                                     \
    "movq %%" #t0 ", " #k "(%[r])\n\t"                                                             \
    WARPINT_MULX(a, 1, t1, t2)                                                                     \
    WARPINT_MULX(a, 2, t2, t3)                                                                     \
    WARPINT_MULX_LAST(a, 3, t3, t0)
#define WARPINT_BLOCK(...)                                                                        \
    asm volatile(                                                                                  \
        "xorl %%r8d, %%r8d\n\t"                                                                    \
        "xorl %%r9d, %%r9d\n\t"                                                                    \
        "xorl %%r10d, %%r10d\n\t"                                                                  \
        "xorl %%r11d, %%r11d\n"                                                                    \
        "1:\n\t"                                                                                   \
        WARPINT_BLOCK_STEP(0, r8, r9, r10, r11, __VA_ARGS__)                                       \
        WARPINT_BLOCK_STEP(8, r9, r10, r11, r8, __VA_ARGS__)                                       \
        WARPINT_BLOCK_STEP(16, r10, r11, r8, r9, __VA_ARGS__)                                      \
        WARPINT_BLOCK_STEP(24, r11, r8, r9, r10, __VA_ARGS__)                                      \
        "leaq 32(%[r]), %[r]\n\t"                                                                  \
        "leaq 32(%[b]), %[b]\n\t"                                                                  \
        "subq $4, %[n]\n\t"                                                                        \
        "jnz 1b\n\t"                                                                               \
        "movq %%r8, (%[r])\n\t"                                                                    \
        "movq %%r9, 8(%[r])\n\t"                                                                   \
        "movq %%r10, 16(%[r])\n\t"                                                                 \
        "movq %%r11, 24(%[r])\n\t"                                                                 \
        : [r] "+&r"(r), [b] "+&r"(b), [n] "+&r"(n), [low] "=&r"(low), [high] "=&r"(high)           \
        : [a] "r"(a)                                                                               \
        : "rdx", "r8", "r9", "r10", "r11", "cc", "memory")
// clang-format on

// r[0..n + 4) = a[0..4) b[0..n), plus r[0..n) before if Accumulate; n a multiple of 4, not 0.
template <bool Accumulate>
WARPINT_HOT inline void multiply_four_adx(void *r, const void *a, const void *b, long n) {
    std::uint64_t low, high;
    if constexpr (Accumulate) {
        WARPINT_BLOCK(adcxq);
    } else {
        WARPINT_BLOCK();
    }
}

#undef WARPINT_BLOCK
#undef WARPINT_BLOCK_STEP

} // namespace detail
#endif

// r[0..n + 8) = r[0..n) + a[0..8) b[0..n); n >= 1. The upper eight limbs of r are written only. r
// overlaps neither operand. Constant time.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_add_block(Limb *r, const Limb *a, const Limb *b,
                                                      int n) {
#if WARPINT_X86_BLOCKS
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
#if WARPINT_X86_BLOCKS
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

#if WARPINT_X86_BLOCKS
namespace detail {

// r = a b for words at any addresses; a has n words, b has m, both multiples of 4 and not 0. r
// overlaps neither.
WARPINT_NOINLINE inline void multiply_stored_adx(void *r, const void *a, int n, const void *b,
                                                 int m) {
    constexpr int word = 8;
    auto *to = static_cast<unsigned char *>(r);
    auto *from = static_cast<const unsigned char *>(a);
    int left = n;
    if (n >= block_limbs) {
        multiply_block_adx<false>(to, from, b, m);
        for (left -= block_limbs; left >= block_limbs; left -= block_limbs) {
            to += block_limbs * word;
            from += block_limbs * word;
            multiply_block_adx<true>(to, from, b, m);
        }
        if (left != 0)
            multiply_four_adx<true>(to + block_limbs * word, from + block_limbs * word, b, m);
    } else {
        multiply_four_adx<false>(to, from, b, m);
    }
}

} // namespace detail
#endif

// Whether multiply_stored takes N by M limbs of 32 bits. 256 by 256 bits are faster in the
// compiler's registers: 6.1 ns against 7.8, a square 5.0 against 6.3.
template <int N, int M>
inline constexpr bool is_stored_product =
    WARPINT_X86_BLOCKS && N % 8 == 0 && M % 8 == 0 && N + M > 16;

// r = a b of N and M limbs of 32 bits as they are stored, at run time on a host; r overlaps neither
// operand. False, with nothing done, where the processor has no code for it. Constant time.
template <int N, int M>
WARPINT_INLINE bool multiply_stored([[maybe_unused]] std::uint32_t *r,
                                    [[maybe_unused]] const std::uint32_t *a,
                                    [[maybe_unused]] const std::uint32_t *b) {
    static_assert(is_stored_product<N, M>);
#if WARPINT_X86_BLOCKS
    if (detail::has_two_carry_chains) {
        if constexpr (N == 16 && M == 16) {
            detail::multiply_block_adx<false>(r, a, b, 8);
        } else if constexpr (N <= M) { // the rows are those of the shorter one
            detail::multiply_stored_adx(r, a, N / 2, b, M / 2);
        } else {
            detail::multiply_stored_adx(r, b, M / 2, a, N / 2);
        }
        return true;
    }
#endif
    return false;
}

// r[0..n + 4) = r[0..n) + a[0..4) b[0..n), or, if First, = a[0..4) b[0..n); n a multiple of 4, not
// 0. Where has_word_blocks. Constant time.
template <bool First, class Limb>
WARPINT_HOST_DEVICE constexpr void
multiply_block_of_four([[maybe_unused]] Limb *r, [[maybe_unused]] const Limb *a,
                       [[maybe_unused]] const Limb *b, [[maybe_unused]] int n) {
#if WARPINT_X86_BLOCKS
    if constexpr (sizeof(Limb) == 8)
        detail::multiply_four_adx<!First>(r, a, b, n);
#endif
}

} // namespace warpint::limb
