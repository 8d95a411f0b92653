// SPDX-License-Identifier: Apache-2.0
// Tests of primality in any ring: strong probable prime tests, the strong Lucas test, and the two
// combined (Baillie and Wagstaff, "Lucas pseudoprimes", Mathematics of Computation 35, 1980;
// Pomerance, Selfridge and Wagstaff, "The pseudoprimes to 25 10^9", ibid.). n is the modulus of the
// ring, odd and > 1. Variable time.
#pragma once

#include "../../arith/limbs/prime/words.h"
#include "../../limb/local_arrays.h"
#include "lucas.h"

namespace warpint::theory {

// Whether 2^d = 1 or 2^(2^r d) = -1 mod n for some r < s, where n - 1 = 2^s d: a strong probable
// prime to base 2. Costs a square and a doubling a bit.
template <Ring R>
WARPINT_HOST_DEVICE constexpr bool is_strong_probable_prime_base_2(const R &ring) {
    using Element = typename R::element;
    limb::keep_arrays_apart();
    const auto bits = ring.bits();
    const Element one = ring.one();
    Element minus_one{};
    ring.negate(minus_one, one);
    const int s = ring.zeros_below();
    const int most = ring.largest(s);
    const int width = ring.width();
    const int longest = ring.largest(width);
    Element y = one;
    ring.double_where(y, width == longest);
    bool passes = ring.equal(y, minus_one); // n = 3
    WARPINT_UNROLL(2, 1)
    for (int i = longest - 2; i > 0 && ring.vote(!passes); --i) {
        // y becomes 2 to the bits of n from i on, but for those below s.
        ring.square(y, y);
        const bool bit = bits[i];
        ring.double_where(y, i >= s && bit);
        if (i <= most) {
            const bool is_one = ring.equal(y, one);
            const bool is_minus_one = ring.equal(y, minus_one);
            passes = passes || (i == s && is_one) || (i <= s && is_minus_one);
        }
    }
    return passes;
}

// The same for the base x, which is destroyed; x = 0, 1 and -1 pass.
template <Ring R, class Element>
WARPINT_HOST_DEVICE constexpr bool is_strong_probable_prime(const R &ring, Element &x) {
    limb::keep_arrays_apart();
    const Element one = ring.one();
    Element minus_one{};
    ring.negate(minus_one, one);
    const int s = ring.zeros_below();
    bool passes = ring.is_zero(x);
    if (ring.vote(!passes)) {
        ring.raise(x, s);
        const bool is_one = ring.equal(x, one);
        const bool is_minus_one = ring.equal(x, minus_one);
        passes = passes || is_one || is_minus_one;
    }
    for (int r = 1; ring.vote(!passes && r < s); ++r) {
        ring.square(x, x);
        const bool found = ring.equal(x, minus_one);
        passes = passes || (r < s && found);
    }
    return passes;
}

// The first D of 5, -7, 9, -11, ... with (D / n) = -1 (Selfridge's method A), or 0 if n is found to
// be composite on the way (it shares a factor with D), if it is not `wanted`, or if there is no D
// below a bound. A random n needs two tries. A square has no D, and would need the bound's tries;
// but one that passes a test to base 2 is known only with the factor 1093 or 3511. For the bound to
// be met otherwise n must have been made for it and have more than 2^15 bits.
template <Ring R>
WARPINT_HOST_DEVICE constexpr int selfridge_discriminant(const R &ring, bool wanted = true) {
    constexpr std::uint32_t bound = R::largest_small < 32767 ? R::largest_small : 32767;
    const bool is_short = ring.width() <= 15; // n itself may be a D
    int found = 0;
    bool searching = wanted;
    for (std::uint32_t size = 5; size <= bound && ring.vote(searching); size += 2) {
        const std::uint32_t rest = ring.remainder(size);
        // D = 1 mod 4, and so (D / n) = (n / |D|).
        const int symbol = arith::jacobi_of_words(rest, size);
        if (searching && symbol < 0)
            found = size % 4 == 1 ? static_cast<int>(size) : -static_cast<int>(size);
        searching = searching && (symbol > 0 || (symbol == 0 && rest == 0 && is_short));
    }
    return found;
}

// The strong Lucas test with Selfridge's parameters P = 1, Q = (1 - D) / 4: with n + 1 = 2^s d, U_d
// = 0 or V_(2^r d) = 0 mod n for some r < s. Squares fail. False for numbers that are not `wanted`.
//
// The sequences with P, Q are replaced by V' with P' = P^2 / Q - 2 and Q' = 1, which costs two
// products a bit instead of three: V_2k = Q^k V'_k, D U_k^2 = Q^k (V'_k - 2), V_k^2 = Q^k (V'_k +
// 2) and U_2k = P Q^(k - 1) U'_k. So V_(2^r d) = 0 for r >= 1 says V'_(2^(r - 1) d) = 0; and U_d =
// 0 (V_d = 0) says V'_d = 2 (-2) and, which follows unless n has a square factor, U'_d = 0, that is
// 2 V'_(d + 1) = P' V'_d.
template <Ring R>
WARPINT_HOST_DEVICE constexpr bool is_strong_lucas_probable_prime(const R &ring,
                                                                  bool wanted = true) {
    using Element = typename R::element;
    const int discriminant = selfridge_discriminant(ring, wanted);
    bool possible = discriminant != 0;
    if (!ring.vote(possible))
        return false;
    const int q = possible ? (1 - discriminant) / 4 : 1;
    limb::keep_arrays_apart();
    const Element one = ring.one();
    Element two = one;
    ring.double_where(two, true);
    Element p{};
    const bool invertible = ring.divide(p, one, static_cast<std::uint32_t>(q < 0 ? -q : q));
    possible = possible && invertible;
    if (!ring.vote(possible))
        return false;
    ring.choose(p, possible, p, one);
    Element v{};
    ring.negate(v, p);
    ring.choose(p, q < 0, v, p);
    ring.subtract(p, p, two);

    Element w{};
    const int s = ring.zeros_above();
    const int width = ring.width();
    // d is n >> s with its lowest bit set; all bits of n are set where nothing is left.
    lucas_pair(ring, v, w, p, two, width > s ? width : s + 1, s, true);

    Element minus_two{};
    ring.negate(minus_two, two);
    const bool is_two = ring.equal(v, two);
    const bool is_minus_two = ring.equal(v, minus_two);
    const bool at_once = is_two || is_minus_two;
    bool passes = false;
    if (ring.vote(possible && at_once)) {
        ring.double_where(w, true);
        ring.multiply(p, p, v);
        const bool matches = ring.equal(p, w);
        passes = at_once && matches;
    }
    bool searching = possible && !at_once;
    for (int r = 1; ring.vote(searching && r < s); ++r) {
        const bool zero = ring.is_zero(v);
        passes = passes || (searching && r < s && zero);
        searching = searching && !zero;
        ring.square(v, v);
        ring.subtract(v, v, two);
    }
    return possible && passes;
}

// Both tests: no composite number is known that passes, and none exists below 2^64 (by Feitsma and
// Galway's list of all pseudoprimes to base 2 up to there, 2013). False for numbers that are not
// `wanted`.
template <Ring R>
WARPINT_HOST_DEVICE constexpr bool passes_baillie_psw(const R &ring, bool wanted = true) {
    const bool strong = is_strong_probable_prime_base_2(ring);
    const bool passes = wanted && strong;
    return ring.vote(passes) && is_strong_lucas_probable_prime(ring, passes);
}

// Strong tests to `rounds` bases, which draw(ring, x) puts into the element x.
template <Ring R, class Draw>
WARPINT_HOST_DEVICE constexpr bool passes_rounds(const R &ring, int rounds, const Draw &draw) {
    bool passes = true;
    for (int round = 0; round < rounds && ring.vote(passes); ++round) {
        typename R::element x{};
        draw(ring, x);
        const bool strong = is_strong_probable_prime(ring, x);
        passes = passes && strong;
    }
    return passes;
}

} // namespace warpint::theory
