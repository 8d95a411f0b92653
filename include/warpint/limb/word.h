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
#define WARPINT_ADD_WORD(instruction, offset, addend)                                              \
    "movq " #offset "(%[a]), %[word]\n\t" instruction "q " addend ", %[word]\n\t"                 \
    "movq %[word], " #offset "(%[r])\n\t"
#define WARPINT_WORD_IN_MEMORY(offset) #offset "(%[b])"
#define WARPINT_SAME_WORD(offset) "%[b]"
// addend: the word of b beside the one at an offset of a; next: what moves b on by eight words.
#define WARPINT_WORD_BLOCKS(instruction, addend, next)                                             \
    asm volatile(                                                                                  \
        "negq %[carry]\n\t" /* the flag */                                                         \
        ".p2align 4\n"                                                                             \
        "1:\n\t"                                                                                   \
        WARPINT_ADD_WORD(instruction, 0, addend(0))                                                \
        WARPINT_ADD_WORD(instruction, 8, addend(8))                                                \
        WARPINT_ADD_WORD(instruction, 16, addend(16))                                              \
        WARPINT_ADD_WORD(instruction, 24, addend(24))                                              \
        WARPINT_ADD_WORD(instruction, 32, addend(32))                                              \
        WARPINT_ADD_WORD(instruction, 40, addend(40))                                              \
        WARPINT_ADD_WORD(instruction, 48, addend(48))                                              \
        WARPINT_ADD_WORD(instruction, 56, addend(56))                                              \
        "leaq 64(%[a]), %[a]\n\t" next                                                             \
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
        WARPINT_WORD_BLOCKS("sbb", WARPINT_WORD_IN_MEMORY, "leaq 64(%[b]), %[b]\n\t");
    } else {
        WARPINT_WORD_BLOCKS("adc", WARPINT_WORD_IN_MEMORY, "leaq 64(%[b]), %[b]\n\t");
    }
    return carry;
}
// The same for a b whose words are all one.
template <bool subtract>
inline std::uint64_t combine_same8(void *r, const void *a, std::uint64_t b, long n,
                                   std::uint64_t carry) {
    std::uint64_t word;
    if constexpr (subtract) {
        WARPINT_WORD_BLOCKS("sbb", WARPINT_SAME_WORD, "");
    } else {
        WARPINT_WORD_BLOCKS("adc", WARPINT_SAME_WORD, "");
    }
    return carry;
}

#undef WARPINT_SAME_WORD
#undef WARPINT_WORD_IN_MEMORY
#undef WARPINT_WORD_BLOCKS
#undef WARPINT_ADD_WORD

} // namespace detail
#endif

// Word i of an array of M 32-bit limbs that goes on with `fill`.
template <int M, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE std::uint64_t extended_word(const Limb *limbs, int i,
                                                               std::uint64_t fill) {
    if constexpr (M >= 2) { // g++ 12 warns of a read that is not there at -O1
        if (i < M / 2)
            return load_word(limbs, i);
    }
    return M % 2 != 0 && i == M / 2 ? limbs[M - 1] | fill << 32 : fill;
}

// r = a, of M limbs, with `fill` above them up to N limbs: what is written as words can be read as
// words at once. (A read that spans two writes waits until both have reached the cache.)
template <int N, int M, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE void store_extended(Limb *r, const Limb *a, Limb fill) {
    const std::uint64_t word = fill | std::uint64_t{fill} << 32;
    if constexpr (N <= 2 * unrolled_words) {
        WARPINT_UNROLL_HOST
        for (int i = 0; i < N / 2; ++i)
            store_word(r, i, extended_word<M>(a, i, word));
    } else {
        __builtin_memcpy(r, a, M / 2 * sizeof(word));
        for (int i = M / 2; i < N / 2; ++i)
            store_word(r, i, extended_word<M>(a, i, word));
    }
    if constexpr (N % 2 != 0)
        r[N - 1] = M == N ? a[N - 1] : fill;
}

// r = ~r over N 32-bit limbs if the condition holds. Constant time.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE void complement_words_if(Limb *r, bool condition) {
    const std::uint64_t mask = std::uint64_t{0} - condition;
    WARPINT_UNROLL_HOST
    for (int i = 0; i < N / 2; ++i)
        store_word(r, i, load_word(r, i) ^ mask);
    if constexpr (N % 2 != 0)
        r[N - 1] ^= static_cast<Limb>(mask);
}

// r = a + b + carry, or a - b - carry, over N 32-bit limbs, word by word, at run time on a host;
// returns the carry out (0 or 1). b has M <= N limbs and goes on with `fill`, 0 or all ones. r may
// be a or b.
template <bool subtract, int N, int M = N, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE Limb combine_words(Limb *r, const Limb *a, const Limb *b,
                                                      Limb carry_in, std::uint64_t fill = 0) {
    static_assert(in_words<N, Limb> && M <= N);
    const auto combine = [](auto x, auto y, auto &carry) WARPINT_INLINE_LAMBDA {
        if constexpr (subtract) {
            return sub_borrow(x, y, carry);
        } else {
            return add_carry(x, y, carry);
        }
    };
    std::uint64_t carry = carry_in;
    int i = 0;
    const auto combine_to = [&](int end) WARPINT_INLINE_LAMBDA {
        WARPINT_UNROLL_HOST // so that the carry stays in its flag
            for (; i < end; ++i)
                store_word(r, i, combine(load_word(a, i), extended_word<M>(b, i, fill), carry));
    };
    if constexpr (N / 2 <= unrolled_words) {
        WARPINT_UNROLL_ALWAYS
        for (; i < N / 2; ++i)
            store_word(r, i, combine(load_word(a, i), extended_word<M>(b, i, fill), carry));
    } else {
#if WARPINT_X86_64
        if constexpr (M >= 16) {
            carry = detail::combine_blocks8<subtract>(r, a, b, M / 16, carry);
            i = M / 16 * 8;
        }
        if constexpr (M < N) {
            constexpr int same = (N / 2 - (M + 1) / 2) / 8; // blocks above b
            combine_to((M + 1) / 2);
            if constexpr (same > 0) {
                carry = detail::combine_same8<subtract>(r + 2 * i, a + 2 * i, fill, same, carry);
                i += 8 * same;
            }
        }
#endif
        combine_to(N / 2);
    }
    Limb carry_out = static_cast<Limb>(carry);
    if constexpr (N % 2 != 0)
        r[N - 1] = combine(a[N - 1], M == N ? b[N - 1] : static_cast<Limb>(fill), carry_out);
    return carry_out;
}

} // namespace warpint::limb
