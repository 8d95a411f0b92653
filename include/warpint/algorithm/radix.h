// Conversions between limb arrays and digits in the bases 2..36, most significant digit first.
// Bases that are powers of two are regrouped bit by bit, in linear time; the others go through
// chunks, the largest power of the base in one limb, in time (limbs^2): Knuth, The Art of Computer
// Programming 2, 4.4, methods 1a and 1b. The subquadratic variant (split at base^(2^k), Brent and
// Zimmermann, Modern Computer Arithmetic, 1.7.2) belongs into from_digits and to_digits, above some
// thousand limbs. All functions are variable time.
#pragma once

#include "linear.h"

#include <cstddef>

namespace warpint::algorithm {

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

template <class Limb>
WARPINT_HOST_DEVICE constexpr RadixChunk<Limb> radix_chunk(int base) {
    constexpr Limb all_ones = static_cast<Limb>(~Limb{0});
    const Limb b = static_cast<Limb>(base);
    RadixChunk<Limb> chunk{b, 1};
    while (chunk.power <= static_cast<Limb>(all_ones / b)) {
        chunk.power = static_cast<Limb>(chunk.power * b);
        ++chunk.digits;
    }
    return chunk;
}

namespace detail {

template <class Limb>
WARPINT_HOST_DEVICE constexpr bool from_digits_by_bits(Limb *r, int count, const char *digits,
                                                       std::size_t length, int bits) {
    std::size_t position = 0;
    const std::size_t end = static_cast<std::size_t>(count) * limb::limb_bits<Limb>;
    for (std::size_t i = length; i > 0; --i, position += static_cast<std::size_t>(bits)) {
        const Limb value = static_cast<Limb>(digit_value(digits[i - 1]));
        if (value == 0)
            continue;
        if (position >= end)
            return false;
        const std::size_t index = position / limb::limb_bits<Limb>;
        const int shift = static_cast<int>(position % limb::limb_bits<Limb>);
        r[index] = static_cast<Limb>(r[index] | static_cast<Limb>(value << shift));
        if (shift + bits > limb::limb_bits<Limb>) {
            const Limb high = static_cast<Limb>(value >> (limb::limb_bits<Limb> - shift));
            if (high == 0)
                continue;
            if (index + 1 == static_cast<std::size_t>(count))
                return false;
            r[index + 1] = high;
        }
    }
    return true;
}

template <class Limb>
WARPINT_HOST_DEVICE constexpr char *to_digits_by_bits(char *last, const Limb *a, int count,
                                                      int bits) {
    const Limb mask = static_cast<Limb>((1 << bits) - 1);
    int position = 0;
    const int width = count * limb::limb_bits<Limb> - limb::countl_zero(a[count - 1]);
    for (; position < width; position += bits) {
        const int index = position / limb::limb_bits<Limb>;
        const Limb high = index + 1 < count ? a[index + 1] : Limb{0};
        const Limb value = funnel_right(high, a[index], position % limb::limb_bits<Limb>);
        *--last = digit_character(static_cast<int>(value & mask));
    }
    return last;
}

// Writes the digits of one limb, at least `digits` of them (0: none for 0), before last; returns
// the first.
template <class Limb>
WARPINT_HOST_DEVICE constexpr char *limb_to_digits(char *last, Limb value, int digits, int base) {
    for (; value != 0 || digits > 0; --digits) {
        // Division by a constant is much faster, and nearly all text is decimal.
        const Limb quotient =
            static_cast<Limb>(base == 10 ? value / 10u : value / static_cast<Limb>(base));
        *--last = digit_character(
            static_cast<int>(static_cast<Limb>(value - quotient * static_cast<Limb>(base))));
        value = quotient;
    }
    return last;
}

} // namespace detail

// r = the value of `length` digits in base 2..36, most significant first. On input every character
// is a digit of the base; length may be 0 (value 0), and leading zeros cost linear time. r has
// count >= 1 limbs. Returns false, with r in no particular state, if the value needs more than
// count limbs.
template <class Limb>
WARPINT_HOST_DEVICE constexpr bool from_digits(Limb *r, int count, const char *digits,
                                               std::size_t length, int base) {
    for (int i = 0; i < count; ++i)
        r[i] = 0;
    while (length > 0 && *digits == '0') {
        ++digits;
        --length;
    }
    if (const int bits = bits_per_digit(base); bits != 0) {
        return detail::from_digits_by_bits(r, count, digits, length, bits);
    }
    const auto chunk = radix_chunk<Limb>(base);
    int used = 0; // limbs of r that may not be zero
    // The first chunk is the short one: what it is multiplied into is still zero.
    std::size_t taken = length % static_cast<std::size_t>(chunk.digits);
    for (; length > 0; length -= taken, taken = static_cast<std::size_t>(chunk.digits)) {
        Limb carry = 0;
        for (std::size_t i = 0; i < taken; ++i, ++digits) {
            carry = static_cast<Limb>(carry * static_cast<Limb>(base) +
                                      static_cast<Limb>(digit_value(*digits)));
        }
        for (int i = 0; i < used; ++i)
            r[i] = limb::multiply_add(r[i], chunk.power, Limb{0}, carry);
        if (carry != 0) {
            if (used == count)
                return false;
            r[used++] = carry;
        }
    }
    return true;
}

// Writes the digits of a in base 2..36 so that they end before last, lower case, "0" for zero, and
// returns the first. a has count >= 1 limbs and is destroyed. The room before last must hold all
// digits: at most max_digits(bits of a, base).
template <class Limb>
WARPINT_HOST_DEVICE constexpr char *to_digits(char *last, Limb *a, int count, int base) {
    while (count > 0 && a[count - 1] == 0)
        --count;
    if (count == 0) {
        *--last = '0';
        return last;
    }
    if (const int bits = bits_per_digit(base); bits != 0)
        return detail::to_digits_by_bits(last, a, count, bits);
    const auto chunk = radix_chunk<Limb>(base);
    while (count > 0) {
        Limb remainder = 0;
        for (int i = count - 1; i >= 0; --i) {
            const auto step = limb::divide_2by1(remainder, a[i], chunk.power);
            a[i] = step.quotient;
            remainder = step.remainder;
        }
        while (count > 0 && a[count - 1] == 0)
            --count;
        last = detail::limb_to_digits(last, remainder, count > 0 ? chunk.digits : 0, base);
    }
    return last;
}

// An upper bound on the digits of numbers below 2^bits in base 2..36, bits >= 1; exact for powers
// of two, at most 1.8 % and one digit too large otherwise: base^e >= 2^w gives digits <= bits e / w
// + 1.
WARPINT_HOST_DEVICE constexpr std::size_t max_digits(int bits, int base) {
    const std::size_t n = static_cast<std::size_t>(bits);
    if (const int each = bits_per_digit(base); each != 0)
        return (n - 1) / static_cast<std::size_t>(each) + 1;
    const auto chunk = radix_chunk<std::uint64_t>(base);
    const int whole_bits = 63 - limb::countl_zero(chunk.power);
    return n * static_cast<std::size_t>(chunk.digits) / static_cast<std::size_t>(whole_bits) + 1;
}

} // namespace warpint::algorithm
