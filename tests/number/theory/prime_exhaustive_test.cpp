// SPDX-License-Identifier: Apache-2.0
// Primality against a sieve for every n below 2^24. Compiled optimised, for there are millions.

#include "prime_sieve.h"

#include <warpint/number/theory/next_prime.h>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using test::sieve_of_eratosthenes;
using warpint::BigInt;

TEST_CASE("primality of every number below 2^24") {
    const auto prime = sieve_of_eratosthenes(std::size_t(1) << 24);
    long wrong = 0;
    for (std::uint32_t n = 0; n < prime.size(); ++n) {
        wrong += is_probable_prime(BigInt<24>(n)) != prime[n];
    }
    CHECK(wrong == 0);
}
