// SPDX-License-Identifier: Apache-2.0
// Between numbers in memory, 32-bit limbs one number after the other, and digits of eight numbers
// side by side: rows of 64 bytes, transposed in registers. (Gathers and scatters would be shorter
// to write; they are slow on many CPUs, by their fixes of the data sampling flaws.)
#pragma once

#include "digits.h"

#if WARPINT_SIMD

namespace warpint::simd {

// One operand of a batch: element i, below 2^bits, has ceil(bits / 32) limbs of 32 bits,
// little-endian, at data + i stride (in bytes). A stride of 0: one number for all elements.
struct Operand {
    const void *data = nullptr;
    std::size_t stride = 0;
    int bits = 0;

    [[nodiscard]] const std::uint32_t *element(int i) const {
        return reinterpret_cast<const std::uint32_t *>(static_cast<const char *>(data) +
                                                       static_cast<std::size_t>(i) * stride);
    }
    [[nodiscard]] int limbs() const { return (bits + 31) / 32; }
    [[nodiscard]] bool shared() const { return stride == 0; }
};

// Where results go: the low ceil(bits / 32) limbs of each.
struct Target {
    void *data = nullptr;
    std::size_t stride = 0;
    int bits = 0;

    [[nodiscard]] int limbs() const { return (bits + 31) / 32; }

