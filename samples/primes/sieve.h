// SPDX-License-Identifier: Apache-2.0
// Numbers that no small prime divides: what is left to be tested.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "candidates.h"

namespace primes {

// The primes below a limit.
struct SmallPrimes {
    explicit SmallPrimes(std::uint32_t limit);

    std::vector<std::uint32_t> primes;

    // Products of neighbours among them, as many as 64 bits hold: one division by a product serves
    // all its primes. Product k is of primes[first[k]], ... primes[first[k + 1] - 1].
    std::vector<std::uint64_t> products;
    std::vector<std::size_t> first;
};

// Start number `which` of the candidates modulo the small primes.
struct Remainders {
    std::uint64_t small_start; // min(start, 2^63)
    std::vector<std::uint32_t> of_prime;
};

// Of start number 2 q + 1, from those of q.
Remainders twice_plus_one(const Remainders &q, const SmallPrimes &small);

// Of `count` starts from number `first` on, by one batch of divisions.
std::vector<Remainders> remainders(Candidates &candidates, const SmallPrimes &small,
                                   std::size_t first, std::size_t count);

// Strikes out what is composite: clears sieve[i] where start + step (first + i) has a divisor among
// the small primes that it is not itself. step is 1, or 2 with an odd start.
void strike(std::span<char> sieve, const Remainders &start, const SmallPrimes &small,
            std::uint64_t first, unsigned step = 1);

// The first + i in [first, first + count) for which start + first + i is not struck out. Uses all
// cores.
std::vector<std::uint64_t> survivors(const Remainders &start, const SmallPrimes &small,
                                     std::uint64_t first, std::uint64_t count);

} // namespace primes
