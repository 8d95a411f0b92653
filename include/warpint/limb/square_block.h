// SPDX-License-Identifier: Apache-2.0
// The square of eight 64-bit words, mixed products once, in registers: what squares on hosts are
// made of. For x86-64 processors with the BMI2 and ADX extensions, chosen at run time.
#pragma once

#include "row.h"

namespace warpint::limb {

#if WARPINT_X86_BLOCKS
namespace detail {

// clang-format off
#define WARPINT_SQUARE_BEGIN(offset)                                                               \
    "movq " #offset "(%[a]), %%rdx\n\t"                                                            \
    "xorl %k[low], %k[low]\n\t" /* clears both carry flags */
// Ends a row with the product by a[7], whose upper limb is the first in its place; the two lowest
// limbs are complete.
#define WARPINT_SQUARE_END(last, top, offset, low_limb, next_offset, next_limb)                    \
    WARPINT_MULX_LAST(a, 7, last, top)                                                             \
    "movq %%" #low_limb ", " #offset "(%[r])\n\t"                                                  \
    "movq %%" #next_limb ", " #next_offset "(%[r])\n\t"
// Limbs 2 i and 2 i + 1: the mixed products, in `lower` and `upper`, on one carry chain twice, on
// the other a[i]^2.
#define WARPINT_SQUARE_PAIR(a_offset, offset, lower, next_offset, upper)                           \
    "movq " #a_offset "(%[a]), %%rdx\n\t"                                                          \
    "mulxq %%rdx, %[low], %[high]\n\t"                                                             \
    "adcxq %%" #lower ", %%" #lower "\n\t"                                                         \
    "adoxq %[low], %%" #lower "\n\t"                                                               \
    "adcxq %%" #upper ", %%" #upper "\n\t"                                                         \
    "adoxq %[high], %%" #upper "\n\t"                                                              \
    "movq %%" #lower ", " #offset "(%[r])\n\t"                                                     \
    "movq %%" #upper ", " #next_offset "(%[r])\n\t"
// The same where the mixed products have been stored.
#define WARPINT_SQUARE_STORED_PAIR(a_offset, offset, next_offset)                                  \
    "movq " #offset "(%[r]), %%r8\n\t"                                                             \
    "movq " #next_offset "(%[r]), %%r9\n\t"                                                        \
    WARPINT_SQUARE_PAIR(a_offset, offset, r8, next_offset, r9)

// r[0..16) = a[0..8)^2; words at any addresses, r and a do not overlap. The mixed products row by
// row: limb i of them is in register 8 + i mod 8 until it is complete.
WARPINT_HOT inline void square_block_adx(void *r, const void *a) {
    std::uint64_t low, high;
    asm volatile(
        "movq (%[a]), %%rdx\n\t"
        "mulxq 8(%[a]), %%r9, %%r10\n\t"
        WARPINT_MULX_FIRST(2, "addq", r10, r11)
        WARPINT_MULX_FIRST(3, "adcq", r11, r12)
        WARPINT_MULX_FIRST(4, "adcq", r12, r13)
        WARPINT_MULX_FIRST(5, "adcq", r13, r14)
        WARPINT_MULX_FIRST(6, "adcq", r14, r15)
        WARPINT_MULX_FIRST(7, "adcq", r15, r8)
        "adcq $0, %%r8\n\t"
        "movq %%r9, 8(%[r])\n\t"
        "movq %%r10, 16(%[r])\n\t"
        WARPINT_SQUARE_BEGIN(8)
        WARPINT_MULX(a, 2, r11, r12)
        WARPINT_MULX(a, 3, r12, r13)
        WARPINT_MULX(a, 4, r13, r14)
        WARPINT_MULX(a, 5, r14, r15)
        WARPINT_MULX(a, 6, r15, r8)
        WARPINT_SQUARE_END(r8, r9, 24, r11, 32, r12)
        WARPINT_SQUARE_BEGIN(16)
        WARPINT_MULX(a, 3, r13, r14)
        WARPINT_MULX(a, 4, r14, r15)
        WARPINT_MULX(a, 5, r15, r8)
        WARPINT_MULX(a, 6, r8, r9)
        WARPINT_SQUARE_END(r9, r10, 40, r13, 48, r14)
        WARPINT_SQUARE_BEGIN(24)
        WARPINT_MULX(a, 4, r15, r8)
        WARPINT_MULX(a, 5, r8, r9)
        WARPINT_MULX(a, 6, r9, r10)
        WARPINT_SQUARE_END(r10, r11, 56, r15, 64, r8)
        WARPINT_SQUARE_BEGIN(32)
        WARPINT_MULX(a, 5, r9, r10)
        WARPINT_MULX(a, 6, r10, r11)
        WARPINT_SQUARE_END(r11, r12, 72, r9, 80, r10)
        WARPINT_SQUARE_BEGIN(40)
        WARPINT_MULX(a, 6, r11, r12)
        WARPINT_SQUARE_END(r12, r13, 88, r11, 96, r12)
        WARPINT_SQUARE_BEGIN(48)
        WARPINT_SQUARE_END(r13, r14, 104, r13, 112, r14)
        "movq (%[a]), %%rdx\n\t"
        "xorl %k[low], %k[low]\n\t"
        "mulxq %%rdx, %[low], %[high]\n\t"
        "movq 8(%[r]), %%r9\n\t"
        "adcxq %%r9, %%r9\n\t"
        "adoxq %[high], %%r9\n\t"
        "movq %[low], (%[r])\n\t"
        "movq %%r9, 8(%[r])\n\t"
        WARPINT_SQUARE_STORED_PAIR(8, 16, 24)
        WARPINT_SQUARE_STORED_PAIR(16, 32, 40)
        WARPINT_SQUARE_STORED_PAIR(24, 48, 56)
        WARPINT_SQUARE_STORED_PAIR(32, 64, 72)
        WARPINT_SQUARE_STORED_PAIR(40, 80, 88)
        WARPINT_SQUARE_STORED_PAIR(48, 96, 104)
        "movl $0, %%r9d\n\t"
        WARPINT_SQUARE_PAIR(56, 112, r14, 120, r9)
        : [low] "=&r"(low), [high] "=&r"(high)
        : [r] "r"(r), [a] "r"(a)
        : "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory");
}
// clang-format on

#undef WARPINT_SQUARE_BEGIN
#undef WARPINT_SQUARE_END
#undef WARPINT_SQUARE_PAIR
#undef WARPINT_SQUARE_STORED_PAIR

} // namespace detail
#endif

// r[0..16) = a[0..8)^2, where has_word_blocks. r does not overlap a. Constant time.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void square_block([[maybe_unused]] Limb *r,
                                                [[maybe_unused]] const Limb *a) {
#if WARPINT_X86_BLOCKS
    if constexpr (sizeof(Limb) == 8)
        detail::square_block_adx(r, a);
#endif
}

// The same of 16 limbs of 32 bits as they are stored, at run time on a host. False, with nothing
// done, where the processor has no code for it.
WARPINT_INLINE bool square_stored([[maybe_unused]] std::uint32_t *r,
                                  [[maybe_unused]] const std::uint32_t *a) {
#if WARPINT_X86_BLOCKS
    if (detail::has_two_carry_chains) {
        detail::square_block_adx(r, a);
        return true;
    }
#endif
    return false;
}

} // namespace warpint::limb
