// SPDX-License-Identifier: Apache-2.0
// The exceptions of text and bytes, with their messages. Host only.
#pragma once

#include "storage.h"

#if WARPINT_HOSTED

#include <cstdarg>
#include <cstdio>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpint::number {

// A message with numbers in it, formatted as by printf. It serves errors that any file may report:
// sums of std::string would be compiled into each of them.
class Message {
public:
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    WARPINT_COLD explicit Message(const char *format, ...) {
        std::va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(text_, sizeof text_, format, arguments);
        va_end(arguments);
    }
    [[nodiscard]] const char *text() const { return text_; }

private:
    char text_[256];
};

inline std::string join(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts)
        text.append(part);
    return text;
}

inline std::string type_name(int bits, bool is_signed) {
    return join({is_signed ? "SignedBigInt<" : "BigInt<", std::to_string(bits), ">"});
}

// "'7' at position 3", "'\r' at position 3", "'\x00' at position 3" or "the end of the text at
// position 4".
inline std::string describe_place(std::string_view text, std::size_t position) {
    constexpr char hexadecimal[] = "0123456789abcdef";
    const std::string place = join({" at position ", std::to_string(position)});
    if (position >= text.size())
        return join({"the end of the text", place});
    const unsigned code = static_cast<unsigned char>(text[position]);
    if (code >= 0x20 && code < 0x7f)
        return join({"'", text.substr(position, 1), "'", place});
    if (code == '\t' || code == '\n' || code == '\r')
        return join({code == '\t' ? "'\\t'" : code == '\n' ? "'\\n'" : "'\\r'", place});
    const char escaped[2] = {hexadecimal[code / 16], hexadecimal[code % 16]};
    return join({"'\\x", std::string_view(escaped, 2), "'", place});
}

[[noreturn]] WARPINT_COLD inline void throw_bad_base(const char *function, int base,
                                                     const char *allowed) {
    throw std::invalid_argument(Message("%s: base %d is not %s", function, base, allowed).text());
}

[[noreturn]] inline void throw_bad_text(std::string_view expected, int bits, bool is_signed,
                                        std::string_view text, std::size_t position) {
    throw std::invalid_argument(join({type_name(bits, is_signed), "::parse: expected ", expected,
                                      ", found ", describe_place(text, position)}));
}

[[noreturn]] inline void throw_too_large(int bits, bool is_signed, std::string_view text,
                                         std::size_t position) {
    throw std::out_of_range(
        join({type_name(bits, is_signed), "::parse: the value does not fit in ",
              std::to_string(bits), " bits; its first digit is ", describe_place(text, position)}));
}

[[noreturn]] inline void throw_too_many_bytes(int bits, bool is_signed, std::size_t size) {
    throw std::out_of_range(
        join({type_name(bits, is_signed), "::from_bytes: the value in ", std::to_string(size),
              " bytes does not fit in ", std::to_string(bits), " bits"}));
}

[[noreturn]] inline void throw_too_few_bytes(int bits, bool is_signed, std::size_t size) {
    throw std::length_error(join({"to_bytes: the value of the ", type_name(bits, is_signed),
                                  " does not fit in ", std::to_string(size), " bytes"}));
}

} // namespace warpint::number

#endif
