// SPDX-License-Identifier: Apache-2.0
// What was measured on compute capability 9.0, an NVIDIA H200. perf/results/ has the runs. Comments
// give rates there: numbers a second, or of a copy's rate.
#pragma once

#include "build_rows.h"

namespace warpint::execution::tuning {

struct Sm90 : MeasuredByHand {
    static constexpr int capability = 90;
    static constexpr const char *device = "an H200";

    struct Rows {
        static constexpr int count = 86;
        TuningRow rows[count];
    };

    // The first row that applies is taken; rows of lanes only for formulas that have a form over
    // lanes. By value, because device code reads them in constant expressions. 16 limbs a lane have
    // the highest rate; 128 registers a thread let an SM hold 16 warps. Small batches of powers
    // take 8 limbs a lane: more lanes work on each number, so that more of the GPU does.
    WARPINT_HOST_DEVICE static constexpr Rows rows() {
        using enum WorkKind;
        using detail::lanes;
        using detail::lanes_of_odd;
        using detail::thread;
        using detail::thread_for_short_exponents;
        constexpr Loading shared = Loading::through_shared;
        return {{
            // Four limbs a lane, so that a warp reads and writes whole lines; wide numbers in
            // pieces.
            //     kind, up to bits, threads, blocks per SM, loading
            thread(streaming, 320, 128, 1, shared), // 256: 1.02 of a copy
            thread(streaming, 1152, 64, 8, shared), // a + b of 512, 1024: 22.5, 11.3 G
            //     kind, up to bits, from count, lanes, threads, blocks per SM
            lanes(streaming, 2304, 0, 16, 128, 1),      // 2048: 1.03 of a copy, in a thread 0.85
            lanes(streaming, any_width, 0, 32, 128, 1), // 4096, 8192: 1.03, 0.99 of a copy
            thread(streaming, 2300, 64, 8, shared),     // a + b of 2048: 4.6 G, directly 1.7
            thread(streaming, 4400, 64, 1, shared),     // a + b of 4096: 2.0 G, directly 0.87
            thread(streaming, any_width, 128, 1),       // not measured

            thread(product, 1024, 128, 1, shared),    // 256, 512, 1024: 32.7, 13.5, 5.4 G
            lanes(product, 2304, 0, 4, 64, 7),        // 2048: 1.71 G, in a thread 0.94
            lanes(product, 3072, 0, 4, 64, 6),        // 2560: 1.06 G, over 8 lanes 0.98
            lanes(product, 4608, 0, 8, 64, 7),        // 4096: 444 M, in a thread 243
            lanes(product, 5120, 0, 8, 64, 6),        // 5120: 282 M, over 16 lanes 259
            lanes(product, 9216, 0, 16, 64, 7),       // 8192: 112 M
            lanes(product, any_width, 0, 32, 128, 2), // 16384: 28 M
            thread(product, 2300, 128, 1, shared),    // 1536: 1.6 G, directly 1.4
            thread(product, 4400, 64, 1, shared),     // 2048: 1.18 G, directly 0.9
            thread(product, any_width, 128, 1),       // 4096: 0.22 G

            // Factors and folded limbs need more registers than a division.
            thread(fold, 1024, 128, 1, shared), // staged_fold_blocks() has figures
            lanes(fold, 1280, 0, 2, 64, 6),     // 1056: 1.59 G, over 4 lanes 1.42, in a thread 0.26
            lanes(fold, 2304, 0, 4, 64, 6),     // 2048: 694 M, in a thread 96
            lanes(fold, 3072, 0, 4, 64, 5),     // 2560: 470 M, over 8 lanes 428
            lanes(fold, 4608, 0, 8, 64, 6),     // 4096: 194 M, in a thread 20
            lanes(fold, 6144, 0, 8, 64, 5),     // 5120: 130 M, over 16 lanes 117
            lanes(fold, 9216, 0, 16, 64, 6),    // 8192: 51 M
            lanes(fold, any_width, 0, 32, 128, 2), // 16384: 13 M

            // Rows of a root are short, and few lanes spend less on what is done once. Over one
            // lane: the rows of roots over lanes, for one thread. A lane reads a number of an odd
            // number of limbs one by one, and over one lane the lanes of a warp do so in 32 lines.
            thread(root, 192, 128, 1, shared),     // not measured
            lanes(root, 320, 0, 1, 128, 8),        // 256: 29.9 G, by divisions 10.4
            lanes(root, 640, 0, 1, 128, 6),        // 512: 17.8 G, by divisions 4.6
            lanes_of_odd(root, 1280, 2, 128, 4),   // 736, 992: 5.0, 3.7 G, over one lane 3.8, 1.9
            lanes(root, 1152, 0, 1, 128, 4),       // 1024: 6.5 G, by divisions 1.8
            lanes(root, 1280, 0, 1, 64, 4),        // 1280: 4.8 G, over 2 lanes 3.8
            lanes(root, 2304, 0, 2, 128, 4),       // 2048: 2.05 G, over 4 lanes 1.46
            lanes(root, 4608, 0, 4, 128, 4),       // 4096: 612 M, over 8 lanes 427
            lanes(root, 9216, 0, 8, 128, 4),       // 8192: 179 M
            lanes(root, 18432, 0, 16, 128, 4),     // not measured
            lanes(root, any_width, 0, 32, 128, 2), // 32768: 11.2 M

            // divmod(w, m) of 2 N by N bits.
            thread(division, 1024, 128, 1, shared),    // 1024: 3.4 G
            lanes(division, 2304, 0, 4, 64, 8),        // 2048: 629 M, with 6 blocks 625
            lanes(division, 2560, 0, 4, 64, 6),        // 2560: 399 M, over 8 lanes 376
            lanes(division, 4608, 0, 8, 64, 8),        // 4096: 189 M, with 6 blocks 187
            lanes(division, 6144, 0, 8, 64, 5),        // 5120: 114 M, over 16 lanes 103
            lanes(division, 9216, 0, 16, 64, 8),       // 8192: 52 M
            lanes(division, any_width, 0, 32, 128, 2), // 16384: 13 M
            thread(division, 2100, 128, 1, shared),    // as at 1024 bits
            thread(division, any_width, 128, 1),       // not measured

            // Inverses leave a thread sooner than numbers alone, and need registers: with 3 blocks
            // 7.9 M at 4096 bits.
            thread(cofactor, 1216, 128, 1),            // 1056: 125 M, over 2 lanes 106
            lanes(cofactor, 2304, 0, 2, 128, 2),       // 1536, 2048: 52, 35 M, in a thread 41, 28
            lanes(cofactor, 4608, 0, 4, 128, 2),       // 4096: 9.1 M, over 8 lanes 7.3
            lanes(cofactor, 9216, 0, 8, 128, 2),       // not measured
            lanes(cofactor, 18432, 0, 16, 128, 2),     // 16384: 0.50 M
            lanes(cofactor, any_width, 0, 32, 128, 2), // 32768: 169 K

            thread(number_theory, 1600, 128, 1),            // gcd of 1536: 104 M, over 2 lanes 95
            lanes(number_theory, 2304, 0, 2, 128, 3),       // gcd of 2048: 61 M, in a thread 55
            lanes(number_theory, 4608, 0, 4, 128, 3),       // 4096: 15.6 M, over 8 lanes 12.9
            lanes(number_theory, 9216, 0, 8, 128, 3),       // 8192: 3.7 M, over 16 lanes 3.4
            lanes(number_theory, 18432, 0, 16, 128, 3),     // 16384: 0.90 M
            lanes(number_theory, any_width, 0, 32, 128, 2), // 32768: 251 K
            thread(number_theory, any_width, 128, 1),       // not measured

            // Full-width exponents, one each.
            thread(power, 256, 128, 7), // 190 M, with 6 blocks 188
            thread(power, 320, 128, 6), // 100.4 M, with 4 blocks 99.8
            thread(power, 512, 128, 4), // 26.9 M, with 3 blocks 26.6
            thread(power, 800, 128, 3), // 640: 13.65 M, with 2 blocks 13.41
            // pow(a, 65537, m) of 1024: 248 M, over 2 lanes 146; of 2048 32.6 M, over 2 lanes 36.0.
            thread_for_short_exponents(64, 1024, 128, 1),
            thread_for_short_exponents(64, 1152, 128, 4), // not measured
            // One lane: the rows of products over lanes, for one thread.
            lanes(power, 1088, 28000, 1, 64, 4), // 1024: 3.41 M, over 2 lanes 3.33
            lanes(power, 1088, 0, 4, 64, 8),     // 8000 of 1024: 2.61 M, over 2 lanes 2.11
            lanes(power, 1152, 11000, 2, 64, 8), // 1100: 2.56 M, over one lane 2.43
            lanes(power, 1152, 0, 4, 64, 8),     // 8000 of 1100: 1.89 M, over 2 lanes 1.65
            // 20 limbs a lane and 16 warps, 24 and 10, 32 and 8.
            lanes(power, 1280, 14000, 2, 64, 8), // 1280: 1.16 M by 2048 bits, with 6 blocks 1.13
            lanes(power, 1600, 14000, 2, 64, 5), // 1536: 1.03 M, over 4 lanes 0.98
            // A GPU holds 16,896 numbers over 2 lanes at once: 20,000 take twice as long.
            lanes(power, 2048, 28000, 2, 64, 4), // 2048: 457 K, over 4 lanes 445
            lanes(power, 2048, 0, 8, 64, 8),     // 1000 of 2048: 126 K, over 2 lanes 38
            // 34 limbs a lane, which spill, beside 18 that leave 6 of 72 unused.
            lanes(power, 2176, 25000, 2, 64, 4), // 2100: 385 K, over 4 lanes 362
            lanes(power, 2176, 0, 8, 64, 8),     // 4000 of 2100: 291 K, over 4 lanes 203
            lanes(power, 2304, 6000, 4, 64, 8),  // 2100: 363 K, over 8 lanes 312
            lanes(power, 2304, 0, 8, 64, 8),     // 1000 of 2100: 106 K
            // Fewer over 16 lanes (the row of 4608 bits): 95 K in batches of 1000 at 2560 bits,
            // 71 K over 8. Batches around 4000 would be faster over 8: 197 K, 155 K over 4.
            lanes(power, 2560, 3500, 4, 64, 8), // 2560: 232 K, over 8 lanes 214
            lanes(power, 3600, 3500, 4, 64, 5), // 3072: 133 K, over 8 lanes 125
            // From here on 32 limbs a lane: 255 registers, 8 warps.
            lanes(power, 4608, 7000, 4, 64, 4),    // 4096: 57.8 K, over 8 lanes 56.2
            lanes(power, 4608, 0, 16, 64, 8),      // 1000 of 4096: 33.9 K, over 4 lanes 10
            lanes(power, 5120, 3500, 8, 64, 7),    // 5120: 74.3 K by 2048 bits, with 4 blocks 72.0
            lanes(power, 9216, 3500, 8, 64, 4),    // 8192: 7.45 K, over 16 lanes 7.19
            lanes(power, 9216, 0, 32, 64, 8),      // 1000 of 8192: 11.8 K by 4096 bits
            lanes(power, any_width, 0, 32, 64, 4), // 16384: 3.4 K by 4096 bits
            thread(power, 1024, 128, 1),           // not measured
            thread(power, any_width, 128, 4),      // 2048, 4096: 221, 21.1 K
        }};
    }

