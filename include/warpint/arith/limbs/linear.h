// SPDX-License-Identifier: Apache-2.0
// Linear-time algorithms over little-endian limb arrays: compare, shift, copy. The limb type is a
// parameter; the number of limbs N is known at compile time. Hosts take 32-bit limbs in pairs
// (limb/word.h). Constant time in the values unless said otherwise.
#pragma once

#include "../../limb/chain.h"
#include "../../limb/word_compare.h"
#include "../../limb/word_shift.h"

#include <cstddef>

namespace warpint::arith {

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void copy(Limb *r, const Limb *a) {
    limb::keep_local_arrays_apart<N>();
    if constexpr (N > limb::chain_limbs) {
        // No loop, because nvcc leaves out copies of copies; without the alignment it makes a loop
        // of bytes.
        if (WARPINT_USES_PTX) {
            void *const to = r;
            const void *const from = a;
            WARPINT_MEMCPY(__builtin_assume_aligned(to, sizeof(Limb)),
                           __builtin_assume_aligned(from, sizeof(Limb)), N * sizeof(Limb));
            return;
        }
    }
    // g++ -O2 leaves a loop over few limbs as it is, whose stores delay the load of a word. (A copy
    // of 16 limbs gains 6% at -O2 but loses 25% at -O3, which vectorises the loop.)
    if constexpr (limb::in_words<N, Limb> && N <= 8) {
        if (WARPINT_USES_WORDS) {
            WARPINT_UNROLL_HOST
            for (int i = 0; i < N / 2; ++i)
                limb::store_word(r, i, limb::load_word(a, i));
            if constexpr (N % 2 != 0)
                r[N - 1] = a[N - 1];
            return;
        }
    }
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        r[i] = a[i];
}

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void set_zero(Limb *r) {
    limb::keep_local_arrays_apart<N>();
    if constexpr (N > limb::chain_limbs) {
        if (WARPINT_USES_PTX) {
            void *const to = r;
            WARPINT_MEMSET(__builtin_assume_aligned(to, sizeof(Limb)), 0, N * sizeof(Limb));
            return;
        }
    }
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        r[i] = 0;
}

namespace detail {

// a == b on hosts: without a branch for up to 4 words, which cost less than a misprediction. Of
// more words the highest ones decide if they differ.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE bool equal_as_words(const Limb *a, const Limb *b) {
    constexpr int words = N / 2;
    if constexpr (words > 4) {
        if (limb::load_word(a, words - 1) != limb::load_word(b, words - 1)) [[unlikely]]
            return false;
    }
    if constexpr (words > limb::unrolled_words) {
        return __builtin_memcmp(a, b, N * sizeof(Limb)) == 0;
    } else {
        const bool same = limb::equal_words<words>(a, b);
        return N % 2 == 0 ? same : same & (a[N - 1] == b[N - 1]);
    }
}

// a < b on hosts: the highest words decide if they differ, which for most numbers they do; the
// others of up to 16 words are compared without a branch.
template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE bool less_as_words(const Limb *a, const Limb *b) {
    if constexpr (N % 2 != 0) {
        if (a[N - 1] != b[N - 1])
            return a[N - 1] < b[N - 1];
    }
    constexpr int words = N / 2;
    const std::uint64_t top_a = limb::load_word(a, words - 1);
    const std::uint64_t top_b = limb::load_word(b, words - 1);
    if (top_a != top_b) [[likely]]
        return top_a < top_b;
    if constexpr (words > limb::unrolled_words) {
        int i = words - 2;
        constexpr int block = 8; // words that are compared at once
        while (i >= block - 1 &&
               limb::equal_words<block>(a + 2 * (i - block + 1), b + 2 * (i - block + 1)))
            i -= block;
        for (; i >= 0; --i) {
            const std::uint64_t word_a = limb::load_word(a, i);
            const std::uint64_t word_b = limb::load_word(b, i);
            if (word_a != word_b)
                return word_a < word_b;
        }
        return false;
    } else if constexpr (words > 1) {
        return limb::less_words<words - 1>(a, b);
    } else {
        return false;
    }
}

} // namespace detail

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_zero(const Limb *a) {
    if constexpr (limb::in_words<N, Limb>) {
        if (WARPINT_USES_WORDS) {
            std::uint64_t any = N % 2 == 0 ? 0 : a[N - 1];
            for (int i = 0; i < N / 2; ++i)
                any |= limb::load_word(a, i);
            return any == 0;
        }
    }
    Limb any = 0;
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        any = static_cast<Limb>(any | a[i]);
    return any == 0;
}

