// SPDX-License-Identifier: Apache-2.0
// Residues of squares: most numbers that are no squares are known by what they leave modulo a few
// small numbers (Cohen, A Course in Computational Algebraic Number Theory, algorithm 1.7.3). Modulo
// 2^48 - 1 = 3^2 5 7 13 17 97 241 257 673 a number is the sum of its digits to base 2^48. Variable
// time.
#pragma once

#include "../../../limb/config.h"

#include <cstdint>

namespace warpint::arith {

inline constexpr int square_digit_bits = 48;

namespace detail {

// Bit r: whether 64 word + r is a square modulo M.
template <std::uint32_t M, std::uint32_t word>
inline constexpr std::uint64_t squares_modulo = [] {
    std::uint64_t squares = 0;
    for (std::uint32_t x = 0; x < M; ++x) {
        const std::uint32_t r = x * x % M;
        if (r / 64 == word)
            squares |= std::uint64_t{1} << (r % 64);
    }
    return squares;
}();

// Whether r < M is a square modulo M.
template <std::uint32_t M, std::uint32_t word = 0>
WARPINT_HOST_DEVICE constexpr bool is_square_modulo(std::uint32_t r) {
    if constexpr (64 * (word + 1) < M) {
        if (r >= 64 * (word + 1))
            return is_square_modulo<M, word + 1>(r);
    }
    return (squares_modulo<M, word> >> (r % 64) & 1u) != 0;
}

} // namespace detail

// Whether a number with these low bits may be a square: of 52 of 64 numbers that says no.
WARPINT_HOST_DEVICE constexpr bool ends_as_squares_do(std::uint32_t low) {
    return detail::is_square_modulo<64>(low % 64);
}

// Whether a number may be a square. low: its low bits; digits: the sum of its digits to base 2^48,
// or any number that leaves the same modulo 2^48 - 1. True for every square, and for 1 of 480 other
// numbers.
WARPINT_HOST_DEVICE constexpr bool may_be_square(std::uint32_t low, std::uint64_t digits) {
    if (!ends_as_squares_do(low))
        return false;
    const std::uint64_t rest = digits % ((std::uint64_t{1} << square_digit_bits) - 1);
    const auto first = static_cast<std::uint32_t>(rest % (63 * 65 * 17 * 241)); // 2^24 - 1
    return detail::is_square_modulo<63>(first % 63) && detail::is_square_modulo<65>(first % 65) &&
           detail::is_square_modulo<17>(first % 17) && detail::is_square_modulo<241>(first % 241) &&
           detail::is_square_modulo<97>(static_cast<std::uint32_t>(rest % 97));
}

} // namespace warpint::arith
