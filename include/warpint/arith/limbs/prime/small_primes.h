// SPDX-License-Identifier: Apache-2.0
// Odd primes below a small bound, and the smallest of them that divides a number.
//
// Primes are taken in groups whose product fits a limb: one remainder by the product serves the
// whole group. Only divisibility matters, so the remainder is an exact one, r with a = -r B^N
// modulo the product, which costs two products a limb and no division (Jebelean, "An algorithm for
// exact division", Journal of Symbolic Computation 15, 1993); and p divides r exactly when r p^-1
// mod B is at most (B - 1) / p (Granlund and Montgomery, "Division by invariant integers using
// multiplication", 1994, section 9). Hosts read a table made by the compiler. Device code has the
// same constants as immediate operands of unrolled code, and fewer of them.
#pragma once

#include "../linear.h"

#include <utility>

namespace warpint::arith {

// All odd primes below this are in the table for limbs of this type.
template <class Limb>
inline constexpr int small_prime_limit = sizeof(Limb) == 1     ? 128
                                         : WARPINT_DEVICE_PASS ? 256
                                                               : 4096;

// Whether n is prime, by division by every odd number up to its square root: for small n.
WARPINT_HOST_DEVICE constexpr bool is_small_prime(std::uint32_t n) {
    if (n < 4 || n % 2 == 0)
        return n == 2 || n == 3;
    for (std::uint32_t divisor = 3; divisor * divisor <= n; divisor += 2) {
        if (n % divisor == 0)
            return false;
    }
    return true;
}

namespace detail {

// Whether a p fits a limb.
template <class Limb>
WARPINT_HOST_DEVICE constexpr bool product_fits(Limb a, int p) {
    return a <= static_cast<Limb>(~Limb{0}) / static_cast<Limb>(p);
}

struct TableSize {
    int primes;
    int groups;
};
template <class Limb>
WARPINT_HOST_DEVICE constexpr TableSize small_prime_table_size() {
    TableSize size{0, 1};
    Limb product = 1;
    for (int p = 3; p < small_prime_limit<Limb>; p += 2) {
        if (!is_small_prime(static_cast<std::uint32_t>(p)))
            continue;
        ++size.primes;
        if (!product_fits(product, p)) {
            ++size.groups;
            product = 1;
        }
        product = static_cast<Limb>(1u * product * static_cast<Limb>(p));
    }
    return size;
}

template <class Limb>
struct SmallPrime {
    Limb inverse; // p^-1 mod B
    Limb largest; // floor((B - 1) / p), the largest quotient by p
    std::uint16_t prime;

    // r is a multiple of the prime.
    WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool divides(Limb r) const {
        return static_cast<Limb>(1u * r * inverse) <= largest;
    }
};

template <class Limb>
struct PrimeGroup {
    Limb product; // of the primes
    Limb inverse; // product^-1 mod B
    int first;    // index of the group's smallest prime
    int end;      // one past that of its largest
};

template <class Limb>
struct SmallPrimeTable {
    static constexpr TableSize size = small_prime_table_size<Limb>();
    SmallPrime<Limb> primes[size.primes];
    PrimeGroup<Limb> groups[size.groups];
};

template <class Limb>
WARPINT_HOST_DEVICE constexpr SmallPrimeTable<Limb> make_small_prime_table() {
    constexpr Limb all_ones = static_cast<Limb>(~Limb{0});
    SmallPrimeTable<Limb> table{};
    int count = 0;
    int group = 0;
    table.groups[0] = {1, 1, 0, 0};
    for (int p = 3; p < small_prime_limit<Limb>; p += 2) {
        if (!is_small_prime(static_cast<std::uint32_t>(p)))
            continue;
        const Limb prime = static_cast<Limb>(p);
        table.primes[count] = {static_cast<Limb>(0u - limb::negative_inverse(prime)),
                               static_cast<Limb>(all_ones / prime), static_cast<std::uint16_t>(p)};
        if (!product_fits(table.groups[group].product, p))
            table.groups[++group] = {1, 1, count, count};
        PrimeGroup<Limb> &g = table.groups[group];
        g.product = static_cast<Limb>(1u * g.product * prime);
        g.inverse = static_cast<Limb>(0u - limb::negative_inverse(g.product));
        g.end = ++count;
    }
    return table;
}

template <class Limb>
inline constexpr SmallPrimeTable<Limb> small_prime_table = make_small_prime_table<Limb>();

// One limb of the exact remainder by d; r becomes the remainder so far, at most d.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void exact_remainder_step(Limb &r, Limb a, Limb d,
                                                                       Limb d_inverse) {
    const Limb borrow = static_cast<Limb>(a < r);
    const Limb q = static_cast<Limb>(1u * static_cast<Limb>(a - r) * d_inverse);
    Limb high = 0;
    limb::multiply_add(q, d, Limb{0}, high);
    r = static_cast<Limb>(high + borrow);
}

// The smallest prime of group I that divides a, or 0, with the table in the code.
template <int N, int I, class Limb>
WARPINT_HOST_DEVICE constexpr std::uint32_t factor_in_group(const Limb *a) {
    constexpr PrimeGroup<Limb> group = small_prime_table<Limb>.groups[I];
    Limb r = 0;
    WARPINT_UNROLL(N, 16)
    for (int i = 0; i < N; ++i)
        exact_remainder_step(r, a[i], group.product, group.inverse);
    return [r]<int... J>(std::integer_sequence<int, J...>) {
        std::uint32_t factor = 0;
        const auto test = [&]<int Index>(std::integral_constant<int, Index>) {
            constexpr SmallPrime<Limb> p = small_prime_table<Limb>.primes[Index];
            if (p.divides(r))
                factor = p.prime;
        };
        // From the largest to the smallest.
        (test(std::integral_constant<int, group.end - 1 - J>{}), ...);
        return factor;
    }(std::make_integer_sequence<int, group.end - group.first>{});
}

template <int N, class Limb, int... I>
WARPINT_HOST_DEVICE constexpr std::uint32_t factor_in_groups(const Limb *a,
                                                             std::integer_sequence<int, I...>) {
    std::uint32_t factor = 0;
    ((factor = factor != 0 ? factor : factor_in_group<N, I>(a)), ...);
    return factor;
}

} // namespace detail

