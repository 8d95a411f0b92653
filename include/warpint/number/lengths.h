// SPDX-License-Identifier: Apache-2.0
// Products on hosts of numbers that are much shorter than their type: they take the time of their
// own lengths. For functions in variable time.
#pragma once

#include "../arith/limbs/product/multiply.h"
#include "words.h"

namespace warpint::number {

// Words that a number uses, where these are at most half of its type's; otherwise any larger
// number.
template <int N>
WARPINT_HOST_DEVICE constexpr int short_length(const std::uint32_t *limbs) {
    constexpr int words = N / 2;
    int length = words;
    if (N % 2 == 0 || limbs[N - 1] == 0) {
        while (length > 0 && limb::load_word(limbs, length - 1) == 0)
            --length;
    }
    return length;
}

namespace detail {

// From this width on lengths are looked at.
inline constexpr int product_by_length_bits = 512;

// Words of N limbs.
template <int N>
inline constexpr int words_of = (N + 1) / 2;

// Loads a number of a short_length of `length` and returns how many words that are: all where it is
// not short.
template <int N>
int load_by_length(std::uint64_t *words, const std::uint32_t *limbs, int length) {
    if (length > N / 4) {
        load_words<N>(words, limbs);
        return words_of<N>;
    }
    for (int i = 0; i < length; ++i)
        words[i] = limb::load_word(limbs, i);
    return length;
}

// One of the numbers is short, and neither is 0.
template <int N, int M>
WARPINT_NOINLINE void multiply_short(std::uint32_t *r, const std::uint32_t *a, int length_a,
                                     const std::uint32_t *b, int length_b) {
    constexpr int n = words_of<N>;
    constexpr int m = words_of<M>;
    constexpr int shorter = n < m ? n : m;
    constexpr int threshold = arith::Tuning<std::uint64_t>::karatsuba_limbs;
    constexpr int depth = arith::karatsuba_levels(shorter, threshold);
    // Without {} g++ 14 warns of what is not read.
    std::uint64_t x[n]{}, y[m]{}, product[n + m];
    std::uint64_t scratch[arith::product_scratch<std::uint64_t>(shorter)];
    const int words_a = load_by_length<N>(x, a, length_a);
    const int words_b = load_by_length<M>(y, b, length_b);
    arith::multiply_sliced<threshold, depth>(product, x, words_a, y, words_b, scratch);
    for (int i = 0; i < words_a + words_b; ++i)
        limb::store_word(r, i, product[i]);
}

} // namespace detail

// a b of unsigned numbers. Variable time.
template <class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE auto product_by_length(const A &a, const B &b) {
    return a * b;
}
template <int N, int M>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE BigInt<N + M> product_by_length(const BigInt<N> &a,
                                                                             const BigInt<M> &b) {
    if constexpr (has_words && N > detail::product_by_length_bits &&
                  M > detail::product_by_length_bits) {
        if (WARPINT_USES_WORDS) {
            constexpr int n = BigInt<N>::limb_count;
            constexpr int m = BigInt<M>::limb_count;
            const int length_a = short_length<n>(a.limbs);
            const int length_b = short_length<m>(b.limbs);
            if (length_a <= n / 4 || length_b <= m / 4) [[unlikely]] {
                BigInt<N + M> r{};
                if (length_a != 0 && length_b != 0)
                    detail::multiply_short<n, m>(r.limbs, a.limbs, length_a, b.limbs, length_b);
                return r;
            }
        }
    }
    return a * b;
}

} // namespace warpint::number
