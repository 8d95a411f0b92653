// SPDX-License-Identifier: Apache-2.0
// Candidates of up to Bits bits. Each width is compiled in a file of its own, made from
// candidates_width.cpp.in: compiles stay small and run side by side.
#pragma once

#include "candidates.h"

namespace primes {

template <int Bits>
std::unique_ptr<Candidates> candidates_of_width(const std::string &lines, int base, bool gpu);

} // namespace primes
