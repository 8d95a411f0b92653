// SPDX-License-Identifier: Apache-2.0
// What the two stages multiply by: the same for all curves.
#pragma once

#include <cstdint>
#include <vector>

#include "curve.h"

namespace ecm {

// The primes up to a bound.
std::vector<std::uint32_t> primes_up_to(std::uint32_t bound);

// The largest powers of the primes up to b1 that are up to b1 themselves, many in each product.
std::vector<BigInt<4096>> prime_powers(std::uint32_t b1);

// The primes above b1 and up to b2, as giant and baby steps. b1 >= 210.
std::vector<Steps> stage_2_steps(std::uint32_t b1, std::uint32_t b2);

} // namespace ecm
