// SPDX-License-Identifier: Apache-2.0
// Numbers from and to text, in bases 2 to 36. Host only; variable time.
#pragma once

#include "digits.h"
#include "message.h"

#include <charconv>
#include <string>
#include <string_view>

namespace warpint {

namespace number {

constexpr bool is_base(int base) {
    return base >= 2 && base <= 36;
}

// Room for the digits of a Bits-bit number in any base, and a sign. Small numbers get room for
// those of a word, so that compilers see that a word's digits fit.
template <int Bits>
inline constexpr std::size_t text_capacity = static_cast<std::size_t>(Bits < 64 ? 64 : Bits) + 1;
// Characters that lie on the stack; more lie on the heap.
inline constexpr std::size_t stack_limit = 4096;

// What std::to_chars does with the digits.
constexpr std::to_chars_result put_text(char *first, char *last, std::string_view text) {
    if (last - first < static_cast<std::ptrdiff_t>(text.size()))
        return {last, std::errc::value_too_large};
    for (const char c : text)
        *first++ = c;
    return {first, std::errc{}};
}

template <BigNumber T>
constexpr bool read_digits(T &r, bool negative, std::string_view digits, int base) {
    return read_digits(r, negative, digits.data(), digits.size(), base);
}

// r = the number that parse() reads; false, with r unchanged, where it would throw. base: 0 or
// 2..36.
template <BigNumber T>
constexpr bool try_parse(T &r, std::string_view text, int base) {
    const TextHead head = head_of_text(text.data(), text.size(), base);
    const std::string_view digits = text.substr(head.start);
    return (T::is_signed || !head.negative) && !digits.empty() &&
           count_digits(digits.data(), digits.size(), head.base) == digits.size() &&
           read_digits(r, head.negative, digits, head.base);
}

template <BigNumber T>
constexpr T parse(std::string_view text, int base) {
    if (base != 0 && !is_base(base))
        throw_bad_base("parse", base, "0 or 2..36");
    T r{};
    if (try_parse(r, text, base))
        return r;
    const TextHead head = head_of_text(text.data(), text.size(), base);
    if (head.negative && !T::is_signed)
        throw_bad_text("a number without a sign", T::bits, false, text, 0);
    std::size_t start = head.start;
    const std::string_view digits = text.substr(start);
    const std::size_t count = count_digits(digits.data(), digits.size(), head.base);
    if (count == 0 || count < digits.size()) {
        const std::string_view expected = head.base == 2    ? "a binary digit"
                                          : head.base == 8  ? "an octal digit"
                                          : head.base == 10 ? "a decimal digit"
                                          : head.base == 16 ? "a hexadecimal digit"
                                                            : "a digit of the base";
        throw_bad_text(expected, T::bits, T::is_signed, text, start + count);
    }
    while (text[start] == '0')
        ++start;
    throw_too_large(T::bits, T::is_signed, text, start);
}

} // namespace number

// The number as text in a base from 2 to 36: lower case, no prefix, '-' before the magnitude of a
// negative number. Throws std::invalid_argument for another base.
// Example:
//     const std::string text = to_string(BigInt<64>(511), 16); // "1ff"
template <BigNumber T>
[[nodiscard]] inline std::string to_string(const T &x, int base = 10) {
    if (!number::is_base(base))
        number::throw_bad_base("to_string", base, "in 2..36");
    constexpr std::size_t stack_limit = number::stack_limit;
    const std::size_t room = arith::max_digits(T::bits, base) + 1;
    if (room <= stack_limit) {
        constexpr std::size_t capacity = number::text_capacity<T::bits>;
        constexpr std::size_t size = capacity < stack_limit ? capacity : stack_limit;
        char buffer[size];
        char *const last = buffer + size;
        const char *const first = number::write_backward(last, x, base);
        return std::string(first, static_cast<std::size_t>(last - first));
    }
    std::string text(room, '\0');
    char *const last = text.data() + text.size();
    text.erase(0, static_cast<std::size_t>(number::write_backward(last, x, base) - text.data()));
    return text;
}

// Writes what to_string gives to [first, last), without a terminating zero, as std::to_chars does.
// Returns the end of the text. If the text does not fit, it returns last and
// std::errc::value_too_large; for a base outside 2..36, last and std::errc::invalid_argument.
// Nothing is written then.
template <BigNumber T>
constexpr std::to_chars_result to_chars(char *first, char *last, const T &x, int base = 10) {
    if (!number::is_base(base))
        return {last, std::errc::invalid_argument};
    if constexpr (T::bits > number::stack_limit) {
        if (!std::is_constant_evaluated())
            return number::put_text(first, last, to_string(x, base));
    }
    return [&] { // whose buffer is not part of the function
        char buffer[number::text_capacity<T::bits>]{};
        char *const end = buffer + number::text_capacity<T::bits>;
        const char *const digits = number::write_backward(end, x, base);
        return number::put_text(first, last, {digits, static_cast<std::size_t>(end - digits)});
    }();
}

// Reads the longest number at the start of [first, last) into x, as std::from_chars does: digits in
// either case, no prefix, no space, no '+', and '-' only for signed numbers. Returns the end of
// what was read, with std::errc::result_out_of_range if x cannot hold the value. Without a digit,
// or for a base outside 2..36, it returns first and std::errc::invalid_argument. x is unchanged
// after an error.
template <BigNumber T>
constexpr std::from_chars_result from_chars(const char *first, const char *last, T &x,
                                            int base = 10) {
    if (!number::is_base(base))
        return {first, std::errc::invalid_argument};
    const bool negative = T::is_signed && first != last && *first == '-';
    const char *const start = negative ? first + 1 : first;
    const std::string_view text(start, static_cast<std::size_t>(last - start));
    const std::size_t count = number::count_digits(text.data(), text.size(), base);
    if (count == 0)
        return {first, std::errc::invalid_argument};
    const bool fits = number::read_digits(x, negative, text.substr(0, count), base);
    return {start + count, fits ? std::errc{} : std::errc::result_out_of_range};
}

// The number that the whole text spells: digits in either case, and for a SignedBigInt an optional
// '-'. The default base, 0, reads prefixes as C++ source does, and 0o: 0x, 0b and 0o choose base
// 16, 2 and 8, and a leading 0 means octal. Pass 10 for data. With a base from 2 to 36 no prefix is
// read: the x of "0x1f" is a bad digit. Nothing else is accepted: no space, no line end, no '+', no
// digit separator. Throws std::invalid_argument for bad text or a bad base, and std::out_of_range
// for a value that does not fit; the message names the position (from 0) and the character. In a
// constant expression a failure is a compile error. Kernels have literals instead.
// Example:
//     const auto a = BigInt<256>::parse("0xff");     // 255
//     const auto b = BigInt<256>::parse("0123", 10); // 123; in base 0 it is octal, 83
template <int Bits>
constexpr BigInt<Bits> BigInt<Bits>::parse(std::string_view text, int base) {
    return number::parse<BigInt<Bits>>(text, base);
}

template <int Bits>
constexpr SignedBigInt<Bits> SignedBigInt<Bits>::parse(std::string_view text, int base) {
    return number::parse<SignedBigInt<Bits>>(text, base);
}

} // namespace warpint
