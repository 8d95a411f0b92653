// SPDX-License-Identifier: Apache-2.0
// The matrix step of a change of base: a tile of 16 numbers times a constant matrix, by the tensor
// cores. A step says
//
//   Digit          the type of the matrix' digits
//   terms          bytes of a number that one instruction takes
//   exact_terms    bytes of a number that can be summed before an accumulator is no longer exact
//   accumulate     c += a b, or c = a b, of fragments as the instruction has them
//
// and the algorithm (tile.h) reads the accumulators as int. Exists only while the compiler
// translates for a GPU.
#pragma once

#include "channel.h"

#if WARPINT_DEVICE_PASS && WARPINT_COMPILED_CAPABILITY >= 80

namespace warpint::rns {

// Signed 8-bit digits, unsigned bytes of the numbers, 32-bit sums (limb/tensor.h): compute
// capability 8.0 and later has it without an architecture flag.
struct WarpDigits8 {
    using Digit = signed char;
    static constexpr int terms = 32;
    static constexpr int exact_terms = 1 << 16; // 2^16 255 128 < 2^31

    template <bool first>
    __device__ __forceinline__ static void accumulate(int (&c)[4], Word a0, Word a1, Word a2,
                                                      Word a3, Word b0, Word b1) {
        limb::tensor::multiply_bytes<first>(c, a0, a1, a2, a3, b0, b1);
    }
};

} // namespace warpint::rns

#endif
