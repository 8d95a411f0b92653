// SPDX-License-Identifier: Apache-2.0
// Primality of numbers over lanes, and finding primes. The tests are those of BigInt and give the
// same answers. The numbers of a warp are tested together: a test ends when the last of them is
// decided. Variable time.
#pragma once

#include "../theory/next_prime.h"
#include "../theory/primality.h"
#include "montgomery_ring.h"
#include "random.h"

namespace warpint {

namespace warp_int {

// Whether n, at least 2^16, has no factor among the primes up to 29.
template <class T>
WARPINT_HOST_DEVICE bool survives_trial_division(const T &n) {
    const bool odd = test_bit(n, 0);
    const std::uint32_t rest = detail::remainder(n, 3234846615u); // 3 5 7 ... 29
    bool survives = odd;
    WARPINT_UNROLL(1, 0)
    for (std::uint32_t factor = 3; factor < 30; factor += 2)
        survives = survives && rest % factor != 0;
    return survives;
}

// Whether n passes the tests that BigInt's is_probable_prime makes.
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE bool passes_baillie_psw(T n) {
    const typename T::group g;
    const bool short_one = bit_width(n) <= 16;
    const bool prime_word = arith::is_small_prime(static_cast<std::uint32_t>(n) & 0xffffu);
    if constexpr (T::bits <= 16) {
        return prime_word;
    } else {
        const T candidate = select(short_one, T(65537), n);
        const bool survives = survives_trial_division(candidate);
        bool passes = !short_one && survives;
        // Decided numbers come along as another that is odd.
        if (g.vote(passes)) {
            const LanesRing<T> ring(select(passes, candidate, T(65537)));
            passes = theory::passes_baillie_psw(ring, passes);
        }
        return short_one ? prime_word : passes;
    }
}

// The magnitude of a number, 0 for a negative one.
template <class T>
WARPINT_HOST_DEVICE unsigned_t<T> positive_part(const T &n) {
    const bool negative = n.is_negative();
    return select(negative, unsigned_t<T>(0), to<unsigned_t<T>>(n));
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
    using Pattern = warp_int::unsigned_t<T>;
    const typename T::group g;
    const Pattern x = warp_int::positive_part(n);
    bool passes = is_probable_prime(x);
    if constexpr (T::bits > 64) {
        const bool wide = bit_width(x) > 64;
        const bool tested = passes && wide;
        if (rounds > 0 && g.vote(tested)) {
            const warp_int::LanesRing<Pattern> ring(warp_int::select(tested, x, Pattern(65537)));
            const bool strong =
                theory::passes_rounds(ring, rounds, [&generator](const auto &in, auto &base) {
                    base = random_bits<Pattern>(generator);
                    in.enter(base);
                });
            passes = passes && (!tested || strong);
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
WARPINT_HOST_DEVICE unsigned_t<T> next_prime_after(const T &n) {
    using R = unsigned_t<T>;
    using Wide = number::like_t<BigInt<T::bits + 16>, T>;
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
[[nodiscard]] WARPINT_HOST_DEVICE warp_int::unsigned_t<T> next_prime(const T &n) {
    return warp_int::next_prime_after<false>(n);
}
// The smallest safe prime above n; otherwise as next_prime.
template <WarpNumber T>
[[nodiscard]] WARPINT_HOST_DEVICE warp_int::unsigned_t<T> next_safe_prime(const T &n) {
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
