// SPDX-License-Identifier: Apache-2.0
// Functions of words for tests of primality and square roots modulo a prime. Variable time.
#pragma once

#include "../../../limb/arithmetic.h"

namespace warpint::arith {

// The Jacobi symbol (a / n) for odd n and any a.
WARPINT_HOST_DEVICE constexpr int jacobi_of_words(std::uint32_t a, std::uint32_t n) {
    int symbol = 1;
    a %= n;
    while (a != 0) {
        const int zeros = limb::countr_zero(a);
        a >>= zeros;
        if ((zeros & 1) != 0 && ((n ^ (n >> 1)) & 2u) != 0) // (2 / n)^zeros, n = 3 or 5 mod 8
            symbol = -symbol;
        if ((a & n & 2u) != 0)
            symbol = -symbol;
        const std::uint32_t next = n % a;
        n = a;
        a = next;
    }
    return n == 1 ? symbol : 0;
}

// The smallest t with a + t n = 0 mod q, or q if there is none; a, n < q. Takes t steps.
WARPINT_HOST_DEVICE constexpr std::uint32_t multiple_to_divide(std::uint32_t a, std::uint32_t n,
                                                               std::uint32_t q) {
    std::uint32_t t = 0;
    for (; a != 0 && t < q; ++t)
        a = a >= q - n ? a - (q - n) : a + n;
    return t;
}

} // namespace warpint::arith