// Groups worth a trial division before a test that costs some 8 N^3 products: about as many primes
// as make a further one cost more than it saves, those below 8 w for numbers of w bits.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int small_prime_groups() {
    const auto &table = detail::small_prime_table<Limb>;
    int groups = 1;
    while (groups < detail::SmallPrimeTable<Limb>::size.groups &&
           table.primes[table.groups[groups].first].prime < 8 * N * limb::limb_bits<Limb>)
        ++groups;
    return groups;
}

// The primes that small_factor tries are all those below this bound; a number below its square
// without such a factor is prime.
template <int N, class Limb>
inline constexpr int small_factor_bound =
    small_prime_groups<N, Limb>() == detail::SmallPrimeTable<Limb>::size.groups
        ? small_prime_limit<Limb>
        : detail::small_prime_table<Limb>
              .primes[detail::small_prime_table<Limb>.groups[small_prime_groups<N, Limb>() - 1].end]
              .prime;

// The smallest odd prime below small_factor_bound<N, Limb> that divides a, or 0 if there is none (3
// for a = 0). Variable time.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr std::uint32_t small_factor(const Limb *a) {
    constexpr int groups = small_prime_groups<N, Limb>();
#if WARPINT_DEVICE_PASS
    return detail::factor_in_groups<N>(a, std::make_integer_sequence<int, groups>{});
#else
    int length = N;
    while (length > 1 && a[length - 1] == 0)
        --length;
    constexpr int together = 4; // chains of products side by side, each as slow as its latency
    const auto &table = detail::small_prime_table<Limb>;
    // The first group alone: it holds a factor of most composite numbers.
    for (int group = 0, end = 1; group < groups; group = end, end += together) {
        if (end > groups)
            end = groups;
        Limb r[together]{};
        if (end - group == together) {
            for (int i = 0; i < length; ++i) {
                WARPINT_UNROLL_HOST
                for (int j = 0; j < together; ++j)
                    detail::exact_remainder_step(r[j], a[i], table.groups[group + j].product,
                                                 table.groups[group + j].inverse);
            }
        } else {
            for (int j = group; j < end; ++j) {
                for (int i = 0; i < length; ++i)
                    detail::exact_remainder_step(r[j - group], a[i], table.groups[j].product,
                                                 table.groups[j].inverse);
            }
        }
        for (int j = group; j < end; ++j) {
            for (int i = table.groups[j].first; i < table.groups[j].end; ++i) {
                if (table.primes[i].divides(r[j - group]))
                    return table.primes[i].prime;
            }
        }
    }
    return 0;
#endif
}

} // namespace warpint::arith
