// SPDX-License-Identifier: Apache-2.0
// Eight rows of a Montgomery reduction in registers: the quotient limbs, and what they carry. For
// x86-64 processors with the BMI2 and ADX extensions, chosen at run time.
#pragma once

#include "row.h"

namespace warpint::limb {

#if WARPINT_X86_BLOCKS
namespace detail {

// clang-format off
// A row: its quotient limb makes t0 zero, whose register then takes the next limb above. (A step of
// block.h with that limb as its factor.)
#define WARPINT_QUOTIENT_ROW(k, t0, t1, t2, t3, t4, t5, t6, t7)                                    \
    "movq %%" #t0 ", %%rdx\n\t"                                                                    \
    "imulq %[inverse], %%rdx\n\t"                                                                  \
    "movq %%rdx, " #k "(%[q])\n\t"                                                                 \
    WARPINT_MULX_ROW(m, , , t0, t1, t2, t3, t4, t5, t6, t7)

// q = the eight limbs that make t + q m a multiple of B^8, carried = (t + q m) / B^8; all have
// eight limbs, inverse = -m^-1 mod B.
WARPINT_HOT inline void quotient_block_adx(std::uint64_t *q, std::uint64_t *carried,
                                           const std::uint64_t *t, const std::uint64_t *m,
                                           std::uint64_t inverse) {
    std::uint64_t low;
    const void *high = t; // read before it is written
    asm volatile(
        "movq (%[high]), %%r8\n\t"
        "movq 8(%[high]), %%r9\n\t"
        "movq 16(%[high]), %%r10\n\t"
        "movq 24(%[high]), %%r11\n\t"
        "movq 32(%[high]), %%r12\n\t"
        "movq 40(%[high]), %%r13\n\t"
        "movq 48(%[high]), %%r14\n\t"
        "movq 56(%[high]), %%r15\n\t"
        WARPINT_QUOTIENT_ROW(0, r8, r9, r10, r11, r12, r13, r14, r15)
        WARPINT_QUOTIENT_ROW(8, r9, r10, r11, r12, r13, r14, r15, r8)
        WARPINT_QUOTIENT_ROW(16, r10, r11, r12, r13, r14, r15, r8, r9)
        WARPINT_QUOTIENT_ROW(24, r11, r12, r13, r14, r15, r8, r9, r10)
        WARPINT_QUOTIENT_ROW(32, r12, r13, r14, r15, r8, r9, r10, r11)
        WARPINT_QUOTIENT_ROW(40, r13, r14, r15, r8, r9, r10, r11, r12)
        WARPINT_QUOTIENT_ROW(48, r14, r15, r8, r9, r10, r11, r12, r13)
        WARPINT_QUOTIENT_ROW(56, r15, r8, r9, r10, r11, r12, r13, r14)
        "movq %%r8, (%[carried])\n\t"
        "movq %%r9, 8(%[carried])\n\t"
        "movq %%r10, 16(%[carried])\n\t"
        "movq %%r11, 24(%[carried])\n\t"
        "movq %%r12, 32(%[carried])\n\t"
        "movq %%r13, 40(%[carried])\n\t"
        "movq %%r14, 48(%[carried])\n\t"
        "movq %%r15, 56(%[carried])\n\t"
        : [high] "+&r"(high), [low] "=&r"(low)
        : [q] "r"(q), [carried] "r"(carried), [m] "r"(m), [inverse] "m"(inverse)
        : "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory");
}
// clang-format on

#undef WARPINT_QUOTIENT_ROW

} // namespace detail
#endif

// q = the eight limbs that make t + q m a multiple of B^8, carried = (t + q m) / B^8 <= m; all have
// eight limbs, inverse = -m^-1 mod B. Where has_word_blocks. Constant time.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void
quotient_rows([[maybe_unused]] Limb *q, [[maybe_unused]] Limb *carried,
              [[maybe_unused]] const Limb *t, [[maybe_unused]] const Limb *m,
              [[maybe_unused]] Limb inverse) {
#if WARPINT_X86_BLOCKS
    if constexpr (sizeof(Limb) == 8)
        detail::quotient_block_adx(q, carried, t, m, inverse);
#endif
}

} // namespace warpint::limb
