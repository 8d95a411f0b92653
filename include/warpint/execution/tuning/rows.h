// SPDX-License-Identifier: Apache-2.0
// The library's tuning rows. Beside each choice stands what it gained and on which GPU;
// perf/results/ has the runs. What is not measured says so: those GPUs take the rows of the H200
// until somebody measures them (add_tuning_row tries a row without touching this file).
#pragma once

#include "../plan.h"

namespace warpint::execution::tuning {

// Bytes of operands that a thread of a reduction reads before it adds the first element:
// count(a == b) of 256 bits reads 4480 GB/s with 264, 3980 with 64, which is less than one element;
// the largest of numbers of 256 bits 4280 and 4100, of 64 bits 4070 and 4090 (NVIDIA H200).
inline constexpr int reduction_bytes_together = 264;

// Sums of vectors by columns (column_sum_cuda.h): vectors of 16 bytes that a thread reads before it
// adds the first, and blocks of a multiprocessor. 0.995 to 1.01 of a copy's rate from 64 to 8192
// bits on an H200; with 4 vectors and 8 blocks 0.93 for signed numbers, with 4 and 4 0.99.
inline constexpr int column_vectors_together = 8;
inline constexpr int column_blocks_of_multiprocessor = 4;

inline constexpr const char *not_measured =
    "not measured on this GPU: the row of compute capability 9.0";

struct Table {
    static constexpr int count = 16;
    TuningRow rows[count];
};

// For compute capability 9.0, measured on an H200. By value, because device code reads it in
// constant expressions.
WARPINT_HOST_DEVICE constexpr Table table_of_90() {
    using enum WorkKind;
    using enum Loading;
    constexpr KernelFamily thread = KernelFamily::thread_per_number;
    return {{
        // capability, kind, up to bits, from count, family, lanes, threads, min blocks, loading,
        // window, measured
        {90, streaming, 320, 0, thread, 1, 128, 1, through_shared, 0,
         "1.02 of a copy at 256 bits on an H200; a + b of 160 bits 69 G/s, 56 with 256 threads"},
        {90, streaming, 2300, 0, thread, 1, 64, 8, through_shared, 0,
         "a + b of 512, 1024, 2048 bits 22.5, 11.3, 4.6 G/s on an H200; directly 18.9, 6.4, 1.7"},
        {90, streaming, 4400, 0, thread, 1, 64, 1, through_shared, 0,
         "a + b of 4096 bits 2.0 G/s on an H200, directly 0.87"},
        {90, streaming, any_width, 0, thread, 1, 128, 1, direct, 0, "not measured"},
        {90, product, 2300, 0, thread, 1, 128, 1, through_shared, 0,
         "a * b of 131, 256, 512, 1024 bits 55, 32.7, 13.5, 4.2 G/s on an H200; directly 14.7, "
         "25.9, 7.9, 3.7"},
        {90, product, 4400, 0, thread, 1, 64, 1, through_shared, 0,
         "a * b of 1536, 2048 bits 1.6, 1.18 G/s on an H200; directly 1.4, 0.9"},
        {90, product, any_width, 0, thread, 1, 128, 1, direct, 0,
         "a * b of 4096 bits 0.22 G/s on an H200, as with shared memory"},
        {90, division, 2100, 0, thread, 1, 128, 1, through_shared, 0,
         "a * b % m of 256, 512, 1024 bits 28.7, 10.1, 3.2 G/s on an H200; its operands not in "
         "shared memory 28.7, 9.4, 2.1; a / b 44.9, 22.4, 11.2"},
        {90, division, any_width, 0, thread, 1, 128, 1, direct, 0, "not measured"},
        {90, number_theory, any_width, 0, thread, 1, 128, 1, direct, 0, "not measured"},
        {90, power, 256, 0, thread, 1, 128, 7, direct, 0,
         "190 M powers a second at 256 bits on an H200, 188 M with 6 blocks or fewer"},
        {90, power, 320, 0, thread, 1, 128, 6, direct, 0,
         "100.4 M powers a second at 320 bits on an H200, 99.8 M with 4 blocks"},
        {90, power, 512, 0, thread, 1, 128, 4, direct, 0,
         "26.9 M powers a second at 512 bits on an H200, 26.6 M with 3 blocks"},
        {90, power, 800, 0, thread, 1, 128, 3, direct, 0,
         "13.65 M and 7.80 M powers a second at 640 and 768 bits on an H200, 13.41 M and 7.54 M "
         "with 2 "
         "blocks or fewer"},
        {90, power, 1024, 0, thread, 1, 128, 1, direct, 0,
         "248 M pow(a, 65537, m) a second at 1024 bits on an H200"},
        {90, power, any_width, 0, thread, 1, 128, 4, direct, 0,
         "221 K and 21.1 K powers a second at 2048, 4096 bits on an H200"},
    }};
}

// GPUs other than the H200, by compute capability: none was measured, all take its rows.
WARPINT_HOST_DEVICE constexpr bool is_measured(int capability) {
    return capability == 90;
}

// Blocks of 128 threads that a multiprocessor shall hold of a product modulo m whose operands stay
// in shared memory (held_operands.h), so that the compiler does not read them early: some 4.2
// registers a limb and 22 more, for two products and their sum some more. A kernel of its own on an
// H200, 1024 bits: 3.26 G/s with 3 blocks, 2.84 with 4, which spill. By a modulus that all elements
// share a term that is added costs no more registers, one that is subtracted does: 13.3, 13.2 G/s
// with 5, 6 blocks at 512 bits, 3.98, 3.77 with 3, 4 at 1024.
WARPINT_HOST_DEVICE constexpr int folded_blocks(int limbs, int operands, bool shares_modulus,
                                                bool subtracts) {
    const int in_words = limbs % 4 != 0 ? 1 : 0; // not vectors of shared memory: more registers
    if (operands > (shares_modulus && !subtracts ? 4 : 3))
        return limbs <= 12 ? 5 : limbs <= 16 ? 4 - in_words : limbs <= 24 ? 3 : 2;
    // Without local memory: with a block more 608 bits had 16 bytes of it and ran at 7.0 instead of
    // 6.4 G/s, 864, 928 and 960 bits 8, 56 and 40 bytes.
    if (limbs == 19 || limbs == 27 || limbs == 29 || limbs == 30)
        return limbs == 19 ? 3 : 2;
    return limbs <= 12 ? 7 - 2 * in_words : limbs <= 16 ? 5 - in_words : limbs <= 20 ? 4 : 3;
}

// A row of the tables, as it is for GPUs of this compute capability.
WARPINT_HOST_DEVICE constexpr TuningRow on_capability(TuningRow row, int capability) {
    if (!is_measured(capability)) {
        row.compute_capability = capability;
        row.measured = not_measured;
    }
    return row;
}

// The library's row for this work.
WARPINT_HOST_DEVICE constexpr TuningRow row_for(const Work &work, std::size_t count,
                                                int capability) {
    TuningRow chosen;
    const Table table = table_of_90();
    for (const TuningRow &row : table.rows) {
        if (applies(row, work, count)) {
            chosen = row;
            break;
        }
    }
    return on_capability(chosen, capability);
}

} // namespace warpint::execution::tuning
