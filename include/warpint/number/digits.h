// SPDX-License-Identifier: Apache-2.0
// The digits of numbers, in bases 2 to 36, on hosts and in kernels: what text.h and the kernels of
// text are made of. Variable time.
#pragma once

#include "../arith/limbs/text/radix.h"
#include "arithmetic.h"
#include "machine.h"

namespace warpint::number {

#if WARPINT_HOSTED
// The value of every character as a digit, or arith::no_digit.
struct DigitTable {
    unsigned char value[256]{};
    constexpr DigitTable() {
        for (int c = 0; c < 256; ++c) {
            value[c] = static_cast<unsigned char>(arith::digit_value(static_cast<char>(c)));
        }
    }
};
inline constexpr DigitTable digit_table;

// Number of characters at the start of a text that are digits of the base.
constexpr std::size_t count_digits(const char *text, std::size_t size, int base) {
    if (base == 10)
        return arith::count_digits(text, size, base);
    std::size_t count = 0;
    while (count < size && digit_table.value[static_cast<unsigned char>(text[count])] < base)
        ++count;
    return count;
}
#endif

// Whether all characters are digits of the base. In device code all of them are read, one by one:
// the threads of a warp wait for each other.
WARPINT_HOST_DEVICE constexpr bool are_digits(const char *text, std::size_t size, int base) {
#if WARPINT_DEVICE_PASS
    bool good = true;
    for (std::size_t i = 0; i < size; ++i) {
        const int digit = arith::digit_value(text[i]);
        good = good && digit >= 0 && digit < base;
    }
    return good;
#else
    return count_digits(text, size, base) == size;
#endif
}

// Writes x, with '-' if negative, so that it ends before last; returns its first character.
template <BigNumber T>
WARPINT_HOST_DEVICE constexpr char *write_backward(char *last, const T &x, int base) {
    constexpr int n = T::limb_count;
    const auto &m = magnitude(x);
    last = on_machine_limbs(
        [last, base]<class Limb>(Limb *limbs) WARPINT_INLINE_LAMBDA {
            return arith::to_digits<machine_limbs<n, Limb>>(last, limbs, base);
        },
        copied_input<n>(m.limbs));
    if (is_negative(x))
        *--last = '-';
    return last;
}

// r = the value of `length` digits, all of them valid. Returns false, with r unchanged, if it needs
// more than Bits bits.
template <int Bits>
WARPINT_HOST_DEVICE constexpr bool read_digits(BigInt<Bits> &r, const char *digits,
                                               std::size_t length, int base) {
    constexpr int n = BigInt<Bits>::limb_count;
    BigInt<Bits> x{};
    const bool fits = try_on_machine_limbs(
        [digits, length, base]<class Limb>(Limb *limbs) WARPINT_INLINE_LAMBDA {
            constexpr int count = machine_limbs<n, Limb>;
            return arith::from_digits<count>(limbs, digits, length, base) &&
                   (Bits % limb::limb_bits<Limb> == 0 || arith::bit_width<count>(limbs) <= Bits);
        },
        output<n>(x.limbs));
    if (fits)
        r = x;
    return fits;
}

// The same for T with a sign; false if the value is outside T's range.
template <BigNumber T>
WARPINT_HOST_DEVICE constexpr bool read_digits(T &r, bool negative, const char *digits,
                                               std::size_t length, int base) {
    if constexpr (!T::is_signed)
        return read_digits(r, digits, length, base);
    BigInt<T::bits> m{};
    if (!read_digits(m, digits, length, base))
        return false;
    if constexpr (T::is_signed) {
        // m <= 2^(Bits-1) - !negative
        BigInt<T::bits> top = m;
        if (negative && static_cast<bool>(m))
            subtract_in_place(top, BigInt<T::bits>(1u));
        if (arith::bit_width<T::limb_count>(top.limbs) == T::bits)
            return false;
        negate_if(m, negative);
    }
    r = to<T>(m);
    return true;
}
// The base that follows a leading 0: 16, 2 or 8 for the letters x, b, o in either case, otherwise
// 0.
WARPINT_HOST_DEVICE constexpr int prefix_base(char letter) {
    switch (letter) {
    case 'x':
    case 'X':
        return 16;
    case 'b':
    case 'B':
        return 2;
    case 'o':
    case 'O':
        return 8;
    default:
        return 0;
    }
}

// The length of a line of `size` characters without its end, \n or \r\n; a \r alone is none.
WARPINT_HOST_DEVICE constexpr std::size_t size_of_line(const char *line, std::size_t size) {
    if (size == 0 || line[size - 1] != '\n')
        return size;
    return size > 1 && line[size - 2] == '\r' ? size - 2 : size - 1;
}

// What precedes a number's digits: whether there is a sign, where the digits start, and their base.
// The base is the given one or, if that is 0, the prefix's.
struct TextHead {
    bool negative = false;
    std::size_t start = 0;
    int base = 10;
};
WARPINT_HOST_DEVICE constexpr TextHead head_of_text(const char *text, std::size_t size, int base) {
    TextHead head;
    head.negative = size > 0 && text[0] == '-';
    head.start = head.negative ? 1 : 0;
    if (base != 0) {
        head.base = base;
    } else if (size > head.start + 1 && text[head.start] == '0') {
        head.base = prefix_base(text[head.start + 1]);
        // An octal number's first 0 is a digit that does not matter.
        head.start += head.base == 0 ? 1 : 2;
        if (head.base == 0)
            head.base = 8;
    }
    return head;
}

} // namespace warpint::number
