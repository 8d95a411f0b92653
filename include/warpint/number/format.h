// SPDX-License-Identifier: Apache-2.0
// std::format of numbers, where the standard library has it: as for built-in integers, but without
// {:c}, {:L} and wide characters (wchar_t). Variable time.
#pragma once

#include "text.h"

#include <version>

#if defined(__cpp_lib_format)
#include <format>

namespace warpint::number {

// The format specification of an integer: [[fill]align][sign][#][0][width][d|x|X|o|b|B], as in the
// standard. Width may be {} or {n}. L and c are not supported.
struct FormatSpecification {
    enum class Width { none, fixed, argument };

    std::string fill = " ";
    char align = '\0'; // '<', '^', '>'; '\0': to the right, or zeros after the sign and prefix
    char sign = '-';
    bool alternate = false;
    bool zeros = false;
    char type = 'd';
    Width width_kind = Width::none;
    std::size_t width = 0; // or the argument's index

    static constexpr bool is_align(char c) { return c == '<' || c == '>' || c == '^'; }

    // Parses the text between ':' and '}'; returns the position of '}'.
    template <class Context>
    constexpr typename Context::iterator parse(Context &context) {
        auto it = context.begin();
        const auto end = context.end();
        const auto at = [&](char c) { return it != end && *it == c; };
        if (it != end && *it != '{' && *it != '}') { // a fill is one code point of UTF-8
            auto after = it;
            do
                ++after;
            while (after != end && (static_cast<unsigned char>(*after) & 0xc0) == 0x80);
            if (after != end && is_align(*after)) {
                fill.assign(it, after);
                it = after;
            }
        }
        if (it != end && is_align(*it))
            align = *it++;
        if (at('+') || at('-') || at(' '))
            sign = *it++;
        if (at('#')) {
            alternate = true;
            ++it;
        }
        if (at('0')) {
            zeros = true;
            ++it;
        }
        const auto read_number = [&] {
            std::size_t value = 0;
            for (; it != end && *it >= '0' && *it <= '9'; ++it) {
                value = value * 10 + static_cast<std::size_t>(*it - '0');
                if (value > 0x7fffffff)
                    throw std::format_error("a width or index is too large");
            }
            return value;
        };
        if (it != end && *it >= '1' && *it <= '9') {
            width_kind = Width::fixed;
            width = read_number();
        } else if (at('{')) {
            ++it;
            width_kind = Width::argument;
            if (it != end && *it >= '0' && *it <= '9') {
                width = read_number();
                context.check_arg_id(width);
            } else {
                width = context.next_arg_id();
            }
            if (!at('}'))
                throw std::format_error("a width in braces is not closed");
            ++it;
        }
        if (it != end && *it != '}') {
            type = *it++;
            if (std::string_view("dxXobB").find(type) == std::string_view::npos) {
                throw std::format_error(
                    "the format type of a big integer must be d, x, X, o, b or B");
            }
        }
        if (it != end && *it != '}')
            throw std::format_error("unknown characters in the format of a big integer");
        return it;
    }
};

template <BigNumber T>
struct Formatter {
    FormatSpecification specification;

    template <class Context>
    constexpr typename Context::iterator parse(Context &context) {
        return specification.parse(context);
    }

    template <class Context>
    typename Context::iterator format(const T &x, Context &context) const {
        const FormatSpecification &s = specification;
        std::size_t width = s.width;
        if (s.width_kind == FormatSpecification::Width::argument) {
            width = std::visit_format_arg(
                [](auto value) -> std::size_t {
                    if constexpr (std::is_integral_v<decltype(value)> &&
                                  !std::is_same_v<decltype(value), bool> &&
                                  !std::is_same_v<decltype(value), char>) {
                        if (value >= 0 && static_cast<unsigned long long>(value) <= 0x7fffffff)
                            return static_cast<std::size_t>(value);
                    }
                    throw std::format_error("a width argument must be a non-negative integer");
                },
                context.arg(s.width));
        }
        const bool upper = s.type == 'X';
        const int base = s.type == 'd'                    ? 10
                         : s.type == 'o'                  ? 8
                         : s.type == 'b' || s.type == 'B' ? 2
                                                          : 16;
        std::string digits = to_string(x, base);
        std::string sign;
        if (is_negative(x)) {
            digits.erase(0, 1);
            sign = "-";
        } else if (s.sign != '-') {
            sign = s.sign;
        }
        if (s.alternate && base == 8 && static_cast<bool>(x))
            sign += '0';
        if (s.alternate && (base == 16 || base == 2)) {
            sign += '0';
            sign += s.type;
        }
        if (upper) {
            for (char &c : digits)
                c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        }
        const std::size_t used = sign.size() + digits.size();
        const std::size_t padding = width > used ? width - used : 0;
        std::size_t left = 0;
        if (s.align == '\0' && s.zeros) {
            sign.append(padding, '0');
        } else {
            left = s.align == '<' ? 0 : s.align == '^' ? padding / 2 : padding;
        }
        auto out = context.out();
        const auto write = [&out](std::string_view text) {
            for (const char c : text)
                *out++ = c;
        };
        for (std::size_t i = 0; i < left; ++i)
            write(s.fill);
        write(sign);
        write(digits);
        if (s.align != '\0' || !s.zeros) {
            for (std::size_t i = left; i < padding; ++i)
                write(s.fill);
        }
        return out;
    }
};

} // namespace warpint::number

template <int Bits>
struct std::formatter<warpint::BigInt<Bits>, char>
    : warpint::number::Formatter<warpint::BigInt<Bits>> {};
template <int Bits>
struct std::formatter<warpint::SignedBigInt<Bits>, char>
    : warpint::number::Formatter<warpint::SignedBigInt<Bits>> {};

#endif
