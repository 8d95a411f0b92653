// SPDX-License-Identifier: Apache-2.0
// Montgomery squarings and products of a warp's numbers in a residue number system: two changes of
// base, each a product with a constant matrix on the tensor cores, and per channel a few
// instructions. guide/rns.md has the algorithm and its ranges. Exists only while the compiler
// translates for a GPU.
//
// A tile is 16 numbers, a row each. The thread of a lane owns, of rows lane / 4 and lane / 4 + 8,
// the channels 4 slot + lane % 4 of both bases: the bytes that it hands to the matrix step are
// those of its own residues, and the sums that it gets back are the digits of its own channels.
// Nothing is shuffled but the one sum that recovers alpha.
//
// What limits it are the matrix steps and, beside them, with which they hardly overlap, the time of
// the channels' instructions, which eight warps do not hide; more warps leave too few registers.
#pragma once

#include "../../limb/async_copy.h"
#include "matrix_step.h"

namespace warpint::rns {

enum class Base { a, b };

#if WARPINT_DEVICE_PASS && WARPINT_COMPILED_CAPABILITY >= 80

// Both matrices in shared memory.
template <int slots, class Step>
struct ResidentMatrices {
    static constexpr Chunks chunks = resident_chunks(Step::order, slots);
    static constexpr Chunks chunks_of_one = resident_chunks_of_one;
    static constexpr bool is_of_warps = Step::order == MatrixOrder::of_warps;
    static constexpr int slot_bytes = is_of_warps ? (slots / 2 + 1) * 512 : 512;
    template <int together>
    static constexpr int step_bytes = is_of_warps ? 512 : slots * 512;

    Word to_a; // places
    Word to_b;

    // The place of the chunk that begins at this slot.
    template <Base to, int first>
    __device__ __forceinline__ Word chunk() const {
        return Step::moved(to == Base::a ? to_a : to_b, first * slot_bytes);
    }
    template <Base to>
    __device__ __forceinline__ void skip() const {}
};

// Matrices that do not fit: chunks are copied into two buffers by turns, one while the block
// computes with the other. All warps of a block take the same chunks, in this order: those to A,
// then those to B, and again. From compute capability 9.0 on the copy engine copies a chunk at
// once, and warps wait for nothing but its bytes; before, all threads copy and wait for each other.
template <int slots, class Step, int threads>
struct StreamedMatrices {
    static constexpr int steps = slots / 2 + 1;
    static constexpr Chunks chunks = streamed_chunks(Step::order, slots);
    static constexpr Chunks chunks_of_one = chunks;
    static constexpr int buffer_bytes = chunks.at(0, slots) * steps * 512;
    static constexpr bool is_of_warps = Step::order == MatrixOrder::of_warps;
    static constexpr int slot_bytes = is_of_warps ? steps * 512 : 512;
    template <int together>
    static constexpr int step_bytes = is_of_warps ? 512 : together * 512;
    static_assert(2 * buffer_bytes <= streamed_bytes(slots));

    const signed char *to_a; // in global memory
    const signed char *to_b;
    uint4 *buffers;
    Word address; // of buffers
    Word barriers;
    Word taken; // chunks

