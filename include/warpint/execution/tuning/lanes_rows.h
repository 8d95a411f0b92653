// SPDX-License-Identifier: Apache-2.0
// Tuning rows of formulas that can run with several lanes for each number (over_lanes.h). Widths
// are those that decide there (LaneShape::bits): of a modulus, a factor, a divisor; of formulas
// that stream, of the widest value. 16 limbs a lane have the highest rate; 128 registers a thread
// let a multiprocessor hold 16 warps. Small batches of powers take 8 limbs a lane: more lanes work
// on each number, so that more of the GPU does.
#pragma once

#include "../plan.h"

namespace warpint::execution::tuning {

struct LanesTable {
    static constexpr int count = 41;
    TuningRow rows[count];
};
struct RootsTable {
    static constexpr int count = 10;
    TuningRow rows[count];
};
struct FoldsTable {
    static constexpr int count = 8;
    TuningRow rows[count];
};

// For compute capability 9.0, measured on an H200 where it says so; others take these rows. The
// first that applies is taken. A row of the thread family says that lanes do not pay.
WARPINT_HOST_DEVICE constexpr LanesTable lanes_table() {
    using enum WorkKind;
    constexpr Loading direct = Loading::direct;
    constexpr KernelFamily thread = KernelFamily::thread_per_number;
    constexpr KernelFamily lanes = KernelFamily::lanes_per_number;
    return {{
        // capability, kind, up to bits, from count, family, lanes, threads, min blocks, loading,
        // window, measured
        // Four limbs a lane, so that a warp reads and writes whole lines; wide numbers in pieces.
        {90, streaming, 1152, 0, thread, 1, 128, 1, direct, 0,
         "1.04 of a copy at 1024 bits on an H200"},
        {90, streaming, 2304, 0, lanes, 16, 128, 1, direct, 0,
         "a + b of 2048 bits 1.03 of a copy on an H200, 0.85 in a thread"},
        {90, streaming, any_width, 0, lanes, 32, 128, 1, direct, 0,
         "a + b of 4096, 8192, 16384 bits 1.03, 0.99, 0.84 of a copy on an H200; in a thread 0.76 "
         "and "
         "0.13 at 4096 and 8192"},
        {90, product, 1100, 0, thread, 1, 128, 1, direct, 0,
         "5.4 G products a second at 1024 bits on an H200"},
        {90, product, 2304, 0, lanes, 4, 64, 7, direct, 0,
         "1.71 G products a second at 2048 bits on an H200, 0.94 G in a thread"},
        {90, product, 3072, 0, lanes, 4, 64, 6, direct, 0,
         "1.06 G and 749 M products a second at 2560 and 3072 bits on an H200, 983 M and 727 M "
         "over 8 "
         "lanes"},
        {90, product, 4608, 0, lanes, 8, 64, 7, direct, 0,
         "444 M products a second at 4096 bits on an H200, 243 M in a thread"},
        {90, product, 5120, 0, lanes, 8, 64, 6, direct, 0,
         "282 M products a second at 5120 bits on an H200, 259 M over 16 lanes; at 6144 bits 181 "
         "M, "
         "187 M over 16"},
        {90, product, 9216, 0, lanes, 16, 64, 7, direct, 0,
         "112 M products a second at 8192 bits on an H200"},
        {90, product, any_width, 0, lanes, 32, 128, 2, direct, 0,
         "28 M products a second at 16384 bits on an H200"},
        {90, division, 1100, 0, thread, 1, 128, 1, direct, 0, "not measured against lanes"},
        {90, division, 2304, 0, lanes, 4, 64, 8, direct, 0,
         "divmod(w, m): 629 M and 467 M a second at 2048 and 2112 bits on an H200, 625 M and 442 M "
         "with "
         "6 blocks"},
        {90, division, 2560, 0, lanes, 4, 64, 6, direct, 0,
         "divmod(w, m): 399 M a second at 2560 bits on an H200, 376 M over 8 lanes; at 3072 bits "
         "286 M, "
         "292 M over 8"},
        {90, division, 4608, 0, lanes, 8, 64, 8, direct, 0,
         "divmod(w, m): 189 M a second at 4096 bits on an H200, 187 M with 6 blocks"},
        {90, division, 6144, 0, lanes, 8, 64, 5, direct, 0,
         "divmod(w, m): 114 M and 81 M a second at 5120 and 6144 bits on an H200, 103 M and 80 M "
         "over "
         "16 lanes"},
        {90, division, 9216, 0, lanes, 16, 64, 8, direct, 0,
         "divmod(w, m): 52 M a second at 8192 bits on an H200, 51 M with 6 blocks"},
        {90, division, any_width, 0, lanes, 32, 128, 2, direct, 0,
         "divmod(w, m): 13 M a second at 16384 bits on an H200"},
        {90, number_theory, 1600, 0, thread, 1, 128, 1, direct, 0,
         "104 M gcd(a, b) and 50 M inverse(a, m) a second at 1536 bits on an H200; gcd(a, b) 95 M "
         "over 2 lanes"},
        {90, number_theory, 2304, 0, lanes, 2, 128, 3, direct, 0,
         "61 M gcd(a, b) and 35 M inverse(a, m) a second at 2048 bits on an H200, 55 M and 28 M in "
         "a thread"},
        {90, number_theory, 4608, 0, lanes, 4, 128, 3, direct, 0,
         "15.6 M gcd(a, b) and 9.1 M inverse(a, m) a second at 4096 bits on an H200, 12.9 M and "
         "7.3 M over 8 lanes"},
        {90, number_theory, 9216, 0, lanes, 8, 128, 3, direct, 0,
         "3.7 M gcd(a, b) a second at 8192 bits on an H200, 3.4 M over 16 lanes"},
        {90, number_theory, 18432, 0, lanes, 16, 128, 3, direct, 0,
         "0.90 M gcd(a, b) and 0.50 M inverse(a, m) a second at 16384 bits over 32 lanes on an "
         "H200"},
        {90, number_theory, any_width, 0, lanes, 32, 128, 2, direct, 0,
         "251 K gcd(a, b) and 169 K inverse(a, m) a second at 32768 bits on an H200"},
        {90, power, 800, 0, thread, 1, 128, 1, direct, 0,
         "26.4 M powers a second at 512 bits on an H200"},
        // One lane: the rows of products over lanes, for one thread.
        {90, power, 1152, 28000, lanes, 1, 64, 4, direct, 0,
         "3.41 M powers a second at 1024 bits on an H200, 3.33 M over 2 lanes; 1.58 M and 1.42 M "
         "by 2048 "
         "bits at 1056 and 1152 bits, 1.42 M and 1.39 M over 2"},
        {90, power, 1152, 0, lanes, 4, 64, 8, direct, 0,
         "a small batch: 2.61 M powers a second in batches of 8,000 at 1024 bits on an H200, 2.11 "
         "M over "
         "2 lanes"},
        // 20 limbs a lane and 16 warps, 24 and 10, 32 and 8.
        {90, power, 1280, 14000, lanes, 2, 64, 8, direct, 0,
         "1.16 M powers by 2048 bits a second at 1280 bits on an H200, 1.13 M with 6 blocks"},
        {90, power, 1600, 14000, lanes, 2, 64, 5, direct, 0,
         "1.03 M powers a second at 1536 bits on an H200, 0.98 M over 4 lanes"},
        {90, power, 2048, 14000, lanes, 2, 64, 4, direct, 0,
         "457 K powers a second at 2048 bits on an H200, 445 K over 4 lanes, 405 K over 8, 221 K "
         "in "
         "a thread"},
        {90, power, 2048, 0, lanes, 8, 64, 8, direct, 0,
         "a small batch: 126 K powers a second in batches of 1,000 and 371 K in batches of 14,000 "
         "at 2048 bits on an H200, 38 K and 380 K over 2 lanes"},
        // 34 limbs a lane, which spill, beside 18 that leave 6 of 72 unused.
        {90, power, 2176, 14000, lanes, 2, 64, 4, direct, 0,
         "403 K powers by 2048 bits a second at 2112 bits on an H200, 353 K over 4 lanes"},
        {90, power, 2176, 0, lanes, 8, 64, 8, direct, 0, "a small batch: as at 2048 bits"},
        {90, power, 2304, 6000, lanes, 4, 64, 8, direct, 0,
         "363 K powers a second at 2100 bits on an H200, 312 K over 8 lanes"},
        {90, power, 2304, 0, lanes, 8, 64, 8, direct, 0,
         "a small batch: 106 K powers a second in batches of 1,000 at 2100 bits on an H200"},
        {90, power, 3600, 3000, lanes, 8, 64, 8, direct, 0,
         "126 K powers a second at 3072 bits on an H200, 119 K over 4 lanes (130 K in batches that "
         "fill the GPU)"},
        // From here on 32 limbs a lane: 255 registers, 8 warps.
        {90, power, 4608, 7000, lanes, 4, 64, 4, direct, 0,
         "57.8 K powers a second at 4096 bits on an H200, 56.2 K over 8 lanes, 21.1 K in a thread"},
        {90, power, 4608, 0, lanes, 16, 64, 8, direct, 0,
         "a small batch: 33.9 K powers a second in batches of 1,000 at 4096 bits on an H200, 10 K "
         "over 4 lanes"},
        {90, power, 5120, 3500, lanes, 8, 64, 7, direct, 0,
         "74.3 K powers by 2048 bits a second at 5120 bits on an H200, 72.0 K with 4 blocks"},
        {90, power, 9216, 3500, lanes, 8, 64, 4, direct, 0,
         "7.45 K powers a second at 8192 bits on an H200, 7.19 K over 16 lanes"},
        {90, power, 9216, 0, lanes, 32, 64, 8, direct, 0,
         "a small batch: 11.8 K powers of 4096 bits a second in batches of 1,000 at 8192 bits on "
         "an H200, 9.7 K over 16 lanes"},
        {90, power, any_width, 0, lanes, 32, 64, 4, direct, 0,
         "3.4 K powers of 4096 bits a second at 16384 bits on an H200"},
    }};
}

// Powers with exponents of at most this many bits stay in a thread up to this width: 248 M
// pow(a, 65537, m) a second at 1024 bits on an H200, 146 M over two lanes (at 2048 bits 32.6 M and
// 36.0 M).
inline constexpr int short_exponent_bits = 64;
inline constexpr int short_exponent_width = 1152;

// Rows of formulas of divisions and square roots, by the width of the squares. The rows of a root
// are short, and few lanes spend less on what is done once.
WARPINT_HOST_DEVICE constexpr RootsTable roots_table() {
    using enum WorkKind;
    constexpr Loading direct = Loading::direct;
    constexpr KernelFamily lanes = KernelFamily::lanes_per_number;
    return {{
        {90, division, 192, 0, KernelFamily::thread_per_number, 1, 128, 1, direct, 0,
         "not measured"},
        // One lane: the rows of roots over lanes, for one thread.
        {90, division, 320, 0, lanes, 1, 128, 8, direct, 0,
         "29.9 G isqrt(a) a second at 256 bits on an H200, 10.4 G by the divisions of a thread"},
        {90, division, 640, 0, lanes, 1, 128, 6, direct, 0,
         "17.8 G isqrt(a) a second at 512 bits on an H200, 4.6 G by the divisions of a thread"},
        {90, division, 1152, 0, lanes, 1, 128, 4, direct, 0,
         "6.5 G isqrt(a) a second at 1024 bits on an H200, 1.8 G by the divisions of a thread"},
        {90, division, 1280, 0, lanes, 1, 64, 4, direct, 0,
         "4.8 G isqrt(a) a second at 1280 bits on an H200, 3.8 G over 2 lanes"},
        {90, division, 2304, 0, lanes, 2, 128, 4, direct, 0,
         "2.05 G isqrt(a) a second at 2048 bits on an H200, 1.46 G over 4 lanes"},
        {90, division, 4608, 0, lanes, 4, 128, 4, direct, 0,
         "612 M isqrt(a) a second at 4096 bits on an H200, 427 M over 8 lanes"},
        {90, division, 9216, 0, lanes, 8, 128, 4, direct, 0,
         "179 M isqrt(a) a second at 8192 bits on an H200, 35 M by divisions over 16 lanes"},
        {90, division, 18432, 0, lanes, 16, 128, 4, direct, 0, "not measured"},
        {90, division, any_width, 0, lanes, 32, 128, 2, direct, 0,
         "11.2 M isqrt(a) a second at 32768 bits on an H200"},
    }};
}

// Rows of products modulo a number, whose factors and folded limbs need more registers than a
// division.
WARPINT_HOST_DEVICE constexpr FoldsTable folds_table() {
    using enum WorkKind;
    constexpr Loading direct = Loading::direct;
    constexpr KernelFamily lanes = KernelFamily::lanes_per_number;
    return {{
        {90, division, 1024, 0, KernelFamily::thread_per_number, 1, 128, 1, direct, 0,
         "a * b % m: 3.2 G a second at 1024 bits on an H200"},
        {90, division, 1280, 0, lanes, 2, 64, 6, direct, 0,
         "a * b % m: 1.59 G and 1.61 G a second at 1056 and 1280 bits on an H200, 1.42 G and 1.45 "
         "G "
         "over 4 lanes, 256 M in a thread at 1056"},
        {90, division, 2304, 0, lanes, 4, 64, 6, direct, 0,
         "a * b % m: 694 M a second at 2048 bits on an H200, 96 M in a thread"},
        {90, division, 3072, 0, lanes, 4, 64, 5, direct, 0,
         "a * b % m: 470 M and 330 M a second at 2560 and 3072 bits on an H200, 428 M and 322 M "
         "over 8 "
         "lanes"},
        {90, division, 4608, 0, lanes, 8, 64, 6, direct, 0,
         "a * b % m: 194 M a second at 4096 bits on an H200, 20 M in a thread"},
        {90, division, 6144, 0, lanes, 8, 64, 5, direct, 0,
         "a * b % m: 130 M and 92 M a second at 5120 and 6144 bits on an H200, 117 M and 87 M over "
         "16 "
         "lanes"},
        {90, division, 9216, 0, lanes, 16, 64, 6, direct, 0,
         "a * b % m: 51 M a second at 8192 bits on an H200"},
        {90, division, any_width, 0, lanes, 32, 128, 2, direct, 0,
         "a * b % m: 13 M a second at 16384 bits on an H200"},
    }};
}

// A batch as large as any.
inline constexpr std::size_t any_count = ~std::size_t{0};

// The row for a batch of `count` elements of a formula of this work whose width is `bits`, with
// exponents of power_bits if it is a power, with square roots, cofactors or products modulo a
// number or without; of the thread family if none applies.
WARPINT_HOST_DEVICE constexpr TuningRow
lanes_row_for(WorkKind kind, int bits, int power_bits, std::size_t count = any_count,
              bool takes_roots = false, bool takes_cofactors = false, bool folds = false) {
    if (kind == WorkKind::division && takes_roots) {
        const RootsTable roots = roots_table();
        for (const TuningRow &row : roots.rows) {
            if (bits <= row.max_bits)
                return row;
        }
    }
    if (kind == WorkKind::division && folds) {
        const FoldsTable table = folds_table();
        for (const TuningRow &row : table.rows) {
            if (bits <= row.max_bits)
                return row;
        }
    }
    if (kind == WorkKind::power && power_bits <= short_exponent_bits &&
        bits <= short_exponent_width)
        return TuningRow{};
    const LanesTable table = lanes_table();
    for (TuningRow row : table.rows) {
        if (row.kind == kind && bits <= row.max_bits && count >= row.min_count) {
            // Cofactors need registers: 9.1 M inverses a second at 4096 bits with two blocks, 7.9 M
            // with three.
            if (takes_cofactors && row.family == KernelFamily::lanes_per_number &&
                kind == WorkKind::number_theory) {
                row.min_blocks = 2;
            }
            return row;
        }
    }
    return TuningRow{};
}

} // namespace warpint::execution::tuning
