// SPDX-License-Identifier: Apache-2.0
// Rows of any length: r (+)= a b for a run-time number of limbs, the inner loop of host products,
// where numbers lie in memory. x86-64 processors with the BMI2 and ADX extensions run eight limbs
// per block on two independent carry chains (Ozturk, Guilford, Gopal, Feghali, "New Instructions
// Supporting Large Integer Arithmetic on Intel Architecture Processors", 2012); chosen at run time,
// no compiler flag needed.
#pragma once

#include "cpu_features.h"
#include "word.h"

namespace warpint::limb {

#if WARPINT_X86_64
namespace detail {

inline const bool has_two_carry_chains = cpu_features.has_two_carry_chains();

// Text for rows of products on two carry chains, here and in the headers of blocks. A row is a
// source, limbs in memory, times %rdx; it begins with both carry flags clear, and has the operands
// `low` and `high` for itself.
// clang-format off
// The product of limb i: register `here` takes its low half, `next` the high half.
#define WARPINT_MULX(source, i, here, next)                                                        \
    "mulxq 8*" #i "(%[" #source "]), %[low], %[high]\n\t"                                          \
    "adoxq %[low], %%" #here "\n\t"                                                                \
    "adcxq %[high], %%" #next "\n\t"
// The last one of a row, with which register `top` begins. Both chains end in it.
#define WARPINT_MULX_LAST(source, i, here, top)                                                    \
    "mulxq 8*" #i "(%[" #source "]), %[low], %%" #top "\n\t"                                       \
    "adoxq %[low], %%" #here "\n\t"                                                                \
    "movl $0, %k[low]\n\t" /* keeps the flags */                                                   \
    "adcxq %[low], %%" #top "\n\t"                                                                 \
    "adoxq %[low], %%" #top "\n\t"
// Eight limbs: a row of t0 .. t7, whose uppermost limb goes to t0. `add` adds to t0 before, `done`
// takes the lowest limb from it.
#define WARPINT_MULX_ROW(source, add, done, t0, t1, t2, t3, t4, t5, t6, t7)                        \
    "xorl %k[low], %k[low]\n\t" /* clears both carry flags */                                      \
    add                                                                                            \
    WARPINT_MULX(source, 0, t0, t1)                                                                \
    done                                                                                           \
    WARPINT_MULX(source, 1, t1, t2)                                                                \
    WARPINT_MULX(source, 2, t2, t3)                                                                \
    WARPINT_MULX(source, 3, t3, t4)                                                                \
    WARPINT_MULX(source, 4, t4, t5)                                                                \
    WARPINT_MULX(source, 5, t5, t6)                                                                \
    WARPINT_MULX(source, 6, t6, t7)                                                                \
    WARPINT_MULX_LAST(source, 7, t7, t0)
// A product of the first row, which begins all registers: with `sum`, addq and then adcq.
#define WARPINT_MULX_FIRST(i, sum, here, next)                                                     \
    "mulxq 8*" #i "(%[a]), %[low], %%" #next "\n\t" sum " %[low], %%" #here "\n\t"
// clang-format on

// r[0..n) += a[0..n) b + carry for the n that its name says; returns the limb carried out.
#define WARPINT_MULTIPLY_ADD(offset, into, from)                                                   \
    "mulxq " #offset "(%[a]), %[low], %[" #into "]\n\t"                                            \
    "adcxq %[" #from "], %[low]\n\t"                                                               \
    "adoxq " #offset "(%[r]), %[low]\n\t"                                                          \
    "movq %[low], " #offset "(%[r])\n\t"
#define WARPINT_MULTIPLY_ADD_TWO(first, second)                                                    \
    WARPINT_MULTIPLY_ADD(first, high, carry)                                                       \
    WARPINT_MULTIPLY_ADD(second, carry, high)
#define WARPINT_MULTIPLY_ADD_BLOCK(name, rows)                                                     \
    inline std::uint64_t name(std::uint64_t *r, const std::uint64_t *a, std::uint64_t b,           \
                              std::uint64_t carry) {                                               \
        std::uint64_t low, high, zero;                                                             \
        asm volatile(                                                                              \
            "xorl %k[zero], %k[zero]\n\t" /* clears both carry flags */                            \
            rows "adcxq %[zero], %[carry]\n\t"                                                     \
            "adoxq %[zero], %[carry]\n\t"                                                          \
            : [carry] "+&r"(carry), [low] "=&r"(low), [high] "=&r"(high), [zero] "=&r"(zero)       \
            : [r] "r"(r), [a] "r"(a), "d"(b)                                                       \
            : "cc", "memory");                                                                     \
        return carry;                                                                              \
    }
WARPINT_MULTIPLY_ADD_BLOCK(multiply_add_block8,
                           WARPINT_MULTIPLY_ADD_TWO(0, 8) WARPINT_MULTIPLY_ADD_TWO(16, 24)
                               WARPINT_MULTIPLY_ADD_TWO(32, 40) WARPINT_MULTIPLY_ADD_TWO(48, 56))
WARPINT_MULTIPLY_ADD_BLOCK(multiply_add_block4,
                           WARPINT_MULTIPLY_ADD_TWO(0, 8) WARPINT_MULTIPLY_ADD_TWO(16, 24))
WARPINT_MULTIPLY_ADD_BLOCK(multiply_add_block2, WARPINT_MULTIPLY_ADD_TWO(0, 8))
#undef WARPINT_MULTIPLY_ADD_BLOCK
#undef WARPINT_MULTIPLY_ADD_TWO
#undef WARPINT_MULTIPLY_ADD

// r += 2 t over 8 n limbs, n >= 1; returns the carry out of the addition (that of the doubling is
// the top bit of t).
inline std::uint64_t add_doubled_blocks8(std::uint64_t *r, const std::uint64_t *t, long n) {
    std::uint64_t word;
    std::uint64_t carry;
#define WARPINT_ADD_DOUBLED(offset)                                                                \
    "movq " #offset "(%[t]), %[word]\n\t"                                                          \
    "adcxq %[word], %[word]\n\t"                                                                   \
    "adoxq " #offset "(%[r]), %[word]\n\t"                                                         \
    "movq %[word], " #offset "(%[r])\n\t"
    asm volatile("xorl %k[word], %k[word]\n\t" // clears both carry flags
                 "1:\n\t" WARPINT_ADD_DOUBLED(0) WARPINT_ADD_DOUBLED(8) WARPINT_ADD_DOUBLED(16)
                     WARPINT_ADD_DOUBLED(24) WARPINT_ADD_DOUBLED(32) WARPINT_ADD_DOUBLED(40)
                         WARPINT_ADD_DOUBLED(48) WARPINT_ADD_DOUBLED(
                             56) "leaq 64(%[t]), %[t]\n\t"
                                 "leaq 64(%[r]), %[r]\n\t"
                                 "leaq -1(%[n]), %[n]\n\t" // keeps the flags, as jrcxz does
                                 "jrcxz 2f\n\t"
                                 "jmp 1b\n"
                                 "2:\n\t"
                                 "movl $0, %k[word]\n\t"
                                 "movl $0, %k[carry]\n\t"
                                 "adoxq %[word], %[carry]\n\t"
                 : [r] "+r"(r), [t] "+r"(t), [n] "+c"(n), [word] "=&r"(word), [carry] "=&r"(carry)
                 :
                 : "cc", "memory");
#undef WARPINT_ADD_DOUBLED
    return carry;
}

} // namespace detail
#endif

// r[0..n) += a[0..n) b; returns the limb carried out. r and a do not overlap.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb multiply_add_row(Limb *r, const Limb *a, int n, Limb b) {
    Limb carry = 0;
    int i = 0;
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated() && detail::has_two_carry_chains) {
            for (; i + 8 <= n; i += 8)
                carry = detail::multiply_add_block8(r + i, a + i, b, carry);
            if (i + 4 <= n) {
                carry = detail::multiply_add_block4(r + i, a + i, b, carry);
                i += 4;
            }
            if (i + 2 <= n) {
                carry = detail::multiply_add_block2(r + i, a + i, b, carry);
                i += 2;
            }
        }
    }
