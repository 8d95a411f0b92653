// SPDX-License-Identifier: Apache-2.0
// Shifts of numbers as 64-bit words on hosts. Short numbers are shifted without a branch or a
// mispredicted one, whatever the count; long ones in one pass over what remains of them. On x86-64
// both work on pairs of words in SSE2 registers, which every such processor has.
#pragma once

#include "word.h"

#if WARPINT_X86_64
#include <emmintrin.h>
#endif

namespace warpint::limb {

namespace detail {

// shift_short word by word, out of an array with fill on both sides: best where the count is a
// constant, because nothing but moves and shifts is left of it then.
template <int N, bool Up, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE void shift_by_words(Limb *r, const Limb *a, int count,
                                                       Limb fill_limb) {
    constexpr int n = (N + 1) / 2;
    const std::uint64_t fill = std::uint64_t{fill_limb} << 32 | fill_limb;
    std::uint64_t x[3 * n];
    WARPINT_UNROLL_HOST
    for (int i = 0; i < n; ++i) {
        x[i] = fill;
        x[2 * n + i] = fill;
    }
    WARPINT_UNROLL_HOST
    for (int i = 0; i < N / 2; ++i)
        x[n + i] = load_word(a, i);
    if constexpr (N % 2 != 0)
        x[2 * n - 1] = a[N - 1] | (fill << 32);
    const int places = count / 64;
    const int shift = count % 64;
    const std::uint64_t *const from = x + n + (Up ? -places : places);
    WARPINT_UNROLL_HOST
    for (int i = 0; i < n; ++i) {
        const std::uint64_t word = Up ? (from[i] << shift) | (from[i - 1] >> 1 >> (63 - shift))
                                      : (from[i] >> shift) | (from[i + 1] << 1 << (63 - shift));
        if (i < N / 2) {
            store_word(r, i, word);
        } else {
            r[N - 1] = static_cast<Limb>(word);
        }
    }
}

#if WARPINT_X86_64

// Two words at any address. Read one by one they need not wait when they were just stored apart;
// compilers would join two such reads.
inline __m128i load_one_by_one(const void *p) {
    __m128i words;
    asm("movq (%[p]), %[words]\n\tmovhps 8(%[p]), %[words]"
        : [words] "=x"(words)
        : [p] "r"(p), "m"(*static_cast<const char (*)[16]>(p)));
    return words;
}
inline __m128i load_two_words(const void *p) {
    return _mm_loadu_si128(static_cast<const __m128i *>(p));
}

inline void store_two_words(void *p, __m128i words) {
    _mm_storeu_si128(static_cast<__m128i *>(p), words);
}

// Words 2 i and 2 i + 1 of N limbs; what lies above them is fill.
template <int N, class Limb>
WARPINT_INLINE __m128i load_pair(const Limb *a, int i, Limb fill) {
    const std::uint64_t above = std::uint64_t{fill} << 32 | fill;
    if (4 * i + 4 <= N)
        return load_two_words(a + 4 * i);
    if (4 * i + 3 == N)
        return _mm_set_epi64x(static_cast<long long>(a[N - 1] | above << 32),
                              static_cast<long long>(load_word(a, 2 * i)));
    if (4 * i + 2 == N)
        return _mm_set_epi64x(static_cast<long long>(above),
                              static_cast<long long>(load_word(a, 2 * i)));
    return _mm_set_epi64x(static_cast<long long>(above),
                          static_cast<long long>(a[N - 1] | above << 32));
}
template <int N, class Limb>
WARPINT_INLINE void store_pair(Limb *r, int i, __m128i pair) {
    if (4 * i + 4 <= N) {
        store_two_words(r + 4 * i, pair);
        return;
    }
    const auto low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(pair));
    if (4 * i + 1 == N) {
        r[N - 1] = static_cast<Limb>(low);
        return;
    }
    store_word(r, 2 * i, low);
    if (4 * i + 3 == N)
        r[N - 1] = static_cast<Limb>(_mm_cvtsi128_si32(_mm_unpackhi_epi64(pair, pair)));
}

// Word 1 of the one and word 0 of the other.
inline __m128i middle_words(__m128i below, __m128i above) {
    return _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(below), _mm_castsi128_pd(above), 1));
}

