// SPDX-License-Identifier: Apache-2.0
// Figures that all GPUs share, measured on an H200: what is staged, inverses, and text.
#pragma once

#include <cstddef>

namespace warpint::execution::tuning {

// Formulas are staged (execution/evaluation/cost.h) unless all of their numbers are shorter: those
// are read by their threads, in one or two vectors.
inline constexpr int min_staged_bits = 257;
// Shared memory of a warp of such a formula: two warps then fit what a block has without asking for
// more.
inline constexpr int max_staged_bytes = 24 * 1024;

// Up to how many bits heavy operations share a kernel (execution/plan/program.h); of more they do
// not fit its registers together, and are steps. One that takes another's value: a * b % m * e % m
// in one kernel takes 0.91, 1.13, 1.32, 1.36 of the time of two at 256, 512, 768, 1024 bits. Two
// side by side: a * b % m + e * b % m 0.95, 1.16, 1.20 at 512, 768, 1024. A product and a sum,
// a * b + e: 0.53 at 640, 1.50 at 1024; over lanes 1.32 at 1536, 1.33 at 4096. A root and what
// takes it: isqrt(a) * b % m 1.09, 1.08 at 521, 1024, a * b % m + isqrt(e) 1.57, 1.22 at 1024,
// 2048.
inline constexpr int max_bits_of_chain = 384;
inline constexpr int max_bits_of_two = 640;
// Reductions of sums and other formulas that only stream: sum(a + b) takes 0.82 and 10.2 of the
// time of a + b and its sum at 2048 and 4096 bits.
inline constexpr int max_bits_of_reduced_sums = 2304;
// Factors with a sign, of more bits: (a - b) * e % m takes 0.91 and 1.47 of the time of (a - b) % m
// and a product at 768 and 1024.
inline constexpr int max_bits_of_signs = 1024;

// Powers on tensor cores (kernels/powers.h): up to the width whose digits' sums fit 32 bits, and by
// exponents that are longer than the table is worth.
inline constexpr int min_bits_of_tensor_powers = 993;
inline constexpr int max_bits_of_tensor_powers = 4096;
inline constexpr int min_exponent_of_tensor_powers = 256;
inline constexpr int max_exponent_of_tensor_powers = 16384; // a parameter of kernels holds one

// Of longer products nvcc does not compile a kernel over lanes in minutes: transforms make them, on
// every GPU.
inline constexpr int max_limbs_of_products_over_lanes = 4096;

// Inverses modulo one modulus (kernels/strips.h): threads of a block, and elements of a thread,
// which share one inversion and a word of fault bits.
inline constexpr int strip_threads = 128;
inline constexpr int inverse_strip = 32;
// The least batch: smaller ones do not fill the GPU this way, and have one inversion each. The time
// of a row hardly depends on the batch until the GPU is full: at 256 bits 0.10 ms, one by one 0.06,
// 0.10, 0.15 of 65,536, 131,072, 196,608 elements; at 1024 bits 0.94 and 0.48, 0.91, 1.35; at 2048
// 5.0 and 1.8, 3.6, 5.4; at 4096 19 and 7, 14, 20.
constexpr std::size_t min_bulk_inverses(int bits) {
    return bits <= 512    ? std::size_t{5} << 15
           : bits <= 1024 ? std::size_t{1} << 17
                          : std::size_t{3} << 16;
}
// Up to so many limbs the compiler decides whether it inlines the inversion of a row; numbers that
// are wider and lie in registers have it inlined. A function that is called reads the modulus by
// its address, limb by limb: on an H200 y / x of residues made 0.67 of the rate at 512 and 1024
// bits. Inlined always, that of 256 bits spills more (0.98 on an H100); at 1536 bits nothing is
// gained.
inline constexpr int called_inverse_limbs = 8;

// ---- text of batches

// Which batches a host converts, and when the threads of a block convert one number together
// (vector/text_cuda.h), not one thread each.

// Batches below so many 32-bit limbs are converted by the host, copies included. Of 32768 bits a
// host writes one number in 100 us and reads one in 60, a GPU writes or reads ten in 280 or 180; of
// 1024 bits a host reads 1000 in 101 us, a GPU in 92. Hexadecimal of 32768 bits: ten in 45 and 53
// us there, 60 here.
constexpr std::size_t host_text_limbs(bool writes, bool by_bits) {
    return by_bits ? 8192 : writes ? 2048 : 4096;
}

// Blocks convert numbers of at least this many limbs in batches of any size. GB/s of text by blocks
// and by threads, writing: 73 and 51 at 1024 bits, 83 and 50 at 2048, 61 and 23 at 8192, 19 and 1.6
// at 32768; reading: 73 and 176, 87 and 81, 75 and 47, 29 and 4.0. Hexadecimal, writing: 105 and 92
// at 256 bits, 523 and 65 at 2048; reading: 156 and 139 at 1024 bits, 188 and 67 at 2048.
constexpr int block_text_limbs(bool writes, bool by_bits) {
    return writes ? (by_bits ? 8 : 24) : (by_bits ? 32 : 64);
}
inline constexpr int any_block_text_limbs = 64; // the largest of them

// In batches of fewer numbers than the first, which do not fill the GPU with a thread each, blocks
// convert numbers of at least so many limbs: 1000 of 256 bits are written in 11 us by blocks, in 23
// by threads, one of 32768 bits in 0.13 ms and 23 ms, and read in 0.11 and 5.6.
inline constexpr std::size_t few_texts = 16384;
inline constexpr int few_text_limbs = 8;

// Threads of a block. Decimal, written, us with 32, 64, 128, 256 threads: one number of 8192 bits
// 66, 43, 37, 35; 1000 of them 80, 66, 85, 105; 32768 of them 1331, 1539, 2100, 2777; 8192 numbers
// of 32768 bits 6008, 4419, 4217, 4732.
inline constexpr int max_text_threads = 512;
constexpr unsigned text_threads(int limbs, std::size_t count) {
    if (count >= 4096)
        return limbs < 512 ? 32 : limbs < 1024 ? 64 : 128;
    if (count >= 256)
        return limbs < 32 ? 32 : limbs < 512 ? 64 : 128;
    return limbs < 64 ? 64 : limbs < 128 ? 128 : limbs < 1024 ? 256 : 512;
}

// What is written goes to the host in two pieces of so many bytes by turns, in pinned memory if the
// whole is longer than the second number. to_strings(), ms, with pieces of 2, 4, 8 MB: 131072
// numbers of 2048 bits 13.5, 20.1, 20.0 (pageable 26.4, 20.3, 21.3), 8192 of 32768
// bits 18.7, 18.2, 16.7, 10^6 of 256 bits 47, 33, 44. Pinned and pageable, 4 MB: 1000 numbers of
// 2048 bits 1.1 and 0.5, 300 of 32768 bits 1.9 and 1.0. Times differ by a third between runs.
inline constexpr std::size_t text_piece_bytes = std::size_t{4} << 20;
inline constexpr std::size_t pageable_text_bytes = std::size_t{16} << 20;

} // namespace warpint::execution::tuning
