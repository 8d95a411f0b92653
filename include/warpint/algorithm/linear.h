// Linear-time algorithms over little-endian limb arrays: compare, shift, copy. The limb type is a
// parameter; the number of limbs N is known at compile time. Hosts take 32-bit limbs in pairs
// (limb/word.h). Constant time in the values unless said otherwise.
#pragma once

#include "../limb/chain.h"

#include <cstddef>

namespace warpint::algorithm {

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void copy(Limb *r, const Limb *a) {
    if constexpr (N > limb::chain_limbs) {
        if (limb::use_ptx()) { // not a rolled loop: nvcc 13.0 then overlays arrays that are both
                               // alive (4096 bits)
            __builtin_memcpy(r, a, N * sizeof(Limb));
            return;
        }
    }
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        r[i] = a[i];
}

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void set_zero(Limb *r) {
    if constexpr (N > limb::chain_limbs) {
        if (limb::use_ptx()) {
            __builtin_memset(r, 0, N * sizeof(Limb));
            return;
        }
    }
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        r[i] = 0;
}

namespace detail {

template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE bool equal_words(const Limb *a, const Limb *b) {
    if (limb::load_word(a, 0) != limb::load_word(b, 0)) [[likely]]
        return false;
    if constexpr (N / 2 > limb::unrolled_words) {
        return __builtin_memcmp(a, b, N * sizeof(Limb)) == 0;
    } else {
        std::uint64_t any = 0;
        if constexpr (N % 2 != 0)
            any = a[N - 1] ^ b[N - 1];
        WARPINT_UNROLL_HOST
        for (int i = 1; i < N / 2; ++i)
            any |= limb::load_word(a, i) ^ limb::load_word(b, i);
        return any == 0;
    }
}

template <int N, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE bool less_words(const Limb *a, const Limb *b) {
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
        for (int i = words - 2; i >= 0; --i) {
            const std::uint64_t word_a = limb::load_word(a, i);
            const std::uint64_t word_b = limb::load_word(b, i);
            if (word_a != word_b)
                return word_a < word_b;
        }
        return false;
    } else {
        std::uint64_t borrow = 0;
        WARPINT_UNROLL_HOST
        for (int i = 0; i < words - 1; ++i)
            limb::sub_borrow(limb::load_word(a, i), limb::load_word(b, i), borrow);
        return borrow != 0;
    }
}

} // namespace detail

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_zero(const Limb *a) {
    Limb any = 0;
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        any = static_cast<Limb>(any | a[i]);
    return any == 0;
}

// a == b. Variable time on the host: it looks at the lowest word first.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool equal(const Limb *a, const Limb *b) {
    if constexpr (limb::in_words<N, Limb>) {
        if (limb::use_words())
            return detail::equal_words<N>(a, b);
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
        if (limb::use_words())
            return detail::less_words<N>(a, b);
    }
    if constexpr (N <= limb::chain_limbs) {
        Limb difference[N]{};
        return limb::sub<N>(difference, a, b) != 0;
    } else {
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

// Number of significant bits; 0 for 0. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int bit_width(const Limb *a) {
    int width = 0;
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i) {
        if (a[i] != 0)
            width = (i + 1) * limb::limb_bits<Limb> - limb::countl_zero(a[i]);
    }
    return width;
}

// Number of trailing zero bits; N limbs' width for 0. Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int countr_zero(const Limb *a) {
    int zeros = N * limb::limb_bits<Limb>;
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = N - 1; i >= 0; --i) {
        if (a[i] != 0)
            zeros = i * limb::limb_bits<Limb> + limb::countr_zero(a[i]);
    }
    return zeros;
}

using limb::funnel_left;
using limb::funnel_right;

