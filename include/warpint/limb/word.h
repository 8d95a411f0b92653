// SPDX-License-Identifier: Apache-2.0
// Words: on hosts the 32-bit limbs of a number are read and written in pairs, as 64-bit words,
// wherever they lie. The linear-time functions (chain.h, arith/limbs/linear.h) do so one word at a
// time, without a copy of the number.
#pragma once

#include "arithmetic.h"

namespace warpint::limb {

// False where the compiler translates for a GPU or has no 128-bit product: word code is then not
// even compiled.
inline constexpr bool has_words = WARPINT_HAS_INT128 != 0 && WARPINT_DEVICE_PASS == 0;

// True for limb arrays of which a host works on words: Limb is 32 bits, N limbs hold a whole word.
template <int N, class Limb>
inline constexpr bool in_words = has_words && sizeof(Limb) == 4 && N >= 2;

// Loops over at most this many words are unrolled.
inline constexpr int unrolled_words = 16;

// Word i of an array of 32-bit limbs.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE std::uint64_t load_word(const Limb *limbs, int i) {
    std::uint64_t word;
    __builtin_memcpy(&word, limbs + 2 * i, sizeof(word));
    return word;
}
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE void store_word(Limb *limbs, int i, std::uint64_t word) {
    __builtin_memcpy(limbs + 2 * i, &word, sizeof(word));
}

#if WARPINT_X86_64
namespace detail {

// clang-format off
#define WARPINT_ADD_WORD(instruction, offset)                                                      \
    "movq " #offset "(%[a]), %[word]\n\t" instruction "q " #offset "(%[b]), %[word]\n\t"           \
    "movq %[word], " #offset "(%[r])\n\t"
#define WARPINT_WORD_BLOCKS(instruction)                                                           \
    asm volatile(                                                                                  \
        "negq %[carry]\n\t" /* the flag */                                                         \
        ".p2align 4\n"                                                                             \
        "1:\n\t"                                                                                   \
        WARPINT_ADD_WORD(instruction, 0) WARPINT_ADD_WORD(instruction, 8)                          \
        WARPINT_ADD_WORD(instruction, 16) WARPINT_ADD_WORD(instruction, 24)                        \
        WARPINT_ADD_WORD(instruction, 32) WARPINT_ADD_WORD(instruction, 40)                        \
        WARPINT_ADD_WORD(instruction, 48) WARPINT_ADD_WORD(instruction, 56)                        \
        "leaq 64(%[a]), %[a]\n\t"                                                                  \
        "leaq 64(%[b]), %[b]\n\t"                                                                  \
        "leaq 64(%[r]), %[r]\n\t"                                                                  \
        "decq %[n]\n\t" /* keeps the flag */                                                       \
        "jnz 1b\n\t"                                                                               \
        "sbbq %[carry], %[carry]\n\t"                                                              \
        "negq %[carry]\n\t"                                                                        \
        : [r] "+r"(r), [a] "+r"(a), [b] "+r"(b), [n] "+r"(n), [carry] "+r"(carry),                 \
          [word] "=&r"(word)                                                                       \
        :                                                                                          \
        : "cc", "memory")
// clang-format on

// r = a + b + carry, or a - b - carry, over 8 n words, n >= 1, at any addresses; the carry stays in
// its flag. r may be a or b.
template <bool subtract>
inline std::uint64_t combine_blocks8(void *r, const void *a, const void *b, long n,
                                     std::uint64_t carry) {
    std::uint64_t word;
    if constexpr (subtract) {
        WARPINT_WORD_BLOCKS("sbb");
    } else {
        WARPINT_WORD_BLOCKS("adc");
    }
    return carry;
}

#undef WARPINT_WORD_BLOCKS
#undef WARPINT_ADD_WORD

} // namespace detail
#endif

// r = a + b + carry, or a - b - carry, over N 32-bit limbs, word by word, at run time on a host;
// returns the carry out (0 or 1). r may be a or b.
template <bool subtract, int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE Limb combine_words(Limb *r, const Limb *a, const Limb *b,
                                                      Limb carry_in) {
    static_assert(in_words<N, Limb>);
    const auto combine = [](auto x, auto y, auto &carry) WARPINT_INLINE_LAMBDA {
        if constexpr (subtract) {
            return sub_borrow(x, y, carry);
        } else {
            return add_carry(x, y, carry);
        }
    };
    std::uint64_t carry = carry_in;
    int i = 0;
    if constexpr (N / 2 <= unrolled_words) {
        WARPINT_UNROLL_ALWAYS
        for (; i < N / 2; ++i)
            store_word(r, i, combine(load_word(a, i), load_word(b, i), carry));
    } else {
#if WARPINT_X86_64
        carry = detail::combine_blocks8<subtract>(r, a, b, N / 16, carry);
        i = N / 16 * 8;
#endif
        for (; i < N / 2; ++i)
            store_word(r, i, combine(load_word(a, i), load_word(b, i), carry));
    }
    Limb carry_out = static_cast<Limb>(carry);
    if constexpr (N % 2 != 0)
        r[N - 1] = combine(a[N - 1], b[N - 1], carry_out);
    return carry_out;
}

} // namespace warpint::limb
