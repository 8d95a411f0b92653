// SPDX-License-Identifier: Apache-2.0
// A whole Montgomery product of eight 64-bit words in registers, row by row with the rows of its
// reduction (CIOS), as montgomery_4x64.h. For x86-64 processors with the BMI2 and ADX extensions,
// chosen at run time.
#pragma once

#include "row.h"

namespace warpint::limb {

#if WARPINT_X86_BLOCKS
namespace detail {

// clang-format off
// t0 .. t8 += factor %rdx; the carry becomes `low`.
#define WARPINT_MONTGOMERY_SUM(factor, t0, t1, t2, t3, t4, t5, t6, t7, t8)                              \
    "xorl %k[low], %k[low]\n\t" /* clears both carry flags */                                      \
    WARPINT_MULX(factor, 0, t0, t1)                                                       \
    WARPINT_MULX(factor, 1, t1, t2)                                                       \
    WARPINT_MULX(factor, 2, t2, t3)                                                       \
    WARPINT_MULX(factor, 3, t3, t4)                                                       \
    WARPINT_MULX(factor, 4, t4, t5)                                                       \
    WARPINT_MULX(factor, 5, t5, t6)                                                       \
    WARPINT_MULX(factor, 6, t6, t7)                                                       \
    WARPINT_MULX(factor, 7, t7, t8)                                                       \
    "movl $0, %k[low]\n\t" /* keeps the flags */                                                   \
    "movl $0, %k[high]\n\t"                                                                        \
    "adoxq %[low], %%" #t8 "\n\t"                                                                  \
    "adcxq %[low], %[low]\n\t"                                                                     \
    "adoxq %[high], %[low]\n\t"
#define WARPINT_MONTGOMERY_REDUCE(t0, ...)                                                              \
    "movq %%" #t0 ", %%rdx\n\t"                                                                    \
    "imulq %[inverse], %%rdx\n\t"                                                                  \
    WARPINT_MONTGOMERY_SUM(m, t0, __VA_ARGS__)
// A row of the product and one of the reduction; t0, which becomes 0, takes the limb above t8.
#define WARPINT_MONTGOMERY_STEP(k, t0, ...)                                                             \
    "movq %[b], %%rdx\n\t"                                                                         \
    "movq 8*" #k "(%%rdx), %%rdx\n\t"                                                              \
    WARPINT_MONTGOMERY_SUM(a, t0, __VA_ARGS__)                                                          \
    "movq %[low], %[carry]\n\t"                                                                    \
    WARPINT_MONTGOMERY_REDUCE(t0, __VA_ARGS__)                                                          \
    "addq %[carry], %[low]\n\t"                                                                    \
    "movq %[low], %%" #t0 "\n\t"
#define WARPINT_MONTGOMERY_SUBTRACT(i, subtract, limb)                                                  \
    "movq %%" #limb ", %[low]\n\t" subtract " 8*" #i "(%[m]), %[low]\n\t"                          \
    "movq %[low], 8*" #i "(%%rdx)\n\t"
#define WARPINT_MONTGOMERY_CHOOSE(i, limb)                                                              \
    "movq 8*" #i "(%%rdx), %[low]\n\t"                                                             \
    "cmovcq %%" #limb ", %[low]\n\t"                                                               \
    "movq %[low], 8*" #i "(%%rdx)\n\t"

// r = a b / B^8 mod m for a b < m B^8; r may be an operand.
WARPINT_HOT inline void montgomery_8x64_adx(std::uint64_t *r, const std::uint64_t *a,
                                             const std::uint64_t *b, const std::uint64_t *m,
                                             std::uint64_t inverse) {
    std::uint64_t low, high, carry;
    asm volatile(
        "movq %[b], %%rdx\n\t"
        "movq (%%rdx), %%rdx\n\t"
        "mulxq (%[a]), %%r8, %%r9\n\t"
        WARPINT_MULX_FIRST(1, "addq", r9, r10)
        WARPINT_MULX_FIRST(2, "adcq", r10, r11)
        WARPINT_MULX_FIRST(3, "adcq", r11, r12)
        WARPINT_MULX_FIRST(4, "adcq", r12, r13)
        WARPINT_MULX_FIRST(5, "adcq", r13, r14)
        WARPINT_MULX_FIRST(6, "adcq", r14, r15)
        WARPINT_MULX_FIRST(7, "adcq", r15, rax)
        "adcq $0, %%rax\n\t"
        WARPINT_MONTGOMERY_REDUCE(r8, r9, r10, r11, r12, r13, r14, r15, rax)
        "movq %[low], %%r8\n\t"
        WARPINT_MONTGOMERY_STEP(1, r9, r10, r11, r12, r13, r14, r15, rax, r8)
        WARPINT_MONTGOMERY_STEP(2, r10, r11, r12, r13, r14, r15, rax, r8, r9)
        WARPINT_MONTGOMERY_STEP(3, r11, r12, r13, r14, r15, rax, r8, r9, r10)
        WARPINT_MONTGOMERY_STEP(4, r12, r13, r14, r15, rax, r8, r9, r10, r11)
        WARPINT_MONTGOMERY_STEP(5, r13, r14, r15, rax, r8, r9, r10, r11, r12)
        WARPINT_MONTGOMERY_STEP(6, r14, r15, rax, r8, r9, r10, r11, r12, r13)
        WARPINT_MONTGOMERY_STEP(7, r15, rax, r8, r9, r10, r11, r12, r13, r14)
        "movq %[r], %%rdx\n\t" // the sum is rax, r8 .. r15, and below 2 m
        WARPINT_MONTGOMERY_SUBTRACT(0, "subq", rax)
        WARPINT_MONTGOMERY_SUBTRACT(1, "sbbq", r8)
        WARPINT_MONTGOMERY_SUBTRACT(2, "sbbq", r9)
        WARPINT_MONTGOMERY_SUBTRACT(3, "sbbq", r10)
        WARPINT_MONTGOMERY_SUBTRACT(4, "sbbq", r11)
        WARPINT_MONTGOMERY_SUBTRACT(5, "sbbq", r12)
        WARPINT_MONTGOMERY_SUBTRACT(6, "sbbq", r13)
        WARPINT_MONTGOMERY_SUBTRACT(7, "sbbq", r14)
        "sbbq $0, %%r15\n\t"
        WARPINT_MONTGOMERY_CHOOSE(0, rax)
        WARPINT_MONTGOMERY_CHOOSE(1, r8)
        WARPINT_MONTGOMERY_CHOOSE(2, r9)
        WARPINT_MONTGOMERY_CHOOSE(3, r10)
        WARPINT_MONTGOMERY_CHOOSE(4, r11)
        WARPINT_MONTGOMERY_CHOOSE(5, r12)
        WARPINT_MONTGOMERY_CHOOSE(6, r13)
        WARPINT_MONTGOMERY_CHOOSE(7, r14)
        : [low] "=&r"(low), [high] "=&r"(high), [carry] "=&m"(carry)
        : [a] "r"(a), [m] "r"(m), [b] "m"(b), [r] "m"(r), [inverse] "m"(inverse)
        : "rax", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory");
}
// clang-format on

#undef WARPINT_MONTGOMERY_SUM
#undef WARPINT_MONTGOMERY_REDUCE
#undef WARPINT_MONTGOMERY_STEP
#undef WARPINT_MONTGOMERY_SUBTRACT
#undef WARPINT_MONTGOMERY_CHOOSE

} // namespace detail
#endif

// r = a b / B^8 mod m for a b < m B^8, eight limbs each, m_inverse = -m^-1 mod B. Where
// has_word_blocks. r may be any operand but m. Constant time.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void
montgomery_8x64([[maybe_unused]] Limb *r, [[maybe_unused]] const Limb *a,
                [[maybe_unused]] const Limb *b, [[maybe_unused]] const Limb *m,
                [[maybe_unused]] Limb m_inverse) {
#if WARPINT_X86_BLOCKS
    if constexpr (sizeof(Limb) == 8)
        detail::montgomery_8x64_adx(r, a, b, m, m_inverse);
#endif
}

} // namespace warpint::limb
