// SPDX-License-Identifier: Apache-2.0
// What the tables of architectures (sm_90.h) are written with.
#pragma once

#include "row.h"

namespace warpint::execution::tuning::detail {

// A thread for each number.
WARPINT_HOST_DEVICE constexpr TuningRow thread(WorkKind kind, int max_bits, int threads, int blocks,
                                               Loading loading = Loading::direct) {
    TuningRow row;
    row.kind = kind;
    row.max_bits = max_bits;
    row.lanes = 1;
    row.threads_per_block = threads;
    row.min_blocks = blocks;
    row.loading = loading;
    return row;
}
// The same for exponents of at most so many bits.
WARPINT_HOST_DEVICE constexpr TuningRow thread_for_short_exponents(int exponent_bits, int max_bits,
                                                                   int threads, int blocks) {
    TuningRow row = thread(WorkKind::power, max_bits, threads, blocks);
    row.max_exponent_bits = exponent_bits;
    return row;
}
// Several lanes of a warp for each number, from a batch of min_count on.
WARPINT_HOST_DEVICE constexpr TuningRow lanes(WorkKind kind, int max_bits, std::size_t min_count,
                                              int lanes_of_number, int threads, int blocks) {
    TuningRow row = thread(kind, max_bits, threads, blocks);
    row.family = KernelFamily::lanes_per_number;
    row.min_count = min_count;
    row.lanes = lanes_of_number;
    return row;
}
// The same for numbers of an odd number of limbs.
WARPINT_HOST_DEVICE constexpr TuningRow lanes_of_odd(WorkKind kind, int max_bits,
                                                     int lanes_of_number, int threads, int blocks) {
    TuningRow row = lanes(kind, max_bits, 0, lanes_of_number, threads, blocks);
    row.odd_limbs = true;
    return row;
}

// Elements of a reduction that hold so many bytes together; one where a thread does not read ahead.
WARPINT_HOST_DEVICE constexpr int elements_of_bytes(const Cost &cost, int bytes) {
    if (cost.work != WorkKind::streaming || cost.transposed_bytes != 0 || cost.bytes_moved <= 0)
        return 1;
    const int elements = bytes / cost.bytes_moved;
    return elements < 1 ? 1 : elements > 8 ? 8 : elements;
}

} // namespace warpint::execution::tuning::detail

namespace warpint::execution::tuning {

// What no program measures for a table of its own: as on an H200.
struct MeasuredByHand {
    // Elements that a thread of a reduction reads before it adds the first: narrow ones one at a
    // time are too few bytes on their way from memory. count(a == b) of 256 bits reads 4480 GB/s
    // with 264 bytes, 3980 with 64, which is less than one element; the largest of numbers of 256
    // bits 4280 and 4100, of 64 bits 4070 and 4090.
    WARPINT_HOST_DEVICE static constexpr int elements_together(const Cost &cost) {
        return detail::elements_of_bytes(cost, 264);
    }

    // Blocks per SM of the kernel of inverses modulo one modulus, whose elements fit registers up
    // to 256 bits: 10.7 G, with 4 10.1.
    WARPINT_HOST_DEVICE static constexpr int inverse_blocks(int bits) {
        return bits <= 256 ? 5 : 1;
    }

    // The least elements for each SM from which a round of powers on tensor cores is faster than
    // the same over lanes: a round is 256 for each SM at most, above 2048 bits 128; more: none is.
    // 896 bits: 4.7 M, over lanes 5.1; 1024: 4.2 M, over lanes 3.5; 1536: 1.61 M, 1.05; 2048:
    // 799 K, 457; 3072: 211 K, 138; 4096: 75.7 K, 59.2. A round of 2048 bits takes 40 ms, 12,000
    // powers over lanes 33, 15,000 43; of 1024 bits 7.7, 18,000 7.3, 22,000 8.6.
    WARPINT_HOST_DEVICE static constexpr int least_tensor_powers(int bits) {
        return bits <= 1152   ? 145
               : bits <= 1600 ? 128
               : bits <= 2080 ? 110
               : bits <= 3072 ? 88
                              : 104;
    }

    // The most elements for each SM up to which powers are faster by a block each than over lanes,
    // milliseconds of 132 SMs: 1024 bits 1000 1.89 and 2.11, 1320 2.27; 1280 1000 2.60, 2.83; 1536
    // 660 2.70, 3.81, 1000 4.13; 2048 660 6.73, 7.75, 1000 10.3; 2560 264 5.43, 10.2, 528 10.5;
    // 3072 264 7.15, 14.4, 528 13.9; 4096 264 20.3, 29.5, 528 39.5.
    WARPINT_HOST_DEVICE static constexpr int most_spread_powers(int bits) {
        return bits <= 1344 ? 8 : bits <= 1824 ? 6 : bits <= 2080 ? 5 : bits <= 3072 ? 3 : 2;
    }

    // Whether a product of so many limbs, or a square, is faster by a transform than over lanes;
    // low: a product cut off at the width of its factors. A transform is of 512, 1024, ... limbs.
    // M/s, over lanes and by a transform: 8192 bits 110 and 108, squares 110 and 178; 12288 49 and
    // 52, low 79 and 52; 16384 28 and 52, low 46 and 52; 32768 7.0 and 26; 65536 1.5 and 11.
    WARPINT_HOST_DEVICE static constexpr bool is_transformed(int limbs, bool is_square, bool low) {
        if (is_square)
            return limbs >= (low ? 736 : limbs <= 512 ? 448 : 592);
        return limbs >= (low ? 960 : 752);
    }

    // Sums of vectors by columns: 0.995 to 1.01 of a copy's rate from 64 to 8192 bits; with 4
    // vectors and 8 blocks 0.93 for signed numbers, with 4 and 4 0.99.
    WARPINT_HOST_DEVICE static constexpr ColumnSums column_sums() { return {8, 4}; }
};

} // namespace warpint::execution::tuning
