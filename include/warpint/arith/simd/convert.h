// SPDX-License-Identifier: Apache-2.0
// Between numbers in memory, 32-bit limbs one number after the other, and digits of eight numbers
// side by side: rows of 64 bytes, transposed in registers. (Gathers and scatters would be shorter
// to write; they are slow on many CPUs, by their fixes of the data sampling flaws.)
#pragma once

#include "machine/digits.h"
#include "tuning.h"

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

// Which limbs of a row are among so many, for load_row and store_row.
constexpr unsigned row_limbs(int limbs) {
    return limbs >= 16 ? 0xffffu : (1u << limbs) - 1;
}

// Digits of a block that functions of K columns meet at most: those of a product.
template <int K>
inline constexpr int block_digits = is_one_window(K) && K < 8 ? 2 * K : 16;

inline namespace WARPINT_SIMD_MACHINE {

// v[0..8) = the words w .. w + 7 of the elements first .. first + 7, as load_words has them. Whole:
// whole rows are worth a way of their own.
template <bool Whole>
WARPINT_SIMD_INLINE void load_block(Digits *v, const Operand &operand, int first, int last, int w) {
    const int left = operand.limbs() - 2 * w;
    const auto *const at = reinterpret_cast<const char *>(operand.element(first) + 2 * w);
    const int behind = last - first; // the last element's lane
    if constexpr (Whole) {
        if (left >= 16 && behind >= lanes - 1) {
            load_transposed(v, at, operand.stride);
            return;
        }
    }
    const unsigned limbs = row_limbs(left);
    WARPINT_SIMD_UNROLL
    for (int l = 0; l < lanes; ++l)
        v[l] =
            load_row(reinterpret_cast<const std::uint32_t *>(
                         at + static_cast<std::size_t>(l < behind ? l : behind) * operand.stride),
                     limbs);
    transpose(v);
}

// words[w] = 64-bit word w of the elements first .. first + 7, of the last element where those lie
// beyond `last`; zeros from the operand's end up to words[count).
template <int K>
WARPINT_SIMD_CALL void load_words(Digits *words, int count, const Operand &operand, int first,
                                  int last) {
    int w = 0;
    for (; 2 * w < operand.limbs(); w += lanes) {
        Digits v[lanes];
        load_block<(block_digits<K> >= 16)>(v, operand, first, last, w);
        WARPINT_SIMD_UNROLL
        for (int l = 0; l < lanes; ++l)
            words[w + l] = v[l];
    }
    for (; w < count; ++w)
        words[w] = Digits{};
}

// 16 digits are 13 words, so that all shifts are constants: the first `count` digits, at most
// `most`, from I on. They are clean if that is asked for.
template <int most, bool Clean, int I = 0>
WARPINT_SIMD_INLINE void digits_of_words(Digits *x, const Digits *words, int count) {
    if constexpr (I < most) {
        if (I >= count)
            return;
        constexpr int word = 52 * I / 64;
        constexpr int shift = 52 * I % 64;
        Digits digit = words[word];
        if constexpr (shift > 12)
            digit = funnel_right<shift>(digit, words[word + 1]);
        else if constexpr (shift > 0)
            digit = digit >> shift;
        x[I] = Clean ? clean(digit) : digit;
        digits_of_words<most, Clean, I + 1>(x, words, count);
    }
}

// sum + carry, whose bits from 52 on become the carry.
WARPINT_SIMD_INLINE Digits take_carry(const Digits &sum, Digits &carry) {
    const Digits total = sum + carry;
    WARPINT_ASSERT(bits(less(total, carry)) == 0);
    carry = total >> 52;
    return total;
}
WARPINT_SIMD_INLINE Digits next_digit(const Digits &sum, Digits &carry) {
    return clean(take_carry(sum, carry));
}
// Word W, W < 13, from 16 sums, words in order. below: the digit that begins below the next word,
// in the top 52 bits.
template <int W>
WARPINT_SIMD_INLINE Digits word_of_sums(const Digits *t, Digits &carry, Digits &below) {
    constexpr int i = 64 * W / 52;
    constexpr int shift = 64 * W % 52;
    if constexpr (shift == 0)
        below = take_carry(t[i], carry) << 12;
    const Digits low = below;
    Digits high = take_carry(t[i + 1], carry);
    below = high << 12;
    if constexpr (shift > 40) { // a third digit
        const Digits third = take_carry(t[i + 2], carry);
        high = funnel_right<12>(below, third);
        below = third << 12;
    }
    return funnel_right<12 + shift>(low, high);
}
// The first `count` of `most` words, at most 13.
template <int most, int W = 0>
WARPINT_SIMD_INLINE void words_of_sums(Digits *words, const Digits *t, int count, Digits &carry,
                                       Digits &below) {
    if constexpr (W < most) {
        if (W >= count)
            return;
        words[W] = word_of_sums<W>(t, carry, below);
        words_of_sums<most, W + 1>(words, t, count, carry, below);
    }
}

// x[0..n) = the clean digits of the elements first .. first + 7 (see load_words). words: room for
// conversion_words.
template <int K>
WARPINT_SIMD_CALL void from_limbs(Digits *x, int n, Digits *words, const Operand &operand,
                                  int first, int last) {
    load_words<K>(words, digit_words(n), operand, first, last);
    for (int i = 0; i < n; i += 16)
        digits_of_words<block_digits<K>, true>(x + i, words + i / 16 * 13, n - i);
}

// Stores words w .. w + 7, word by word in v, of the elements first .. first + 7, of these those
// lanes that `which` names. spare: room for 8.
WARPINT_SIMD_INLINE void store_block(const Target &target, int first, unsigned which, int w,
                                     Digits *v, Digits *spare) {
    transpose(v);
    auto *const at = reinterpret_cast<char *>(target.element(first) + 2 * w);
    const unsigned limbs = row_limbs(target.limbs() - 2 * w);
    if (which == 0xff) {
        WARPINT_SIMD_UNROLL
        for (std::size_t l = 0; l < lanes; ++l)
            store_row(reinterpret_cast<std::uint32_t *>(at + l * target.stride), v[l], limbs);
        return;
    }
    WARPINT_SIMD_UNROLL
    for (int l = 0; l < lanes; ++l)
        spare[l] = v[l];
    for (std::size_t l = 0; l < lanes; ++l) {
        if ((which >> l & 1u) != 0)
            store_row(reinterpret_cast<std::uint32_t *>(at + l * target.stride), spare[l], limbs);
    }
}

// Stores the low limbs of the number with the column sums t[0..n) (clean digits are such) as
// elements first .. first + 7, of these those lanes that `which` names. words: room for
// conversion_words. t has room for two more, which are overwritten. Most: digits of a block at
// most.
template <int K, int Most = block_digits<K>>
WARPINT_SIMD_CALL void to_limbs(const Target &target, int first, unsigned which, Digits *t, int n,
                                Digits *words) {
    const int limbs = target.limbs();
    const int wanted = row_words(limbs);
    t[n] = Digits{};
    t[n + 1] = Digits{};
    const int count = digit_words(n) - 1 < (limbs + 1) / 2 ? digit_words(n) - 1 : (limbs + 1) / 2;
    Digits carry{};
    Digits below{};
    for (int w = 0, i = 0; w < count; w += 13, i += 16)
        words_of_sums<(52 * Most + 63) / 64>(words + w, t + i, count - w, carry, below);
    for (int w = count; w < wanted; ++w)
        words[w] = Digits{};
    for (int w = 0; w < wanted; w += lanes) {
        Digits v[lanes];
        WARPINT_SIMD_UNROLL
        for (int l = 0; l < lanes; ++l)
            v[l] = words[w + l];
        store_block(target, first, which, w, v, words + w);
    }
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
