// SPDX-License-Identifier: Apache-2.0
// Random operands, and the way back to the host for the check. Nothing here depends on a width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "row.h"

namespace perf {

// full: the top bit set. odd, even: so and odd, even. below: the top bit clear. half: the upper
// half of the limbs zero, the top bit below set. word: one limb of 32 bits, odd, the others zero.
enum class Shape { full, odd, even, below, half, word };

// `count` numbers of `bits` bits one after another, limbs of 32 bits, all different; or one on the
// host that all elements share.
struct Numbers {
    std::uint32_t *limbs = nullptr;
    std::size_t count = 0;
    int bits = 0;
    bool shared = false;
};

// Each fill draws other numbers; which ones depends on the row's name, and on how many fills there
// were since this call.
void begin_operands(const std::string &row);

// Fills memory of the device's (or the host's, for the CPU) with random numbers.
void fill(Device device, const Numbers &numbers, Shape shape);

// Overwrites memory of that device with a pattern that is no result.
void spoil(Device device, void *memory, std::size_t bytes);

// Copies memory of that device to the host, behind all work on it.
void copy_to_host(Device device, void *to, const void *from, std::size_t bytes);

#if defined(__CUDACC__)
// std::runtime_error with both texts, unless the status is success.
void require(cudaError_t status, const char *what);
#endif

// The i-th limb of a random sequence: a counter-based generator (splitmix64), so that host and
// device fill in any order.
#if defined(__CUDACC__)
__host__ __device__
#endif
inline std::uint32_t random_limb(std::uint64_t seed, std::uint64_t i) {
    std::uint64_t z = seed * 0xd1342543de82ef95u + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 16);
}

// Limb i of all limbs, `limbs` a number.
#if defined(__CUDACC__)
__host__ __device__
#endif
inline std::uint32_t operand_limb(std::uint64_t i, int limbs, int bits, Shape shape,
                                  std::uint64_t seed) {
    const int place = static_cast<int>(i % static_cast<unsigned>(limbs));
    const int top_bits = shape == Shape::half ? bits / 2 : shape == Shape::word ? 32 : bits;
    const int used = (top_bits + 31) / 32;
    if (place >= used)
        return 0;
    std::uint32_t limb = random_limb(seed, i);
    if (place == used - 1) {
        const int top = (top_bits - 1) % 32; // the position of the top bit
        limb = (limb & ((std::uint32_t{2} << top) - 1)) | std::uint32_t{1} << top;
        if (shape == Shape::below)
            limb ^= std::uint32_t{1} << top;
    }
    if (place == 0 && (shape == Shape::odd || shape == Shape::word))
        limb |= 1;
    if (place == 0 && shape == Shape::even)
        limb &= ~std::uint32_t{1};
    return limb;
}

} // namespace perf
