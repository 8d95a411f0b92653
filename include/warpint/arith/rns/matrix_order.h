// SPDX-License-Identifier: Apache-2.0
// Where the digits of a constant matrix lie, and in which chunks a block of threads takes them.
#pragma once

#include "bases.h"

namespace warpint::rns {

// The order of the digits in a matrix, in pieces of 512 bytes: those of a slot, whose four channels
// have 16 columns, for a step of 32 rows. Digit k, 0 <= k < 4, of channel c is in column 8 (k / 2)
// + 2 (c % 4) + k % 2 of its slot, so that the thread that gets a channel's four sums holds that
// channel's word in the next left operand.
//
// - of_warps: slot after slot. 16 bytes for each lane, as m16n8k32 takes them: the lane of number
//   4 (column % 8) plus (row % 16) / 4 has four rows, then the same 16 further, of columns below 8,
//   then of the others.
// - of_groups: chunk after chunk, in it step after step. 8 columns by 16 rows, column after column,
//   then the rows 16 further, then the other columns, as Hopper's m64nNk32 reads them.
enum class MatrixOrder { of_warps, of_groups };

// Slots whose sums are in registers at once, a chunk of a matrix: at most so many, and as even as
// can be.
struct Chunks {
    int most;

    WARPINT_HOST_DEVICE constexpr int at(int first, int slots) const {
        const int left = slots - first;
        const int count = (left + most - 1) / most;
        return (left + count - 1) / count;
    }
};

// Matrices of more slots, of numbers above 2080 bits, do not fit the shared memory.
inline constexpr int most_resident_slots = 17;
// Of matrices that lie in shared memory, for squares and for products of one tile. Of more slots
// the sums leave no registers.
constexpr Chunks resident_chunks(MatrixOrder order, int slots) {
    if (order == MatrixOrder::of_warps)
        return {slots <= 9 ? 5 : slots <= 15 ? 3 : 2};
    return {slots <= 13 ? 9 : 6};
}
inline constexpr Chunks resident_chunks_of_one{5};
// Of matrices that are streamed, with one tile a warp: the more at once, the better.
WARPINT_HOST_DEVICE constexpr Chunks streamed_chunks(MatrixOrder order, int slots) {
    if (order == MatrixOrder::of_warps)
        return {slots <= 27 ? 5 : 4};
    return {slots <= 27 ? 9 : 7};
}
// Bytes of shared memory for two chunks, whichever order the device code takes.
constexpr int streamed_bytes(int slots) {
    const int of_warps = streamed_chunks(MatrixOrder::of_warps, slots).at(0, slots);
    const int of_groups = streamed_chunks(MatrixOrder::of_groups, slots).at(0, slots);
    return 2 * (of_warps > of_groups ? of_warps : of_groups) * (slots / 2 + 1) * 512;
}

// The first slot of the chunk of order of_groups that a slot is in, and how many the chunk has.
struct GroupChunk {
    int first;
    int count;
};
WARPINT_HOST_DEVICE constexpr GroupChunk group_chunk(int slots, int slot) {
    if (slots <= most_resident_slots)
        return {0, slots};
    const Chunks chunks = streamed_chunks(MatrixOrder::of_groups, slots);
    int first = 0;
    while (first + chunks.at(first, slots) <= slot)
        first += chunks.at(first, slots);
    return {first, chunks.at(first, slots)};
}

// The place in a matrix of digit k of the constant in row `row` for target channel `channel`.
template <int Bits>
WARPINT_HOST_DEVICE constexpr int matrix_byte(MatrixOrder order, int row, int channel, int digit) {
    constexpr int slots = Bases<Bits>::slots;
    constexpr int steps = Bases<Bits>::k_steps;
    const int column = 2 * (channel % 4) + digit % 2; // of 8
    const int lane = 4 * column + row % 16 / 4;
    const int word = 2 * (digit / 2) + row % 32 / 16;
    const int slot = channel / 4;
    const int step = row / 32;
    if (order == MatrixOrder::of_warps)
        return (slot * steps + step) * 512 + 16 * lane + 4 * word + row % 4;
    const GroupChunk chunk = group_chunk(slots, slot);
    const int piece = chunk.first * steps + step * chunk.count + slot - chunk.first;
    return piece * 512 + 128 * word + 4 * lane + row % 4;
}

} // namespace warpint::rns