// The shifted words are stored in a buffer that many places further on and read where the result
// begins.
template <int N, bool Up, class Limb>
WARPINT_INLINE void shift_through_memory(Limb *r, const Limb *a, int count, Limb fill_limb) {
    constexpr int pairs = (N + 3) / 4;
    constexpr int size = 2 * pairs;
    alignas(16) std::uint64_t buffer[2 * size];
    std::uint64_t *const begin = Up ? buffer : buffer + size;
    const __m128i fill = _mm_set1_epi32(static_cast<int>(fill_limb));
    WARPINT_UNROLL_HOST
    for (int i = 0; i < pairs; ++i)
        store_two_words(begin + 2 * i, fill);
    std::uint64_t *const moved = Up ? begin + count / 64 : begin - count / 64;
    // A count of 64 in these instructions gives 0.
    const __m128i there = _mm_cvtsi32_si128(count % 64);
    const __m128i back = _mm_cvtsi32_si128(64 - count % 64);
    __m128i before = fill; // the pair below (above if down)
    WARPINT_UNROLL_HOST
    for (int k = 0; k < pairs; ++k) {
        const int i = Up ? k : pairs - 1 - k;
        const __m128i x = load_pair<N>(a, i, fill_limb);
        __m128i y;
        if constexpr (Up) {
            y = _mm_or_si128(_mm_sll_epi64(x, there), _mm_srl_epi64(middle_words(before, x), back));
        } else {
            y = _mm_or_si128(_mm_srl_epi64(x, there), _mm_sll_epi64(middle_words(x, before), back));
        }
        store_two_words(moved + 2 * i, y);
        before = x;
    }
    WARPINT_UNROLL_HOST
    for (int i = 0; i < pairs; ++i)
        store_pair<N>(r, i,
                      N <= 16 ? load_one_by_one(begin + 2 * i) : load_two_words(begin + 2 * i));
}

#endif

// Words [from, to) of r = fill.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE void fill_words(Limb *r, int from, int to, std::uint64_t fill) {
#if WARPINT_X86_64
    const __m128i pair = _mm_set1_epi64x(static_cast<long long>(fill));
    for (; from + 7 < to; from += 8) {
        store_two_words(r + 2 * from, pair);
        store_two_words(r + 2 * from + 4, pair);
        store_two_words(r + 2 * from + 8, pair);
        store_two_words(r + 2 * from + 12, pair);
        asm volatile("" ::: "memory");
    }
    for (; from + 1 < to; from += 2) {
        store_two_words(r + 2 * from, pair);
        asm volatile("" ::: "memory"); // g++ would make it an instruction that takes long to start
    }
#endif
    for (; from < to; ++from) {
        store_word(r, from, fill);
#if WARPINT_X86_64
        asm volatile("" ::: "memory");
#endif
    }
}

// Word i of a << count and of a >> count, count = 64 places + shift, from two words of a.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE void shift_left_word(Limb *r, const Limb *a, int i, int places,
                                                        int shift) {
    store_word(r, i,
               (load_word(a, i - places) << shift) |
                   (load_word(a, i - places - 1) >> 1 >> (63 - shift)));
}
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE void shift_right_word(Limb *r, const Limb *a, int i, int places,
                                                         int shift) {
    store_word(r, i,
               (load_word(a, i + places) >> shift) |
                   (load_word(a, i + places + 1) << 1 << (63 - shift)));
}

} // namespace detail

// Numbers of at most this many limbs are shifted by shift_short.
inline constexpr int short_shift_limbs = 64;

// r = a << count (Up) or a >> count, vacated limbs filled with fill (0 or all ones; 0 for Up); 0 <=
// count < N limb widths. r may be a. Constant time.
template <int N, bool Up, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE void shift_short(Limb *r, const Limb *a, int count, Limb fill) {
    static_assert(in_words<N, Limb> && N <= short_shift_limbs);
#if WARPINT_X86_64
    if (N > 2 * unrolled_words || !__builtin_constant_p(count)) {
        detail::shift_through_memory<N, Up>(r, a, count, fill);
        return;
    }
#endif
    detail::shift_by_words<N, Up>(r, a, count, fill);
}

