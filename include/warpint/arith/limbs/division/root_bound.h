// SPDX-License-Identifier: Apache-2.0
// A bound on a k-th root, from the logarithm of a number's top bits, in words. Variable time.
#pragma once

#include "../../../limb/config.h"

#include <cstdint>

namespace warpint::arith {

// mantissa 2^shift.
struct RootBound {
    std::uint32_t mantissa;
    int shift;
};

// A number above a^(1/k), by less than 1 part in 2^25 and 1, for a >= 1 of `width` bits, which
// begin as top does (top >= 2^31), and k >= 1. There are 30 bits behind the point.
WARPINT_HOST_DEVICE constexpr RootBound root_bound(std::uint32_t top, int width, std::uint32_t k) {
    constexpr int bits = 30;
    constexpr std::uint64_t one = std::uint64_t{1} << bits;
    // log2(a) = (logarithm + log2(x / one)) / 2^i after i squares; 1 <= x / one < 2.
    std::uint64_t x = top >> 1;
    std::uint64_t logarithm = static_cast<std::uint64_t>(width - 1);
    WARPINT_UNROLL(2, 1)
    for (int i = 0; i < bits; ++i) {
        x = x * x >> bits;
        const int carry = x >= 2 * one ? 1 : 0;
        x >>= carry;
        logarithm = 2 * logarithm + static_cast<std::uint64_t>(carry);
    }
    const std::uint64_t quotient = logarithm / k;
    // 2^fraction = e^t by Taylor's series, t < 0.7.
    constexpr std::uint64_t ln_2 = 744261117; // 2^30 ln 2
    const std::uint64_t t = quotient % one * ln_2 >> bits;
    std::uint64_t power = one;
    WARPINT_UNROLL(12, 12)
    for (std::uint32_t n = 12; n > 0; --n)
        power = one + static_cast<std::uint32_t>(t * power >> bits) / n;
    // All of this rounds down. In units of the last place the power lacks less than 8 by the
    // logarithm and the quotient, 4 by t, 4 by the series' terms and 1 by those left out.
    constexpr std::uint64_t margin = 17;
    const auto mantissa = static_cast<std::uint32_t>(power + margin);
    const int exponent = static_cast<int>(quotient >> bits);
    if (exponent < bits)
        return {(mantissa >> (bits - exponent)) + 1, 0};
    return {mantissa, exponent - bits};
}

} // namespace warpint::arith
