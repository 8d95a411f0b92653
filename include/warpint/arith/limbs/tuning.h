// SPDX-License-Identifier: Apache-2.0
// Sizes at which the algorithms over limb arrays change, per limb type: 32-bit limbs are a GPU's
// (and a constant expression's), 64-bit limbs a host's. Measured at 0.2.0 on x86-64
// with BMI2 and ADX (AMD EPYC, g++ 12), on an H200 for 32-bit limbs.
#pragma once

#include <cstdint>

namespace warpint::arith {

template <class Limb>
struct Tuning {
    // Products with both operands up to this length run by columns, fully unrolled: a 4 x 4 product
    // takes 6.3 ns by columns, 7.1 ns by rows; 6 x 6: 14.7 ns against 17.3 ns.
    static constexpr int column_limbs = 7;
    // Squares, low and high products up to this length likewise.
    static constexpr int half_column_limbs = 10;
    // One level of Karatsuba pays from this length on.
    static constexpr int karatsuba_limbs = 44;
    static constexpr int karatsuba_square_limbs = 80;
    // Low products split in two from this length on.
    static constexpr int low_split_limbs = 96;
};

template <>
struct Tuning<std::uint32_t> {
    static constexpr int column_limbs = 0;
    static constexpr int half_column_limbs = 0;
    static constexpr int karatsuba_limbs = 512;
    static constexpr int karatsuba_square_limbs = 2048;
    static constexpr int low_split_limbs = 2048;
};

// Divisions by one limb are unrolled on hosts up to this many limbs: 9.1 ns against 9.9 ns at 4
// 64-bit limbs, 18.7 ns against 20.2 ns at 8.
inline constexpr int unrolled_division_limbs = 8;

// From these lengths on GMP's products and squares are faster on hosts (64-bit limbs): 1.30 us
// against 1.14 us for a product of 64 limbs, 42 us against 28 us at 512; 91 ns against 68 ns for a
// square of 16.
inline constexpr int engine_product_limbs = 48;
inline constexpr int engine_square_limbs = 16;
// From this length on the library's transforms are: a product of 512 limbs takes 53 us, 56 by GMP,
// of 1024 91 and 150 (AVX2).
inline constexpr int engine_transform_limbs = 512;

// In device code, products in registers up to this length are schoolbook, and one level of
// Karatsuba from there to register_limbs. On an H200, in G/s: 53 against 52 at 12 limbs, 31 against
// 34 at 16, 19 against 22 at 20, 7.7 against 9.4 at 32.
inline constexpr int register_schoolbook_limbs = 14;

// In device code, high products in registers leave out the lower columns from this length on: 115
// against 118 G/s at 8 limbs, 74 against 53 at 12. Beyond 20 limbs ptxas interleaves more carry
// chains than it has predicates.
inline constexpr int register_high_limbs = 12;
inline constexpr int register_high_limit = 20;

// In device code, products of numbers of up to this many limbs are unrolled and stay in registers;
// wider numbers lie in local memory and their products are loops over tiles.
inline constexpr int register_limbs = 32;

// In device code, a dividend of at least this many more limbs than the divisor is folded, a shorter
// one divided digit by digit: a fold's constant costs two rows.
inline constexpr int fold_excess_limbs = 6;

// In device code, products modulo a prepared modulus of at least this many limbs are folded as by a
// plain one; shorter ones are reduced by its reciprocal (Barrett). On an H200 in G/s, folded, by
// the reciprocal and by two Montgomery products: 55, 70, 71 at 4 limbs, 31, 36, 27 at
// 8, 10.4, 10.9, 7.4 at 16, 3.2, 2.6, 1.4 at 32.
inline constexpr int prepared_fold_limbs = 20;

// A modulus whose folds were prepared too, as formulas do, folds at every length. On an H200 in
// G/s, from memory to memory, folded and by the reciprocal: 118 and 99 at 2 limbs, 77 and 54 at 4,
// 37 and 25 at 8; a b + c 106 and 61, 72 and 34, 37 and 15. The reciprocal is as fast as here only
// where the modulus has its top bit set; up to this length it is then the faster one for a product
// alone: 131 at 2 limbs, 72 at 4.
inline constexpr int shared_reciprocal_limbs = 2;

// Products of at least this many limbs that are folded by a prepared modulus take one level of
// Karatsuba's method, of 9 limbs none. On an H200 in G/s, with it and without: 40.4 and 39.2 at 8
// limbs, 13.3 and 12.6 at 16, 3.98 and 3.60 at 32.
inline constexpr int fold_karatsuba_limbs = 8;

// Hosts, a modulus that is prepared, in limbs of 32 bits: a b mod m is two Montgomery products up
// to the first width; beyond it a product and a remainder, which from the second width on is a
// division, not two products with the reciprocal. Where these go by blocks of eight 64-bit limbs
// (widths that are a multiple of 512 bits) they are faster up to the third width. On a Xeon, of
// numbers that do not repeat, ns for two Montgomery products and the reciprocal: 256 bits 65, 64;
// 384 bits 124, 119; for the division and the reciprocal: 1280 bits 805, 990; 1536 bits 919, 802;
// 2048 bits 1525, 1252.
inline constexpr int host_montgomery_product_limbs = 12;
inline constexpr int host_division_limbs = 40;
inline constexpr int host_block_reciprocal_limbs = 64;

// Hosts, batches: numbers of at least this many limbs of 32 bits are read where they lie and, where
// no operand can lie, computed where they are stored; copies of shorter ones stay in registers. On
// an EPYC, ns for `w = a` of numbers of 1024 bits copied, in memory: 2.6, 6.7; of 1536 bits 13.2,
// 6.8; of 2048 bits 23, 13.
inline constexpr int host_in_memory_limbs = 40;

// Limbs in the side of a tile: 16 need fewer loads, 8 leave registers for more threads. On an H200,
// in M/s with 8 and 16 limbs: products 2390 and 2450 at 48 limbs, 1330 and 1420 at 64, 300 and 367
// at 128, 61 and 86 at 256; squares 2300 and 2210 at 64, 1070 and 1140 at 96; Montgomery reductions
// 920 and 850 at 64, 250 and 260 at 128. Karatsuba's method over tiles: 68 against 80 at 256 limbs,
// 21.5 against 21.2 at 512, in two levels 6.1 against 5.1 at 1024.
inline constexpr int long_tile = 16;
template <int Limbs>
inline constexpr int product_tile = Limbs < 64 ? 8 : 16;
template <int Limbs>
inline constexpr int square_tile = Limbs < 96 ? 8 : 16;
template <int Limbs>
inline constexpr int reduction_tile = Limbs < 128 ? 8 : 16;

// Divisors of up to so many 64-bit limbs keep the remainder in registers (divide_in_window). 2 n by
// n limbs on an EPYC with AVX-512: n = 4 takes 48 ns against 57; n = 8 122 against 123, which is
// not worth its code.
inline constexpr int window_division_limbs = 4;

// Divisors of at least so many 64-bit limbs: their rows are added to the complement of the dividend
// instead of subtracted from it (arith/limbs/division/divide_schoolbook.h). 2 n by n limbs on an
// EPYC without AVX-512: n = 5 takes 106 ns against 129, n = 8 141 ns against 205, n = 12 241 ns
// against 266, n = 16 403 ns against 399. On a Xeon with ADX n = 32 takes 2.52 us against 2.79, n =
// 64 7.66 us against 8.31; n = 4 181 ns against 160.
inline constexpr int complemented_division_limbs = 5;

// Single numbers are divided in vectors (arith/simd/one) where the CPU has the engine, from
// divisors and quotients of so many limbs of 32 bits on, up to a width at which the vectors still
// fit the registers. How much faster a divmod is for it, on an Emerald Rapids Xeon, g++ 12:
//
//   bits     320/256   512/256   384/320   640/320   1024/512   2048/1024   8192/4096
//             0.75      1.04      1.21      1.46       1.74       2.2         3.9
inline constexpr int vector_divisor_limbs = 9;
inline constexpr int vector_quotient_limbs = 2;
inline constexpr int widest_vector_divisor = 132;
// The same of square roots:
//
//   bits      320      416      512      1024      2048      4096      8192
//             1.09     1.15     1.12     1.58      1.8       2.0       2.2
inline constexpr int vector_root_limbs = 11;
inline constexpr int widest_vector_root = 256;

// Divisions with fewer quotient limbs are schoolbook. On hosts, 2 n by n limbs of 64 bits: n = 48
// takes 3070 cycles from a threshold of 24, 3280 schoolbook; n = 128 takes 17900 against 21100.
inline constexpr int recursive_division_limbs = 24;

// Shorter numbers are converted to and from digits chunk by chunk. On hosts, decimal, 128 limbs of
// 64 bits: to digits 19200 cycles, chunk by chunk 69900; from digits 9900 against 12100.
inline constexpr int recursive_to_digits_limbs = 12;
inline constexpr int recursive_from_digits_limbs = 64;

// In device code, functions of numbers of up to this many limbs are inlined; for wider ones they
// are out of line, their operands in local memory.
inline constexpr int inlined_limbs = register_limbs;

// Rows unrolled in one Montgomery product in device code, of more limbs in one turn of its loop: a
// power has several products, and in kernels of too much code ptxas no longer joins the two halves
// of a product in one instruction. Squares are unrolled. pow(a, 65537, m) of 1024 bits on an H200:
// 213 M/s with 2 rows in the loops of both, 245 with the square unrolled, 248 with 6 rows in the
// product's loop, 148 with all rows unrolled.
template <int N>
inline constexpr int product_rows = N <= 24 ? register_limbs : 6;
// The same of a power's products: one exponent and modulus for all at 768 bits 8.8 M/s with 6 rows,
// 5.6 with all unrolled, e = 65537 430 and 266; at 640 bits 15.2 and 15.5, 607 and 621.
template <int N>
inline constexpr int power_rows = N <= 20 ? register_limbs : 6;

// On hosts, remainders by one limb of numbers of so many limbs take four limbs a turn: of 16 limbs
// 59 ns, by quotient digits 65, of 32 limbs 68 and 134, of 64 limbs 110 and 316.
inline constexpr int remainder_turn_limbs = 20;

// Greatest common divisors by batches (arith/limbs/gcd/gcd.h): arrays of up to this many limbs stay
// in registers in device code. Not measured.
inline constexpr int gcd_register_limbs = 17;
// On hosts, from so many limbs on greatest common divisors, inverses and Jacobi symbols take
// Euclid's algorithm (arith/limbs/gcd/euclid.h): a gcd of 512 random bits 1.55 us, by the binary
// algorithm 1.8, of 4096 bits 16 and 26, of 32768 bits 0.53 and 1.14 ms. Its batches are as fast as
// a processor divides words (here in some 12 cycles).
inline constexpr int euclid_limbs = 8;
// On hosts, arithmetic modulo numbers of more than this many words follows the length of the
// modulus.
inline constexpr int length_limbs = 4;

} // namespace warpint::arith
