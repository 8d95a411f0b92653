// SPDX-License-Identifier: Apache-2.0
// Digits and chunks of digits: a chunk is what fits one limb. The quadratic conversions between
// limb arrays of run-time length and digits in a base that is not a power of two, chunk by chunk:
// Knuth, The Art of Computer Programming 2, 4.4, methods 1a and 1b. Decimal chunks go eight digits
// at a time, in the bytes of one 64-bit number. Variable time.
#pragma once

#include "../division/divide_schoolbook.h"

#include <cstddef>

namespace warpint::arith {

// What digit_value returns for a character that is a digit in no base.
inline constexpr int no_digit = 36;

// The value of a digit, letters in either case: 0..35, or no_digit.
WARPINT_HOST_DEVICE constexpr int digit_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return no_digit;
}

// The digit with a value in 0..35, lower case.
WARPINT_HOST_DEVICE constexpr char digit_character(int value) {
    return static_cast<char>(value < 10 ? '0' + value : 'a' + (value - 10));
}

// Bits per digit of a base that is a power of two, otherwise 0.
WARPINT_HOST_DEVICE constexpr int bits_per_digit(int base) {
    for (int bits = 1; bits <= 5; ++bits) {
        if (base == 1 << bits)
            return bits;
    }
    return 0;
}

// The largest power of a base that fits one limb, and its exponent.
template <class Limb>
struct RadixChunk {
    Limb power;
    int digits;
};

namespace detail {

template <class Limb>
WARPINT_HOST_DEVICE constexpr RadixChunk<Limb> find_radix_chunk(int base) {
    const Limb b = static_cast<Limb>(base);
    const Limb limit = static_cast<Limb>(static_cast<Limb>(~Limb{0}) / b);
    RadixChunk<Limb> chunk{b, 1};
    while (chunk.power <= limit) {
        chunk.power = static_cast<Limb>(chunk.power * b);
        ++chunk.digits;
    }
    return chunk;
}

} // namespace detail

template <class Limb>
WARPINT_HOST_DEVICE constexpr RadixChunk<Limb> radix_chunk(int base) {
    if (base == 10) {
        constexpr RadixChunk<Limb> decimal = detail::find_radix_chunk<Limb>(10);
        return decimal;
    }
    return detail::find_radix_chunk<Limb>(base);
}

namespace detail {

// The bytes of eight characters, the first one lowest.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint64_t load_characters(const char *c) {
    std::uint64_t bytes = 0;
    if (WARPINT_USES_WORDS) { // hosts with the low byte first
        WARPINT_MEMCPY(&bytes, c, 8);
        return bytes;
    }
    for (int i = 0; i < 8; ++i)
        bytes |= static_cast<std::uint64_t>(static_cast<unsigned char>(c[i])) << (8 * i);
    return bytes;
}

// The value of eight decimal digits, given as bytes: neighbours are joined, in all pairs at once.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint64_t eight_decimal_digits(std::uint64_t x) {
    x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ffu;
    x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffffu;
    return (x * 10000 + (x >> 32)) & 0xffffffffu;
}

inline constexpr std::uint64_t eight_zeros = 0x3030303030303030u; // the characters

// Writes value < 10^8 as eight decimal digits: halves, quarters and eighths, in all parts at once,
// with products for the divisions by 100 (below 10^4) and by 10 (below 100).
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void put_eight_decimal_digits(char *first,
                                                                           std::uint32_t value) {
    const std::uint32_t upper = value / 10000;
    std::uint64_t x = upper | static_cast<std::uint64_t>(value - 10000 * upper) << 32;
    std::uint64_t q = ((x * 10486) >> 20) & 0x0000007f0000007fu;
    x = q | (x - 100 * q) << 16;
    q = ((x * 103) >> 10) & 0x000f000f000f000fu;
    x = (q | (x - 10 * q) << 8) + eight_zeros;
    if (WARPINT_USES_WORDS) {
        WARPINT_MEMCPY(first, &x, 8);
        return;
    }
    for (int i = 0; i < 8; ++i)
        first[i] = static_cast<char>(static_cast<unsigned char>(x >> (8 * i)));
}

// The value of `count` digits, which fits one limb.
template <class Limb>
WARPINT_HOST_DEVICE constexpr Limb digits_to_limb(const char *digits, int count, int base) {
    Limb value = 0;
    if constexpr (sizeof(Limb) >= 4) {
        if (base == 10 && count >= 8) {
            for (; count >= 8; count -= 8, digits += 8) {
                value =
                    static_cast<Limb>(value * 100000000u +
                                      eight_decimal_digits(load_characters(digits) - eight_zeros));
            }
            for (; count > 0; --count, ++digits)
                value = static_cast<Limb>(value * 10u + static_cast<Limb>(*digits - '0'));
            return value;
        }
    }
    for (; count > 0; --count, ++digits)
        value = static_cast<Limb>(value * static_cast<Limb>(base) +
                                  static_cast<Limb>(digit_value(*digits)));
    return value;
}