#endif
    for (; i < n; ++i)
        r[i] = multiply_add(a[i], b, r[i], carry);
    return carry;
}

#if WARPINT_X86_64
namespace detail {

// r[0..4) -= a[0..4) b + borrow; returns the limb borrowed. The products are joined on one carry
// chain, then subtracted on a second one. Needs BMI2 (mulx).
inline std::uint64_t multiply_sub_block4(std::uint64_t *r, const std::uint64_t *a, std::uint64_t b,
                                         std::uint64_t borrow) {
    std::uint64_t p0, p1, p2, p3, high;
    asm volatile("mulxq (%[a]), %[p0], %[high]\n\t"
                 "addq %[borrow], %[p0]\n\t"
                 "mulxq 8(%[a]), %[p1], %[borrow]\n\t"
                 "adcq %[high], %[p1]\n\t"
                 "mulxq 16(%[a]), %[p2], %[high]\n\t"
                 "adcq %[borrow], %[p2]\n\t"
                 "mulxq 24(%[a]), %[p3], %[borrow]\n\t"
                 "adcq %[high], %[p3]\n\t"
                 "adcq $0, %[borrow]\n\t"
                 "subq %[p0], (%[r])\n\t"
                 "sbbq %[p1], 8(%[r])\n\t"
                 "sbbq %[p2], 16(%[r])\n\t"
                 "sbbq %[p3], 24(%[r])\n\t"
                 "adcq $0, %[borrow]"
                 : [borrow] "+&r"(borrow), [p0] "=&r"(p0), [p1] "=&r"(p1), [p2] "=&r"(p2),
                   [p3] "=&r"(p3), [high] "=&r"(high)
                 : [r] "r"(r), [a] "r"(a), "d"(b)
                 : "cc", "memory");
    return borrow;
}

// The same for eight limbs.
inline std::uint64_t multiply_sub_block8(std::uint64_t *r, const std::uint64_t *a, std::uint64_t b,
                                         std::uint64_t borrow) {
    std::uint64_t p0, p1, p2, p3, p4, p5, p6, p7, high;
    asm volatile(
        "mulxq (%[a]), %[p0], %[high]\n\t"
        "addq %[borrow], %[p0]\n\t"
        "mulxq 8(%[a]), %[p1], %[borrow]\n\t"
        "adcq %[high], %[p1]\n\t"
        "mulxq 16(%[a]), %[p2], %[high]\n\t"
        "adcq %[borrow], %[p2]\n\t"
        "mulxq 24(%[a]), %[p3], %[borrow]\n\t"
        "adcq %[high], %[p3]\n\t"
        "mulxq 32(%[a]), %[p4], %[high]\n\t"
        "adcq %[borrow], %[p4]\n\t"
        "mulxq 40(%[a]), %[p5], %[borrow]\n\t"
        "adcq %[high], %[p5]\n\t"
        "mulxq 48(%[a]), %[p6], %[high]\n\t"
        "adcq %[borrow], %[p6]\n\t"
        "mulxq 56(%[a]), %[p7], %[borrow]\n\t"
        "adcq %[high], %[p7]\n\t"
        "adcq $0, %[borrow]\n\t"
        "subq %[p0], (%[r])\n\t"
        "sbbq %[p1], 8(%[r])\n\t"
        "sbbq %[p2], 16(%[r])\n\t"
        "sbbq %[p3], 24(%[r])\n\t"
        "sbbq %[p4], 32(%[r])\n\t"
        "sbbq %[p5], 40(%[r])\n\t"
        "sbbq %[p6], 48(%[r])\n\t"
        "sbbq %[p7], 56(%[r])\n\t"
        "adcq $0, %[borrow]"
        : [borrow] "+&r"(borrow), [p0] "=&r"(p0), [p1] "=&r"(p1), [p2] "=&r"(p2), [p3] "=&r"(p3),
          [p4] "=&r"(p4), [p5] "=&r"(p5), [p6] "=&r"(p6), [p7] "=&r"(p7), [high] "=&r"(high)
        : [r] "r"(r), [a] "r"(a), "d"(b)
        : "cc", "memory");
    return borrow;
}

// clang-format off
#define WARPINT_MULTIPLY_WORD(offset, into, from)                                                  \
    "mulxq " #offset "(%[a]), %[low], %[" #into "]\n\t"                                            \
    "adcq %[" #from "], %[low]\n\t"                                                                \
    "movq %[low], " #offset "(%[r])\n\t"
// clang-format on

// r = a b + above over 8 n words, n >= 1, at any addresses; returns the word carried out. r may be
// a.
inline std::uint64_t multiply_blocks8(void *r, const void *a, std::uint64_t b, long n,
                                      std::uint64_t above) {
    std::uint64_t low, high;
    asm volatile("testq %[n], %[n]\n\t" // no carry
                 ".p2align 4\n"
                 "1:\n\t" WARPINT_MULTIPLY_WORD(0, high, above) //
                 WARPINT_MULTIPLY_WORD(8, above, high)          //
                 WARPINT_MULTIPLY_WORD(16, high, above)         //
                 WARPINT_MULTIPLY_WORD(24, above, high)         //
                 WARPINT_MULTIPLY_WORD(32, high, above)         //
                 WARPINT_MULTIPLY_WORD(40, above, high)         //
                 WARPINT_MULTIPLY_WORD(48, high, above)         //
                 WARPINT_MULTIPLY_WORD(56, above, high)         //
                 "leaq 64(%[a]), %[a]\n\t"
                 "leaq 64(%[r]), %[r]\n\t"
                 "decq %[n]\n\t" // keeps the carry
                 "jnz 1b\n\t"
                 "adcq $0, %[above]"
                 : [r] "+&r"(r), [a] "+&r"(a), [n] "+&r"(n), [above] "+&r"(above), [low] "=&r"(low),
                   [high] "=&r"(high)
                 : "d"(b)
                 : "cc", "memory");
    return above;
}
#undef WARPINT_MULTIPLY_WORD

} // namespace detail
#endif

