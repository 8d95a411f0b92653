// SPDX-License-Identifier: Apache-2.0
#include "sieve.h"

#include <algorithm>
#include <limits>

#include "parallel.h"

namespace primes {

SmallPrimes::SmallPrimes(std::uint32_t limit) {
    std::vector<char> prime(limit, 1);
    for (std::uint64_t p = 2; p < limit; ++p) {
        if (!prime[p])
            continue;
        primes.push_back(static_cast<std::uint32_t>(p));
        for (std::uint64_t multiple = p * p; multiple < limit; multiple += p)
            prime[multiple] = 0;
    }
    for (std::size_t i = 0; i != primes.size(); ++i) {
        if (products.empty() ||
            products.back() > std::numeric_limits<std::uint64_t>::max() / primes[i]) {
            products.push_back(1);
            first.push_back(i);
        }
        products.back() *= primes[i];
    }
    first.push_back(primes.size());
}

Remainders twice_plus_one(const Remainders &q, const SmallPrimes &small) {
    constexpr std::uint64_t enough = std::uint64_t{1} << 62;
    Remainders p{2 * std::min(q.small_start, enough) + 1, q.of_prime};
    for (std::size_t j = 0; j != small.primes.size(); ++j)
        p.of_prime[j] = (2 * p.of_prime[j] + 1) % small.primes[j];
    return p;
}

std::vector<Remainders> remainders(Candidates &candidates, const SmallPrimes &small,
                                   std::size_t first, std::size_t count) {
    const std::size_t products = small.products.size();
    Pairs divisors;
    for (std::size_t i = 0; i != count; ++i) {
        for (const std::uint64_t product : small.products)
            divisors.add(first + i, product);
    }
    const std::vector<std::uint64_t> rest = candidates.remainders(divisors);
    const std::vector<std::uint64_t> small_starts = candidates.small_starts();
    std::vector<Remainders> result(count);
    sample::parallel_for(count, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i != end; ++i) {
            result[i] = {small_starts[first + i], std::vector<std::uint32_t>(small.primes.size())};
            for (std::size_t k = 0; k != products; ++k) {
                for (std::size_t j = small.first[k]; j != small.first[k + 1]; ++j)
                    result[i].of_prime[j] =
                        static_cast<std::uint32_t>(rest[i * products + k] % small.primes[j]);
            }
        }
    });
    return result;
}

void strike(std::span<char> sieve, const Remainders &start, const SmallPrimes &small,
            std::uint64_t first, unsigned step) {
    for (std::size_t j = 0; j != small.primes.size(); ++j) {
        const std::uint64_t p = small.primes[j];
        if (step == 2 && p == 2)
            continue;
        // The number at index 0 modulo p, and the first index i with number + step i = 0.
        const std::uint64_t number = (start.of_prime[j] + step * (first % p)) % p;
        std::uint64_t i = number == 0 ? 0 : p - number;
        if (step == 2)
            i = i % 2 == 0 ? i / 2 : (i + p) / 2;
        for (; i < sieve.size(); i += p)
            sieve[i] = 0;
        // The prime itself stays.
        const std::uint64_t smallest = start.small_start + step * first;
        if (smallest <= p && (p - smallest) % step == 0 && (p - smallest) / step < sieve.size())
            sieve[(p - smallest) / step] = 1;
    }
}

std::vector<std::uint64_t> survivors(const Remainders &start, const SmallPrimes &small,
                                     std::uint64_t first, std::uint64_t count) {
    constexpr std::size_t segment = 1 << 17; // stays in a core's cache
    std::vector<char> sieve(static_cast<std::size_t>(count), 1);
    sample::parallel_for(sieve.size(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t at = begin; at < end; at += segment) {
            const std::span part(&sieve[at], std::min(segment, end - at));
            strike(part, start, small, first + at);
        }
    });
    std::vector<std::uint64_t> left;
    for (std::size_t i = 0; i != sieve.size(); ++i) {
        if (sieve[i])
            left.push_back(first + i);
    }
    return left;
}

} // namespace primes
