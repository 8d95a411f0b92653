// SPDX-License-Identifier: Apache-2.0
// Inverses modulo every number of twelve bits. Compiled optimised, for there are millions.

#include <warpint/number_theory.h>

#include <doctest/doctest.h>

using warpint::BigInt;

TEST_CASE("all inverses modulo every number of twelve bits") {
    // One test in the 64-bit words of the host for each (a, m) with a < m.
    long wrong = 0;
    for (unsigned m = 1; m < 4096; ++m) {
        const BigInt<12> modulus(m);
        for (unsigned a = 0; a < m; ++a) {
            const auto r = inverse(BigInt<12>(a), modulus);
            const unsigned found = static_cast<unsigned>(r.value_or(0));
            const bool exists = static_cast<bool>(gcd(BigInt<12>(a), modulus) == 1);
            const bool right = exists ? r && found < m && a * found % m == 1 % m : !r;
            wrong += !right;
        }
    }
    CHECK(wrong == 0);
}