    // Blocks of 128 threads per SM, for the compiler, of one product modulo m whose operands are
    // staged, so that it does not read them early: some 4.2 registers a limb and 22 more, for two
    // products and their sum some more. A kernel of its own, 1024 bits: 3.26 G with 3 blocks, 2.84
    // with 4, which spill. By a modulus that all elements share a term that is added costs no more
    // registers, one that is subtracted does: 13.3, 13.2 G with 5, 6 blocks at 512 bits, 3.98, 3.77
    // with 3, 4 at 1024.
    WARPINT_HOST_DEVICE static constexpr int staged_fold_blocks(const Cost &cost) {
        const int limbs = (cost.bits + 31) / 32;
        const int in_words = limbs % 4 != 0 ? 1 : 0; // not vectors of shared memory: more registers
        if (cost.fold_operands > (cost.shares_modulus && !cost.subtracts ? 4 : 3))
            return limbs <= 12 ? 5 : limbs <= 16 ? 4 - in_words : limbs <= 24 ? 3 : 2;
        // Without local memory: with a block more 608 bits had 16 bytes of it and ran at 7.0
        // instead of 6.4 G, 864, 928 and 960 bits 8, 56 and 40 bytes.
        if (limbs == 19 || limbs == 27 || limbs == 29 || limbs == 30)
            return limbs == 19 ? 3 : 2;
        return limbs <= 12 ? 7 - 2 * in_words : limbs <= 16 ? 5 - in_words : limbs <= 20 ? 4 : 3;
    }

    // Elements of a thread: two where a formula streams so few bytes that too few are under way;
    // both are loaded before one is stored. a << k and a < b of 64 bits: 1.01 and 1.03 of a copy,
    // with one 0.79 and 0.84.
    WARPINT_HOST_DEVICE static constexpr int elements_of_thread(const Cost &cost) {
        return cost.work == WorkKind::streaming && cost.bytes_moved < 20 && !cost.runs_user_code &&
                       cost.staged_bytes == 0
                   ? 2
                   : 1;
    }
};

} // namespace warpint::execution::tuning
