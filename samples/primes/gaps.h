// SPDX-License-Identifier: Apache-2.0
// How often each distance of neighbouring primes occurs.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "search.h"

namespace primes {

using Histogram = std::map<std::uint64_t, std::uint64_t>; // gap, how often

Histogram prime_gaps(Candidates &candidates, const Range &range, const Options &options);

// "gap,count" and a line for each gap.
std::string csv(const Histogram &histogram);

// A plot as SVG, with a bar for each gap.
std::string svg(const Histogram &histogram, const std::string &title);

} // namespace primes
