// SPDX-License-Identifier: Apache-2.0
// Tests of primality over limb arrays: strong probable prime tests, the strong Lucas test, and the
// two combined (Baillie and Wagstaff, "Lucas pseudoprimes", Mathematics of Computation 35, 1980;
// Pomerance, Selfridge and Wagstaff, "The pseudoprimes to 25 10^9", ibid.). Everything is computed
// in Montgomery form. Variable time.
#pragma once

#include "../division/square_root.h"
#include "lucas.h"
#include "small_primes.h"

namespace warpint::algorithm {

namespace detail {

// n - 1 = 2^s d with d odd, for odd n > 1: s.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int zeros_below(const Limb *n) {
    Limb even[N]{};
    copy<N>(even, n);
    even[0] = static_cast<Limb>(even[0] - 1u);
    return countr_zero<N>(even);
}

// n + 1 = 2^s d with d odd, for odd n: s. The limbs' width if all bits are set.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int zeros_above(const Limb *n) {
    Limb complement[N]{};
    for (int i = 0; i < N; ++i)
        complement[i] = static_cast<Limb>(~n[i]);
    return countr_zero<N>(complement);
}

// The low 32 bits of a.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr std::uint32_t low_word(const Limb *a) {
    std::uint32_t word = static_cast<std::uint32_t>(a[0]);
    for (int i = 1; i < N && i * limb::limb_bits<Limb> < 32; ++i)
        word |= static_cast<std::uint32_t>(a[i]) << (i * limb::limb_bits<Limb> % 32);
    return word;
}

template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool is_square(const Limb *n) {
    Limb root[(N + 1) / 2]{};
    Limb rest[N]{};
    square_root<N>(root, rest, n);
    return is_zero<N>(rest);
}

// The first D of 5, -7, 9, -11, ... with (D / n) = -1 (Selfridge's method A), or 0 if n is found to
// be composite on the way (a square, or sharing a factor with D). n odd, > 1.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr int selfridge_discriminant(const Limb *n) {
    // A random n needs two tries; k tries without success mean that n is a square modulo k small
    // primes. For the bound to be met n must have been made for it and have more than 2^15 bits.
    constexpr int bound = sizeof(Limb) == 1 ? 255 : 32767;
    constexpr int tries_before_square_check = 8;
    int tries = 0;
    for (int size = 5; size <= bound; size += 2) {
        const Limb rest =
            divide_row_by_limb<Limb>(nullptr, n, N, prepare_divisor(static_cast<Limb>(size)));
        // D = 1 mod 4, and so (D / n) = (n / |D|).
        const int symbol =
            jacobi_of_words(static_cast<std::uint32_t>(rest), static_cast<std::uint32_t>(size));
        if (symbol < 0)
            return size % 4 == 1 ? size : -size;
        if (symbol == 0 && (rest != 0 || bit_width<N>(n) > 15))
            return 0; // a common factor smaller than n
        if (++tries == tries_before_square_check && is_square<N>(n))
            return 0;
    }
    return 0;
}

} // namespace detail

// Whether 2^d = 1 or 2^(2^r d) = -1 mod n for some r < s, where n - 1 = 2^s d: a strong probable
// prime to base 2. Costs a square and a doubling a bit. n = context.modulus, odd, > 1.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool
is_strong_probable_prime_base_2(const MontgomeryContext<N, Limb> &context) {
    limb::keep_arrays_apart();
    const Limb *n = context.modulus;
    Limb bits[N]{}; // a copy to index at run time, so that the modulus may stay in registers
    Limb minus_one[N]{};
    Limb y[N]{};
    copy<N>(bits, n);
    limb::sub<N>(minus_one, n, context.one);
    const int s = detail::zeros_below<N>(n);
    copy<N>(y, context.one);
    double_modulo<N>(y, n);
    if (equal<N>(y, minus_one)) // n = 3
        return true;
    WARPINT_UNROLL(1, 0)
    for (int i = bit_width<N>(n) - 2; i > 0; --i) { // y is 2 to the bits of n from i + 1 on
        montgomery_square<N>(y, y, n, context.inverse);
        if (i >= s) {
            if (bit_at(bits, i))
                double_modulo<N>(y, n);
            if (i == s && equal<N>(y, context.one))
                return true;
        }
        if (i <= s && equal<N>(y, minus_one))
            return true;
    }
    return false;
}

