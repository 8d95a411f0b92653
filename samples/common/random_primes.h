// SPDX-License-Identifier: Apache-2.0
// Random primes for keys, found in batches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <warpint/bigint.h>
#include <warpint/number_theory.h>
#include <warpint/random.h>
#include <warpint/vector.h>

#include "parallel.h"
#include "system_random.h"

namespace sample {

// Primes of exactly so many bits, at most Bits, in the sense of is_probable_prime. Their two
// highest bits are 1, so that a product of two has twice as many bits; apart from that they are
// uniform, or uniform among those whose `low_ones` lowest bits are 1: with 2 those that are 3
// modulo
// 4. Place: OnHost or OnDevice, where candidates are tested.
template <int Bits, class Place>
std::vector<warpint::BigInt<Bits>> random_primes(std::size_t count, int bits = Bits,
                                                 int low_ones = 1) {
    using Number = warpint::BigInt<Bits>;
    constexpr std::size_t max_candidates = 65536;
    const std::size_t usual_tries = static_cast<std::size_t>(bits) / 3; // prime: 1 in 0.35 bits
    const Number ones = (Number(3) << (bits - 2)) | ((Number(1) << low_ones) - 1u);
    std::vector<Number> primes;
    while (primes.size() < count) {
        warpint::host_vector<Number> drawn(
            std::min(max_candidates, usual_tries * (count - primes.size())));
        parallel_for(drawn.size(), [&](std::size_t first, std::size_t last) {
            SystemRandom generator;
            for (std::size_t i = first; i != last; ++i)
                drawn[i] = (warpint::random_bits<Bits>(generator) >> (Bits - bits)) | ones;
        });
        const typename Place::template Vector<Number> candidates = drawn;
        const auto is_prime = eval(is_probable_prime(candidates)).to_host();
        for (std::size_t i = 0; i != drawn.size() && primes.size() < count; ++i) {
            if (is_prime[i])
                primes.push_back(drawn[i]);
        }
    }
    return primes;
}

} // namespace sample
