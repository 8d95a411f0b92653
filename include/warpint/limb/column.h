// SPDX-License-Identifier: Apache-2.0
// Columns of a product: the sum of the limb products that begin at one place, in three limbs. With
// assembly for x86-64 and for GPUs, where the sum of a product is one wide multiply-add with a
// carry-out.
#pragma once

#include "arithmetic.h"
#include "ptx.h"

namespace warpint::limb {

// Adds a b to the column, once for every WARPINT_COLUMN_SUM.
#define WARPINT_COLUMN_SUM "\n\taddq %%rax, %[low]\n\tadcq %%rdx, %[middle]\n\tadcq $0, %[high]"
#define WARPINT_ADD_TO_COLUMN(sums)                                                                \
    Limb product_low = a;                                                                          \
    Limb product_high;                                                                             \
    asm("mulq %[b]" sums                                                                           \
        : "+a"(product_low),                                                                       \
          "=&d"(product_high), [low] "+r"(low), [middle] "+r"(middle), [high] "+r"(high)           \
        : [b] "rm"(b)                                                                              \
        : "cc")

// The sum of a column of products, three limbs: high B^2 + middle B + low += a b. Fewer than B
// products fit.
template <class Limb>
struct Column {
    Limb low = 0;
    Limb middle = 0;
    Limb high = 0;

    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_product(Limb a, Limb b) {
#if WARPINT_X86_64
        if constexpr (sizeof(Limb) == 8) {
            if (!__builtin_is_constant_evaluated()) {
                WARPINT_ADD_TO_COLUMN(WARPINT_COLUMN_SUM);
                return;
            }
        }
#endif
        if constexpr (ptx::exists<Limb>) {
            if (WARPINT_USES_PTX) {
                low = ptx::mad_lo_cc(a, b, low);
                middle = ptx::madc_hi_cc(a, b, middle);
                high = ptx::addc(high, 0);
                return;
            }
        }
        Limb product_high = 0;
        const Limb product_low = multiply_add(a, b, Limb{0}, product_high);
        add(product_low, product_high);
    }

    // Adds a one or two limb number.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add(Limb a_low, Limb a_high = 0) {
        if constexpr (ptx::exists<Limb>) {
            if (WARPINT_USES_PTX) {
                low = ptx::add_cc(low, a_low);
                middle = ptx::addc_cc(middle, a_high);
                high = ptx::addc(high, 0);
                return;
            }
        }
        Limb carry = 0;
        low = add_carry(low, a_low, carry);
        middle = add_carry(middle, a_high, carry);
        high = static_cast<Limb>(high + carry);
    }

    // Adds 2 a b.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_product_twice(Limb a, Limb b) {
#if WARPINT_X86_64
        if constexpr (sizeof(Limb) == 8) {
            if (!__builtin_is_constant_evaluated()) {
                WARPINT_ADD_TO_COLUMN(WARPINT_COLUMN_SUM WARPINT_COLUMN_SUM);
                return;
            }
        }
#endif
        add_product(a, b);
        add_product(a, b);
    }

    // The low limb, after which the column to the left begins with what is above it.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb next() {
        const Limb result = low;
        low = middle;
        middle = high;
        high = 0;
        return result;
    }
};

#undef WARPINT_ADD_TO_COLUMN
#undef WARPINT_COLUMN_SUM

} // namespace warpint::limb
