// SPDX-License-Identifier: Apache-2.0
// The powers of a small batch, each by a block of its own (arith/rns/spread.h), in place of
// powers_kernel and by the same program (powers.h).
#pragma once

#include "../../limb/config.h"

#if WARPINT_CUDA

#include "../../arith/rns/spread.h"
#include "powers.h"

namespace warpint::execution {

// A number a block, for few numbers. Their tables lie in shared memory, [entry][base][channel].
template <int slots>
struct SpreadBlock {
    using Memory = rns::SpreadMemory<slots>;
    static constexpr int threads = Memory::threads;
    static constexpr int entry_words = PowerBlock<slots>::entry_words;
    static constexpr int table_bytes = PowerBlock<slots>::powers * entry_words * 4;
    static constexpr int shared_bytes = static_cast<int>(sizeof(Memory)) + table_bytes;
    static_assert(shared_bytes <= 48 << 10);
};

template <int slots, int ExponentBits>
__global__ void __launch_bounds__(SpreadBlock<slots>::threads, 1)
    spread_powers_kernel(const __grid_constant__ PowerOperand<ExponentBits> exponents,
                         std::size_t first, const __grid_constant__ PowerSpace space,
                         const __grid_constant__ PowerConstants constants) {
#if WARPINT_HAS_TENSOR_POWERS
    using Block = PowerBlock<slots>; // its program and its tables in memory
    using Spread = rns::Spread<slots>;
    constexpr int channels = Spread::channels;
    extern __shared__ uint4 shared[];
    auto *const memory = reinterpret_cast<typename Spread::Memory *>(shared);
    Spread x(*memory);
    const unsigned channel = x.channel;
    std::uint32_t *const table = reinterpret_cast<std::uint32_t *>(memory + 1) + channel;
    const rns::Channel in_a = constants.channels_a[channel];
    const rns::Channel in_b = constants.channels_b[channel];
    x.in_a = {in_a.prime, in_a.inverse};
    x.in_b = {in_b.prime, in_b.inverse};
    x.set_constants(constants.words_to_a, constants.words_to_b);
    x.alpha_to_a = constants.alpha_to_a[channel];
    const std::size_t number = blockIdx.x;
    const std::size_t at = number * channels + channel;
    const auto own_a = static_cast<rns::Residue>(space.factors_a[at]);
    x.own_b = static_cast<rns::Residue>(space.factors_b[at]);
    x.square_in_a = rns::times_radix(own_a, in_a.prime);
    x.square_in_b = rns::times_radix(in_b.square_factor, in_b.prime);
    const std::uint32_t *const entries = space.tables + number * Block::table_words + channel;
    const std::uint32_t *const e = exponents.at(first + number);
    constexpr int exponent_limbs = PowerOperand<ExponentBits>::limb_count;
    const int windows = (exponent_length<exponent_limbs>(e) + Block::window - 1) / Block::window;
    const rns::Biases biases; // of words; the residues here have none
#pragma unroll 1
    for (int step = 0; step <= 2 * Block::powers + windows; ++step) {
        const PowerStep what = power_step<Block>(step, windows, space);
        if (what.source != nullptr)
            x.s = rns::residue_of_word(what.source[at]);
        if (what.stored >= 0) {
            x.set_quotient(own_a);
            if (x.writes) {
                std::uint32_t *const to = table + what.stored * Block::entry_words;
                to[0] = static_cast<std::uint32_t>(
                    rns::entry_of_word(rns::word_of_residue(x.xi), in_a, biases));
                to[channels] = static_cast<std::uint32_t>(
                    rns::entry_of_word(rns::word_of_residue(x.s), in_b, biases));
            }
            __syncthreads();
            continue;
        }
        const std::uint32_t *entry =
            (what.entry < Block::powers ? table : entries) + what.entry * Block::entry_words;
        if (what.is_window) {
            const int place = Block::window * (windows - 1 - (step - 2 * Block::powers));
            entry = table + window_digit<Block, exponent_limbs>(e, place) * Block::entry_words;
#pragma unroll 1
            for (int k = 0; k < Block::window; ++k)
                x.square();
        }
        x.multiply(static_cast<rns::Residue>(entry[0]), static_cast<rns::Residue>(entry[channels]));
        if (what.result != nullptr) {
            if (x.writes)
                what.result[at] = rns::word_of_residue(x.s);
            __syncthreads();
        }
    }
#endif
}

} // namespace warpint::execution

#endif