// r = a << count, likewise, for numbers of any length. Variable time in count.
template <int N, class Limb>
WARPINT_HOST_DEVICE inline void shift_left_long(Limb *r, const Limb *a, int count) {
    static_assert(in_words<N, Limb>);
    constexpr int n = N / 2;
    const int places = static_cast<int>(static_cast<unsigned>(count) / 64);
    const int shift = count & 63;
    if constexpr (N % 2 != 0) { // the limb above the last word
        const int from = N - 1 - count / 32;
        r[N - 1] = funnel_left(a[from], from > 0 ? a[from - 1] : Limb{0}, count % 32);
    }
    int i = n - 1;
#if WARPINT_X86_64
    const __m128i there = _mm_cvtsi32_si128(shift);
    // A count of 64 gives 0.
    const __m128i back = _mm_cvtsi32_si128(64 - shift);
    const auto shift_pair = [&](int k) { // words k - 1 and k
        const Limb *const from = a + 2 * (k - 1 - places);
        const __m128i high = detail::load_two_words(from);
        const __m128i low = detail::load_two_words(from - 2);
        return _mm_or_si128(_mm_sll_epi64(high, there), _mm_srl_epi64(low, back));
    };
    const auto shift_block = [&](int k) { // words k - 7 .. k
        const __m128i w = shift_pair(k), x = shift_pair(k - 2);
        const __m128i y = shift_pair(k - 4), z = shift_pair(k - 6);
        detail::store_two_words(r + 2 * (k - 1), w);
        detail::store_two_words(r + 2 * (k - 3), x);
        detail::store_two_words(r + 2 * (k - 5), y);
        detail::store_two_words(r + 2 * (k - 7), z);
    };
    for (; i - 7 > places; i -= 8)
        shift_block(i);
    for (; i - 1 > places; i -= 2)
        detail::store_two_words(r + 2 * (i - 1), shift_pair(i));
    if (i > places) // an odd one
        detail::shift_left_word(r, a, i, places, shift);
#else
    for (; i > places; --i)
        detail::shift_left_word(r, a, i, places, shift);
#endif
    if (places < n)
        store_word(r, places, load_word(a, 0) << shift);
    detail::fill_words(r, 0, places < n ? places : n, 0);
}

// r = a >> count, likewise.
template <int N, class Limb>
WARPINT_HOST_DEVICE inline void shift_right_long(Limb *r, const Limb *a, int count,
                                                 Limb fill_limb) {
    static_assert(in_words<N, Limb>);
    constexpr int n = N / 2;
    const std::uint64_t fill = std::uint64_t{fill_limb} << 32 | fill_limb;
    std::uint64_t top = fill; // the word above the last whole one
    if constexpr (N % 2 != 0)
        top = a[N - 1] | fill << 32;
    const int places = static_cast<int>(static_cast<unsigned>(count) / 64);
    const int shift = count & 63;
    int i = 0;
#if WARPINT_X86_64
    const __m128i there = _mm_cvtsi32_si128(shift);
    const __m128i back = _mm_cvtsi32_si128(64 - shift);
    const auto shift_pair = [&](int k) { // words k and k + 1
        const Limb *const from = a + 2 * (k + places);
        const __m128i low = detail::load_two_words(from);
        const __m128i high = detail::load_two_words(from + 2);
        return _mm_or_si128(_mm_srl_epi64(low, there), _mm_sll_epi64(high, back));
    };
    const auto shift_block = [&](int k) { // words k .. k + 7
        const __m128i w = shift_pair(k), x = shift_pair(k + 2);
        const __m128i y = shift_pair(k + 4), z = shift_pair(k + 6);
        detail::store_two_words(r + 2 * k, w);
        detail::store_two_words(r + 2 * k + 4, x);
        detail::store_two_words(r + 2 * k + 8, y);
        detail::store_two_words(r + 2 * k + 12, z);
    };
    for (; i + 7 < n - 1 - places; i += 8)
        shift_block(i);
    for (; i + 1 < n - 1 - places; i += 2)
        detail::store_two_words(r + 2 * i, shift_pair(i));
    if (i < n - 1 - places) { // an odd one
        detail::shift_right_word(r, a, i, places, shift);
        ++i;
    }
#else
    for (; i < n - 1 - places; ++i)
        detail::shift_right_word(r, a, i, places, shift);
#endif
    if (i < n && places < n) {
        store_word(r, i, (load_word(a, n - 1) >> shift) | (top << 1 << (63 - shift)));
        ++i;
    }
    if constexpr (N % 2 != 0) { // what is left of the limb above
        const std::uint64_t rest = (top >> shift) | (fill << 1 << (63 - shift));
        if (i < n) {
            store_word(r, i, rest);
            ++i;
            r[N - 1] = fill_limb;
        } else {
            r[N - 1] = static_cast<Limb>(rest); // places = 0
        }
    }
    detail::fill_words(r, i, n, fill);
}

} // namespace warpint::limb