// Whether all N limbs are `fill`, 0 or all ones. Variable time on hosts, where the highest word
// says no for most numbers.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_filled(const Limb *a, Limb fill) {
    if constexpr (limb::in_words<N, Limb>) {
        if (WARPINT_USES_WORDS) {
            if (a[N - 1] != fill)
                return false;
            const std::uint64_t same = fill | std::uint64_t{fill} << 32;
            std::uint64_t any = 0;
            for (int i = 0; i < N / 2; ++i)
                any |= limb::load_word(a, i) ^ same;
            return any == 0;
        }
    }
    Limb any = 0;
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        any = static_cast<Limb>(any | (a[i] ^ fill));
    return any == 0;
}

// a == b. Variable time on hosts for numbers of more than 4 words.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool equal(const Limb *a, const Limb *b) {
    if constexpr (limb::in_words<N, Limb>) {
        if (WARPINT_USES_WORDS)
            return detail::equal_as_words<N>(a, b);
    }
    Limb any = 0;
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        any = static_cast<Limb>(any | (a[i] ^ b[i]));
    return any == 0;
}

// a < b: the borrow of a - b. Variable time on the host, where the highest words decide if they
// differ, and for wide numbers.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool less(const Limb *a, const Limb *b) {
    if constexpr (limb::in_words<N, Limb>) {
        if (WARPINT_USES_WORDS)
            return detail::less_as_words<N>(a, b);
    }
    if constexpr (N <= limb::chain_limbs) {
        Limb difference[N]{};
        return limb::sub<N>(difference, a, b) != 0;
    } else {
        WARPINT_UNROLL(4, 4) // nvcc would unroll all of it
        for (int i = N - 1; i > 0; --i) {
            if (a[i] != b[i])
                return a[i] < b[i];
        }
        return a[0] < b[0];
    }
}

// r = condition ? a : b, without a branch.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void select(Limb *r, bool condition, const Limb *a,
                                                         const Limb *b) {
    const Limb mask = static_cast<Limb>(Limb{0} - static_cast<Limb>(condition));
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        r[i] = static_cast<Limb>((a[i] & mask) | (b[i] & static_cast<Limb>(~mask)));
}

namespace detail {

// Limbs without leading zeros. Short arrays are searched without a branch: the lengths of operands
// are hard to predict.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int significant_limbs(const Limb *a) {
    if constexpr (N <= limb::unrolled_words) {
        int length = 0;
        WARPINT_UNROLL_HOST
        for (int i = 0; i < N; ++i)
            length = a[i] != 0 ? i + 1 : length;
        return length;
    } else {
        int length = N;
        if constexpr (WARPINT_DEVICE_PASS == 0) { // a short number's zeros, four by four
            while (length >= 4 &&
                   (a[length - 1] | a[length - 2] | a[length - 3] | a[length - 4]) == 0)
                length -= 4;
        }
        while (length > 0 && a[length - 1] == 0)
            --length;
        return length;
    }
}

} // namespace detail

// Number of significant bits; 0 for 0. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int bit_width(const Limb *a) {
    int width = 0;
    if constexpr (WARPINT_DEVICE_PASS == 0 && N > limb::unrolled_words) {
        const int length = detail::significant_limbs<N>(a);
        if (length > 0)
            width = length * limb::limb_bits<Limb> - limb::countl_zero(a[length - 1]);
    } else {
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = 0; i < N; ++i) {
            if (a[i] != 0)
                width = (i + 1) * limb::limb_bits<Limb> - limb::countl_zero(a[i]);
        }
    }
    return width;
}

// Number of trailing zero bits; N limbs' width for 0. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int countr_zero(const Limb *a) {
    int zeros = N * limb::limb_bits<Limb>;
    if constexpr (WARPINT_DEVICE_PASS == 0 && N > limb::unrolled_words) {
        int i = 0; // the lowest limb is seldom 0
        while (i < N && a[i] == 0)
            ++i;
        if (i < N)
            zeros = i * limb::limb_bits<Limb> + limb::countr_zero(a[i]);
    } else {
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = N - 1; i >= 0; --i) {
            if (a[i] != 0)
                zeros = i * limb::limb_bits<Limb> + limb::countr_zero(a[i]);
        }
    }
    return zeros;
}

