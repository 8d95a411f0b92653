// Literals of exactly the needed width: 0xffff_bi is a BigInt<16>, 1'000_bi a BigInt<10>, 0_bi a
// BigInt<1>.
#pragma once

#include "bits.h"
#include "text.h"

namespace warpint {

namespace number {

// The value of a literal's characters in a width that certainly holds it: no digit carries more
// than four bits.
template <char... Characters>
consteval BigInt<4 * static_cast<int>(sizeof...(Characters))> literal_value() {
    const char characters[] = {Characters...};
    char digits[sizeof...(Characters)]{};
    std::size_t count = 0;
    for (const char c : characters) {
        if (c != '\'')
            digits[count++] = c;
    }
    return parse<BigInt<4 * static_cast<int>(sizeof...(Characters))>>(
        std::string_view(digits, count), 0);
}

template <char... Characters>
consteval int literal_bits() {
    const int bits = bit_width(literal_value<Characters...>());
    return bits > 0 ? bits : 1;
}

} // namespace number

inline namespace literals {

// A decimal (255_bi), hexadecimal (0xff_bi), binary (0b101_bi) or octal (017_bi) integer as a
// BigInt just wide enough for its value, at least one bit; leading zeros do not widen it. Digit
// separators are allowed. Always a constant expression, also in kernels; anything else,
// like 1.5_bi, is a compile error. Takes no time when the program runs.
template <char... Characters>
WARPINT_HOST_DEVICE consteval BigInt<number::literal_bits<Characters...>()> operator""_bi() {
    return number::to<BigInt<number::literal_bits<Characters...>()>>(
        number::literal_value<Characters...>());
}

} // namespace literals

} // namespace warpint