// Writes the digits of one limb, at least `digits` of them (0: none for 0), before last; returns
// the first.
template <class Limb>
WARPINT_HOST_DEVICE constexpr char *limb_to_digits(char *last, Limb value, int digits, int base) {
    if (base == 10) { // a division by a constant costs a product
        if constexpr (sizeof(Limb) >= 4) {
            for (; value >= 100000000u || digits >= 8; digits -= 8) {
                const Limb quotient = value / 100000000u;
                last -= 8;
                put_eight_decimal_digits(last,
                                         static_cast<std::uint32_t>(value - quotient * 100000000u));
                value = quotient;
            }
        }
        auto rest = static_cast<std::uint32_t>(value);
        for (; rest != 0 || digits > 0; --digits, rest /= 10)
            *--last = static_cast<char>('0' + rest % 10);
        return last;
    }
    for (; value != 0 || digits > 0; --digits) {
        const Limb quotient = static_cast<Limb>(value / static_cast<Limb>(base));
        *--last = digit_character(
            static_cast<int>(static_cast<Limb>(value - quotient * static_cast<Limb>(base))));
        value = quotient;
    }
    return last;
}

// r = the value of `length` digits, chunk by chunk; returns the number of limbs used, the top one
// not zero, or -1 if the value needs more than count limbs.
template <class Limb>
WARPINT_HOST_DEVICE constexpr int digits_to_limbs(Limb *r, int count, const char *digits,
                                                  std::size_t length, int base,
                                                  const RadixChunk<Limb> &chunk) {
    const Limb power = chunk.power;
    auto chunks = length / static_cast<std::size_t>(chunk.digits);
    int used = 0;
    // The first chunk is the short one.
    if (const int first = static_cast<int>(length % static_cast<std::size_t>(chunk.digits));
        first != 0) {
        r[0] = digits_to_limb<Limb>(digits, first, base);
        used = r[0] != 0;
        digits += first;
    }
    for (; chunks >= 2; chunks -= 2) { // two at a time: two products in flight
        Limb carry = digits_to_limb<Limb>(digits, chunk.digits, base);
        Limb next = digits_to_limb<Limb>(digits + chunk.digits, chunk.digits, base);
        digits += 2 * chunk.digits;
        for (int i = 0; i < used; ++i) {
            const Limb middle = limb::multiply_add(r[i], power, Limb{0}, carry);
            r[i] = limb::multiply_add(middle, power, Limb{0}, next);
        }
        carry = limb::multiply_add(carry, power, Limb{0}, next);
        const int more = next != 0 ? 2 : carry != 0 ? 1 : 0;
        if (used + more > count)
            return -1;
        if (more > 0)
            r[used] = carry;
        if (more > 1)
            r[used + 1] = next;
        used += more;
    }
    if (chunks > 0) {
        Limb carry = digits_to_limb<Limb>(digits, chunk.digits, base);
        for (int i = 0; i < used; ++i)
            r[i] = limb::multiply_add(r[i], power, Limb{0}, carry);
        if (carry != 0) {
            if (used == count)
                return -1;
            r[used++] = carry;
        }
    }
    return used;
}

// Writes the digits of a, chunk by chunk, before last, filled up with zeros to at least `digits`;
// returns the first. a has count >= 0 limbs and is destroyed; divisor is chunk.power, prepared.
template <class Limb>
WARPINT_HOST_DEVICE constexpr char *limbs_to_digits(char *last, Limb *a, int count, int digits,
                                                    int base, const RadixChunk<Limb> &chunk,
                                                    const LimbDivisor<Limb> &divisor) {
    const char *const end = last;
    while (count > 0 && a[count - 1] == 0)
        --count;
    while (count > 1) {
        const Limb chunk_value = divide_row_by_limb(a, a, count, divisor);
        count -= a[count - 1] == 0;
        last = limb_to_digits(last, chunk_value, chunk.digits, base);
    }
    if (count == 1)
        last = limb_to_digits(last, a[0], 0, base);
    while (end - last < digits)
        *--last = '0';
    return last;
}

} // namespace detail

// Number of characters at the start of text that are digits of the base.
WARPINT_HOST_DEVICE constexpr std::size_t count_digits(const char *text, std::size_t length,
                                                       int base) {
    std::size_t count = 0;
    if (base == 10) {
        for (; count + 8 <= length; count += 8) {
            // A byte outside 0x30..0x39 leaves a top bit: below it borrows, above it carries.
            const std::uint64_t x = detail::load_characters(text + count);
            if ((((x + 0x4646464646464646u) | (x - detail::eight_zeros)) & 0x8080808080808080u) !=
                0)
                break;
        }
    }
    while (count < length && digit_value(text[count]) < base)
        ++count;
    return count;
}

} // namespace warpint::arith
