// SPDX-License-Identifier: Apache-2.0
// The odd primes below 2^16 that divide one number m, and whether one of them divides another
// number: a test of common factors with m for two products a limb, made for many numbers and one m.
//
// The primes are joined in groups whose product fits 32 bits, and the remainder by a product is an
// exact one, as in prime/small_primes.h.
#pragma once

#include "../prime/small_primes.h"

#include <vector>

namespace warpint::algorithm {

// Up to Most primes, the smallest first.
template <int Most>
struct SmallDivisors {
    struct Prime {
        std::uint32_t inverse; // modulo 2^32
        std::uint32_t largest; // quotient of a 32-bit number by the prime
    };
    struct Group {
        std::uint64_t inverse; // of the product, modulo 2^64
        std::uint32_t product;
        int end; // one past the index of its largest prime
    };
    int prime_count;
    int group_count;
    Prime primes[Most];
    Group groups[Most / 2]; // two primes at least

    // Whether a known prime divides a.
    WARPINT_HOST_DEVICE constexpr bool divide(std::uint32_t a) const {
        bool found = false;
        for (int i = 0; i < prime_count; ++i)
            found = found || a * primes[i].inverse <= primes[i].largest;
        return found;
    }
    // The same for N limbs of 32 or 64 bits.
    template <int N, class Limb>
    WARPINT_HOST_DEVICE constexpr bool divide(const Limb *a) const {
        static_assert(sizeof(Limb) >= 4);
        bool found = false;
        int i = 0;
        for (int g = 0; g < group_count; ++g) {
            const Group &group = groups[g];
            Limb rest = 0;
            WARPINT_UNROLL(N, 16)
            for (int j = 0; j < N; ++j)
                detail::exact_remainder_step(rest, a[j], static_cast<Limb>(group.product),
                                             static_cast<Limb>(group.inverse));
            for (; i < group.end; ++i) {
                const std::uint32_t quotient = static_cast<std::uint32_t>(rest) * primes[i].inverse;
                found = found || quotient <= primes[i].largest;
            }
        }
        return found;
    }

    WARPINT_HOST_DEVICE constexpr bool is_full() const { return prime_count == Most; }

    // On input: a prime larger than those that are known, below 2^16; not full.
    WARPINT_HOST_DEVICE constexpr void add(std::uint32_t prime) {
        primes[prime_count++] = {0u - limb::negative_inverse(prime), ~std::uint32_t{0} / prime};
        if (group_count == 0 ||
            !detail::product_fits(groups[group_count - 1].product, static_cast<int>(prime)))
            groups[group_count++] = {1, 1, 0};
        Group &group = groups[group_count - 1];
        group.product *= prime;
        group.inverse = std::uint64_t{0} - limb::negative_inverse(std::uint64_t{group.product});
        group.end = prime_count;
    }
};

// The primes below `bound` that divide the odd number m, by trial of every odd number: for device
// code and constant expressions.
template <int Most, int N, class Limb>
WARPINT_HOST_DEVICE constexpr SmallDivisors<Most> small_divisors_by_trial(const Limb *m,
                                                                          std::uint32_t bound) {
    SmallDivisors<Most> found{};
    for (std::uint32_t d = 3; d < bound && !found.is_full(); d += 2) {
        const Limb divisor = static_cast<Limb>(d);
        const Limb inverse = static_cast<Limb>(Limb{0} - limb::negative_inverse(divisor));
        Limb rest = 0;
        WARPINT_UNROLL(N, 16)
        for (int i = 0; i < N; ++i)
            detail::exact_remainder_step(rest, m[i], divisor, inverse);
        if ((rest == 0 || rest == divisor) && !found.divide(d))
            found.add(d);
    }
    return found;
}

// What hosts know about the modulus that a thread asked for last.
using HostSmallDivisors = SmallDivisors<64>;

#ifndef WARPINT_SMALL_DIVISOR_BOUND
#define WARPINT_SMALL_DIVISOR_BOUND 65536
#endif

namespace detail {

#if WARPINT_HAS_INT128
using TrialLimb = std::uint64_t;
#else
using TrialLimb = std::uint32_t;
#endif

// All odd primes below 2^16, in groups; made when a process needs it first, and never destroyed.
struct HostPrimeTable {
    static constexpr int bound = WARPINT_SMALL_DIVISOR_BOUND;
    std::vector<SmallPrime<TrialLimb>> primes;
    std::vector<PrimeGroup<TrialLimb>> groups;