namespace detail {

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

// On hosts a number is shifted as words x[0..n). Short ones move by whole words in log2(n) rounds
// of selections, without a branch that the count could mispredict.
template <int N, bool Up, class Limb>
WARPINT_HOST_DEVICE WARPINT_INLINE void shift_short_words(Limb *r, const Limb *a, int count,
                                                          Limb fill_limb) {
    constexpr int n = (N + 1) / 2;
    const std::uint64_t fill = std::uint64_t{fill_limb} << 32 | fill_limb;
    std::uint64_t x[n];
    WARPINT_UNROLL_HOST
    for (int i = 0; i < N / 2; ++i)
        x[i] = limb::load_word(a, i);
    if constexpr (N % 2 != 0)
        x[n - 1] = a[N - 1] | (fill << 32);
    const int places = count / 64;
    const int shift = count % 64;
    WARPINT_UNROLL_HOST
    for (int k = 0; k < n; ++k) {
        const int i = Up ? n - 1 - k : k;
        x[i] = Up ? (x[i] << shift) | ((i > 0 ? x[i - 1] : fill) >> 1 >> (63 - shift))
                  : (x[i] >> shift) | ((i + 1 < n ? x[i + 1] : fill) << 1 << (63 - shift));
    }
    WARPINT_UNROLL_HOST
    for (int step = 1; step < n; step *= 2) {
        const bool moves = (places & step) != 0;
        WARPINT_UNROLL_HOST
        for (int k = 0; k < n; ++k) {
            const int i = Up ? n - 1 - k : k;
            const int from = Up ? i - step : i + step;
            const std::uint64_t moved = from >= 0 && from < n ? x[from] : fill;
            x[i] = moves ? moved : x[i];
            if constexpr (!Up)
                limb::keep_scalar(x[i]); // g++ 12 gathers this direction into vectors, at a loss
        }
    }
    WARPINT_UNROLL_HOST
    for (int i = 0; i < N / 2; ++i)
        limb::store_word(r, i, x[i]);
    if constexpr (N % 2 != 0)
        r[N - 1] = static_cast<Limb>(x[n - 1]);
}

// Long ones: one pass that reads each word where it lies. r and a are distinct or the same.
template <int N, class Limb>
WARPINT_HOST_DEVICE inline void shift_left_long_words(Limb *r, const Limb *a, int count) {
    static_assert(N % 2 == 0);
    constexpr int n = N / 2;
    const int places = count / 64;
    const int shift = count % 64;
    for (int i = n - 1; i > places; --i) {
        limb::store_word(r, i,
                         (limb::load_word(a, i - places) << shift) |
                             (limb::load_word(a, i - places - 1) >> 1 >> (63 - shift)));
    }
    limb::store_word(r, places, limb::load_word(a, 0) << shift);
    __builtin_memset(r, 0, static_cast<std::size_t>(places) * sizeof(std::uint64_t));
}
template <int N, class Limb>
WARPINT_HOST_DEVICE inline void shift_right_long_words(Limb *r, const Limb *a, int count,
                                                       Limb fill_limb) {
    static_assert(N % 2 == 0);
    constexpr int n = N / 2;
    const std::uint64_t fill = std::uint64_t{fill_limb} << 32 | fill_limb;
    const int places = count / 64;
    const int shift = count % 64;
    for (int i = 0; i < n - 1 - places; ++i) {
        limb::store_word(r, i,
                         (limb::load_word(a, i + places) >> shift) |
                             (limb::load_word(a, i + places + 1) << 1 << (63 - shift)));
    }
    limb::store_word(r, n - 1 - places,
                     (limb::load_word(a, n - 1) >> shift) | (fill << 1 << (63 - shift)));
    for (int i = n - places; i < n; ++i)
        limb::store_word(r, i, fill);
}

} // namespace detail

// r = a << count modulo B^N; 0 <= count < N limb widths. r may be a. Variable time in count on the
// host.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void shift_left(Limb *r, const Limb *a, int count) {
    if constexpr (limb::in_words<N, Limb>) {
        if (limb::use_words()) {
            if constexpr (N <= 2 * limb::unrolled_words) {
                detail::shift_short_words<N, true>(r, a, count, Limb{0});
                return;
            } else if constexpr (N % 2 == 0) {
                detail::shift_left_long_words<N>(r, a, count);
                return;
            }
        }
    }
    const int places = count / limb::limb_bits<Limb>;
    const int shift = count % limb::limb_bits<Limb>;
    if (limb::use_ptx() && N <= limb::chain_limbs) {
        Limb moved[N]{};
        copy<N>(moved, a);
        detail::move_limbs_in_registers<N, true>(moved, places, Limb{0});
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = N - 1; i >= 0; --i)
            r[i] = funnel_left(moved[i], i > 0 ? moved[i - 1] : Limb{0}, shift);
    } else {
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
    if constexpr (limb::in_words<N, Limb>) {
        if (limb::use_words()) {
            if constexpr (N <= 2 * limb::unrolled_words) {
                detail::shift_short_words<N, false>(r, a, count, fill);
                return;
            } else if constexpr (N % 2 == 0) {
                detail::shift_right_long_words<N>(r, a, count, fill);
                return;
            }
        }
    }
    const int places = count / limb::limb_bits<Limb>;
    const int shift = count % limb::limb_bits<Limb>;
    if (limb::use_ptx() && N <= limb::chain_limbs) {
        Limb moved[N]{};
        copy<N>(moved, a);
        detail::move_limbs_in_registers<N, false>(moved, places, fill);
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = 0; i < N; ++i)
            r[i] = funnel_right(i + 1 < N ? moved[i + 1] : fill, moved[i], shift);
    } else {
        for (int i = 0; i < N; ++i) {
            const Limb low = i + places < N ? a[i + places] : fill;
            const Limb high = i + places + 1 < N ? a[i + places + 1] : fill;
            r[i] = funnel_right(high, low, shift);
        }
    }
}

} // namespace warpint::algorithm