// r = a b modulo B^K, of 32-bit limbs: a has N of them, b is a word, N <= K <= N + 2; word by word,
// at run time on a host. r may be a. Constant time.
template <int K, int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE void multiply_words(Limb *r, const Limb *a, std::uint64_t b) {
    static_assert(has_words && sizeof(Limb) == 4 && N <= K && K <= N + 2);
    constexpr int words = (N + 1) / 2;
    std::uint64_t above = 0;
    const auto put = [&](int i, std::uint64_t word) WARPINT_INLINE_LAMBDA {
        if (2 * i + 1 < K) {
            store_word(r, i, word);
        } else if (2 * i < K) {
            r[2 * i] = static_cast<Limb>(word);
        }
    };
    const auto multiply = [&](int i) WARPINT_INLINE_LAMBDA {
        put(i, multiply_add(extended_word<N>(a, i, 0), b, std::uint64_t{0}, above));
    };
    int i = 0;
    if constexpr (N / 2 < 8) {
        WARPINT_UNROLL_ALWAYS
        for (; i < words; ++i)
            multiply(i);
    } else {
#if WARPINT_X86_64
        if (detail::has_two_carry_chains) {
            above = detail::multiply_blocks8(r, a, b, N / 16, above);
            i = N / 16 * 8;
        }
#endif
        for (; i < words; ++i)
            multiply(i);
    }
    put(words, above);
}

