// SPDX-License-Identifier: Apache-2.0
// Montgomery squares and products of one number in a residue number system by the threads of a
// block, two for each channel: for few numbers, of which each is to be ready soon. guide/rns.md has
// the algorithm. Exists only while the compiler translates for a GPU.
//
// A change of base is a sum of products of residues and constants, which lie in registers: each of
// the two threads sums half of the terms. The residues of a block lie in shared memory. Nothing is
// kept as digits or bytes, and squares need no floating point: all is reduced as Montgomery does,
// with R = 2^32 (channel.h), and what a square is multiplied by is kept times R^2.
//
// Ranges, beside those of ranges.h. A residue s of a number is at most k p in size, k = 0.85, one
// of a quotient at most 2 p / 3, a constant less than p / 2. Four products of residues and
// constants are less than 1.7 p^2 < 0.85 2^63, a sum that was folded less than 2^46, so that they
// may be added to it. The residue v of a sum is at most p / 2 + 2^17. So with t / R reduced to |t|
// / R + p / 2
//     v^2: p / 8 + p / 2,           a quotient from it: p (5 / 8) / 4 + p / 2 < 2 p / 3,
//     v e, e a factor:              p / 8 + p / 2 < 2 p / 3,
//     s^2: k^2 p / 2 + p / 2 < 0.87 p,
//     a result from it: (0.87 + 1 / 2) p / 4 + p / 2 + 2^16 < k p, of a product s e less.
#pragma once

#include "channel.h"
#include "tables.h"

namespace warpint::rns {

// What the threads of a block share.
template <int slots>
struct SpreadMemory {
    static constexpr int channels = 4 * slots;
    static constexpr int sharing = 2; // threads that share the sums of a channel
    // Residues: four of each slot, and of another one, zeros, since slots are odd.
    static constexpr int words = channels + 4;
    static_assert(words % (4 * sharing) == 0);
    static constexpr int warps = (sharing * channels + 31) / 32;
    static constexpr int threads = 32 * warps;

    alignas(16) Residue number[words];   // in B
    alignas(16) Residue quotient[words]; // in A
    alignas(16) Word tops[(warps + 3) / 4 * 4];
};

using limb::tensor::multiply_add_wide;

#if WARPINT_DEVICE_PASS && WARPINT_COMPILED_CAPABILITY >= 80

template <int slots_>
struct Spread {
    static constexpr int slots = slots_;
    using Memory = SpreadMemory<slots>;
    static constexpr int channels = Memory::channels;
    static constexpr int sharing = Memory::sharing;
    static constexpr int quads = Memory::words / 4 / sharing; // of a thread

    Memory *memory;
    unsigned channel; // of a thread behind the last channel: the last
    unsigned part;    // which of the threads of its channel this one is
    bool writes;      // for its channel

    Reduction in_a;
    Reduction in_b;
    Residue to_a[4 * quads]; // times R
    Residue to_b[4 * quads];
    Residue alpha_to_a;  // times R
    Residue square_in_a; // -1 / (N P_A / a) times R^2
    Residue square_in_b; // (P_B / b) / P_A times R^2
    Residue own_b;       // N / (P_A P_B / b) times R
    Residue s;           // the number in B
    Residue xi;          // of the quotient in A

    // By all threads. The block's memory is theirs behind a barrier of the first square or product.
    __device__ __forceinline__ explicit Spread(Memory &of_block)
        : memory{&of_block}, part{threadIdx.x % sharing} {
        const unsigned own = threadIdx.x / sharing;
        writes = part == 0 && own < channels;
        channel = own < channels ? own : channels - 1;
        if (threadIdx.x < Memory::words - channels)
            memory->number[channels + threadIdx.x] = memory->quotient[channels + threadIdx.x] = 0;
    }
    // Reads the constants of this thread's sums, at [from][channel].
    __device__ __forceinline__ void set_constants(const Residue *words_to_a,
                                                  const Residue *words_to_b) {
        WARPINT_UNROLL_ALWAYS
        for (int q = 0; q < quads; ++q) {
            WARPINT_UNROLL_ALWAYS
            for (int k = 0; k < 4; ++k) {
                const unsigned from = 4 * (sharing * q + part) + k;
                const bool exists = from < channels;
                to_a[4 * q + k] = exists ? words_to_a[from * channels + channel] : 0;
                to_b[4 * q + k] = exists ? words_to_b[from * channels + channel] : 0;
            }
        }
    }

