// SPDX-License-Identifier: Apache-2.0
// What was measured on compute capability 9.0, an NVIDIA H100 80GB HBM3, by warpint_perf_tune.
// Candidates within 3 percent of each other count as equally fast. Comments give rates there:
// numbers a second, and those of the best other candidate.
#pragma once

#include <warpint/execution/plan/tuning/build_rows.h>

namespace warpint::execution::tuning {

struct ProgramTable : MeasuredByHand {
    static constexpr int capability = 90;
    static constexpr const char *device = "an NVIDIA H100 80GB HBM3";

    struct Rows {
        static constexpr int count = 60;
        TuningRow rows[count];
    };

    // The first row that applies is taken; rows of lanes only for formulas that have a form over
    // lanes. By value, because device code reads them in constant expressions.
    WARPINT_HOST_DEVICE static constexpr Rows rows() {
        using enum WorkKind;
        using detail::lanes;
        using detail::lanes_of_odd;
        using detail::thread;
        using detail::thread_for_short_exponents;
        constexpr Loading shared = Loading::through_shared;
        return {{
            //     kind, up to bits, threads, blocks per SM, loading
            //     kind, up to bits, from count, lanes, threads, blocks per SM
            thread(streaming, 1152, 128, 3, shared),     // 1024: 7.91 G, with 4 blocks 7.91 G
            lanes(streaming, any_width, 0, 32, 128, 4),  // 8192: 980 M, over 16 lanes 939 M
            thread(streaming, any_width, 64, 1, shared), // 8192: 218 M, directly 218 M

            thread(product, 576, 64, 8, shared),       // 512: 11.7 G, with 128 threads 11.7 G
            thread(product, 1024, 128, 3, shared),     // 1024: 5.8 G, with 64 threads 5.34 G
            lanes(product, 2880, 0, 4, 64, 7),         // 2560: 1.07 G, over 8 lanes 1.06 G
            lanes(product, 5760, 0, 8, 64, 5),         // 5120: 284 M, over 16 lanes 269 M
            lanes(product, 9216, 0, 16, 64, 7),        // 8192: 113 M, over 32 lanes 103 M
            lanes(product, any_width, 0, 32, 64, 5),   // 16384: 28.6 M, over 16 lanes 25.5 M
            thread(product, any_width, 64, 1, shared), // 4096: 219 M, directly 219 M

            thread(fold, 576, 64, 8),             // 512: 9.25 G, with 128 threads 9.18 G
            thread(fold, 1024, 128, 3),           // 1024: 2.44 G, with 64 threads 2.31 G
            lanes(fold, 2880, 0, 4, 64, 5),       // 2560: 476 M, over 8 lanes 428 M
            lanes(fold, 5760, 0, 8, 64, 6),       // 5120: 131 M, over 16 lanes 117 M
            lanes(fold, 9216, 0, 16, 64, 8),      // 8192: 51.6 M, over 8 lanes 47.2 M
            lanes(fold, any_width, 0, 32, 64, 8), // 16384: 13.3 M, over 16 lanes 12.4 M

            thread(root, 192, 64, 1, shared),      // 128: 23.9 G, directly 23.9 G
            lanes(root, 576, 0, 1, 128, 8),        // 512: 22.1 G, over 2 lanes 9.77 G
            lanes_of_odd(root, 828, 1, 128, 6),    // 736: 12.8 G, over 2 lanes 6.76 G
            lanes(root, 1440, 0, 1, 128, 4),       // 1280: 7.42 G, over 2 lanes 4.33 G
            lanes(root, 2304, 0, 2, 128, 4),       // 2048: 2.43 G, over 4 lanes 1.71 G
            lanes(root, 4608, 0, 4, 128, 4),       // 4096: 680 M, over 8 lanes 498 M
            lanes(root, 9216, 0, 8, 128, 6),       // 8192: 189 M, over 16 lanes 136 M
            lanes(root, 18432, 0, 16, 128, 6),     // 16384: 49.9 M, over 32 lanes 36.2 M
            lanes(root, any_width, 0, 32, 128, 2), // not measured

            thread(division, 1024, 64, 1, shared),       // 1024: 4.26 G, directly 4.26 G
            lanes(division, 2880, 0, 4, 64, 7),          // 2560: 488 M, over 2 lanes 430 M
            lanes(division, 5760, 0, 8, 64, 7),          // 5120: 132 M, over 4 lanes 125 M
            lanes(division, 9216, 0, 16, 64, 7),         // 8192: 56 M, over 8 lanes 55.9 M
            lanes(division, any_width, 0, 32, 64, 7),    // 16384: 14.3 M, over 16 lanes 14.1 M
            thread(division, any_width, 128, 1, shared), // 4096: 20.3 M, directly 20.3 M

            thread(cofactor, 288, 64, 8, shared),     // 256: 1.52 G, directly 1.52 G
            thread(cofactor, 1216, 128, 3, shared),   // 1056: 149 M, directly 149 M
            lanes(cofactor, 2304, 0, 2, 128, 3),      // 2048: 37.8 M, over 4 lanes 34.6 M
            lanes(cofactor, 4608, 0, 4, 128, 3),      // 4096: 9.66 M, over 8 lanes 8.95 M
            lanes(cofactor, 9216, 0, 8, 128, 3),      // 8192: 2.48 M, over 16 lanes 2.31 M
            lanes(cofactor, any_width, 0, 32, 64, 8), // 16384: 689 K, over 16 lanes 635 K

            thread(number_theory, 1600, 64, 1, shared),      // 1536: 117 M, directly 117 M
            lanes(number_theory, 2304, 0, 2, 128, 4),        // 2048: 65.2 M, over 4 lanes 52.6 M
            lanes(number_theory, 4608, 0, 4, 64, 8),         // 4096: 16.7 M, over 8 lanes 13.6 M
            lanes(number_theory, 9216, 0, 8, 64, 8),         // 8192: 4.28 M, over 16 lanes 3.55 M
            lanes(number_theory, 18432, 0, 16, 128, 4),      // 16384: 1.1 M, over 32 lanes 943 K
            lanes(number_theory, any_width, 0, 32, 128, 2),  // not measured
            thread(number_theory, any_width, 64, 1, shared), // 2048: 68.3 M, directly 68.3 M

            thread(power, 800, 128, 4),                   // 640: 14.5 M, with 3 blocks 14.5 M
            thread_for_short_exponents(64, 1152, 128, 3), // 1024: 191 M, with 1 block 190 M
            lanes(power, 1440, 3500, 4, 64, 8),           // 1280: 1.6 M, over 1 lane 1.73 M
            lanes(power, 1440, 0, 8, 64, 8),              // 2000 of 1280: 713 K, over 4 lanes 531 K
            lanes(power, 1728, 8000, 4, 64, 4),           // 1536: 972 K, over 2 lanes 1.02 M
            lanes(power, 1728, 0, 8, 64, 7),              // 6000 of 1536: 743 K, over 4 lanes 682 K
            lanes(power, 2880, 2000, 8, 64, 8),           // 2560: 211 K, over 4 lanes 230 K
            lanes(power, 2880, 0, 16, 64, 8),       // 1000 of 2560: 94.5 K, over 8 lanes 71.4 K
            lanes(power, 3456, 3500, 8, 64, 4),     // 3072: 127 K, over 4 lanes 135 K
            lanes(power, 3456, 0, 16, 64, 8),       // 2000 of 3072: 98.8 K, over 8 lanes 86.2 K
            lanes(power, 4608, 2000, 8, 64, 7),     // 4096: 56.4 K, over 4 lanes 58.5 K
            lanes(power, 4608, 0, 32, 64, 7),       // 1000 of 4096: 32.5 K, over 16 lanes 33.8 K
            lanes(power, 9216, 3500, 8, 128, 2),    // 8192: 7.24 K, over 16 lanes 6.92 K
            lanes(power, 9216, 0, 32, 64, 8),       // 1000 of 8192: 6.03 K, over 16 lanes 4.97 K
            lanes(power, any_width, 0, 32, 128, 2), // not measured
            thread(power, any_width, 128, 3),       // 4096: 22.3 K, with 4 blocks 22.5 K
        }};
    }

    // Blocks of 128 threads per SM, for the compiler, of one product modulo m whose operands are
    // staged.
    WARPINT_HOST_DEVICE static constexpr int staged_fold_blocks(const Cost &cost) {
        const int limbs = (cost.bits + 31) / 32;
        // clang-format off
        if (cost.fold_operands > (cost.shares_modulus && !cost.subtracts ? 4 : 3))
            return limbs <= 13 ? 6
                 : 2;
        return limbs <= 12 ? 7
             : limbs <= 17 ? 5
             : limbs <= 24 ? 4
             : limbs <= 27 ? 3
             : limbs <= 29 ? 4
             : 3;
        // clang-format on
    }

    // Elements of a thread: two where a formula streams so few bytes that too few are under way.
    WARPINT_HOST_DEVICE static constexpr int elements_of_thread(const Cost &cost) {
        return cost.work == WorkKind::streaming && cost.bytes_moved < 10 && !cost.runs_user_code &&
                       cost.staged_bytes == 0
                   ? 2
                   : 1;
    }
};

} // namespace warpint::execution::tuning