    [[nodiscard]] std::uint32_t *element(int i) const {
        return reinterpret_cast<std::uint32_t *>(static_cast<char *>(data) +
                                                 static_cast<std::size_t>(i) * stride);
    }
};

// Words of 64 bits that numbers of this many limbs are read in: whole rows.
constexpr int row_words(int limbs) {
    return (limbs + 15) / 16 * 8;
}
// Words of n digits, and one to spare.
constexpr int digit_words(int n) {
    return (52 * n + 63) / 64 + 1;
}
// Room that from_limbs and to_limbs want: words read or written, or those of n digits.
constexpr int conversion_words(int limbs, int n) {
    return row_words(limbs) > digit_words(n) + 1 ? row_words(limbs) : digit_words(n) + 1;
}

inline namespace WARPINT_SIMD_MACHINE {

// words[w] = 64-bit word w of the elements first .. first + 7, of the last element where those lie
// beyond `last`; zeros from the operand's end up to words[count).
template <int K>
WARPINT_SIMD_CALL void load_words(Digits *words, int count, const Operand &operand, int first,
                                  int last) {
    const int limbs = operand.limbs();
    const std::size_t stride = operand.stride;
    const auto *at = reinterpret_cast<const char *>(operand.element(first));
    int w = 0;
    for (; 2 * w < limbs; w += lanes, at += 64) {
        const int left = limbs - 2 * w;
        Digits v[lanes];
        if (first + lanes - 1 > last) {
            for (int l = 0; l < lanes; ++l)
                words[w + l] =
                    load_row(operand.element(first + l < last ? first + l : last) + 2 * w, left);
            WARPINT_SIMD_UNROLL
            for (int l = 0; l < lanes; ++l)
                v[l] = words[w + l];
        } else if (left >= 16) {
            WARPINT_SIMD_UNROLL
            for (int l = 0; l < lanes; ++l)
                v[l] = load_row(reinterpret_cast<const std::uint32_t *>(
                                    at + static_cast<std::size_t>(l) * stride),
                                16);
        } else {
            WARPINT_SIMD_UNROLL
            for (int l = 0; l < lanes; ++l)
                v[l] = load_row(reinterpret_cast<const std::uint32_t *>(
                                    at + static_cast<std::size_t>(l) * stride),
                                left);
        }
        transpose(v);
        WARPINT_SIMD_UNROLL
        for (int l = 0; l < lanes; ++l)
            words[w + l] = v[l];
    }
    for (; w < count; ++w)
        words[w] = Digits{};
}

// 16 digits are 13 words, so that all shifts are constants: the first `count` digits from I on.
template <int I = 0>
WARPINT_SIMD_INLINE void digits_of_words(Digits *x, const Digits *words, int count) {
    if constexpr (I < 16) {
        if (I >= count)
            return;
        constexpr int word = 52 * I / 64;
        constexpr std::uint64_t shift = 52 * I % 64;
        Digits digit = words[word] >> shift;
        if constexpr (shift > 12)
            digit |= words[word + 1] << (64 - shift);
        x[I] = clean(digit);
        digits_of_words<I + 1>(x, words, count);
    }
}
// sum + carry, of which the low digit is returned and the rest becomes the carry.
WARPINT_SIMD_INLINE Digits next_digit(const Digits &sum, Digits &carry) {
    const Digits total = sum + carry;
    carry = total >> 52;
    return clean(total);
}
// The first `count` of 13 words from 16 sums, whose carries are taken on in `carry`. digit: the one
// that begins below a word.
template <int W = 0>
WARPINT_SIMD_INLINE void words_of_sums(Digits *words, const Digits *t, int count, Digits &carry,
                                       Digits &digit) {
    if constexpr (W < 13) {
        if (W >= count)
            return;
        constexpr int i = 64 * W / 52;
        constexpr std::uint64_t shift = 64 * W % 52;
        if constexpr (shift == 0)
            digit = next_digit(t[i], carry);
        Digits word = digit >> shift;
        digit = next_digit(t[i + 1], carry);
        word |= digit << (52 - shift);
        if constexpr (shift > 40) { // a third digit
            digit = next_digit(t[i + 2], carry);
            word |= digit << (104 - shift);
        }
        words[W] = word;
        words_of_sums<W + 1>(words, t, count, carry, digit);
    }
}

// x[0..n) = the clean digits of the elements first .. first + 7 (see load_words). words: room for
// conversion_words.
template <int K>
WARPINT_SIMD_CALL void from_limbs(Digits *x, int n, Digits *words, const Operand &operand,
                                  int first, int last) {
    load_words<K>(words, digit_words(n), operand, first, last);
    for (int i = 0; i < n; i += 16)
        digits_of_words(x + i, words + i / 16 * 13, n - i);
}

// Stores the low limbs of the number with the column sums t[0..n) (clean digits are such) as
// elements first .. first + 7, of these those lanes that `which` names. words: room for
// conversion_words. t has room for two more, which are overwritten.
template <int K>
WARPINT_SIMD_CALL void to_limbs(const Target &target, int first, unsigned which, Digits *t, int n,
                                Digits *words) {
    const int limbs = target.limbs();
    const int wanted = row_words(limbs);
    t[n] = Digits{};
    t[n + 1] = Digits{};
    const int count = digit_words(n) - 1 < (limbs + 1) / 2 ? digit_words(n) - 1 : (limbs + 1) / 2;
    Digits carry{};
    Digits digit{};
    for (int w = 0, i = 0; w < count; w += 13, i += 16)
        words_of_sums(words + w, t + i, count - w, carry, digit);
    for (int w = count; w < wanted; ++w)
        words[w] = Digits{};
    const std::size_t stride = target.stride;
    auto *at = reinterpret_cast<char *>(target.element(first));
    for (int w = 0; w < wanted; w += lanes, at += 64) {
        Digits v[lanes];
        WARPINT_SIMD_UNROLL
        for (int l = 0; l < lanes; ++l)
            v[l] = words[w + l];
        transpose(v);
        const int left = limbs - 2 * w;
        if (which != 0xff) {
            WARPINT_SIMD_UNROLL
            for (int l = 0; l < lanes; ++l)
                words[w + l] = v[l];
            for (int l = 0; l < lanes; ++l) {
                if ((which >> l & 1u) != 0)
                    store_row(target.element(first + l) + 2 * w, words[w + l], left);
            }
        } else if (left >= 16) {
            WARPINT_SIMD_UNROLL
            for (int l = 0; l < lanes; ++l)
                store_row(
                    reinterpret_cast<std::uint32_t *>(at + static_cast<std::size_t>(l) * stride),
                    v[l], 16);
        } else {
            WARPINT_SIMD_UNROLL
            for (int l = 0; l < lanes; ++l)
                store_row(
                    reinterpret_cast<std::uint32_t *>(at + static_cast<std::size_t>(l) * stride),
                    v[l], left);
        }
    }
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
