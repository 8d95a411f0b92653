// SPDX-License-Identifier: Apache-2.0
// Numbers on streams: operator<< and operator>>, whose use needs <istream>, <iostream> or the like.
#pragma once

#include "text.h"

#include <ostream>

namespace warpint {

// Writes x as a built-in integer is written: std::hex, oct and dec, showbase, uppercase, showpos
// (signed numbers in decimal only), width, fill and left, right or internal. A negative number is
// '-' and its magnitude in every base (built-in integers show their bits in hexadecimal and octal).
// The locale's digit grouping is not applied. Variable time.
template <class Character, class Traits, BigNumber T>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &stream,
                                                  const T &x) {
    using Stream = std::basic_ostream<Character, Traits>;
    const auto flags = stream.flags();
    const auto base_field = flags & Stream::basefield;
    const int base = base_field == Stream::hex ? 16 : base_field == Stream::oct ? 8 : 10;
    const bool negative = number::is_negative(x);
    std::string digits = to_string(x, base);
    if (negative)
        digits.erase(0, 1);
    std::string sign;
    if (negative)
        sign = "-";
    if (T::is_signed && base == 10 && !negative && (flags & Stream::showpos))
        sign = "+";
    if ((flags & Stream::showbase) && static_cast<bool>(x)) {
        if (base == 16)
            sign += "0x";
        if (base == 8)
            digits.insert(0, 1, '0'); // C and C++ count it as a digit
    }
    if (flags & Stream::uppercase) {
        for (std::string *part : {&sign, &digits}) {
            for (char &c : *part)
                c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        }
    }
    std::basic_string<Character, Traits> text;
    for (const char c : sign)
        text += stream.widen(c);
    if ((flags & Stream::adjustfield) == Stream::internal) {
        const auto used = sign.size() + digits.size();
        const auto width = stream.width() > 0 ? static_cast<std::size_t>(stream.width()) : 0;
        if (width > used)
            text.append(width - used, stream.fill());
    }
    for (const char c : digits)
        text += stream.widen(c);
    return stream << text; // pads on the left or right and resets the width
}

template <class Character, class Traits, LiteralNumber T>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &stream,
                                                  const T &x) {
    return stream << number::as_number(x);
}

// Reads the longest number that follows, after white space if skipws is set. std::dec, oct and hex
// choose the base (hex takes an optional 0x), two of them set together are decimal; with none set
// (stream.unsetf(std::ios::basefield)) the text does, as in parse. A sign may come first: '+', and
// '-' for signed numbers only (for a built-in unsigned integer it would wrap). As for built-in
// integers, failbit is set and x is 0 if there is no number, and the largest number, or the least
// one if it is negative, if it is out of range; at the end of the stream x stays. Variable time.
template <class Character, class Traits, number::BigVariable T>
std::basic_istream<Character, Traits> &operator>>(std::basic_istream<Character, Traits> &stream,
                                                  T &x) {
    using Stream = std::basic_istream<Character, Traits>;
    const typename Stream::sentry ready(stream);
    if (!ready)
        return stream;
    const auto base_field = stream.flags() & Stream::basefield;
    const auto none = static_cast<decltype(base_field)>(0);
    int base = base_field == Stream::hex   ? 16
               : base_field == Stream::oct ? 8
               : base_field == none        ? 0
                                           : 10;
    auto state = Stream::goodbit;
    // The next character; '\0' at the end and for a character that no number contains.
    const auto peek = [&]() -> char {
        const auto c = stream.rdbuf()->sgetc();
        if (!Traits::eq_int_type(c, Traits::eof()))
            return stream.narrow(Traits::to_char_type(c), '\0');
        state |= Stream::eofbit;
        return '\0';
    };
    const auto accept = [&](char c) {
        stream.rdbuf()->sbumpc();
        return c;
    };
    const bool negative = T::is_signed && peek() == '-';
    if (negative || peek() == '+')
        accept(peek());
    std::string digits;
    if ((base == 0 || base == 16) && peek() == '0') {
        digits += accept('0');
        const int prefix = number::prefix_base(peek());
        if (prefix != 0 && (base == 0 || prefix == 16)) {
            accept('x');
            digits.clear();
            base = prefix;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    for (char c = peek(); arith::digit_value(c) < base; c = peek())
        digits += accept(c);
    if (digits.empty()) {
        x = T{};
        state |= Stream::failbit;
    } else if (!number::read_digits(x, negative, digits, base)) {
        const T largest = number::to<T>(~BigInt<T::bits>{} >> (T::is_signed ? 1 : 0));
        x = negative ? ~largest : largest;
        state |= Stream::failbit;
    }
    if (state != Stream::goodbit)
        stream.setstate(state);
    return stream;
}

} // namespace warpint
