// SPDX-License-Identifier: Apache-2.0
// One number in vectors: digits of 52 bits side by side, eight of them a vector, the lowest in lane
// 0; and between them and limbs of 32 bits in memory.
#pragma once

#include "../../../limb/word_pair.h"
#include "../machine/digits.h"

#if WARPINT_SIMD && WARPINT_HAS_INT128

namespace warpint::simd {
inline namespace WARPINT_SIMD_MACHINE {

// Limbs of 32 bits in a vector.
inline constexpr int row_length = 2 * lanes;

WARPINT_SIMD_INLINE Digits lane_numbers() {
    return Digits{0, 1, 2, 3, 4, 5, 6, 7};
}
WARPINT_SIMD_INLINE Digits load_eight(const std::uint64_t *p) {
    Digits r;
    std::memcpy(&r, p, sizeof(r));
    return r;
}
WARPINT_SIMD_INLINE void store_eight(std::uint64_t *p, const Digits &x) {
    std::memcpy(p, &x, sizeof(x));
}

// A number in memory that is read eight digits at a time.
class DigitReader {
public:
    DigitReader(const std::uint32_t *limbs, int length)
        : limbs_(limbs), last_(length < row_length ? 0 : length - row_length),
          which_(length < row_length ? (1u << length) - 1u : 0xffffu) {}

    // Eight clean digits from bit `start` on, which may be negative; zeros outside of the number.
    WARPINT_SIMD_INLINE Digits eight(int start) const {
        int first = start >> 5;
        first = first < last_ ? first : last_;
        first = first > 0 ? first : 0;
        // Words -8 to -1 and 8 to 15 from there on are zeros: index modulo 16.
        int from = start - 32 * first;
        from = from > -512 ? from : -512;
        from = from < 512 ? from : 512;
        const Digits words = load_row(limbs_ + first, which_);
        const Digits bit = splat(static_cast<std::uint64_t>(std::int64_t{from})) +
                           Digits{0, 52, 104, 156, 208, 260, 312, 364};
        const Digits index = bit >> 6;
        const Digits offset = bit & splat(63);
        const Digits low = permuted(words, Digits{}, index);
        const Digits high = permuted(words, Digits{}, index + splat(1));
        return clean(shift_right(low, offset) | shift_out_left(high, splat(64) - offset));
    }
    // The same of `count` digits, in whole vectors; with the other sign if sign = -1.
    template <int sign>
    WARPINT_SIMD_INLINE void read(std::uint64_t *digits, int count, int start) const {
        for (int i = 0; i < count; i += lanes) {
            const Digits x = eight(start + digit_bits * i);
            store_eight(digits + i, sign > 0 ? x : Digits{} - x);
        }
    }

private:
    const std::uint32_t *limbs_;
    int last_;       // where a row can be read last
    unsigned which_; // limbs of a row that there are
};

// Eight words from bit `start` on, 0 <= start < 416, of the number of sixteen clean digits.
WARPINT_SIMD_INLINE Digits words_of(const Digits &low, const Digits &high, int start) {
    const Digits bit = splat(static_cast<std::uint64_t>(start)) + (lane_numbers() << 6);
    const Digits index = lo(Digits{}, bit, splat(1261)) >> 16; // bit / 52: bit < 1800
    const Digits offset = bit - lo(Digits{}, index, splat(digit_bits));
    return shift_right(permuted(low, high, index), offset) |
           shift_out_left(permuted(low, high, index + splat(1)), splat(digit_bits) - offset) |
           shift_out_left(permuted(low, high, index + splat(2)), splat(2 * digit_bits) - offset);
}
// `count` limbs from bit `start` >= 0 on of the number of clean digits at `digits`, of which up to
// 16 are read beyond the last one that counts.
WARPINT_SIMD_INLINE void store_limbs_of(std::uint32_t *limbs, int count,
                                        const std::uint64_t *digits, int start) {
    for (int i = 0; i < count; i += row_length) {
        const int bit = start + 32 * i;
        const std::uint64_t *const from = digits + bit / digit_bits;
        store_first(limbs + i,
                    words_of(load_eight(from), load_eight(from + lanes), bit % digit_bits),
                    count - i);
    }
}
WARPINT_SIMD_INLINE void store_zeros(std::uint32_t *limbs, int count) {
    for (int i = 0; i < count; i += row_length)
        store_first(limbs + i, Digits{}, count - i);
}

// The number in memory, which may be one of limbs of either width.
template <class Word>
inline Word load(const std::uint32_t *limbs) {
    Word r;
    std::memcpy(&r, limbs, sizeof(r));
    return r;
}

// The upper 128 bits, from the first one that is 1 on, of a number of `length` limbs, at least five
// of them and no zero on top.
inline limb::WordPair top_pair(const std::uint32_t *limbs, int length) {
    const auto high = load<std::uint64_t>(limbs + (length - 2));
    const auto low = load<std::uint64_t>(limbs + (length - 4));
    const std::uint64_t below = std::uint64_t{load<std::uint32_t>(limbs + (length - 5))} << 32;
    const int shift = limb::countl_zero(high);
    return {high << shift | (low >> 1) >> (63 - shift),
            low << shift | (below >> 1) >> (63 - shift)};
}
// Bits of such a number.
inline int width_of(const std::uint32_t *limbs, int length) {
    return 32 * length - limb::countl_zero(load<std::uint32_t>(limbs + (length - 1)));
}

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD && WARPINT_HAS_INT128
