// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <array>
#include <cstdlib>
#include <numeric>

namespace ecm {

std::vector<std::uint32_t> primes_up_to(std::uint32_t bound) {
    std::vector<bool> composite(std::size_t{bound} + 1);
    std::vector<std::uint32_t> primes;
    for (std::uint64_t p = 2; p <= bound; ++p) {
        if (composite[p])
            continue;
        primes.push_back(static_cast<std::uint32_t>(p));
        for (std::uint64_t multiple = p * p; multiple <= bound; multiple += p)
            composite[multiple] = true;
    }
    return primes;
}

std::vector<BigInt<4096>> prime_powers(std::uint32_t b1) {
    std::vector<BigInt<4096>> parts{BigInt<4096>(1u)};
    for (const std::uint32_t p : primes_up_to(b1)) {
        std::uint32_t power = p;
        while (power <= b1 / p)
            power *= p;
        if (bit_width(parts.back()) > 4096 - 32)
            parts.push_back(BigInt<4096>(1u));
        parts.back() *= power;
    }
    return parts;
}

std::vector<Steps> stage_2_steps(std::uint32_t b1, std::uint32_t b2) {
    std::array<int, giant_step / 2> index{}; // of the baby step j
    for (int j = 1, i = 0; j < giant_step / 2; ++j) {
        if (std::gcd(j, giant_step) == 1)
            index[static_cast<std::size_t>(j)] = i++;
    }
    std::vector<Steps> parts;
    for (const std::uint32_t q : primes_up_to(b2)) {
        if (q <= b1)
            continue;
        const std::uint32_t giant = (q + giant_step / 2) / giant_step;
        const auto baby = static_cast<std::size_t>(
            std::abs(static_cast<std::int64_t>(q) - std::int64_t{giant} * giant_step));
        while (parts.empty() || giant >= parts.back().first + Steps::count)
            parts.push_back({parts.empty() ? giant : parts.back().first + Steps::count, {}});
        parts.back().baby[giant - parts.back().first] |= 1u << index[baby];
    }
    return parts;
}

} // namespace ecm
