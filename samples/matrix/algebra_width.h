// SPDX-License-Identifier: Apache-2.0
// Matrices modulo numbers of up to Bits bits. Each width is compiled in a file of its own, made
// from algebra_width.cpp.in: compiles stay small and run side by side.
#pragma once

#include "algebra.h"

namespace matrix {

// modulus: decimal; empty: a random prime of so many bits.
template <int Bits>
std::unique_ptr<Algebra> algebra_of_width(int bits, const std::string &modulus, bool gpu);

} // namespace matrix