    // By one thread, before a barrier of the block: four barriers of 8 bytes.
    __device__ __forceinline__ static void set_up([[maybe_unused]] Word barriers) {
#if WARPINT_HAS_BLOCK_COPIES
        WARPINT_UNROLL_ALWAYS
        for (Word buffer = 0; buffer < 2; ++buffer) {
            limb::init_barrier(is_full(barriers, buffer), 1);
            limb::init_barrier(is_free(barriers, buffer), threads / 32);
        }
        limb::show_barriers();
#endif
    }
    // Begins to copy the first chunk.
    __device__ __forceinline__ void start() {
        taken = 0;
        if (!WARPINT_HAS_BLOCK_COPIES || threadIdx.x < 32)
            copy<Base::a, 0>(0);
    }
    template <Base to, int first>
    __device__ __forceinline__ Word chunk() {
        const Word turn = taken & 1;
        const Word other = turn ^ 1;
#if WARPINT_HAS_BLOCK_COPIES
        // This warp reads the other buffer no more. The first warp fills it when none does.
        if (taken != 0 && threadIdx.x % 32 == 0)
            limb::arrive(is_free(barriers, other));
        if (threadIdx.x < 32) {
            if (taken != 0)
                limb::wait_for_phase(is_free(barriers, other), (taken - 1) >> 1 & 1);
            copy_next<to, first>(other);
        }
        __syncwarp();
        limb::wait_for_phase(is_full(barriers, turn), taken >> 1 & 1);
#else
        limb::wait_for_copies();
        __syncthreads(); // it is there for all, and nobody reads the other buffer any more
        copy_next<to, first>(other);
#endif
        ++taken;
        return Step::place(address + turn * buffer_bytes);
    }
    // Passes over all chunks of a matrix.
    template <Base to, int first = 0>
    __device__ __forceinline__ void skip() {
        chunk<to, first>();
        if constexpr (first + chunks.at(first, slots) < slots)
            skip<to, first + chunks.at(first, slots)>();
    }
    // Waits for the copy of a chunk that nobody takes.
    __device__ __forceinline__ void finish() const {
#if WARPINT_HAS_BLOCK_COPIES
        limb::wait_for_phase(is_full(barriers, taken & 1), taken >> 1 & 1);
#else
        limb::wait_for_copies();
#endif
    }

private:
    // A buffer's barriers: its bytes are there; all warps have used it.
    __device__ __forceinline__ static Word is_full(Word barriers, Word buffer) {
        return barriers + 16 * buffer;
    }
    __device__ __forceinline__ static Word is_free(Word barriers, Word buffer) {
        return barriers + 16 * buffer + 8;
    }
    // The chunk behind this one, into a buffer.
    template <Base to, int first>
    __device__ __forceinline__ void copy_next(Word buffer) {
        constexpr int next = first + chunks.at(first, slots);
        if constexpr (next < slots) {
            copy<to, next>(buffer);
        } else {
            copy<to == Base::a ? Base::b : Base::a, 0>(buffer);
        }
    }
    // By the first warp, or by all threads. A chunk is one piece of memory in either order.
    template <Base to, int first>
    __device__ __forceinline__ void copy(Word buffer) {
        constexpr int bytes = chunks.at(first, slots) * steps * 512;
        const signed char *const from = (to == Base::a ? to_a : to_b) + first * steps * 512;
#if WARPINT_HAS_BLOCK_COPIES
        if (threadIdx.x == 0) {
            limb::arrive_and_expect(is_full(barriers, buffer), bytes);
            limb::copy_block(address + buffer * buffer_bytes, from, bytes,
                             is_full(barriers, buffer));
        }
#else
        uint4 *const into = buffers + buffer * (buffer_bytes / 16);
        for (int i = static_cast<int>(threadIdx.x); i < bytes / 16; i += threads)
            limb::copy_async(into + i, reinterpret_cast<const uint4 *>(from) + i);
#endif
    }
};

// The numbers of a warp's tiles in a thread's registers, with what the thread reads.
template <class Step_, class Matrices_, int slots_, int tiles_>
struct Tiles {
    using Step = Step_;
    using Matrices = Matrices_;
    static constexpr int slots = slots_; // of a thread in a base: 4 slots channels
    static constexpr int tiles = tiles_;
    static constexpr int numbers = 2 * tiles; // of a thread
    // Tiles that are squared at once. What warps read of a matrix serves all; a group's instruction
    // is faster for more columns of one.
    static constexpr int at_once = Step::warps == 1 ? tiles : 1;
    static constexpr int channels = 4 * slots;
    static constexpr int steps = slots / 2 + 1; // of 32 bytes: two slots; the last has the spare
    static_assert(slots % 2 == 1, "the spare bytes stand beside the last slot");

    Word b[tiles][2 * slots]; // residues in B, divided by their cofactors: the numbers
    Word a[tiles][2 * slots]; // of the quotient in A, likewise
    Word alpha[numbers];      // sums of the tops of b, of this thread's channels
    Word spare[numbers];      // alpha + 128, 1, 128, 128 as bytes
    Word spare_of_quotient;   // spare_word_of_quotient, which the compiler does not know
    Matrices matrices;
    const Channel *in_a; // of channel lane % 4, in shared memory
    const Channel *in_b;
    const Word *own_a; // the modulus' factors in global memory, from this lane's on: own_place
    const Word *own_b;
    Word zero; // which the compiler does not know
    Biases biases;

    // Where the factors of a tile's slot are, as many together as are squared at once:
    // [tile / at_once][slot][lane][number].
    __device__ __forceinline__ static int own_place(int tile, int slot) {
        return (tile / at_once * slots + slot) * 64 * at_once + tile % at_once * 2;
    }

