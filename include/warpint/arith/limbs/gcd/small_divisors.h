// SPDX-License-Identifier: Apache-2.0
// The odd primes below 2^16 that divide a number m, and whether one of them divides another number.
// That is a quick test for common factors with m, for many numbers and one m.
//
// The primes are joined in groups whose product P is below 2^28: one remainder by P serves the
// group, of a sum of limbs times the powers of 2^32 modulo P, which fits 64 bits. The remainder is
// taken without a division, as in arith/limbs/prime/small_primes.h.
//
// Primes from `rare_prime` on divide few numbers. Where many numbers are multiplied modulo m, it is
// enough to look for them in the product, unless a group of others has room for them.
#pragma once

#include "../prime/small_primes.h"

#if WARPINT_HOSTED
#include <cstring>
#include <vector>
#endif

namespace warpint::arith {

inline constexpr std::uint32_t rare_prime = 1 << 12;

// Up to Groups groups of up to four primes. Groups of rare primes alone come last.
template <int Groups>
struct SmallDivisors {
    struct Prime {
        std::uint32_t inverse; // modulo 2^32
        std::uint32_t largest; // quotient of a 32-bit number by the prime
    };
    static constexpr int group_primes = 4;
    static constexpr int together = 8; // limbs of a sum
    static constexpr std::uint32_t max_product = (std::uint32_t{1} << 28) - 1;
    struct Group {
        std::uint32_t powers[together]; // of 2^32 modulo the product, from 1 on
        std::uint32_t next_power;       // (2^32)^(together + 1)
        std::uint32_t product;
        std::uint32_t inverse; // -1 / product modulo 2^32
        int count;
        Prime primes[group_primes]; // unused ones divide 0 only

        WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool divide(std::uint32_t a) const {
            bool found = false;
            WARPINT_UNROLL(group_primes, group_primes)
            for (int i = 0; i < group_primes; ++i)
                found |= a * primes[i].inverse <= primes[i].largest;
            return found;
        }
        // The same for N limbs of 32 bits.
        template <int N>
        WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool divide(const std::uint32_t *a) const {
            std::uint32_t rest = 0;
            WARPINT_UNROLL((N + together - 1) / together, 8)
            for (int first = (N - 1) / together * together; first >= 0; first -= together) {
                // At most 9 (2^32 - 1) P, so that q P fits beside it.
                std::uint64_t sum = std::uint64_t{rest} * next_power + a[first];
                WARPINT_UNROLL(together, together)
                for (int j = 1; j < together; ++j) {
                    if (first + j < N)
                        sum += std::uint64_t{a[first + j]} * powers[j];
                }
                const std::uint32_t q = static_cast<std::uint32_t>(sum) * inverse;
                rest = static_cast<std::uint32_t>((sum + std::uint64_t{q} * product) >> 32);
            }
            return divide(rest);
        }
        WARPINT_HOST_DEVICE constexpr bool has_room(std::uint32_t prime) const {
            return count < group_primes && std::uint64_t{product} * prime <= max_product;
        }
        WARPINT_HOST_DEVICE constexpr void add(std::uint32_t prime) {
            product *= prime;
            inverse = limb::negative_inverse(product);
            std::uint64_t power = 1;
            for (int i = 0; i < together; ++i, power = (power << 32) % product)
                powers[i] = static_cast<std::uint32_t>(power % product);
            next_power = static_cast<std::uint32_t>((power << 32) % product);
            primes[count++] = {0u - limb::negative_inverse(prime), ~std::uint32_t{0} / prime};
        }
    };
    int count;
    int frequent; // groups: the others have rare primes alone
    Group groups[Groups];

    // Whether one of the primes divides a.
    WARPINT_HOST_DEVICE constexpr bool divide(std::uint32_t a) const {
        bool found = false;
        for (int i = 0; i < count; ++i)
            found = found || groups[i].divide(a);
        return found;
    }
    // The same of groups [first, last) for N limbs. The first group's constants lie at known places
    // of a kernel's parameters.
    template <int N>
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool divide(const std::uint32_t *a, int first,
                                                             int last) const {
        bool found = false;
        if (first == 0 && last > 0)
            found = groups[0].template divide<N>(a);
        WARPINT_UNROLL(1, 0)
        for (int i = first > 1 ? first : 1; i < last; ++i)
            found |= groups[i].template divide<N>(a);
        return found;
    }

