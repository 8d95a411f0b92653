// Blocks of eight rows of a product, and columns: the two inner loops of host products besides the
// single row (row.h). A block keeps eight accumulators in registers while it walks along the other
// operand, so that each limb of the result is loaded and stored once per eight products. Both have
// assembly for x86-64; the block's needs the BMI2 and ADX extensions and is chosen at run time.
// GPUs run the block on carry chains.
#pragma once

#include "chain.h"
#include "row.h"

namespace warpint::limb {

// Rows in one block.
inline constexpr int block_limbs = 8;

#if WARPINT_X86_64
namespace detail {

// One product of a block's step: accumulator `here` takes the low half on one carry chain, `next`
// the high half on the other.
#define WARPINT_BLOCK_PRODUCT(offset, here, next)                                                  \
    "mulxq " #offset "(%[a]), %[low], %[high]\n\t"                                                 \
    "adoxq %[low], %%" #here "\n\t"                                                                \
    "adcxq %[high], %%" #next "\n\t"

#define WARPINT_BLOCK(first)                                                                                                                                                                                   \
    asm volatile(                                                                                                                                                                                              \
        "xorl %%r8d, %%r8d\n\t"                                                                                                                                                                                \
        "xorl %%r9d, %%r9d\n\t"                                                                                                                                                                                \
        "xorl %%r10d, %%r10d\n\t"                                                                                                                                                                              \
        "xorl %%r11d, %%r11d\n\t"                                                                                                                                                                              \
        "xorl %%r12d, %%r12d\n\t"                                                                                                                                                                              \
        "xorl %%r13d, %%r13d\n\t"                                                                                                                                                                              \
        "xorl %%r14d, %%r14d\n\t"                                                                                                                                                                              \
        "xorl %%r15d, %%r15d\n\t"                                                                                                                                                                              \
        ".p2align 4\n"                                                                                                                                                                                         \
        "1:\n\t"                                                                                                                                                                                               \
        "movq (%[b]), %%rdx\n\t"                                                                                                                                                                               \
        "xorl %k[low], %k[low]\n\t" first                                                                                                                                                                      \
            WARPINT_BLOCK_PRODUCT(0, r8, r9) "movq %%r8, (%[r])\n\t" WARPINT_BLOCK_PRODUCT(8, r9, r10) "movq %%r9, %%r8\n\t" WARPINT_BLOCK_PRODUCT(16, r10, r11) "movq %%r10, %%r9\n\t" WARPINT_BLOCK_PRODUCT( \
                24, r11,                                                                                                                                                                                       \
                r12) "movq %%r11, %%r10\n\t" WARPINT_BLOCK_PRODUCT(32, r12,                                                                                                                                    \
                                                                   r13) "movq %%r12, "                                                                                                                         \
                                                                        "%%"                                                                                                                                   \
                                                                        "r11\n"                                                                                                                                \
                                                                        "\t" WARPINT_BLOCK_PRODUCT(40,                                                                                                         \
                                                                                                   r13,                                                                                                        \
                                                                                                   r14) "movq %%r13, "                                                                                         \
                                                                                                        "%%"                                                                                                   \
                                                                                                        "r12\n"                                                                                                \
                                                                                                        "\t" WARPINT_BLOCK_PRODUCT(                                                                            \
                                                                                                            48,                                                                                                \
                                                                                                            r14,                                                                                               \
                                                                                                            r15) "movq %%r14, %%r13\n\t"                                                                       \
                                                                                                                 "mulxq 56(%[a]), %[low], %[high]\n\t"                                                         \
                                                                                                                 "adoxq %[low], %%r15\n\t"                                                                     \
                                                                                                                 "movl $0, %k[low]\n\t"                                                                        \
                                                                                                                 "adcxq %[low], %[high]\n\t"                                                                   \
                                                                                                                 "adoxq %[low], %[high]\n\t"                                                                   \
                                                                                                                 "movq %%r15, %%r14\n\t"                                                                       \
                                                                                                                 "movq %[high], %%r15\n\t"                                                                     \
                                                                                                                 "leaq 8(%[r]), %[r]\n\t"                                                                      \
                                                                                                                 "leaq 8(%[b]), %[b]\n\t"                                                                      \
                                                                                                                 "decq %[n]\n\t"                                                                               \
                                                                                                                 "jnz 1b\n\t"                                                                                  \
                                                                                                                 "movq %%r8, (%[r])\n\t"                                                                       \
                                                                                                                 "movq %%r9, 8(%[r])\n\t"                                                                      \
                                                                                                                 "movq %%r10, 16(%[r])\n\t"                                                                    \
                                                                                                                 "movq %%r11, 24(%[r])\n\t"                                                                    \
                                                                                                                 "movq %%r12, 32(%[r])\n\t"                                                                    \
                                                                                                                 "movq %%r13, 40(%[r])\n\t"                                                                    \
                                                                                                                 "movq %%r14, 48(%[r])\n\t"                                                                    \
                                                                                                                 "movq %%r15, 56(%[r])\n\t"                                                                    \
        : [r] "+r"(r), [b] "+r"(b), [n] "+m"(n), [low] "=&r"(low), [high] "=&r"(high)                                                                                                                          \
        : [a] "r"(a)                                                                                                                                                                                           \
        : "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory")

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

namespace detail {

// A row of a block: aligned stands at limbs 0..7, shifted at 1..8 once the limb that both have left
// behind is dropped; adds a b. The sum stays below B^9, so nothing is carried out.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void block_row(Limb *aligned, Limb *shifted,
                                                            const Limb *a, Limb b) {
    multiply_add_alternate_shifted<block_limbs>(aligned[0], shifted, a + 1, b, Limb{0});
    const Limb carry = multiply_add_alternate<block_limbs>(aligned, a, b);
    shifted[block_limbs - 1] = static_cast<Limb>(shifted[block_limbs - 1] + carry);
}

} // namespace detail

// r[0..n + 8) = r[0..n) + a[0..8) b[0..n); n >= 1, by accumulators of alternate limbs (chain.h):
// the form for GPUs. r overlaps neither operand. Constant time.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_CALLED constexpr void
multiply_add_block_alternate(Limb *r, const Limb *a, const Limb *b, int n) {
    Limb block[block_limbs + 1]{};
    for (int i = 0; i < block_limbs; ++i)
        block[i] = a[i];
    Limb x[block_limbs]{};
    Limb y[block_limbs]{};
    Limb carry = 0;
    int j = 0;
    for (; j + 2 <= n; j += 2) { // dropping a limb swaps the accumulators' roles
        detail::block_row(x, y, block, b[j]);
        r[j] = add_carry(r[j], x[0], carry);
        detail::block_row(y, x, block, b[j + 1]);
        r[j + 1] = add_carry(r[j + 1], y[0], carry);
    }
    Limb low[block_limbs]{};
    Limb high[block_limbs]{};
    if (j < n) {
        detail::block_row(x, y, block, b[j]);
        r[j] = add_carry(r[j], x[0], carry);
        for (int i = 0; i < block_limbs; ++i) {
            low[i] = i + 1 < block_limbs ? x[i + 1] : Limb{0};
            high[i] = y[i];
        }
    } else {
        for (int i = 0; i < block_limbs; ++i) {
            low[i] = i + 1 < block_limbs ? y[i + 1] : Limb{0};
            high[i] = x[i];
        }
    }
    add<block_limbs>(low, low, high, carry);
    for (int i = 0; i < block_limbs; ++i)
        r[n + i] = low[i];
}

// r[0..n + 8) = r[0..n) + a[0..8) b[0..n); n >= 1. The upper eight limbs of r are written only. r
// overlaps neither operand. Constant time.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_add_block(Limb *r, const Limb *a, const Limb *b,
                                                      int n) {
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated() && detail::has_two_carry_chains) {
            detail::multiply_block_adx<true>(r, a, b, n);
            return;
        }
    }
