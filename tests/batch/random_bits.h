// SPDX-License-Identifier: Apache-2.0
// What warpint::random_bits must draw, as exact numbers.
#pragma once

#include "../support/integer.h"

#include <warpint/random.h>

#include <algorithm>

namespace batch_test {

/// `bits` bits of the generator, lowest limbs first; of the last limb the upper bits.
inline test::Integer random_bits(warpint::Philox &generator, int bits) {
    test::Integer result;
    for (int i = 0; i < bits; i += 32) {
        const int wanted = std::min(32, bits - i);
        result += test::Integer(generator() >> (32 - wanted)) << static_cast<std::size_t>(i);
    }
    return result;
}

} // namespace batch_test
