// SPDX-License-Identifier: Apache-2.0
// A whole Montgomery product of four 64-bit words in registers, row by row with the rows of its
// reduction (CIOS). For x86-64 processors with the BMI2 and ADX extensions, chosen at run time.
#pragma once

#include "row.h"

namespace warpint::limb {

// Words of montgomery_4x64.
inline constexpr int montgomery_words = 4;

#if WARPINT_X86_BLOCKS
namespace detail {

// clang-format off
// t0 .. t4 += factor %rdx, the carry to t5.
#define WARPINT_MONTGOMERY_SUM(factor, t0, t1, t2, t3, t4, t5)                                     \
    "xorl %k[low], %k[low]\n\t" /* clears both carry flags */                                      \
    WARPINT_MULX(factor, 0, t0, t1)                                                  \
    WARPINT_MULX(factor, 1, t1, t2)                                                  \
    WARPINT_MULX(factor, 2, t2, t3)                                                 \
    WARPINT_MULX(factor, 3, t3, t4)                                                 \
    "movl $0, %k[low]\n\t" /* keeps the flags */                                                   \
    "adoxq %[low], %%" #t4 "\n\t"                                                                  \
    "adcxq %[low], %%" #t5 "\n\t"                                                                  \
    "adoxq %[low], %%" #t5 "\n\t"
#define WARPINT_MONTGOMERY_REDUCE(t0, t1, t2, t3, t4, t5)                                          \
    "movq %%" #t0 ", %%rdx\n\t"                                                                    \
    "imulq %[inverse], %%rdx\n\t"                                                                  \
    WARPINT_MONTGOMERY_SUM(m, t0, t1, t2, t3, t4, t5)
#define WARPINT_MONTGOMERY_STEP(k, t0, t1, t2, t3, t4, t5)                                         \
    "movq " #k "(%[b]), %%rdx\n\t"                                                                 \
    "movl $0, %%" #t5 "d\n\t"                                                                      \
    WARPINT_MONTGOMERY_SUM(a, t0, t1, t2, t3, t4, t5)                                              \
    WARPINT_MONTGOMERY_REDUCE(t0, t1, t2, t3, t4, t5)

// r = a b / B^4 mod m for a b < m B^4; r may be an operand.
WARPINT_HOT inline void montgomery_4x64_adx(std::uint64_t *r, const std::uint64_t *a,
                                            const std::uint64_t *b, const std::uint64_t *m,
                                            std::uint64_t inverse) {
    std::uint64_t low, high;
    asm volatile(
        "movq (%[b]), %%rdx\n\t"
        "xorl %%r13d, %%r13d\n\t"
        "mulxq (%[a]), %%r8, %%r9\n\t"
        WARPINT_MULX_FIRST(1, "addq", r9, r10)
        WARPINT_MULX_FIRST(2, "adcq", r10, r11)
        WARPINT_MULX_FIRST(3, "adcq", r11, r12)
        "adcq $0, %%r12\n\t"
        WARPINT_MONTGOMERY_REDUCE(r8, r9, r10, r11, r12, r13)
        WARPINT_MONTGOMERY_STEP(8, r9, r10, r11, r12, r13, r8)
        WARPINT_MONTGOMERY_STEP(16, r10, r11, r12, r13, r8, r9)
        WARPINT_MONTGOMERY_STEP(24, r11, r12, r13, r8, r9, r10)
        "movq %%r12, %%r11\n\t" // the sum is r12, r13, r8, r9, r10, and below 2 m
        "movq %%r13, %[low]\n\t"
        "movq %%r8, %[high]\n\t"
        "movq %%r9, %%rdx\n\t"
        "subq (%[m]), %%r11\n\t"
        "sbbq 8(%[m]), %[low]\n\t"
        "sbbq 16(%[m]), %[high]\n\t"
        "sbbq 24(%[m]), %%rdx\n\t"
        "sbbq $0, %%r10\n\t"
        "cmovcq %%r12, %%r11\n\t"
        "cmovcq %%r13, %[low]\n\t"
        "cmovcq %%r8, %[high]\n\t"
        "cmovcq %%r9, %%rdx\n\t"
        "movq %%r11, (%[r])\n\t"
        "movq %[low], 8(%[r])\n\t"
        "movq %[high], 16(%[r])\n\t"
        "movq %%rdx, 24(%[r])\n\t"
        : [low] "=&r"(low), [high] "=&r"(high)
        : [r] "r"(r), [a] "r"(a), [b] "r"(b), [m] "r"(m), [inverse] "m"(inverse)
        : "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "cc", "memory");
}
// clang-format on

#undef WARPINT_MONTGOMERY_SUM
#undef WARPINT_MONTGOMERY_REDUCE
#undef WARPINT_MONTGOMERY_STEP

} // namespace detail
#endif

// r = a b / B^4 mod m for a b < m B^4, four limbs each, m_inverse = -m^-1 mod B. Where
// has_word_blocks. r may be any operand but m. Constant time.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void
montgomery_4x64([[maybe_unused]] Limb *r, [[maybe_unused]] const Limb *a,
                [[maybe_unused]] const Limb *b, [[maybe_unused]] const Limb *m,
                [[maybe_unused]] Limb m_inverse) {
#if WARPINT_X86_BLOCKS
    if constexpr (sizeof(Limb) == 8)
        detail::montgomery_4x64_adx(r, a, b, m, m_inverse);
#endif
}

} // namespace warpint::limb
