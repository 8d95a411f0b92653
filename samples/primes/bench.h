// SPDX-License-Identifier: Apache-2.0
// Tests per second, beside GMP's, every verdict compared with GMP's.
#pragma once

#include <vector>

#include "search.h"

namespace primes {

// Prints a line for each width in bits; each figure takes about so many seconds. False where a
// verdict differs from GMP's. Throws Error in a program that was built without GMP.
bool run_bench(const std::vector<int> &widths, double seconds, const Options &options);

} // namespace primes
