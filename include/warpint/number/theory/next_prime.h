// SPDX-License-Identifier: Apache-2.0
// The next prime, random primes, and safe primes.
#pragma once

#include "../../arith/limbs/division/divide.h"
#include "../../random.h"
#include "prime.h"

namespace warpint {

namespace number {

// std::range_error on the host, a compile error in a constant expression, nothing in device code.
WARPINT_HOST_DEVICE constexpr void report_range_error([[maybe_unused]] const char *what) {
#if !WARPINT_DEVICE_PASS
    if (what != nullptr)
        throw std::range_error(what);
#endif
}

// The candidates start + step i, 0 <= i < 1024. Multiples of small primes are struck out. Bit i of
// `composite` is set for a candidate with a small factor.
struct CandidateSieve {
    static constexpr int size = 1024;
    std::uint32_t composite[size / 32];

    // x / step modulo p, step = 2 or 4, x <= p, p odd.
    template <int Step>
    WARPINT_HOST_DEVICE static constexpr std::uint32_t divide_by_step(std::uint32_t x,
                                                                      std::uint32_t p) {
        for (int i = Step; i > 1; i /= 2)
            x = (x & 1) != 0 ? (x + p) / 2 : x / 2;
        return x == p ? 0 : x;
    }
    // Strikes out the candidates that are 0 modulo p (and 1, if Safe: then p divides (n - 1) / 2).
    // remainder = start mod p.
    template <bool Safe, int Step>
    WARPINT_HOST_DEVICE constexpr void strike(std::uint32_t remainder, std::uint32_t p) {
        for (std::uint32_t i = divide_by_step<Step>(p - remainder, p); i < size; i += p)
            composite[i / 32] |= 1u << (i % 32);
        if constexpr (Safe) {
            const std::uint32_t rest = remainder == 0 ? 1 : p + 1 - remainder;
            for (std::uint32_t i = divide_by_step<Step>(rest, p); i < size; i += p)
                composite[i / 32] |= 1u << (i % 32);
        }
    }

