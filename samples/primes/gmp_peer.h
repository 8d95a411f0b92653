// SPDX-License-Identifier: Apache-2.0
// The same tests by GMP.
#pragma once

#include <string>
#include <vector>

#include "candidates.h"

namespace primes {

// "GMP 6.2.1", or nothing in a program that was built without it.
std::string gmp_name();

// Whether start + offset is prime for pairs `first` to `last`, by mpz_probab_prime_p on all
// threads. start: decimal.
std::vector<bool> gmp_are_prime(const std::string &start, const Pairs &pairs, std::size_t first,
                                std::size_t last);

} // namespace primes