    // s modulo the number's modulus becomes s^2 / P_A.
    __device__ __forceinline__ void square() {
        const Residue v = residue_in_a();
        const Residue v2 = reduced(in_a, multiply_add_wide(v, v, 0));
        xi = reduced(in_a, multiply_add_wide(v2, square_in_a, 0));
        const Residue s2 = reduced(in_b, multiply_add_wide(s, s, 0));
        const Residue w = residue_in_b();
        s = reduced(in_b, multiply_add_wide(s2, square_in_b, multiply_add_wide(w, own_b, 0)));
    }
    // s y / P_A, of a factor's entries.
    __device__ __forceinline__ void multiply(Residue entry_a, Residue entry_b) {
        set_quotient(entry_a);
        const Residue w = residue_in_b();
        s = reduced(in_b, multiply_add_wide(s, entry_b, multiply_add_wide(w, own_b, 0)));
    }
    // The quotient's residue alone.
    __device__ __forceinline__ void set_quotient(Residue entry_a) {
        xi = reduced(in_a, multiply_add_wide(residue_in_a(), entry_a, 0));
    }

private:
    __device__ __forceinline__ static Residue reduced(const Reduction &modulo, std::int64_t t) {
        return static_cast<Residue>(modulo.reduced(t, 0));
    }
    // t modulo p, below 2^46 in size: 2^32 is 2 (2^31 - p) there.
    __device__ __forceinline__ static std::int64_t folded(std::int64_t t, Word prime) {
        return multiply_add_wide(static_cast<Residue>(t >> 32),
                                 static_cast<Residue>(2 * (word_bias - prime)),
                                 std::int64_t{static_cast<Word>(t)});
    }
    // The sum of all residues times this channel's constants, twice folded at most.
    __device__ __forceinline__ std::int64_t sum(const Residue (&constants)[4 * quads],
                                                const Residue *residues, Word prime) const {
        const auto *const words = reinterpret_cast<const int4 *>(residues);
        std::int64_t t[2] = {0, 0};
        WARPINT_UNROLL_ALWAYS
        for (int q = 0; q < quads; ++q) {
            const int4 x = words[sharing * q + static_cast<int>(part)];
            std::int64_t &to = t[q % 2];
            if (q >= 2)
                to = folded(to, prime);
            to = multiply_add_wide(x.x, constants[4 * q], to);
            to = multiply_add_wide(x.y, constants[4 * q + 1], to);
            to = multiply_add_wide(x.z, constants[4 * q + 2], to);
            to = multiply_add_wide(x.w, constants[4 * q + 3], to);
        }
        std::int64_t all = folded(t[0], prime) + folded(t[1], prime);
        WARPINT_UNROLL_ALWAYS
        for (int distance = 1; distance < sharing; distance *= 2)
            all += __shfl_xor_sync(0xffffffffu, all, distance);
        return all;
    }
    // The number modulo this channel's prime of A.
    __device__ __forceinline__ Residue residue_in_a() const {
        const Word word = word_of_residue(s);
        const Word tops = __reduce_add_sync(0xffffffffu, writes ? top_of<channels>(word) : 0);
        if (writes)
            memory->number[channel] = s;
        if (threadIdx.x % 32 == 0)
            memory->tops[threadIdx.x / 32] = tops;
        __syncthreads();
        Word all = 0;
        WARPINT_UNROLL_ALWAYS
        for (int w = 0; w < Memory::warps; ++w)
            all += memory->tops[w];
        const int alpha = static_cast<int>(spare_word<channels>(all) & 255) - 128;
        const std::int64_t t = sum(to_a, memory->number, in_a.prime);
        return reduced(in_a, multiply_add_wide(alpha, alpha_to_a, t));
    }
    // The quotient modulo this channel's prime of B.
    __device__ __forceinline__ Residue residue_in_b() const {
        if (writes)
            memory->quotient[channel] = xi;
        __syncthreads();
        return reduced(in_b, sum(to_b, memory->quotient, in_b.prime));
    }
};

#endif

} // namespace warpint::rns
