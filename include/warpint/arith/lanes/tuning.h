// SPDX-License-Identifier: Apache-2.0
// Sizes at which the algorithms over lanes change, measured at 0.2.0.
#pragma once

#include "../../limb/config.h"

namespace warpint::lanes {

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
