// SPDX-License-Identifier: Apache-2.0
// Sizes at which the algorithms over lanes change, measured at 0.2.0.
#pragma once

namespace warpint::lanes {

// One level of Karatsuba pays for products of numbers of this many limbs each, from this many limbs
// a lane on. A row of a product over lanes takes 4 clocks of the multiplier for each of its K
// limbs, or issues some 26 other instructions, whichever is more. Three half products take 3/2 n
// rows of max(2 K, K / 2 + 26) clocks where the whole one takes n of 4 K: for K = 16 51 n against
// 64 n, and n grows against some 600 clocks of sums and moves. Where K is 8 or less nothing is won.
inline constexpr int karatsuba_limbs = 512;
inline constexpr int karatsuba_words = 16;

} // namespace warpint::lanes