#endif
    if (use_ptx()) {
        multiply_add_block_alternate(r, a, b, n);
        return;
    }
    for (int i = 0; i < block_limbs; ++i)
        r[n + i] = multiply_add_row(r + i, b, n, a[i]);
}

// r[0..n + 8) = a[0..8) b[0..n), likewise.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_block(Limb *r, const Limb *a, const Limb *b, int n) {
#if WARPINT_X86_64
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
                Limb product_low = a;
                Limb product_high;
                asm("mulq %[b]\n\t"
                    "addq %%rax, %[low]\n\t"
                    "adcq %%rdx, %[middle]\n\t"
                    "adcq $0, %[high]"
                    : "+a"(product_low),
                      "=&d"(product_high), [low] "+r"(low), [middle] "+r"(middle), [high] "+r"(high)
                    : [b] "rm"(b)
                    : "cc");
                return;
            }
        }
#endif
        Limb product_high = 0;
        const Limb product_low = multiply_add(a, b, Limb{0}, product_high);
        Limb carry = 0;
        low = add_carry(low, product_low, carry);
        middle = add_carry(middle, product_high, carry);
        high = static_cast<Limb>(high + carry);
    }

    // Adds 2 a b.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_product_twice(Limb a, Limb b) {
#if WARPINT_X86_64
        if constexpr (sizeof(Limb) == 8) {
            if (!__builtin_is_constant_evaluated()) {
                Limb product_low = a;
                Limb product_high;
                asm("mulq %[b]\n\t"
                    "addq %%rax, %[low]\n\t"
                    "adcq %%rdx, %[middle]\n\t"
                    "adcq $0, %[high]\n\t"
                    "addq %%rax, %[low]\n\t"
                    "adcq %%rdx, %[middle]\n\t"
                    "adcq $0, %[high]"
                    : "+a"(product_low),
                      "=&d"(product_high), [low] "+r"(low), [middle] "+r"(middle), [high] "+r"(high)
                    : [b] "rm"(b)
                    : "cc");
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

} // namespace warpint::limb
