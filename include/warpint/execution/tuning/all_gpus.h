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

// Inverses modulo one modulus (kernels/rows.h): threads of a block, elements of a thread, which
// share one inversion and a word of fault bits, and the least batch. Smaller ones do not fill the
// GPU this way: one inversion each.
inline constexpr int row_threads = 128;
inline constexpr int inverse_row = 32;
inline constexpr std::size_t min_bulk_inverses = std::size_t{1} << 16;
// Up to so many limbs the compiler decides whether it inlines the inversion of a row; numbers that
// are wider and lie in registers have it inlined. A function that is called reads the modulus by
// its address, limb by limb: on an H200 y / x of residues made 0.67 of the rate at 512 and 1024
// bits. Inlined always, that of 256 bits spills more (0.98 on an H100); at 1536 bits nothing is
// gained.
inline constexpr int called_inverse_limbs = 8;
// Exact products with inverses of more limbs, if those lie in registers, are a function that is
// called: inlined into the row, their wide results lie in local memory. On an H100 inverse(a, M) *
// b makes 670 M/s of 1024 bits, 372 inlined; of 512 bits 2372 and 2451, of 1536 bits 182 and 184.
inline constexpr int inlined_rest_limbs = 16;

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
