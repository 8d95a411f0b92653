// SPDX-License-Identifier: Apache-2.0
// The odd primes below 2^16 that divide a number m, and whether one of them divides another number.
// That is a quick test for common factors with m, for many numbers and one m.
//
// The primes are joined in groups whose product fits 32 bits: one remainder by the product serves
// the group, and it is taken without a division, as in arith/limbs/prime/small_primes.h.
//
// Primes from `rare_prime` on divide few numbers. Where many numbers are multiplied modulo m, it is
// enough to look for them in the product: a test of every number by one group costs 5% of its
// inverse (H200, 256 bits), and a row of 32 numbers in a warp of 32 rows is multiplied again in
// 1024 / prime cases.
#pragma once

#include "../prime/small_primes.h"

#if WARPINT_HOSTED
#include <algorithm>
#include <vector>
#endif

namespace warpint::arith {

inline constexpr std::uint32_t rare_prime = 1 << 13;

// Up to Groups groups of up to four primes, none of which has rare ones beside others.
template <int Groups>
struct SmallDivisors {
    struct Prime {
        std::uint32_t inverse; // modulo 2^32
        std::uint32_t largest; // quotient of a 32-bit number by the prime
    };
    static constexpr int group_primes = 4;
    struct Group {
        std::uint64_t inverse; // -1 / product modulo 2^64
        std::uint32_t product;
        int count;
        Prime primes[group_primes]; // unused ones divide 0 only

        WARPINT_HOST_DEVICE constexpr bool divide(std::uint32_t a) const {
            bool found = false;
            WARPINT_UNROLL(group_primes, group_primes)
            for (int i = 0; i < group_primes; ++i)
                found = found || a * primes[i].inverse <= primes[i].largest;
            return found;
        }
    };
    int count;
    int frequent; // groups: the others have rare primes
    Group groups[Groups];

    // Whether one of the primes divides a.
    WARPINT_HOST_DEVICE constexpr bool divide(std::uint32_t a) const {
        bool found = false;
        for (int i = 0; i < count; ++i)
            found = found || groups[i].divide(a);
        return found;
    }
    // The same of groups [first, last) for N limbs of 32 or 64 bits.
    template <int N, class Limb>
    WARPINT_HOST_DEVICE constexpr bool divide(const Limb *a, int first, int last) const {
        using Wide = limb::double_limb_t<Limb>;
        bool found = false;
        WARPINT_UNROLL(1, 0)
        for (int i = first; i < last; ++i) {
            const Group &group = groups[i];
            Limb rest = 0; // a B^-N modulo the product, at most the product
            WARPINT_UNROLL(N, 16)
            for (int j = 0; j < N; ++j) {
                const Wide sum = static_cast<Wide>(static_cast<Wide>(rest) + a[j]);
                const Limb q =
                    static_cast<Limb>(static_cast<Limb>(sum) * static_cast<Limb>(group.inverse));
                rest = static_cast<Limb>(
                    static_cast<Wide>(sum + static_cast<Wide>(q) * group.product) >>
                    limb::limb_bits<Limb>);
            }
            found = found || group.divide(static_cast<std::uint32_t>(rest));
        }
        return found;
    }

    // Takes in another odd prime below 2^16, larger than those before; false if there is no room.
    WARPINT_HOST_DEVICE constexpr bool add(std::uint32_t prime) {
        const bool is_rare = prime >= rare_prime;
        if (count == 0 || groups[count - 1].count == group_primes ||
            (is_rare && frequent == count) ||
            !detail::product_fits(groups[count - 1].product, static_cast<int>(prime))) {
            if (count == Groups)
                return false;
            groups[count++] = {0, 1, 0, {{1, 0}, {1, 0}, {1, 0}, {1, 0}}};
            frequent += is_rare ? 0 : 1;
        }
        Group &group = groups[count - 1];
        group.product *= prime;
        group.inverse = limb::negative_inverse(std::uint64_t{group.product});
        group.primes[group.count++] = {0u - limb::negative_inverse(prime),
                                       ~std::uint32_t{0} / prime};
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
            for (int i = group.first; i < group.end; ++i) {
                const auto &prime = table.primes[static_cast<std::size_t>(i)];
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
        std::copy(m, m + n, last.modulus);
        last.divisors = found;
    }
    return found;
}

#endif

} // namespace warpint::arith
