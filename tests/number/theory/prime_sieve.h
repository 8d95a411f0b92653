// SPDX-License-Identifier: Apache-2.0
// The sieve of Eratosthenes, which tests of primality are compared with.
#pragma once

#include <cstddef>
#include <vector>

namespace test {

/// sieve[n]: n is prime, for n < bound.
inline std::vector<bool> sieve_of_eratosthenes(std::size_t bound) {
    std::vector<bool> prime(bound, true);
    prime[0] = prime[1] = false;
    for (std::size_t p = 2; p * p < bound; ++p) {
        if (prime[p]) {
            for (std::size_t i = p * p; i < bound; i += p) {
                prime[i] = false;
            }
        }
    }
    return prime;
}

} // namespace test