// r[0..n) -= a[0..n) b; returns the limb borrowed. r and a do not overlap.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb multiply_sub_row(Limb *r, const Limb *a, int n, Limb b) {
    Limb carry = 0;
    int i = 0;
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated() && detail::has_two_carry_chains) {
            for (; i + 8 <= n; i += 8)
                carry = detail::multiply_sub_block8(r + i, a + i, b, carry);
            if (i + 4 <= n) {
                carry = detail::multiply_sub_block4(r + i, a + i, b, carry);
                i += 4;
            }
        }
    }
#endif
    for (; i < n; ++i) {
        const Limb product = multiply_add(a[i], b, Limb{0}, carry);
        const Limb before = r[i];
        r[i] = static_cast<Limb>(before - product);
        carry = static_cast<Limb>(carry + (before < product));
    }
    return carry;
}

// r[0..n) = a[0..n) + b[0..n) + carry; returns the carry out (0 or 1). r may be a or b.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb add_row(Limb *r, const Limb *a, const Limb *b, int n,
                                           Limb carry = 0) {
    int i = 0;
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated() && n >= 8) {
            carry = detail::combine_blocks8<false>(r, a, b, n / 8, carry);
            i = n / 8 * 8;
        }
    }
#endif
    for (; i < n; ++i)
        r[i] = add_carry(a[i], b[i], carry);
    return carry;
}

// r[0..n) = a[0..n) - b[0..n) - borrow; returns the borrow out (0 or 1). r may be a or b.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb sub_row(Limb *r, const Limb *a, const Limb *b, int n,
                                           Limb borrow = 0) {
    int i = 0;
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated() && n >= 8) {
            borrow = detail::combine_blocks8<true>(r, a, b, n / 8, borrow);
            i = n / 8 * 8;
        }
    }
#endif
    for (; i < n; ++i)
        r[i] = sub_borrow(a[i], b[i], borrow);
    return borrow;
}

// r[0..n) += 2 t[0..n); what is carried out is dropped. r and t do not overlap.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void add_doubled_row(Limb *r, const Limb *t, int n) {
    int i = 0;
    Limb below = 0; // the limb of t before, whose top bit moves up
    Limb carry = 0;
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated() && n >= 8 && detail::has_two_carry_chains) {
            carry = detail::add_doubled_blocks8(r, t, n / 8);
            i = n / 8 * 8;
            below = t[i - 1];
        }
    }
#endif
    for (; i < n; ++i) {
        const Limb doubled = static_cast<Limb>((t[i] << 1) | (below >> (limb_bits<Limb> - 1)));
        below = t[i];
        r[i] = add_carry(r[i], doubled, carry);
    }
}

// r[0..n) += carry (any limb), in place; returns the carry out (0 or 1).
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb add_limb_row(Limb *r, int n, Limb carry) {
    for (int i = 0; i < n; ++i) {
        const Limb sum = static_cast<Limb>(r[i] + carry);
        carry = static_cast<Limb>(sum < carry);
        r[i] = sum;
    }
    return carry;
}

// True if the blocks of words are compiled here that are assembly with two chains of carries:
// block.h, square_block.h, quotient_block.h, montgomery_4x64.h, montgomery_8x64.h.
template <class Limb>
inline constexpr bool compiles_word_blocks = WARPINT_X86_BLOCKS && sizeof(Limb) == 8;

// True if the processor has them.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool has_word_blocks() {
#if WARPINT_X86_BLOCKS
    if constexpr (compiles_word_blocks<Limb>)
        return !__builtin_is_constant_evaluated() && detail::has_two_carry_chains;
#endif
    return false;
}

} // namespace warpint::limb