using limb::funnel_left;
using limb::funnel_right;

namespace detail {

// funnel_left without a comparison; 0 <= shift < limb width.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb join_left(Limb high, Limb low, int shift) {
    return static_cast<Limb>((high << shift) | ((low >> 1) >> (limb::limb_bits<Limb> - 1 - shift)));
}

// Moves the limbs of r up (or down) by a run-time number of places with log2(N) rounds of
// selections, so that every index is known at compile time and the number stays in registers.
template <int N, bool Up, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void move_limbs_in_registers(Limb *r, int places,
                                                                          Limb fill) {
    WARPINT_UNROLL(8, 8)
    for (int round = 0; round < 8; ++round) {
        const int step = 1 << round;
        if (step >= N)
            break;
        const bool moves = (places & step) != 0;
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int k = 0; k < N; ++k) {
            const int i = Up ? N - 1 - k : k;
            const int from = Up ? i - step : i + step;
            const Limb moved = from >= 0 && from < N ? r[from] : fill;
            r[i] = moves ? moved : r[i];
        }
    }
}

} // namespace detail

// r = a << count modulo B^N; 0 <= count < N limb widths. r may be a. Variable time in count on the
// host.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void shift_left(Limb *r, const Limb *a, int count) {
    WARPINT_ASSERT(count >= 0 && count < N * limb::limb_bits<Limb>);
    if constexpr (limb::in_words<N, Limb>) {
        if (WARPINT_USES_WORDS) {
            if constexpr (N <= limb::short_shift_limbs) {
                limb::shift_short<N, true>(r, a, count, Limb{0});
            } else {
                limb::shift_left_long<N>(r, a, count);
            }
            return;
        }
    }
    const int places = count / limb::limb_bits<Limb>;
    const int shift = count % limb::limb_bits<Limb>;
    if (WARPINT_USES_PTX && N <= limb::chain_limbs) {
        Limb moved[N]{};
        copy<N>(moved, a);
        detail::move_limbs_in_registers<N, true>(moved, places, Limb{0});
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = N - 1; i >= 0; --i)
            r[i] = funnel_left(moved[i], i > 0 ? moved[i - 1] : Limb{0}, shift);
    } else {
        limb::keep_local_arrays_apart<N>();
        WARPINT_UNROLL(4, 4)
        for (int i = N - 1; i >= 0; --i) {
            const Limb high = i - places >= 0 ? a[i - places] : Limb{0};
            const Limb low = i - places - 1 >= 0 ? a[i - places - 1] : Limb{0};
            r[i] = funnel_left(high, low, shift);
        }
    }
}

// r = a >> count, vacated limbs filled with fill (0 or all ones); 0 <= count < N limb widths. r may
// be a. Variable time in count on the host.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void shift_right(Limb *r, const Limb *a, int count,
                                                              Limb fill = 0) {
    WARPINT_ASSERT(count >= 0 && count < N * limb::limb_bits<Limb>);
    if constexpr (limb::in_words<N, Limb>) {
        if (WARPINT_USES_WORDS) {
            if constexpr (N <= limb::short_shift_limbs) {
                limb::shift_short<N, false>(r, a, count, fill);
            } else {
                limb::shift_right_long<N>(r, a, count, fill);
            }
            return;
        }
    }
    const int places = count / limb::limb_bits<Limb>;
    const int shift = count % limb::limb_bits<Limb>;
    if (WARPINT_USES_PTX && N <= limb::chain_limbs) {
        Limb moved[N]{};
        copy<N>(moved, a);
        detail::move_limbs_in_registers<N, false>(moved, places, fill);
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = 0; i < N; ++i)
            r[i] = funnel_right(i + 1 < N ? moved[i + 1] : fill, moved[i], shift);
    } else {
        limb::keep_local_arrays_apart<N>();
        WARPINT_UNROLL(4, 4)
        for (int i = 0; i < N; ++i) {
            const Limb low = i + places < N ? a[i + places] : fill;
            const Limb high = i + places + 1 < N ? a[i + places + 1] : fill;
            r[i] = funnel_right(high, low, shift);
        }
    }
}

} // namespace warpint::arith