    HostPrimeTable() {
        std::vector<bool> composite(bound);
        groups.push_back({1, 1, 0, 0});
        for (int p = 3; p < bound; p += 2) {
            if (composite[static_cast<std::size_t>(p)])
                continue;
            for (std::size_t multiple = static_cast<std::size_t>(p) * static_cast<std::size_t>(p);
                 multiple < bound; multiple += 2 * static_cast<std::size_t>(p))
                composite[multiple] = true;
            const TrialLimb prime = static_cast<TrialLimb>(p);
            const int index = static_cast<int>(primes.size());
            primes.push_back({TrialLimb{0} - limb::negative_inverse(prime), ~TrialLimb{0} / prime,
                              static_cast<std::uint16_t>(p)});
            if (!product_fits(groups.back().product, p))
                groups.push_back({1, 1, index, index});
            groups.back().product *= prime;
            groups.back().end = index + 1;
        }
        for (auto &group : groups)
            group.inverse = TrialLimb{0} - limb::negative_inverse(group.product);
    }
    static const HostPrimeTable &get() {
        static const HostPrimeTable *const table = new HostPrimeTable;
        return *table;
    }
};

// Those that divide the odd number m of n limbs.
inline HostSmallDivisors small_divisors_by_table(const std::uint32_t *m, int n) {
    constexpr int parts = static_cast<int>(sizeof(TrialLimb) / 4);
    std::vector<TrialLimb> words(static_cast<std::size_t>((n + parts - 1) / parts));
    for (int i = 0; i < n; ++i)
        words[static_cast<std::size_t>(i / parts)] |= TrialLimb{m[i]} << (32 * (i % parts));
    const HostPrimeTable &table = HostPrimeTable::get();
    HostSmallDivisors found{};
    constexpr std::size_t together = 8; // chains of products side by side
    for (std::size_t first = 0; first < table.groups.size(); first += together) {
        const std::size_t count = std::min(together, table.groups.size() - first);
        TrialLimb product[together], inverse[together], rest[together]{};
        for (std::size_t j = 0; j < together; ++j) {
            const auto &group = table.groups[first + std::min(j, count - 1)];
            product[j] = group.product;
            inverse[j] = group.inverse;
        }
        for (const TrialLimb word : words) {
            WARPINT_UNROLL_HOST
            for (std::size_t j = 0; j < together; ++j)
                exact_remainder_step(rest[j], word, product[j], inverse[j]);
        }
        for (std::size_t j = 0; j < count; ++j) {
            const auto &group = table.groups[first + j];
            for (int i = group.first; i < group.end && !found.is_full(); ++i) {
                const auto &prime = table.primes[static_cast<std::size_t>(i)];
                if (prime.divides(rest[j]))
                    found.add(prime.prime);
            }
        }
    }
    return found;
}

// The last modulus of a thread and its divisors. Nothing to destroy: formulas may still run while a
// thread ends.
struct LastSmallDivisors {
    static constexpr int most_limbs =
        512; // finding those of longer moduli is little beside a product
    int limbs;
    std::uint32_t modulus[most_limbs];
    HostSmallDivisors divisors;

    static LastSmallDivisors &of_this_thread() {
        thread_local LastSmallDivisors last;
        return last;
    }
    bool holds(const std::uint32_t *m, int n) const {
        return n == limbs && std::equal(m, m + n, modulus);
    }
};

} // namespace detail

// Whether the divisors of the odd number m of n limbs are known already, and these then.
inline bool recall_small_divisors(HostSmallDivisors &found, const std::uint32_t *m, int n) {
    const auto &last = detail::LastSmallDivisors::of_this_thread();
    if (!last.holds(m, n))
        return false;
    found = last.divisors;
    return true;
}

// The (up to 64 smallest) odd primes below 2^16 that divide the odd number m of n limbs. Some 10 us
// at 256 bits, 60 us at 2048; nothing if this thread asked for the same m before.
inline HostSmallDivisors small_divisors(const std::uint32_t *m, int n) {
    HostSmallDivisors found;
    if (recall_small_divisors(found, m, n))
        return found;
    found = detail::small_divisors_by_table(m, n);
    if (n <= detail::LastSmallDivisors::most_limbs) {
        auto &last = detail::LastSmallDivisors::of_this_thread();
        last.limbs = n;
        std::copy(m, m + n, last.modulus);
        last.divisors = found;
    }
    return found;
}

} // namespace warpint::algorithm
