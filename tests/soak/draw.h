// SPDX-License-Identifier: Apache-2.0
// Operands made where they are used, in a kernel or on the host: a number for every index, the same
// in both places.
#pragma once

#include <warpint/vector.h>

#include <cstdint>

namespace soak {

WARPINT_HOST_DEVICE inline std::uint64_t mixed(std::uint64_t x) { // splitmix64
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/// Half of the numbers are uniform; the others short, runs of ones and zeros, of extreme limbs, or
/// neighbours of a power of two.
template <class Number>
struct Draw {
    std::uint64_t seed;

    WARPINT_HOST_DEVICE Number operator()(const warpint::BigInt<64> &index) const {
        constexpr int bits = Number::bits;
        warpint::BigInt<bits> x{};
        const std::uint64_t start = mixed(seed ^ mixed(static_cast<std::uint64_t>(index)));
        const auto kind = static_cast<int>(start % 8);
        const auto place = static_cast<int>((start >> 8) % bits);
        for (int i = 0; i < x.limb_count; ++i) {
            const std::uint64_t hash = mixed(start + static_cast<std::uint64_t>(i) + 1);
            const auto uniform = static_cast<std::uint32_t>(hash >> 32);
            x.limbs[i] =
                kind == 5 ? ((hash & 3) == 0 ? 0u - static_cast<std::uint32_t>(hash & 1) : uniform)
                : kind == 6 ? 0u - static_cast<std::uint32_t>(hash >> 7 & 1)
                            : uniform;
        }
        if constexpr (bits % 32 != 0)
            x.limbs[x.limb_count - 1] &= (std::uint32_t{1} << bits % 32) - 1;
        if (kind == 4)
            x = x >> place;
        if (kind == 6)
            x = x ^ (x << place);
        if (kind == 7) {
            x = warpint::BigInt<bits>(1) << place;
            x = start & 16 ? x + warpint::BigInt<bits>(start >> 60)
                           : x - warpint::BigInt<bits>(start >> 60);
        }
        return static_cast<Number>(x);
    }
};

} // namespace soak