    // Strikes out the multiples of all small primes, which must be less than start.
    template <bool Safe, int Step, int L, class Limb>
    WARPINT_HOST_DEVICE constexpr void fill(const Limb *start) {
        for (int i = 0; i < size / 32; ++i)
            composite[i] = 0;
#if WARPINT_DEVICE_PASS
        // The odd primes below 256, bit i of word w for 64 w + 2 i + 1: no table in device code.
        for (int w = 0; w < 4; ++w) {
            std::uint32_t bits = w == 0   ? 0x64b4cb6eu
                                 : w == 1 ? 0x816d129au
                                 : w == 2 ? 0x864a4c32u
                                          : 0x2196820du;
            for (; bits != 0; bits &= bits - 1) {
                const auto p = static_cast<std::uint32_t>(64 * w + 2 * limb::countr_zero(bits) + 1);
                strike<Safe, Step>(arith::divide_row_by_limb<Limb>(nullptr, start, L,
                                                                   arith::prepare_divisor<Limb>(p)),
                                   p);
            }
        }
#else
        int length = L;
        while (length > 1 && start[length - 1] == 0)
            --length;
        const auto &table = arith::detail::small_prime_table<Limb>;
        for (int group = 0; group < arith::small_prime_groups<L, Limb>(); ++group) {
            const auto &g = table.groups[group];
            const Limb rest = arith::divide_row_by_limb<Limb>(nullptr, start, length,
                                                              arith::prepare_divisor(g.product));
            for (int i = g.first; i < g.end; ++i) {
                const std::uint32_t p = table.primes[i].prime;
                strike<Safe, Step>(static_cast<std::uint32_t>(rest % p), p);
            }
        }
#endif
    }
};

// The first n = start + Step i, i >= 0, that is prime (Safe: a safe prime), or 0 if that does not
// fit N bits. On input: start is odd (Safe: 3 mod 4) and at least 2^14, so larger than small primes
// and their doubles.
template <bool Safe, int N, int Wide>
WARPINT_HOST_DEVICE constexpr BigInt<N> first_prime_from(BigInt<Wide> start) {
    constexpr int step = Safe ? 4 : 2;
    constexpr int limbs = prime_limbs<Wide>;
    while (bit_width(start) <= N) {
        CandidateSieve sieve;
        on_machine_limbs(
            [&sieve]<class Limb>(const Limb *x) WARPINT_INLINE_LAMBDA {
                sieve.template fill<Safe, step, machine_limbs<limbs, Limb>>(x);
            },
            copied_input<BigInt<Wide>::limb_count, limbs>(start.limbs));
        for (int i = 0; i < CandidateSieve::size; ++i) {
            if ((sieve.composite[i / 32] >> (i % 32) & 1u) != 0)
                continue;
            const BigInt<Wide> candidate = start + static_cast<std::uint32_t>(step * i);
            if (bit_width(candidate) > N)
                return BigInt<N>{};
            const auto n = to<BigInt<N>>(candidate);
            if constexpr (Safe) {
                if (is_safe_prime(n))
                    return n;
            } else {
                if (passes<PrimeTests::without_trial_division>(n))
                    return n;
            }
        }
        start = start + static_cast<std::uint32_t>(step * CandidateSieve::size);
    }
    return BigInt<N>{};
}

// The same below 2^14 + 2^9, one by one from start on.
template <bool Safe, int N>
WARPINT_HOST_DEVICE constexpr BigInt<N> first_small_prime_from(std::uint32_t start) {
    for (std::uint32_t n = start; N >= 32 || n >> (N % 32) == 0; ++n) {
        if (arith::is_small_prime(n) && (!Safe || arith::is_small_prime(n / 2)))
            return BigInt<N>(n);
    }
    return BigInt<N>{};
}

template <bool Safe, AnyNumber T>
WARPINT_HOST_DEVICE constexpr BigInt<bits_of<T>> next_prime_after(const T &n) {
    constexpr int bits = bits_of<T>;
    using Wide = BigInt<bits + 16>; // no sum below overflows
    const auto x = as_number(n);
    const Wide after = is_negative(x) ? Wide(0) : to<Wide>(x) + 1u;
    BigInt<bits> r{};
    if (bit_width(after) <= 14) {
        r = first_small_prime_from<Safe, bits>(after.limbs[0]);
    } else if constexpr (bits > 13) {
        r = first_prime_from<Safe, bits>(after | (Safe ? 3u : 1u));
    }
    if (!static_cast<bool>(r))
        report_range_error("warpint: the next prime does not fit the number");
    return r;
}

} // namespace number

// The smallest prime above n, prime in the sense of is_probable_prime; 2 for n < 2. Variable
// time. Errors: a prime that does not fit n's width is a std::range_error on the host; device code
// returns 0.
template <AnyNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::bits_of<T>> next_prime(const T &n) {
    return number::next_prime_after<false>(n);
}

// The smallest safe prime above n: a prime p for which (p - 1) / 2 is prime. Otherwise as
// next_prime.
template <AnyNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<number::bits_of<T>> next_safe_prime(const T &n) {
    return number::next_prime_after<true>(n);
}

// A random prime of exactly N bits, uniform among them if the generator is. Numbers are drawn until
// one is prime, about 0.35 N of them. Variable time. A prime is as unpredictable as its generator:
// keys need a cryptographic one.
// Example:
//     Philox generator(1);
//     const BigInt<256> p = random_prime<256>(generator);
template <int N, class G>
    requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<N> random_prime(G &&generator) {
    static_assert(N >= 2, "random_prime<N>: the smallest primes have two bits");
    BigInt<N> n{};
    do {
        n = set_bit(random_bits<N>(generator), N - 1);
        if constexpr (N > 2)
            n.limbs[0] |= 1;
    } while (!is_probable_prime(n));
    return n;
}

// A random safe prime of exactly N bits, uniform among them, after some 0.1 N^2 draws. Otherwise as
// random_prime.
// Example:
//     Philox generator(1);
//     const BigInt<64> p = random_safe_prime<64>(generator); // (p - 1) / 2 is prime too
template <int N, class G>
    requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<N> random_safe_prime(G &&generator) {
    static_assert(N >= 3, "random_safe_prime<N>: the smallest safe primes have three bits");
    BigInt<N> p{};
    do {
        p = set_bit(random_bits<N>(generator), N - 1);
        p.limbs[0] |= N == 3 ? 1 : 3;
    } while (!is_safe_prime(p));
    return p;
}

} // namespace warpint
