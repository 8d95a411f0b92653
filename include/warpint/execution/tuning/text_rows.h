// SPDX-License-Identifier: Apache-2.0
// When the threads of a block write or read the text of one number (vector/text_cuda.h), and how
// many they are.
#pragma once

#include <cstddef>

namespace warpint::execution::tuning {

inline constexpr int most_text_threads = 512;

// What a block has of shared memory on every GPU without being asked.
inline constexpr std::size_t most_text_bytes = std::size_t{48} << 10;

inline bool text_by_blocks(bool writes, bool by_bits, int limbs, std::size_t count) {
    (void)writes, (void)by_bits, (void)count;
    return limbs >= 24;
}

inline unsigned text_threads(int limbs, std::size_t count) {
    (void)count;
    return limbs < 96 ? 32u : limbs < 192 ? 64u : limbs < 384 ? 128u : 256u;
}

} // namespace warpint::execution::tuning
