// SPDX-License-Identifier: Apache-2.0
// What a soak run has seen: identities by kind of number and name, and how many in all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace soak {

/// Seconds that each identity is repeated, with new operands each time: WARPINT_SOAK_SECONDS. 0,
/// the default, is one round of few elements.
double seconds();

/// Elements of a round, for numbers of `bits` bits.
std::size_t round_size(int bits);

/// A number that no earlier call of this program gave; the same in every run of one
/// WARPINT_TEST_SEED (support/property.h).
std::uint64_t next_seed();

/// Counts `held` identities of a name and a kind of number, `wrong` of which did not hold. Fails
/// the test case if there are any. In long runs a line is printed, and the total in the end.
void count(const std::string &kind, const char *name, std::uint64_t held, std::uint64_t wrong,
           double time);

} // namespace soak