    // Takes alpha's sums into the spare bytes. The four lanes of a row add theirs.
    __device__ __forceinline__ void finish_alpha(int number) {
        Word sum = alpha[number];
        sum += __shfl_xor_sync(0xffffffffu, sum, 1);
        sum += __shfl_xor_sync(0xffffffffu, sum, 2);
        spare[number] = spare_word<channels>(sum);
    }
    __device__ __forceinline__ void finish_alpha() {
        WARPINT_UNROLL_ALWAYS
        for (int i = 0; i < numbers; ++i)
            finish_alpha(i);
    }

    // Register `slot` of the numbers that the matrix step multiplies: residues, then the spare.
    template <Base to>
    __device__ __forceinline__ Word fragment(int tile, int slot, int row) const {
        if (slot < slots)
            return to == Base::a ? b[tile][2 * slot + row] : a[tile][2 * slot + row];
        if (slot == slots)
            return to == Base::a ? spare[2 * tile + row] : spare_of_quotient;
        return 0;
    }

    // The sums of `together` slots, of the tiles from `begin` on; of the steps from `from` on, as
    // many at once as are exact.
    template <Base to, int together, int begin, int from = 0, int count>
    __device__ __forceinline__ void change_base(Word matrix,
                                                int (&sums)[count][8 * together]) const {
        constexpr int most = Step::exact_terms / Step::terms;
        constexpr int end = steps - from <= most ? steps : from + most;
        Step::begin();
        WARPINT_UNROLL_ALWAYS
        for (int k = from; k < end; ++k) {
            Word words[count][4];
            WARPINT_UNROLL_ALWAYS
            for (int t = 0; t < count; ++t) {
                WARPINT_UNROLL_ALWAYS
                for (int i = 0; i < 4; ++i)
                    words[t][i] = fragment<to>(begin + t, 2 * k + i / 2, i % 2);
            }
            const Word digits = Step::moved(matrix, k * Matrices::template step_bytes<together>);
            if (k == from) {
                Step::template multiply<true, Matrices::slot_bytes>(sums, words, digits);
            } else {
                Step::template multiply<false, Matrices::slot_bytes>(sums, words, digits);
            }
        }
        Step::finish(sums);
        if constexpr (end < steps) {
            int others[count][8 * together];
            change_base<to, together, begin, end>(matrix, others);
            WARPINT_UNROLL_ALWAYS
            for (int t = 0; t < count; ++t) {
                WARPINT_UNROLL_ALWAYS
                for (int i = 0; i < 8 * together; ++i)
                    sums[t][i] += others[t][i];
            }
        }
    }
    // The residue of slot g, from its sums.
    template <int count>
    __device__ __forceinline__ Word value(const int (&sums)[count], int g, int row,
                                          Word negative_prime, Word bias) const {
        const int at = 8 * g + 2 * row;
        return recombined<carries_into_quotient(channels)>(sums[at], sums[at + 1], sums[at + 4],
                                                           sums[at + 5], negative_prime, bias);
    }

    template <Base to>
    __device__ __forceinline__ Channel channel(int slot) const {
        return (to == Base::a ? in_a : in_b)[4 * slot];
    }

