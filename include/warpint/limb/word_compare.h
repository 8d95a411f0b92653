// SPDX-License-Identifier: Apache-2.0
// Comparisons of short numbers as 64-bit words on hosts, without a branch.
#pragma once

#include "word.h"

#if WARPINT_X86_64
#include <emmintrin.h>
#endif

namespace warpint::limb {

#if WARPINT_X86_64
namespace detail {

// The borrow of a - b: of the lowest words, of those above, and what they are.
#define WARPINT_LESS(words, ...)                                                                   \
    asm("movq %[a0], %[word]\n\tcmpq %[b0], %[word]\n\t" words                                     \
        : [word] "=&r"(word), "=@ccb"(less)                                                        \
        : __VA_ARGS__)
#define WARPINT_LESS_WORD(i) "movq %[a" #i "], %[word]\n\tsbbq %[b" #i "], %[word]\n\t"
#define WARPINT_LESS_INPUT(i) [a##i] "rm"(load_word(a, i)), [b##i] "rm"(load_word(b, i))

// Words of less_in_flags.
inline constexpr int flag_words = 7;

// a < b over N words, 1 <= N <= 7: a run of subtractions that keeps nothing but the flag. The
// intrinsic functions would make g++ store every difference.
template <int N, class Limb>
WARPINT_INLINE bool less_in_flags(const Limb *a, const Limb *b) {
    std::uint64_t word;
    bool less;
    // clang-format off
    if constexpr (N == 1) {
        WARPINT_LESS("",
                     WARPINT_LESS_INPUT(0));
    } else if constexpr (N == 2) {
        WARPINT_LESS(WARPINT_LESS_WORD(1),
                     WARPINT_LESS_INPUT(0), WARPINT_LESS_INPUT(1));
    } else if constexpr (N == 3) {
        WARPINT_LESS(WARPINT_LESS_WORD(1) WARPINT_LESS_WORD(2),
                     WARPINT_LESS_INPUT(0), WARPINT_LESS_INPUT(1), WARPINT_LESS_INPUT(2));
    } else if constexpr (N == 4) {
        WARPINT_LESS(WARPINT_LESS_WORD(1) WARPINT_LESS_WORD(2) WARPINT_LESS_WORD(3),
                     WARPINT_LESS_INPUT(0), WARPINT_LESS_INPUT(1), WARPINT_LESS_INPUT(2), WARPINT_LESS_INPUT(3));
    } else if constexpr (N == 5) {
        WARPINT_LESS(WARPINT_LESS_WORD(1) WARPINT_LESS_WORD(2) WARPINT_LESS_WORD(3) WARPINT_LESS_WORD(4),
                     WARPINT_LESS_INPUT(0), WARPINT_LESS_INPUT(1), WARPINT_LESS_INPUT(2), WARPINT_LESS_INPUT(3), WARPINT_LESS_INPUT(4));
    } else if constexpr (N == 6) {
        WARPINT_LESS(WARPINT_LESS_WORD(1) WARPINT_LESS_WORD(2) WARPINT_LESS_WORD(3) WARPINT_LESS_WORD(4) WARPINT_LESS_WORD(5),
                     WARPINT_LESS_INPUT(0), WARPINT_LESS_INPUT(1), WARPINT_LESS_INPUT(2), WARPINT_LESS_INPUT(3), WARPINT_LESS_INPUT(4), WARPINT_LESS_INPUT(5));
    } else if constexpr (N == 7) {
        WARPINT_LESS(WARPINT_LESS_WORD(1) WARPINT_LESS_WORD(2) WARPINT_LESS_WORD(3) WARPINT_LESS_WORD(4) WARPINT_LESS_WORD(5) WARPINT_LESS_WORD(6),
                     WARPINT_LESS_INPUT(0), WARPINT_LESS_INPUT(1), WARPINT_LESS_INPUT(2), WARPINT_LESS_INPUT(3), WARPINT_LESS_INPUT(4), WARPINT_LESS_INPUT(5), WARPINT_LESS_INPUT(6));
    }
    // clang-format on
    return less;
}

#undef WARPINT_LESS
#undef WARPINT_LESS_WORD
#undef WARPINT_LESS_INPUT

} // namespace detail
#endif

// a < b over Words words, Words >= 1. Constant time.
template <int Words, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE bool less_words(const Limb *a, const Limb *b) {
#if WARPINT_X86_64
    if constexpr (Words <= detail::flag_words)
        return detail::less_in_flags<Words>(a, b);
#endif
    std::uint64_t borrow = 0;
    WARPINT_UNROLL_HOST
    for (int i = 0; i < Words; ++i)
        sub_borrow(load_word(a, i), load_word(b, i), borrow);
    return borrow != 0;
}

// a == b over Words words, Words >= 1. Constant time.
template <int Words, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE bool equal_words(const Limb *a, const Limb *b) {
#if WARPINT_X86_64
    if constexpr (Words >= 4) { // shorter numbers are rather in general registers
        __m128i same = _mm_set1_epi8(-1);
        if constexpr (Words % 2 != 0) {
            // With the word below, though that is compared twice: where the caller has branched on
            // the top word of a product, something must read it still (kept() in barrier.h).
            constexpr int top = 2 * (Words - 2);
            same = _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(a + top)),
                                   _mm_loadu_si128(reinterpret_cast<const __m128i *>(b + top)));
        }
        WARPINT_UNROLL_HOST
        for (int i = 0; i < Words / 2; ++i) {
            const auto *const x = reinterpret_cast<const __m128i *>(a + 4 * i);
            const auto *const y = reinterpret_cast<const __m128i *>(b + 4 * i);
            same = _mm_and_si128(same, _mm_cmpeq_epi32(_mm_loadu_si128(x), _mm_loadu_si128(y)));
        }
        return _mm_movemask_epi8(same) == 0xffff;
    }
#endif
    std::uint64_t any = 0;
    WARPINT_UNROLL_HOST
    for (int i = 0; i < Words; ++i)
        any |= load_word(a, i) ^ load_word(b, i);
    return any == 0;
}

} // namespace warpint::limb