// The same for the base x, given in Montgomery form (and destroyed); x = 0, 1 and -1 pass.
template <int N, int MaxWindow, class Limb>
WARPINT_HOST_DEVICE constexpr bool
is_strong_probable_prime(Limb *x, const MontgomeryContext<N, Limb> &context) {
    constexpr int exponent_limbs = (N * limb::limb_bits<Limb> + 31) / 32;
    limb::keep_arrays_apart();
    const Limb *n = context.modulus;
    Limb minus_one[N]{};
    Limb d[N]{};
    limb::sub<N>(minus_one, n, context.one);
    const int s = detail::zeros_below<N>(n);
    shift_right<N>(d, n, s);
    std::uint32_t exponent[exponent_limbs]{};
    for (int i = 0; i < exponent_limbs; ++i) {
        for (int bit = 0; bit < 32 && 32 * i + bit < N * limb::limb_bits<Limb>;
             bit += limb::limb_bits<Limb>) {
            const int position = 32 * i + bit;
            exponent[i] |= static_cast<std::uint32_t>(d[position / limb::limb_bits<Limb>] >>
                                                      (position % limb::limb_bits<Limb>))
                           << bit;
        }
    }
    if (is_zero<N>(x))
        return true;
    montgomery_power<N, MaxWindow>(x, exponent, exponent_limbs, context);
    if (equal<N>(x, context.one) || equal<N>(x, minus_one))
        return true;
    for (int i = 1; i < s; ++i) {
        montgomery_square<N>(x, x, n, context.inverse);
        if (equal<N>(x, minus_one))
            return true;
    }
    return false;
}

// The strong Lucas test with Selfridge's parameters P = 1, Q = (1 - D) / 4: with n + 1 = 2^s d, U_d
// = 0 or V_(2^r d) = 0 mod n for some r < s. Squares fail. n = context.modulus, odd, > 1.
//
// The sequences with P, Q are replaced by V' with P' = P^2 / Q - 2 and Q' = 1, which costs two
// products a bit instead of three: V_2k = Q^k V'_k, D U_k^2 = Q^k (V'_k - 2), V_k^2 = Q^k (V'_k +
// 2) and U_2k = P Q^(k - 1) U'_k. So V_(2^r d) = 0 for r >= 1 says V'_(2^(r - 1) d) = 0; and U_d =
// 0 (V_d = 0) says V'_d = 2 (-2) and, which follows unless n has a square factor, U'_d = 0, that is
// 2 V'_(d + 1) = P' V'_d.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool
is_strong_lucas_probable_prime(const MontgomeryContext<N, Limb> &context) {
    const Limb *n = context.modulus;
    const int discriminant = detail::selfridge_discriminant<N>(n);
    if (discriminant == 0)
        return false;
    const int q = (1 - discriminant) / 4;
    limb::keep_arrays_apart();
    Limb two[N]{};
    Limb p[N]{};
    copy<N>(two, context.one);
    double_modulo<N>(two, n);
    if (!detail::divide_by_small<N>(p, context.one, static_cast<Limb>(q < 0 ? -q : q), n))
        return false;
    if (q < 0)
        limb::sub<N>(p, n, p);
    subtract_modulo<N>(p, p, two, n);

    Limb bits[N]{};
    Limb v[N]{};
    Limb w[N]{};
    copy<N>(bits, n);
    const int s = detail::zeros_above<N>(n);
    const int width = bit_width<N>(n);
    // d is n >> s with its lowest bit set; all bits of n are set where nothing is left.
    lucas_pair<N>(v, w, p, two, bits, width > s ? width : s + 1, s, true, context);

    Limb minus_two[N]{};
    limb::sub<N>(minus_two, n, two);
    if (equal<N>(v, two) || equal<N>(v, minus_two)) {
        double_modulo<N>(w, n);
        montgomery_multiply<N>(p, p, v, n, context.inverse);
        return equal<N>(p, w);
    }
    for (int r = 1; r < s; ++r) {
        if (is_zero<N>(v))
            return true;
        montgomery_square<N>(v, v, n, context.inverse);
        subtract_modulo<N>(v, v, two, n);
    }
    return false;
}

// Both tests: no composite number is known that passes, and none exists below 2^64 (by Feitsma and
// Galway's list of all pseudoprimes to base 2 up to there, 2013).
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr bool passes_baillie_psw(const MontgomeryContext<N, Limb> &context) {
    return is_strong_probable_prime_base_2<N>(context) &&
           is_strong_lucas_probable_prime<N>(context);
}

enum class Primality { composite, prime, undecided };

// What trial division says of n: undecided only for odd n beyond the square of small_factor_bound.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr Primality divide_by_small_primes(const Limb *n) {
    const int width = bit_width<N>(n);
    if ((n[0] & 1u) == 0)
        return width == 2 && n[0] == 2 ? Primality::prime : Primality::composite;
    const std::uint32_t factor = small_factor<N>(n);
    if (factor != 0)
        return width <= 16 && detail::low_word<N>(n) == factor ? Primality::prime
                                                               : Primality::composite;
    constexpr std::uint32_t bound = small_factor_bound<N, Limb>;
    if (width <= 31 && detail::low_word<N>(n) < bound * bound)
        return detail::low_word<N>(n) == 1 ? Primality::composite : Primality::prime;
    return Primality::undecided;
}

} // namespace warpint::algorithm
