// SPDX-License-Identifier: Apache-2.0
#include "view.h"

#include <algorithm>
#include <cmath>

#include "error.h"

namespace mandelbrot {

using warpint::BigInt;

namespace {

constexpr int fraction = widest - integer_bits;

} // namespace

Coordinate coordinate(const std::string &text) {
    constexpr std::size_t max_decimals = 320;
    using Wide = BigInt<2304>; // 10^321 2^fraction and more
    const bool negative = text.starts_with('-');
    const std::size_t begin = negative || text.starts_with('+') ? 1 : 0;
    const std::size_t point = std::min(text.find('.', begin), text.size());
    const std::string whole = text.substr(begin, point - begin);
    const std::string decimals = text.substr(std::min(point + 1, text.size()));
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (whole.size() + decimals.size() == 0 || whole.size() > 2 ||
        !std::all_of(whole.begin(), whole.end(), is_digit) ||
        !std::all_of(decimals.begin(), decimals.end(), is_digit) ||
        (!whole.empty() && std::stoi(whole) >= 16))
        throw sample::UsageError("not a decimal number below 16: \"" + text.substr(0, 40) + "\"");

    const std::string read = decimals.substr(0, max_decimals);
    const auto digits = Wide::parse("0" + whole + read, 10);
    const Wide scaled = (digits << fraction) / pow(Wide(10), read.size());
    const Coordinate magnitude(scaled);
    return negative ? Coordinate(-magnitude) : magnitude;
}

Coordinate step(double zoom, std::uint32_t width) {
    int exponent = 0;
    const double mantissa = std::frexp(4 / (zoom * width), &exponent);
    const int shift = fraction + exponent - 53;
    if (shift < -52 || exponent > 8)
        throw sample::Error("the zoom is out of range");
    const Coordinate digits = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
    return shift >= 0 ? Coordinate(digits << shift) : Coordinate(digits >> -shift);
}

} // namespace mandelbrot
