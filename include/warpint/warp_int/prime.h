// SPDX-License-Identifier: Apache-2.0
// Primality of numbers over lanes, and finding primes. The tests are those of BigInt and give the
// same answers. The numbers of a warp are tested together: a test ends when the last of them is
// decided. Variable time.
#pragma once

#include "../algorithm/prime/lucas.h"
#include "../theory/next_prime.h"
#include "lucas.h"
#include "random.h"

namespace warpint {

namespace warp_int {

// Whether the low 16 bits of a number are a prime; computed by every lane for itself.
WARPINT_HOST_DEVICE constexpr bool is_prime_word(std::uint32_t n) {
    if (n < 4)
        return n >= 2;
    for (std::uint32_t factor = 2; factor < 256 && factor * factor <= n; ++factor) {
        if (n % factor == 0)
            return false;
    }
    return true;
}

// Whether n, at least 2^16, has no factor among the primes up to 29.
template <class T>
WARPINT_HOST_DEVICE bool survives_trial_division(const T &n) {
    const bool odd = test_bit(n, 0);
    const auto rest = static_cast<std::uint32_t>(n % 3234846615u); // 3 5 7 ... 29
    bool survives = odd;
    WARPINT_UNROLL(1, 0)
    for (std::uint32_t factor = 3; factor < 30; factor += 2)
        survives = survives && rest % factor != 0;
    return survives;
}

// Whether n, odd and at least 2^16, passes a strong test to the base.
template <class T>
WARPINT_HOST_DEVICE bool is_strong_probable_prime(const T &n, const T &base) {
    const typename T::group g;
    const T minus_one = n - 1;
    const int twos = countr_zero(minus_one);
    const int most = g.largest(twos);
    T x = pow(base, minus_one >> twos, n);
    const bool is_zero = !static_cast<bool>(x);
    const bool is_one = x == 1;
    const bool is_minus_one = x == minus_one;
    bool passes = is_zero || is_one || is_minus_one;
    for (int i = 1; i < most; ++i) {
        x = sqrmod(x, n);
        const bool found = x == minus_one;
        passes = passes || (i < twos && found);
    }
    return passes;
}

// Selfridge's D for n, odd and at least 2^16, or 0 if n is found to be composite on the way.
template <class T>
WARPINT_HOST_DEVICE int selfridge_discriminant(const T &n) {
    const typename T::group g;
    constexpr int bound = 32767;
    constexpr int tries_before_square_check = 8;
    int found = 0;
    bool searching = true;
    int tries = 0;
    for (int size = 5; size <= bound && g.vote(searching); size += 2) {
        const auto rest = static_cast<std::uint32_t>(n % static_cast<unsigned>(size));
        const int symbol =
            algorithm::detail::jacobi_of_words(rest, static_cast<std::uint32_t>(size));
        if (searching && symbol < 0)
            found = size % 4 == 1 ? size : -size;
        searching = searching && symbol > 0; // 0: a common factor, smaller than n
        if (++tries == tries_before_square_check && g.vote(searching)) {
            const T rest_of_root = sqrt_rem(n).remainder;
            const bool is_square = !static_cast<bool>(rest_of_root);
            searching = searching && !is_square;
        }
    }
    return found;
}

// The strong Lucas test with Selfridge's parameters for n, odd and at least 2^16.
template <class T>
WARPINT_HOST_DEVICE bool is_strong_lucas_probable_prime(const T &n) {
    const typename T::group g;
    const int discriminant = selfridge_discriminant(n);
    const int q = (1 - discriminant) / 4;
    const WarpModulus<T::bits, T::lanes, traits<T>::together> m(n);
    // P' = 1 / Q - 2
    const auto inverse_of_q = inverse(T(q < 0 ? -q : q), n);
    const T size = *inverse_of_q;
    const bool invertible = inverse_of_q.has_value();
    auto p = m(size);
    p = select(q < 0, -p, p);
    const auto two = m(2);
    p = p - two;
    const T complement = ~n;
    const int twos = countr_zero(complement); // n + 1 = 2^twos d
    const T d = set_bit(n >> twos, 0);
    const int most = g.largest(twos);
    const auto pair = lucas_pair(p, two, d);
    auto v = pair.v;
    const bool is_two = v == two;
    const bool is_minus_two = v == -two;
    const bool matches = pair.w + pair.w == p * v;
    const bool at_once = is_two || is_minus_two;
    bool passes = at_once && matches;
    for (int r = 1; r < most; ++r) {
        const bool zero = !static_cast<bool>(v.value());
        passes = passes || (!at_once && zero && r < twos);
        v = sqr(v) - two;
    }
    return discriminant != 0 && invertible && passes;
}

// Whether n passes the tests that BigInt's is_probable_prime makes.
template <class T>
WARPINT_HOST_DEVICE bool passes_baillie_psw(const T &n) {
    const typename T::group g;
    const bool short_one = bit_width(n) <= 16;
    const bool prime_word = is_prime_word(static_cast<std::uint32_t>(n) & 0xffffu);
    if constexpr (T::bits <= 16) {
        return prime_word;
    } else {
        const T stand_in = T(65537);
        const T candidate = select(short_one, stand_in, n);
        const bool survives = survives_trial_division(candidate);
        bool passes = !short_one && survives;
        // Decided numbers carry on with a dummy candidate, to keep the warp converged.
        const auto undecided = [&] { return select(passes, candidate, stand_in); };
        if (g.vote(passes)) {
            const bool strong = is_strong_probable_prime(undecided(), T(2));
            passes = passes && strong;
        }
        if (g.vote(passes)) {
            const bool lucas = is_strong_lucas_probable_prime(undecided());
            passes = passes && lucas;
        }
        return short_one ? prime_word : passes;
    }
}

// The magnitude of a number, 0 for a negative one.
template <class T>
WARPINT_HOST_DEVICE pattern_t<T> positive_part(const T &n) {
    const bool negative = n.is_negative();
    return select(negative, pattern_t<T>(0), to<pattern_t<T>>(n));
}

} // namespace warp_int

// Whether n is prime, as is_probable_prime of BigInt says.
template <WarpNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE bool is_probable_prime(const T &n) {
    return warp_int::passes_baillie_psw(warp_int::positive_part(n));
}
// The same with `rounds` more strong tests for numbers from 2^64 on, to bases from the generator.
// All lanes of a number must call the generator alike.
template <WarpNumber T, class G>
requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE bool is_probable_prime(const T &n, int rounds, G &&generator) {
    using Pattern = warp_int::pattern_t<T>;
    const typename T::group g;
    const Pattern x = warp_int::positive_part(n);
    bool passes = is_probable_prime(x);
    if constexpr (T::bits > 64) {
        const bool wide = bit_width(x) > 64;
        for (int round = 0; round < rounds; ++round) {
            const bool going = passes && wide;
            if (!g.vote(going))
                break;
            const Pattern tested = warp_int::select(going, x, Pattern(65537));
            const Pattern base = random_bits<Pattern>(generator) % tested;
            const bool strong = warp_int::is_strong_probable_prime(tested, base);
            passes = passes && (!wide || strong);
        }
    }
    return passes;
}
// The same with bases that depend on the low bits of n alone: not for numbers from an adversary.
template <WarpNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE bool is_probable_prime(const T &n, int rounds) {
    return is_probable_prime(n, rounds, Philox(static_cast<std::uint64_t>(n)));
}

// Whether p and (p - 1) / 2 are prime.
template <WarpNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE bool is_safe_prime(const T &p) {
    const auto x = warp_int::positive_part(p);
    const bool half = is_probable_prime(x >> 1);
    const bool whole = is_probable_prime(x);
    const bool odd = test_bit(x, 0);
    return half && whole && odd;
}

namespace warp_int {

// The first prime (or safe prime) above n, or 0 if it does not fit.
template <bool Safe, class T>
WARPINT_HOST_DEVICE pattern_t<T> next_prime_after(const T &n) {
    using R = pattern_t<T>;
    using Wide = Number<T::bits + 16, T::lanes, traits<T>::together, false>;
    const typename T::group g;
    const bool negative = n.is_negative();
    Wide candidate = select(negative, Wide(0), to<Wide>(positive_part(n)) + 1);
    Wide result(0);
    bool searching = true;
    while (g.vote(searching)) {
        // Advances to the next candidate that survives trial division, so that no test is wasted.
        bool advancing = searching;
        while (g.vote(advancing)) {
            const bool short_one = bit_width(candidate) <= 16;
            const bool survives = survives_trial_division(candidate);
            advancing = advancing && !short_one && !survives;
            candidate = select(advancing, candidate + 1, candidate);
        }
        const bool prime = Safe ? is_safe_prime(candidate) : is_probable_prime(candidate);
        const bool fits = bit_width(candidate) <= T::bits;
        result = select(searching && prime && fits, candidate, result);
        searching = searching && !prime && fits;
        candidate = select(searching, candidate + 1, candidate);
    }
    const bool found = static_cast<bool>(result);
    if (!found)
        number::report_range_error("warpint: the next prime does not fit the number");
    return to<R>(result);
}

} // namespace warp_int

// The smallest prime above n, 2 for n < 2. If it does not fit n's width: std::range_error on
// a host, 0 in device code.
template <WarpNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE warp_int::pattern_t<T> next_prime(const T &n) {
    return warp_int::next_prime_after<false>(n);
}
// The smallest safe prime above n; otherwise as next_prime.
template <WarpNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE warp_int::pattern_t<T> next_safe_prime(const T &n) {
    return warp_int::next_prime_after<true>(n);
}

// A prime of exactly W's width, as random_prime of BigInt draws it: random_prime<WarpInt<N, L>>(g).
// All lanes of a number must call the generator alike.
template <WarpNumber W, class G>
requires number::RandomBitGenerator<std::remove_reference_t<G>>
[[nodiscard]] WARPINT_HOST_DEVICE W random_prime(G &&generator) {
    static_assert(W::bits >= 2 && !W::is_signed,
                  "random_prime: W must be unsigned and at least two bits wide");
    const typename W::group g;
    W result(0);
    bool searching = true;
    while (g.vote(searching)) {
        W n = set_bit(random_bits<W>(generator), W::bits - 1);
        if constexpr (W::bits > 2)
            n = set_bit(n, 0);
        const bool prime = is_probable_prime(n);
        result = warp_int::select(searching && prime, n, result);
        searching = searching && !prime;
    }
    return result;
}

} // namespace warpint
