// SPDX-License-Identifier: Apache-2.0
// Digits in bases that are powers of two: regrouped bit by bit, in linear time; on hosts sixteen
// hexadecimal digits at a time, in the bytes of 64-bit numbers. Variable time.
#pragma once

#include "radix_chunk.h"

namespace warpint::arith {

namespace detail {

#if WARPINT_HOSTED
// The value of eight hexadecimal digits, the first in the lowest byte.
WARPINT_HOST_DEVICE constexpr std::uint32_t eight_hexadecimal_digits(std::uint64_t text) {
    // '0'..'9' have the value in their low four bits; letters, with bit 6 set, are 9 below it.
    std::uint64_t x = (text & 0x0f0f0f0f0f0f0f0fu) + 9 * (text >> 6 & 0x0101010101010101u);
    x = __builtin_bswap64(x); // the first digit is the highest
    x = (x | x >> 4) & 0x00ff00ff00ff00ffu;
    x = (x | x >> 8) & 0x0000ffff0000ffffu;
    return static_cast<std::uint32_t>(x | x >> 16);
}

// The inverse.
WARPINT_HOST_DEVICE constexpr std::uint64_t to_eight_hexadecimal_digits(std::uint32_t value) {
    std::uint64_t x = value;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    const std::uint64_t letters = (x + 0x0606060606060606u) >> 4 & 0x0101010101010101u;
    return __builtin_bswap64(x + 0x3030303030303030u + letters * ('a' - '0' - 10));
}
#endif

// r = the value of `length` digits of `bits` bits each; r has count limbs. False if the value needs
// more.
template <class Limb>
WARPINT_HOST_DEVICE constexpr bool from_digits_by_bits(Limb *r, int count, const char *digits,
                                                       std::size_t length, int bits) {
    int index = 0; // of the limb that is being filled
#if WARPINT_HOSTED
    if constexpr (sizeof(Limb) == 8) {
        if (WARPINT_USES_WORDS && bits == 4) {
            for (; length >= 16 && index < count; length -= 16) {
                std::uint64_t high;
                std::uint64_t low;
                __builtin_memcpy(&high, digits + length - 16, 8);
                __builtin_memcpy(&low, digits + length - 8, 8);
                r[index++] = std::uint64_t{eight_hexadecimal_digits(high)} << 32 |
                             eight_hexadecimal_digits(low);
            }
        }
    }
#endif
    Limb limb = 0;
    int filled = 0; // bits of it
    for (std::size_t i = length; i > 0; --i) {
        const Limb value = static_cast<Limb>(digit_value(digits[i - 1]));
        if (index == count) { // only zeros may follow
            if (value != 0)
                return false;
            continue;
        }
        limb = static_cast<Limb>(limb | static_cast<Limb>(value << filled));
        filled += bits;
        if (filled >= limb::limb_bits<Limb>) {
            r[index++] = limb;
            filled -= limb::limb_bits<Limb>;
            limb = static_cast<Limb>(value >> (bits - filled));
        }
    }
    if (index == count)
        return limb == 0;
    r[index++] = limb;
    for (; index < count; ++index)
        r[index] = 0;
    return true;
}

// Writes the digits of a, whose top limb is not 0, so that they end before last; returns the first.
template <class Limb>
WARPINT_HOST_DEVICE constexpr char *to_digits_by_bits(char *last, const Limb *a, int count,
                                                      int bits) {
    const Limb mask = static_cast<Limb>((1 << bits) - 1);
    int position = 0;
    const int width = count * limb::limb_bits<Limb> - limb::countl_zero(a[count - 1]);
#if WARPINT_HOSTED
    if constexpr (sizeof(Limb) == 8) {
        if (WARPINT_USES_WORDS && bits == 4) {
            for (; position + 64 <= width; position += 64) {
                const std::uint64_t word = a[position / 64];
                const std::uint64_t high =
                    to_eight_hexadecimal_digits(static_cast<std::uint32_t>(word >> 32));
                const std::uint64_t low =
                    to_eight_hexadecimal_digits(static_cast<std::uint32_t>(word));
                last -= 16;
                __builtin_memcpy(last, &high, 8);
                __builtin_memcpy(last + 8, &low, 8);
            }
        }
    }
#endif
    for (; position < width; position += bits) {
        const int index = position / limb::limb_bits<Limb>;
        const Limb high = index + 1 < count ? a[index + 1] : Limb{0};
        const Limb value = funnel_right(high, a[index], position % limb::limb_bits<Limb>);
        *--last = digit_character(static_cast<int>(value & mask));
    }
    return last;
}

} // namespace detail

} // namespace warpint::arith
