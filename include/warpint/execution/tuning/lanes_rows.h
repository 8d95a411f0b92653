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
    static constexpr int count = 44;
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
        {90, product, 1024, 0, thread, 1, 128, 1, direct, 0,
         "5.4 G products a second at 1024 bits on an H200"},
        {90, product, 2304, 0, lanes, 4, 64, 7, direct, 0,
         "1.71 G products a second at 2048 bits on an H200, 0.94 G in a thread; at 1056, 1088 and "
         "1280 bits 2.44 G, 3.79 G and 3.53 G, in a thread 1.78 G at 1056, over 2 lanes 1.88 G, "
         "2.74 G and 3.46 G"},
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
        {90, division, 1024, 0, thread, 1, 128, 1, direct, 0,
         "divmod(w, m): 3.4 G a second at 1024 bits on an H200"},
        {90, division, 2304, 0, lanes, 4, 64, 8, direct, 0,
         "divmod(w, m): 629 M and 467 M a second at 2048 and 2112 bits on an H200, 625 M and 442 M "
         "with 6 blocks; a / b of 2048 bits as with 6, by half as many bits 1.26 G and 1.21 G; at "
         "1056 bits divmod(w, m) 1.09 G and a / b 3.24 G, 321 M and 1.69 G in a thread, 0.94 G and "
         "2.45 G over 2 lanes"},
        {90, division, 2560, 0, lanes, 4, 64, 6, direct, 0,
         "divmod(w, m): 399 M a second at 2560 bits on an H200, 376 M over 8 lanes; a / b 1.89 G, "
         "1.95 G over 8, by half as many bits 817 M and 709 M; at 3072 bits divmod(w, m) 286 M, "
         "292 "
         "M over 8"},
        {90, division, 4608, 0, lanes, 8, 64, 8, direct, 0,
         "divmod(w, m): 189 M a second at 4096 bits on an H200, 187 M with 6 blocks; a / b 1.24 G "
         "and 1.26 G, by half as many bits 373 M and 353 M"},
        {90, division, 6144, 0, lanes, 8, 64, 5, direct, 0,
         "divmod(w, m): 114 M and 81 M a second at 5120 and 6144 bits on an H200, 103 M and 80 M "
         "over 16 lanes; a / b 969 M and 797 M, 1.04 G and 856 M over 16, by half as many bits 235 "
         "M and 176 M, 200 M and 155 M over 16"},
        {90, division, 9216, 0, lanes, 16, 64, 8, direct, 0,
         "divmod(w, m): 52 M a second at 8192 bits on an H200, 51 M with 6 blocks"},
        {90, division, any_width, 0, lanes, 32, 128, 2, direct, 0,
         "divmod(w, m): 13 M a second at 16384 bits on an H200"},
        {90, number_theory, 1600, 0, thread, 1, 128, 1, direct, 0,
         "104 M gcd(a, b) and 50 M inverse(a, m) a second at 1536 bits on an H200; gcd(a, b) 95 M "
         "over 2 lanes; at 1056 bits 186 M and 125 M, 161 M and 106 M over 2"},
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
        {90, power, 1088, 28000, lanes, 1, 64, 4, direct, 0,
         "3.41 M powers a second at 1024 bits on an H200, 3.33 M over 2 lanes; 2.94 M and 2.75 M "
         "at "
         "1056 and 1088 bits, 2.65 M and 2.47 M over 2"},
        {90, power, 1088, 0, lanes, 4, 64, 8, direct, 0,
         "a small batch: 2.61 M powers a second in batches of 8,000 at 1024 bits on an H200, 2.11 "
         "M over 2 lanes"},
        {90, power, 1152, 11000, lanes, 2, 64, 8, direct, 0,
         "2.56 M and 2.30 M powers a second at 1100 and 1152 bits on an H200, 2.43 M and 2.20 M "
         "over "
         "one lane"},
        {90, power, 1152, 0, lanes, 4, 64, 8, direct, 0,
         "a small batch: 1.89 M powers a second in batches of 8,000 at 1100 bits on an H200, 1.65 "
         "M "
         "over 2 lanes"},
        // 20 limbs a lane and 16 warps, 24 and 10, 32 and 8.
        {90, power, 1280, 14000, lanes, 2, 64, 8, direct, 0,
         "1.16 M powers by 2048 bits a second at 1280 bits on an H200, 1.13 M with 6 blocks"},
        {90, power, 1600, 14000, lanes, 2, 64, 5, direct, 0,
         "1.03 M powers a second at 1536 bits on an H200, 0.98 M over 4 lanes"},
        // A GPU holds 16,896 numbers over 2 lanes at once: 20,000 ran at 275 K a second, over 8
        // lanes
        // at 373 K.
        {90, power, 2048, 28000, lanes, 2, 64, 4, direct, 0,
         "457 K powers a second at 2048 bits on an H200, 445 K over 4 lanes, 405 K over 8, 221 K "
         "in a thread"},
        {90, power, 2048, 0, lanes, 8, 64, 8, direct, 0,
         "a small batch: 126 K powers a second in batches of 1,000 and 371 K in batches of 14,000 "
         "at 2048 bits on an H200, 38 K and 380 K over 2 lanes"},
        // 34 limbs a lane, which spill, beside 18 that leave 6 of 72 unused. A GPU holds 16,896
        // numbers over 2 lanes at once: 20,000 take twice as long, and 300 K a second over 8 lanes.
        {90, power, 2176, 25000, lanes, 2, 64, 4, direct, 0,
         "398 K, 385 K and 354 K powers a second at 2064, 2100 and 2176 bits on an H200, 367 K, "
         "362 K and 322 K over 4 lanes"},
        {90, power, 2176, 0, lanes, 8, 64, 8, direct, 0,
         "a small batch: 291 K powers a second in batches of 4,000 at 2100 bits on an H200, 203 K "
         "over 4 lanes"},
        {90, power, 2304, 6000, lanes, 4, 64, 8, direct, 0,
         "363 K powers a second at 2100 bits on an H200, 312 K over 8 lanes"},
        {90, power, 2304, 0, lanes, 8, 64, 8, direct, 0,
         "a small batch: 106 K powers a second in batches of 1,000 at 2100 bits on an H200"},
        // Fewer over 16 lanes (the row of 4,608 bits): 95 K in batches of 1,000 at 2560 bits, 71 K
        // over 8. Batches around 4,000 would be faster over 8: 197 K at 2560 bits, 155 K over 4.
        {90, power, 2560, 3500, lanes, 4, 64, 8, direct, 0,
         "232 K powers a second at 2560 bits on an H200, 214 K over 8 lanes"},
        {90, power, 3600, 3500, lanes, 4, 64, 5, direct, 0,
         "133 K powers a second at 3072 bits on an H200, 125 K over 8 lanes; in batches of 8,000 "
         "131 K and 119 K"},
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

// A lane reads a number of an odd number of limbs one by one, and over one lane the lanes of a warp
// do so in 32 lines: such roots take two lanes from this width on. 5.0, 3.7 and 2.7 G isqrt(a) a
// second at 736, 992 and 1056 bits on an H200, 3.8, 1.9 and 1.8 G over one; at 544 5.7 and 6.1 G.
inline constexpr int least_bits_of_odd_roots = 641;
// Cofactors leave a thread sooner than numbers alone: 52 M inverse(a, m) a second at 1536 bits on
// an H200, 41 M in a thread, in the same run; at 1280 bits 70 M and 57 M, at 1056 bits 106 M and
// 125 M.
inline constexpr int most_bits_of_thread_cofactors = 1216;

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
        const bool odd = (bits + 31) / 32 % 2 != 0 && bits >= least_bits_of_odd_roots;
        for (const TuningRow &row : roots.rows) {
            if (bits <= row.max_bits && !(odd && row.lanes == 1))
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
        const bool too_wide = takes_cofactors && kind == WorkKind::number_theory &&
                              row.family == KernelFamily::thread_per_number &&
                              bits > most_bits_of_thread_cofactors;
        if (row.kind == kind && bits <= row.max_bits && count >= row.min_count && !too_wide) {
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
