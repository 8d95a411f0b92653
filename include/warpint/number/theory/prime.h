// SPDX-License-Identifier: Apache-2.0
// Primality of plain numbers.
#pragma once

#include "../../arith/limbs/prime/trial_division.h"
#include "../../bigint.h"
#include "../machine.h"
#include "../random.h"
#include "montgomery_ring.h"
#include "primality.h"

namespace warpint {

namespace number {

// Limbs of the Montgomery form: an even number, so that hosts may use 64-bit words.
template <int N>
inline constexpr int prime_limbs = 2 * ((N + 63) / 64);

// Windows of powers to random bases.
template <int L, class Limb>
using PrimeRing =
    theory::MontgomeryRing<L, WARPINT_DEVICE_PASS || L * sizeof(Limb) <= 64 ? 4 : 5, Limb>;

// Which tests to make.
enum class PrimeTests { all, without_trial_division, trial_division, base_2, lucas };

// False if n is proved composite by the tests. On input: without trial division, n is odd and > 1.
template <PrimeTests tests, int L, class Limb>
WARPINT_HOST_DEVICE constexpr bool passes(const Limb *n) {
    if constexpr (tests == PrimeTests::all || tests == PrimeTests::trial_division) {
        const auto verdict = arith::divide_by_small_primes<L>(n);
        if (tests == PrimeTests::trial_division || verdict != arith::Primality::undecided)
            return verdict != arith::Primality::composite;
    }
    if constexpr (tests != PrimeTests::trial_division) {
        const PrimeRing<L, Limb> ring(n);
        if constexpr (tests == PrimeTests::base_2) {
            return theory::is_strong_probable_prime_base_2(ring);
        } else if constexpr (tests == PrimeTests::lucas) {
            return theory::is_strong_lucas_probable_prime(ring);
        } else {
            return theory::passes_baillie_psw(ring);
        }
    }
    return true;
}

template <PrimeTests tests, int N>
WARPINT_HOST_DEVICE constexpr bool passes(const BigInt<N> &n) {
    if constexpr (may_be_short<BigInt<N>>) {
        if (are_short(n))
            return passes<tests>(shortened<short_power_bits>(n));
    }
    return on_machine_limbs(
        []<class Limb>(const Limb *limbs) WARPINT_INLINE_LAMBDA {
            return passes<tests, machine_limbs<prime_limbs<N>, Limb>>(limbs);
        },
        copied_input<BigInt<N>::limb_count, prime_limbs<N>>(n.limbs));
}

// Strong tests to `rounds` bases from the source, for odd n > 1. A base is uniform in [0, R), R =
// 2^(64 ceil(N / 64)), and then reduced; 0, 1 and -1, which say nothing, pass.
template <int N, class G>
WARPINT_HOST_DEVICE constexpr bool passes_miller_rabin(const BigInt<N> &n, int rounds,
                                                       RandomLimbs<G> &source) {
    return on_machine_limbs(
        [rounds, &source]<class Limb>(const Limb *limbs) WARPINT_INLINE_LAMBDA {
            constexpr int L = machine_limbs<prime_limbs<N>, Limb>;
            const PrimeRing<L, Limb> modulo(limbs);
            return theory::passes_rounds(modulo, rounds, [&source](const auto &ring, auto &x) {
                for (int i = 0; i < L; ++i) {
                    x.limbs[i] = source.next();
                    if constexpr (sizeof(Limb) == 8)
                        x.limbs[i] |= static_cast<Limb>(source.next()) << 32;
                }
                ring.enter(x);
            });
        },
        copied_input<BigInt<N>::limb_count, prime_limbs<N>>(n.limbs));
}

// A stream of random numbers that n determines: the key depends on all of n.
template <int N>
WARPINT_HOST_DEVICE constexpr Philox generator_of(const BigInt<N> &n) {
    std::uint64_t key = 0xcbf29ce484222325u; // FNV-1a over the significant limbs
    int count = BigInt<N>::limb_count;
    while (count > 1 && n.limbs[count - 1] == 0)
        --count;
    for (int i = 0; i < count; ++i)
        key = (key ^ n.limbs[i]) * 0x100000001b3u;
    return Philox(key, n.limbs[0]);
}

} // namespace number

// Whether n is prime. false is a proof that it is not. true is certain below 2^64; above, it means
// that n passed the test of Baillie, Pomerance, Selfridge and Wagstaff (a strong test to base 2 and
// a strong Lucas test), which no known composite number passes. Negative numbers, 0 and 1 are not
// prime. Host and device agree. Variable time.
// Example:
//     const bool prime = is_probable_prime((BigInt<127>(0) - 1)); // 2^127 - 1: true
template <AnyNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_probable_prime(const T &n) {
    const auto x = number::as_number(n);
    if (number::is_negative(x))
        return false;
    return number::passes<number::PrimeTests::all>(number::to<BigInt<number::bits_of<T>>>(x));
}

// The same with `rounds` more strong tests (Miller-Rabin) for numbers from 2^64 on, to bases from
// the generator. A composite number passes these with probability below 4^-rounds, unless whoever
// chose it could foresee the generator's results.
template <AnyNumber T, class G>
    requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_probable_prime(const T &n, int rounds,
                                                                   G &&generator) {
    if (!is_probable_prime(n))
        return false;
    const auto x = number::to<BigInt<number::bits_of<T>>>(number::as_number(n));
    if (rounds <= 0 || bit_width(x) <= 64)
        return true;
    number::RandomLimbs source(generator);
    return number::passes_miller_rabin(x, rounds, source);
}

// The same with bases that depend on n alone. The result is reproducible, but whoever makes n can
// know the bases: for numbers from an adversary, pass a generator of your own.
template <AnyNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_probable_prime(const T &n, int rounds) {
    const auto x = number::to<BigInt<number::bits_of<T>>>(number::as_number(n));
    return is_probable_prime(n, rounds, number::generator_of(x));
}

// Whether p and (p - 1) / 2 are prime, in the sense of is_probable_prime. Variable time.
template <AnyNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool is_safe_prime(const T &p) {
    using number::PrimeTests;
    const auto value = number::as_number(p);
    if (number::is_negative(value))
        return false;
    const auto x = number::to<BigInt<number::bits_of<T>>>(value);
    if (bit_width(x) <= 3) // 5 and 7
        return x.limbs[0] == 5 || x.limbs[0] == 7;
    if ((x.limbs[0] & 3) != 3)
        return false;
    // The cheap tests of both first.
    const auto half = x >> 1;
    return number::passes<PrimeTests::trial_division>(x) &&
           number::passes<PrimeTests::trial_division>(half) &&
           number::passes<PrimeTests::base_2>(half) && number::passes<PrimeTests::base_2>(x) &&
           number::passes<PrimeTests::lucas>(half) && number::passes<PrimeTests::lucas>(x);
}

} // namespace warpint