    // Takes in another odd prime below 2^16, larger than those before; false if there is no room.
    WARPINT_HOST_DEVICE constexpr bool add(std::uint32_t prime) {
        int i = 0;
        while (i < count && !groups[i].has_room(prime))
            ++i;
        if (i == count) {
            if (count == Groups)
                return false;
            groups[count++] = {{}, 0, 1, 0, 0, {{1, 0}, {1, 0}, {1, 0}, {1, 0}}};
            frequent += prime < rare_prime ? 1 : 0;
        }
        groups[i].add(prime);
        return true;
    }
};

// The primes below `bound` that divide the odd number m, the smallest first, by trial of every odd
// number: for device code and constant expressions.
template <int Groups, int N, class Limb>
WARPINT_HOST_DEVICE constexpr SmallDivisors<Groups> small_divisors_by_trial(const Limb *m,
                                                                            std::uint32_t bound) {
    SmallDivisors<Groups> found{};
    for (std::uint32_t d = 3; d < bound; d += 2) {
        const Limb divisor = static_cast<Limb>(d);
        const Limb inverse = static_cast<Limb>(Limb{0} - limb::negative_inverse(divisor));
        Limb rest = 0;
        WARPINT_UNROLL(N, 16)
        for (int i = 0; i < N; ++i)
            detail::exact_remainder_step(rest, m[i], divisor, inverse);
        if ((rest == 0 || rest == divisor) && !found.divide(d) && !found.add(d))
            break;
    }
    return found;
}

// Those of hosts: 32 primes and more.
using HostSmallDivisors = SmallDivisors<16>;

#if WARPINT_HOSTED

namespace detail {

#if WARPINT_HAS_INT128
using TrialLimb = std::uint64_t;
#else
using TrialLimb = std::uint32_t;
#endif

// All odd primes below 2^16, in groups; made when a process needs it first, and never destroyed.
struct HostPrimeTable {
    static constexpr int bound = 1 << 16;
    static constexpr int prime_count = 6541;
    SmallPrime<TrialLimb> primes[prime_count];
    PrimeGroup<TrialLimb> groups[prime_count / 2 + 1]; // of two primes or more, but the last one
    int group_count = 1;

    HostPrimeTable() {
        bool composite[bound / 2] = {}; // odd numbers
        int count = 0;
        groups[0] = {1, 1, 0, 0};
        for (int p = 3; p < bound; p += 2) {
            if (composite[p / 2])
                continue;
            for (int multiple = 3 * p; multiple < bound; multiple += 2 * p)
                composite[multiple / 2] = true;
            const TrialLimb prime = static_cast<TrialLimb>(p);
            if (!product_fits(groups[group_count - 1].product, p))
                groups[group_count++] = {1, 1, count, count};
            primes[count++] = {TrialLimb{0} - limb::negative_inverse(prime), ~TrialLimb{0} / prime,
                               static_cast<std::uint16_t>(p)};
            groups[group_count - 1].product *= prime;
            groups[group_count - 1].end = count;
        }
        for (int i = 0; i < group_count; ++i)
            groups[i].inverse = TrialLimb{0} - limb::negative_inverse(groups[i].product);
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
    constexpr int together = 8; // chains of products side by side
    for (int first = 0; first < table.group_count; first += together) {
        const PrimeGroup<TrialLimb> *const groups = table.groups + first;
        const int left = table.group_count - first;
        const int count = left < together ? left : together;
        TrialLimb product[together], inverse[together], rest[together]{};
        for (int j = 0; j < together; ++j) {
            const auto &group = groups[j < count ? j : count - 1];
            product[j] = group.product;
            inverse[j] = group.inverse;
        }
        for (const TrialLimb word : words) {
            WARPINT_UNROLL_HOST
            for (int j = 0; j < together; ++j)
                exact_remainder_step(rest[j], word, product[j], inverse[j]);
        }
        for (int j = 0; j < count; ++j) {
            const auto &group = groups[j];
            for (int i = group.first; i < group.end; ++i) {
                const auto &prime = table.primes[i];
                if (prime.divides(rest[j]) && !found.add(prime.prime))
                    return found;
            }
        }
    }
    return found;
}

// The last modulus of a thread and its divisors. Nothing to destroy: formulas may still run while a
// thread ends.
struct LastSmallDivisors {
    static constexpr int max_limbs = 512; // of longer ones the search is short beside an inversion
    int limbs;
    std::uint32_t modulus[max_limbs];
    HostSmallDivisors divisors;

    static LastSmallDivisors &of_this_thread() {
        thread_local LastSmallDivisors last;
        return last;
    }
    bool holds(const std::uint32_t *m, int n) const {
        return n == limbs && std::memcmp(m, modulus, static_cast<std::size_t>(n) * 4) == 0;
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

// The odd primes below 2^16 that divide the odd number m of n limbs, the smallest first while there
// is room. Nothing to do if this thread asked for the same m last.
inline HostSmallDivisors small_divisors(const std::uint32_t *m, int n) {
    HostSmallDivisors found{};
    if (recall_small_divisors(found, m, n))
        return found;
    found = detail::small_divisors_by_table(m, n);
    if (n <= detail::LastSmallDivisors::max_limbs) {
        auto &last = detail::LastSmallDivisors::of_this_thread();
        last.limbs = n;
        std::memcpy(last.modulus, m, static_cast<std::size_t>(n) * 4);
        last.divisors = found;
    }
    return found;
}

#endif

} // namespace warpint::arith
