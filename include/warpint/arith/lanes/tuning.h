// SPDX-License-Identifier: Apache-2.0
// Sizes at which the algorithms over lanes change, measured at 0.2.0.
#pragma once

#include "../../limb/config.h"

namespace warpint::lanes {

// One level of Karatsuba pays for products of numbers of this many limbs each, from this many limbs
// a lane on. A row of a product over lanes takes 4 clocks of the multiplier for each of its K
// limbs, or issues some 26 other instructions, whichever is more. Three half products take 3/2 n
// rows of max(2 K, K / 2 + 26) clocks where the whole one takes n of 4 K: for K = 16 51 n against
// 64 n, and n grows against some 600 clocks of sums and moves. Where K is 8 or less nothing is won.
inline constexpr int karatsuba_limbs = 512;
inline constexpr int karatsuba_words = 16;

// The window that pays for exponents of this many bits over so many limbs a lane, with tables of at
// most 8 KiB a lane: a square costs about three quarters of a product. On an H200 56.3 K powers a
// second of 4096 bits with windows of 7 bits, 56.0 K with 6.
WARPINT_HOST_DEVICE constexpr int power_window(int limbs, int exponent_bits) {
    const int limit = limbs <= 16 ? 7 : limbs <= 32 ? 6 : limbs <= 64 ? 5 : 4;
    const int wanted = exponent_bits > 3000   ? 7
                       : exponent_bits > 1300 ? 6
                       : exponent_bits > 300  ? 5
                       : exponent_bits > 90   ? 4
                       : exponent_bits > 24   ? 3
                                              : 2;
    return wanted < limit ? wanted : limit;
}

} // namespace warpint::lanes
