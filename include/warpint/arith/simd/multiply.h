// SPDX-License-Identifier: Apache-2.0
// Exact products of eight pairs of numbers at once, from memory to memory.
#pragma once

#include "convert.h"
#include "product.h"
#include "tuning.h"
#include "workspace.h"

#if WARPINT_SIMD

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// x[0..K) = the digits, not clean, of the elements first .. first + 7, of at most 16 limbs.
template <int K>
WARPINT_SIMD_INLINE void load_short(Digits *x, const Operand &operand, int first, int last) {
    Digits words[lanes + 1];
    load_block<true>(words, operand, first, last, 0);
    words[lanes] = Digits{};
    digits_of_words<16, false>(x, words, K);
}

// sums[0..2K) += x y, row by row.
template <int K, int R = 0>
WARPINT_SIMD_INLINE void add_rows(Sum *sums, const Digits *x, const Digits *y) {
    if constexpr (R < K) {
        add_row<K>(sums + R, x[R], y);
        add_rows<K, R + 1>(sums, x, y);
    }
}
#if WARPINT_ASSERTIONS // a Sum is not Digits; those of t are 0
template <int K>
WARPINT_SIMD_INLINE void add_rows(Digits *t, const Digits *x, const Digits *y) {
    Sum sums[2 * K + 1];
    clear_sums<2 * K>(sums);
    add_rows<K>(sums, x, y);
    store_sums<2 * K>(t, sums, 2 * K);
}
#endif

// words[0..16) of the number with the column sums t[0..2K), with room for two more.
template <int K, int W = 0>
WARPINT_SIMD_INLINE void short_words(Digits *words, const Digits *t, Digits &carry, Digits &below) {
    if constexpr (W < 2 * lanes) {
        if constexpr (64 * W < 104 * K)
            words[W] = word_of_sums<W % 13>(t + W / 13 * 16, carry, below);
        else
            words[W] = Digits{};
        short_words<K, W + 1>(words, t, carry, below);
    }
}

// multiply_block for factors of K <= 10 digits and at most 16 limbs, with everything in registers.
// With so few digits, passing them from step to step in memory takes longer than the product.
template <int K>
WARPINT_SIMD_CALL void multiply_short(const Target &out, const Operand &a, const Operand &b,
                                      int first, int last, unsigned which) {
    Digits x[K];
    Digits t[2 * K + 2];
    load_short<K>(x, a, first, last);
    if (a.data == b.data && a.stride == b.stride) {
        square<K>(t, x, 1);
        t[2 * K] = Digits{};
        t[2 * K + 1] = Digits{};
    } else {
        Digits y[K];
        load_short<K>(y, b, first, last);
        WARPINT_SIMD_UNROLL
        for (int i = 0; i < 2 * K + 2; ++i)
            t[i] = Digits{};
        add_rows<K>(t, x, y);
    }
    Digits words[2 * lanes];
    Digits spare[lanes];
    Digits carry{};
    Digits below{};
    short_words<K>(words, t, carry, below);
    store_block(out, first, which, 0, words, spare);
    if (out.limbs() > 16)
        store_block(out, first, which, lanes, words + lanes, spare);
    for (int w = 2 * lanes; 2 * w < out.limbs(); w += lanes) {
        WARPINT_SIMD_UNROLL
        for (int l = 0; l < lanes; ++l)
            words[l] = Digits{};
        store_block(out, first, which, w, words, spare);
    }
}

// out = a b for the lanes `which` of the elements first .. first + 7, at most `last`.
template <int K>
WARPINT_SIMD_CALL void multiply_block(const Target &out, const Operand &a, const Operand &b,
                                      int windows, int first, int last, unsigned which) {
    if (windows == 1 && a.limbs() <= 16 && b.limbs() <= 16) {
        multiply_short<K>(out, a, b, first, last, which);
        return;
    }
    const int n = K * windows;
    const auto digits = static_cast<std::size_t>(n);
    const auto word_room = static_cast<std::size_t>(conversion_words(out.limbs(), 2 * n));
    auto *const words =
        static_cast<Digits *>(Workspace::of_this_thread().reserve(word_room + 4 * digits + 2));
    Digits *const x = words + word_room;
    Digits *const y = x + n;
    Digits *const t = y + n;
    from_limbs<K>(x, n, words, a, first, last);
    if (a.data == b.data && a.stride == b.stride) {
        square<K>(t, x, windows);
    } else {
        from_limbs<K>(y, n, words, b, first, last);
        multiply<K>(t, x, y, windows);
    }
    to_limbs<K>(out, first, which, t, 2 * n, words);
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
