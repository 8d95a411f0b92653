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
