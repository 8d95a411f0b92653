// SPDX-License-Identifier: Apache-2.0
// Powers of a program that is one power of numbers, for a host without this library's types: it
// launches the kernels of powers.h as TensorPowers (ways/tensor_powers_cuda.h) does.
#pragma once

#include "generated.h"
#include "power_source.h"
#include "spread_powers.h"

#if WARPINT_CUDA

namespace warpint::execution {

// What a host is told: integers, and from these offsets on the bytes of parameters. The operands'
// addresses are as in generated.h, those of constants as if the tables were at the first of the
// words, and those in the space of a round of one number in memory at 0: of n numbers they are n
// times as much.
inline constexpr int generated_constants_offset = 128;
inline constexpr int generated_space_offset = 192;
inline constexpr int generated_biases_offset = 288;
inline constexpr int generated_operands_offset = 512;

// Program: a rtc::Program that is one power.
template <class Program>
struct GeneratedPowers {
    using Source = TensorSource<typename Program::Tree>;
    static_assert(Source::exists, "no power of numbers that may run so");
    using Operands = typename Source::Operands;
    static constexpr int bits = Operands::bits;
    static constexpr int slots = rns::Bases<bits>::slots;
    static constexpr int exponent_bits = Operands::exponent_bits;
    using Tables = rns::Tables<bits>;
};

// A block of table_parts<bits> threads fills the tables.
template <int bits>
__global__ void power_tables_kernel(rns::Tables<bits> *tables) {
    constexpr int channels = rns::Bases<bits>::channels;
    __shared__ rns::PrimesOfBase<bits> primes[2];
    const auto thread = static_cast<int>(threadIdx.x);
    if (thread == 0) {
        const auto all = rns::detail::find_largest_primes<2 * channels>();
        for (int i = 0; i < 2 * channels; ++i)
            primes[i / channels].values[i % channels] = all.values[i];
    }
    __syncthreads();
    rns::compute_part(*tables, primes[0], primes[1], thread);
}

// By one thread. words: as describe_kernel takes them.
template <class Program>
__global__ void describe_powers_kernel(const __grid_constant__ GeneratedWords words, char *out) {
    using Powers = GeneratedPowers<Program>;
    using Operands = typename Powers::Operands;
    using Block = PowerBlock<Powers::slots>;
    using Spread = SpreadBlock<Powers::slots>;
    using Round = PowerRound<Operands>;
    static_assert(sizeof(PowerSpace) == 8 * 8 + 8 && sizeof(PowerConstants) == 7 * 8);
    constexpr int capability = WARPINT_COMPILED_CAPABILITY;
    const auto tree = Program::tree(words);
    auto &operands = *reinterpret_cast<Operands *>(out + generated_operands_offset);
    operands = Powers::Source::of(tree);
    int *const to = reinterpret_cast<int *>(out);
    to[0] = 1; // the version of this list
    to[1] = static_cast<int>(sizeof(Operands));
    to[2] = static_cast<int>(reinterpret_cast<char *>(&operands.exponent) -
                             reinterpret_cast<char *>(&operands));
    to[3] = static_cast<int>(sizeof(operands.exponent));
    to[4] = static_cast<int>(sizeof(typename Powers::Tables));
    to[5] = rns::table_parts<Powers::bits>;
    to[6] = static_cast<int>(Round::bytes(1));
    to[7] = 2 * Block::channels;
    to[8] = Block::numbers;
    to[9] = Block::threads;
    to[10] = Block::shared_bytes;
    to[11] = Spread::threads;
    to[12] = Spread::shared_bytes;
    to[13] = capability < 80 ? 0 : tuning::Known::most_spread_powers(capability, Powers::bits);
    to[14] = has_tensor_powers(capability)
                 ? tuning::Known::least_tensor_powers(capability, Powers::bits)
                 : 1 << 30;
    to[15] = Powers::Source::suits(tree);
    *reinterpret_cast<PowerConstants *>(out + generated_constants_offset) =
        power_constants(reinterpret_cast<const typename Powers::Tables *>(words.at[0]));
    *reinterpret_cast<PowerSpace *>(out + generated_space_offset) =
        Round::space_at(nullptr, 1, nullptr);
    *reinterpret_cast<rns::Biases *>(out + generated_biases_offset) = rns::Biases{};
}

} // namespace warpint::execution

#endif