    // One half of x^2 / P_A modulo each number's modulus, of all tiles: the quotient's residues in
    // A from the numbers', or the result's in B from both.
    template <Base to, int first = 0>
    __device__ __forceinline__ void square_half() {
        constexpr int together = Matrices::chunks.at(first, slots);
        const Word matrix = matrices.template chunk<to, first>();
        limb::tensor::memory_fence();
        square_chunk<to, first, together, 0>(matrix);
        if constexpr (first + together < slots)
            square_half<to, first + together>();
    }
    // Of the tiles from `begin` on, as many as are squared at once, then of the others.
    template <Base to, int first, int together, int begin>
    __device__ __forceinline__ void square_chunk(Word matrix) {
        Word own[together][2 * at_once];
        WARPINT_UNROLL_ALWAYS
        for (int g = 0; g < together; ++g)
            limb::tensor::load(own[g],
                               (to == Base::a ? own_a : own_b) + own_place(begin, first + g));
        int sums[at_once][8 * together];
        limb::tensor::schedule_fence(zero);
        change_base<to, together, begin>(matrix, sums);
        limb::tensor::schedule_fence(zero);
        WARPINT_UNROLL_ALWAYS
        for (int g = 0; g < together; ++g) {
            const int slot = first + g;
            const Channel c = channel<to>(slot);
            const Reduction modulo{c.prime, c.inverse};
            WARPINT_UNROLL_ALWAYS
            for (int t = 0; t < at_once; ++t) {
                WARPINT_UNROLL_ALWAYS
                for (int row = 0; row < 2; ++row) {
                    const auto factor = static_cast<Residue>(own[g][2 * t + row]);
                    if constexpr (to == Base::a) {
                        const Word v = value(sums[t], g, row, c.negative_prime, biases.word);
                        a[begin + t][2 * slot + row] = modulo.multiply(
                            square(v, c.negative_prime, c.reciprocal), factor, biases);
                    } else {
                        Word &x = b[begin + t][2 * slot + row];
                        const Residue x2 = square(x, c.negative_prime, c.reciprocal);
                        const Word v = value(sums[t], g, row, c.negative_prime, biases.residue);
                        x = modulo.multiply_two(x2, c.square_factor, static_cast<Residue>(v),
                                                factor, biases);
                        alpha[2 * (begin + t) + row] += top_of<channels>(x);
                    }
                }
            }
        }
        if constexpr (begin + at_once < tiles)
            square_chunk<to, first, together, begin + at_once>(matrix);
    }
    // All numbers squared.
    __device__ __forceinline__ void square_all() {
        square_half<Base::a>();
        WARPINT_UNROLL_ALWAYS
        for (int i = 0; i < numbers; ++i)
            alpha[i] = 0;
        square_half<Base::b>();
        finish_alpha();
    }

    // The same of a product by an entry of a table, of the first tile alone: half of the code, and
    // registers for a whole entry where the matrices lie in shared memory. entry: its factors of
    // the channels, by slot and row. That of a quotient is multiplied by the modulus' factor
    // already.
    template <Base to, int first = 0, class Entry>
    __device__ __forceinline__ void multiply_half(const Entry &entry) {
        constexpr int together = Matrices::chunks_of_one.at(first, slots);
        const Word matrix = matrices.template chunk<to, first>();
        limb::tensor::memory_fence();
        Word own[together][2];
        Word factors[together][2];
        WARPINT_UNROLL_ALWAYS
        for (int g = 0; g < together; ++g) {
            if constexpr (to == Base::b)
                limb::tensor::load(own[g], own_b + own_place(0, first + g));
            factors[g][0] = entry(first + g, 0);
            factors[g][1] = entry(first + g, 1);
        }
        int sums[1][8 * together];
        limb::tensor::schedule_fence(zero);
        change_base<to, together, 0>(matrix, sums);
        limb::tensor::schedule_fence(zero);
        WARPINT_UNROLL_ALWAYS
        for (int g = 0; g < together; ++g) {
            const int slot = first + g;
            const Channel c = channel<to>(slot);
            const Reduction modulo{c.prime, c.inverse};
            WARPINT_UNROLL_ALWAYS
            for (int row = 0; row < 2; ++row) {
                const auto v =
                    static_cast<Residue>(value(sums[0], g, row, c.negative_prime, biases.residue));
                const auto e = static_cast<Residue>(factors[g][row]);
                if constexpr (to == Base::a) {
                    a[0][2 * slot + row] = modulo.multiply(v, e, biases);
                } else {
                    Word &x = b[0][2 * slot + row];
                    x = modulo.multiply_two(residue_of_word(x), e, v,
                                            static_cast<Residue>(own[g][row]), biases);
                    alpha[row] += top_of<channels>(x);
                }
            }
        }
        if constexpr (first + together < slots)
            multiply_half<to, first + together>(entry);
    }

    // Exchanges the first tile and the last.
    __device__ __forceinline__ void exchange_tiles() {
        if constexpr (tiles > 1) {
            const auto swap = [](Word &x, Word &y) {
                const Word kept = x;
                x = y;
                y = kept;
            };
            WARPINT_UNROLL_ALWAYS
            for (int i = 0; i < 2 * slots; ++i)
                swap(b[0][i], b[tiles - 1][i]);
            WARPINT_UNROLL_ALWAYS
            for (int row = 0; row < 2; ++row)
                swap(spare[row], spare[numbers - 2 + row]);
        }
    }
};

#endif

} // namespace warpint::rns
