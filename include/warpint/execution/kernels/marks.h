// SPDX-License-Identifier: Apache-2.0
// Marks of elements without a value, moved by bits: what a thread computes for a word (views.h).
// The same on hosts.
#pragma once

#include "../../limb/config.h"

namespace warpint::execution {

// Words of marks from bit `first` of others on: to[k] has bits first + 32 k ... of from, which has
// `words` words.
struct MarksFrom {
    const std::uint32_t *from;
    std::size_t words;
    std::size_t first;
    std::uint32_t *to;
    WARPINT_HOST_DEVICE void operator()(std::size_t k) const {
        const std::size_t word = first / 32 + k;
        const unsigned shift = static_cast<unsigned>(first % 32);
        std::uint32_t bits = from[word] >> shift;
        if (shift != 0 && word + 1 < words)
            bits |= from[word + 1] << (32 - shift);
        to[k] = bits;
    }
};

// Puts the marks of `count` elements among others, from bit `first` on; null: none is marked. Call
// k is for word first / 32 + k.
struct MarksInto {
    const std::uint32_t *from;
    std::uint32_t *to;
    std::size_t first;
    std::size_t count;
    [[nodiscard]] std::size_t calls() const { return (first % 32 + count + 31) / 32; }
    WARPINT_HOST_DEVICE void operator()(std::size_t k) const {
        const unsigned shift = static_cast<unsigned>(first % 32);
        const std::size_t words = (count + 31) / 32;
        std::uint32_t bits = 0;
        if (from != nullptr) {
            if (k < words)
                bits = from[k] << shift;
            if (shift != 0 && k > 0)
                bits |= from[k - 1] >> (32 - shift);
        }
        std::uint32_t mine = ~std::uint32_t{0}; // the word's bits that are of these elements
        if (k == 0)
            mine <<= shift;
        const std::size_t end = shift + count - 32 * k; // behind the last of them
        if (end < 32)
            mine &= (std::uint32_t{1} << end) - 1;
        std::uint32_t &word = to[first / 32 + k];
        word = (word & ~mine) | (bits & mine);
    }
};

} // namespace warpint::execution
