// SPDX-License-Identifier: Apache-2.0
// Between integers and the two bases, for the threads of a GPU and for hosts: a thread a number and
// channel on the way in, a thread a number on the way back. All in variable time.
//
// Numbers are limbs of 32 bits, little endian. N is odd, of any size below 2^(32 limbs), and shares
// no prime with the bases (shares_a_prime): of others, device code gives unspecified values, and it
// ends. Operands below 2^(32 limbs) need not be below N.
//
// Residues are reduced by folding: p = 2^31 - c with c < prime_window < 2^13, so that 2^31 = c and
// 2^32 = 2 c modulo p. No quotient is needed, and the same text gives the same words on hosts and
// GPUs.
#pragma once

#include "../limbs/bounds.h"
#include "../limbs/division/reciprocal.h"
#include "../limbs/linear.h"
#include "channel.h"
#include "tables.h"

namespace warpint::rns {

namespace detail {

// A word that is t modulo p, below 2^31 + 2^28: 2^32 times the upper word is at most 2^46 once
// folded, and what of that is above 2^31 less than 2^28.
WARPINT_HOST_DEVICE constexpr std::uint32_t folded(std::uint64_t t, std::uint32_t p) {
    const std::uint32_t c = word_bias - p;
    const std::uint64_t u = (t >> 32) * (2 * c) + static_cast<std::uint32_t>(t);
    const std::uint32_t r =
        static_cast<std::uint32_t>(u >> 31) * c + (static_cast<std::uint32_t>(u) & ~word_bias);
    WARPINT_ASSERT(r < word_bias + (1u << 28) && r == (u >> 31) * c + (u & ~word_bias));
    return r;
}
WARPINT_HOST_DEVICE constexpr std::uint32_t folded_product(std::uint32_t a, std::uint32_t b,
                                                           std::uint32_t p) {
    return folded(std::uint64_t{a} * b, p);
}
// t mod p for t < 2^64.
WARPINT_HOST_DEVICE constexpr std::uint32_t reduced(std::uint64_t t, std::uint32_t p) {
    const std::uint32_t r = folded(t, p);
    return r < p ? r : r - p;
}

// a^-1 modulo p, not reduced, of any word; of a multiple of p it is one too. a^(p - 2) (Fermat):
// the exponent is 18 ones and 13 bits.
WARPINT_HOST_DEVICE constexpr std::uint32_t folded_inverse(std::uint32_t a, std::uint32_t p) {
    static_assert(prime_window + 2 <= 1 << 13);
    std::uint32_t power = a; // a^(2^ones - 1)
    WARPINT_UNROLL(2, 1)
    for (int ones = 1; ones < 16; ones *= 2) {
        std::uint32_t shifted = power;
        WARPINT_UNROLL(2, 1)
        for (int i = 0; i < ones; ++i)
            shifted = folded_product(shifted, shifted, p);
        power = folded_product(shifted, power, p);
    }
    WARPINT_UNROLL(2, 1)
    for (int bit = 14; bit >= 0; --bit) {
        power = folded_product(power, power, p);
        if (((p - 2) >> bit & 1) != 0)
            power = folded_product(power, a, p);
    }
    return power;
}

} // namespace detail

// a b mod p for any words, p a prime of the bases.
WARPINT_HOST_DEVICE constexpr std::uint32_t multiply_residues(std::uint32_t a, std::uint32_t b,
                                                              std::uint32_t p) {
    return detail::reduced(std::uint64_t{a} * b, p);
}

// The number of n limbs mod p, a prime of the bases. Two limbs a step: with k = 2 c < 2^14, what
// the limbs above are is u = u0 + 2^32 u1 with u1 < 2^12, and 2^64 u = k^2 u0 + k^3 u1 modulo p. So
// t below is less than 2^61 (k^3 is folded), and the next u less than 2^44.
WARPINT_HOST_DEVICE constexpr std::uint32_t residue(const std::uint32_t *number, int n,
                                                    std::uint32_t p) {
    const std::uint32_t k = 2 * (word_bias - p);
    const std::uint32_t k2 = k * k; // below 2^28
    const std::uint32_t k3 = detail::folded(std::uint64_t{k2} * k, p);
    std::uint64_t u = 0;
    int l = n;
    if (n % 2 != 0)
        u = number[--l];
    while (l > 0) {
        l -= 2;
        const std::uint64_t t = std::uint64_t{static_cast<std::uint32_t>(u)} * k2 + (u >> 32) * k3 +
                                std::uint64_t{number[l + 1]} * k + number[l];
        WARPINT_ASSERT(t >> 61 == 0);
        u = (t >> 32) * k + static_cast<std::uint32_t>(t);
        WARPINT_ASSERT(u >> 44 == 0);
    }
    return detail::reduced(u, p);
}

// g R for g = -1 / (N P_A / a), balanced, of a modulus in a channel of A, from its residue there.
// It is also the entry of the factor 1. 0 if a divides N.
WARPINT_HOST_DEVICE constexpr std::int32_t entry_of_one(const ConversionOfA &channel,
                                                        std::uint32_t modulus) {
    const std::uint32_t p = channel.prime;
    const std::uint32_t x = detail::folded_product(modulus, channel.cofactor, p);
    return balanced(negated_mod(detail::reduced(detail::folded_inverse(x, p), p), p), p);
}

// The entry y g R of a factor y in a channel of A, balanced, from g R = entry_of_one and from the
// residue of y.
WARPINT_HOST_DEVICE constexpr std::int32_t entry_of_factor(const ConversionOfA &channel,
                                                           std::int32_t one, std::uint32_t factor) {
    const std::uint32_t p = channel.prime;
    const std::uint32_t g = static_cast<std::uint32_t>(one) + (one < 0 ? p : 0);
    return balanced(multiply_residues(g, factor, p), p);
}
// The entry y R / P_A of a factor y in a channel of B, balanced, from its residue there.
WARPINT_HOST_DEVICE constexpr std::int32_t entry_of_factor(const ConversionOfB &channel,
                                                           std::uint32_t factor) {
    return balanced(multiply_residues(factor, channel.entry_factor, channel.prime), channel.prime);
}

// The constant N R / (P_A P_B / b) of a modulus in a channel of B, balanced, from its residue
// there.
WARPINT_HOST_DEVICE constexpr std::int32_t quotient_factor(const ConversionOfB &channel,
                                                           std::uint32_t modulus) {
    return balanced(multiply_residues(modulus, channel.modulus_factor, channel.prime),
                    channel.prime);
}

// The word of a number in a channel of B, from its residue there. A number that is not below N must
// be multiplied before it is squared (ranges.h).
WARPINT_HOST_DEVICE constexpr std::uint32_t start_word(const ConversionOfB &channel,
                                                       std::uint32_t number) {
    const std::uint32_t p = channel.prime;
    const std::uint32_t r = multiply_residues(number, channel.start_factor, p);
    return word_of_residue(balanced(r, p));
}

// Whether N is a multiple of a prime of A or B: its powers take another way. The residue of a
// multiple is 0, so that who has residues need not call this.
template <int Bits>
WARPINT_HOST_DEVICE constexpr bool shares_a_prime(const Tables<Bits> &tables,
                                                  const std::uint32_t *modulus) {
    bool shares = false;
    for (int i = 0; i < Bases<Bits>::channels; ++i) {
        const ConversionOfA &a = tables.conversions_a[i];
        const ConversionOfB &b = tables.conversions_b[i];
        shares |= residue(modulus, Bases<Bits>::limbs, a.prime) == 0;
        shares |= residue(modulus, Bases<Bits>::limbs, b.prime) == 0;
    }
    return shares;
}

// r = P_A^2 mod N, the factor that brings a number into Montgomery form. r may be N. For N = 0 it
// is unspecified.
//
// Schoolbook division (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D) of P_A^2
// 2^shift by N 2^shift, which has its top bit set: a short N costs up to twice as much.
template <int Bits>
WARPINT_HOST_DEVICE constexpr void
set_montgomery_factor(std::uint32_t *r, const Tables<Bits> &tables, const std::uint32_t *modulus) {
    constexpr int limbs = Bases<Bits>::limbs;
    constexpr int square_limbs = Tables<Bits>::square_limbs;
    int places = 0; // the shift's whole limbs
    while (places < limbs - 1 && modulus[limbs - 1 - places] == 0)
        ++places;
    const int shift = limb::countl_zero(modulus[limbs - 1 - places]) & 31;
    const auto limb_of_square = [&](int l) { // of P_A^2 2^shift
        const auto at = [&](int k) {
            return 0 <= k && k < square_limbs ? tables.square_of_product_a[k] : 0;
        };
        return limb::funnel_left(at(l - places), at(l - places - 1), shift);
    };
    std::uint32_t divisor[limbs]{};
    std::uint32_t rest[limbs]{}; // below the divisor: at first, the upper limbs - 1 limbs
    WARPINT_UNROLL(limbs, limbs)
    for (int k = 0; k < limbs; ++k) {
        const int from = k - places;
        divisor[k] = limb::funnel_left(from >= 0 ? modulus[from] : 0,
                                       from > 0 ? modulus[from - 1] : 0, shift);
    }
    int next = square_limbs + places - (limbs - 1);
    WARPINT_UNROLL(limbs, limbs)
    for (int k = 0; k < limbs - 1; ++k)
        rest[k] = limb_of_square(next + 1 + k);
    const std::uint32_t top = divisor[limbs - 1];
    const std::uint32_t inverse = arith::reciprocal(top);
    WARPINT_UNROLL(2, 1)
    for (; next >= 0; --next) {
        // The quotient of the two upper limbs is the digit or up to 2 more.
        const std::uint32_t above = rest[limbs - 1];
        const std::uint32_t digit =
            above >= top ? 0xffffffffu
                         : arith::divide_2by1(above, rest[limbs - 2], top, inverse).quotient;
        std::uint32_t moved = limb_of_square(next);
        std::uint64_t carry = 0; // of the digit's multiple, and the borrow
        WARPINT_UNROLL(limbs, limbs)
        for (int k = 0; k < limbs; ++k) {
            carry += std::uint64_t{digit} * divisor[k];
            const auto low = static_cast<std::uint32_t>(carry);
            carry = (carry >> 32) + (moved < low ? 1 : 0);
            const std::uint32_t difference = moved - low;
            moved = rest[k];
            rest[k] = difference;
        }
        std::uint32_t missing = static_cast<std::uint32_t>(carry) - moved; // times 2^(32 limbs)
        WARPINT_UNROLL(2, 1)
        for (int times = 0; times < 2 && missing != 0; ++times) {
            std::uint64_t sum = 0;
            WARPINT_UNROLL(limbs, limbs)
            for (int k = 0; k < limbs; ++k) {
                sum += std::uint64_t{rest[k]} + divisor[k];
                rest[k] = static_cast<std::uint32_t>(sum);
                sum >>= 32;
            }
            missing -= static_cast<std::uint32_t>(sum);
        }
    }
    WARPINT_UNROLL(limbs, limbs)
    for (int k = 0; k < limbs; ++k) {
        if (k >= places)
            r[k - places] = limb::funnel_right(k + 1 < limbs ? rest[k + 1] : 0, rest[k], shift);
    }
    for (int k = limbs - places; k < limbs; ++k)
        r[k] = 0;
}

namespace detail {

// z = the number that the words of base B hold, |z| < 2^(32 value_limbs - 1), in two's complement.
template <int Bits>
WARPINT_HOST_DEVICE constexpr void set_value(std::uint32_t *z, const Tables<Bits> &tables,
                                             const std::uint32_t *words) {
    constexpr int channels = Bases<Bits>::channels;
    std::uint32_t word[channels]{};
    std::uint32_t tops = 0;
    WARPINT_UNROLL(channels, channels)
    for (int j = 0; j < channels; ++j) {
        word[j] = words[j];
        tops += top_of<channels>(word[j]);
    }
    const std::int64_t alpha = static_cast<std::int64_t>(spare_word<channels>(tops) & 255) - 128;
    std::int64_t carry = 0; // less than 2^40 in size
    WARPINT_UNROLL(2, 1)
    for (int l = 0; l < Tables<Bits>::value_limbs; ++l) {
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        WARPINT_UNROLL(channels, channels)
        for (int j = 0; j < channels; ++j) {
            const std::uint64_t product = std::uint64_t{word[j]} * tables.cofactors_b[l][j];
            low += static_cast<std::uint32_t>(product);
            high += product >> 32;
        }
        carry += static_cast<std::int64_t>(low) - std::int64_t{tables.bias_b[l]} -
                 alpha * tables.product_b[l];
        z[l] = static_cast<std::uint32_t>(carry);
        carry = (carry >> 32) + static_cast<std::int64_t>(high);
    }
}

// floor(z / N) up to 1 either way, for |z| <= multiple N in two's complement: the quotient of the
// three limbs of z and the two of N from N's top limb on that is not 0.
template <int Bits>
WARPINT_HOST_DEVICE constexpr int estimate_quotient(const std::uint32_t *z,
                                                    const std::uint32_t *modulus) {
    constexpr double radix = 4294967296.0;
    double numerator = 0;
    double denominator = 1;
    WARPINT_UNROLL(2, 1)
    for (int l = 0; l < Bases<Bits>::limbs; ++l) {
        if (modulus[l] == 0)
            continue;
        const double below_z = l > 0 ? z[l - 1] : 0;
        const double below = l > 0 ? modulus[l - 1] : 0;
        numerator = (static_cast<std::int32_t>(z[l + 1]) * radix + z[l]) * radix + below_z;
        denominator = modulus[l] * radix + below;
    }
    const double quotient = numerator / denominator;
    const int towards_zero = static_cast<int>(quotient);
    return towards_zero - (quotient < towards_zero ? 1 : 0);
}

// z = z - q N modulo 2^(32 value_limbs); |q| < 2^30.
template <int Bits>
WARPINT_HOST_DEVICE constexpr void subtract_multiple(std::uint32_t *z, const std::uint32_t *modulus,
                                                     int q) {
    std::int64_t carry = 0;
    WARPINT_UNROLL(2, 1)
    for (int l = 0; l < Bases<Bits>::limbs; ++l) {
        carry += std::int64_t{z[l]} - std::int64_t{q} * modulus[l];
        z[l] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
    z[Bases<Bits>::limbs] += static_cast<std::uint32_t>(carry);
}

} // namespace detail

// r = z mod N, 0 <= r < N, of the number z that the words of base B hold, for |z| <= multiple N.
template <int Bits>
WARPINT_HOST_DEVICE constexpr void set_integer(std::uint32_t *r, const Tables<Bits> &tables,
                                               const std::uint32_t *words,
                                               const std::uint32_t *modulus) {
    constexpr int limbs = Bases<Bits>::limbs;
    std::uint32_t z[limbs + 1]{};
    detail::set_value(z, tables, words);
    detail::subtract_multiple<Bits>(z, modulus, detail::estimate_quotient<Bits>(z, modulus));
    // -N <= z < 2 N: once more, one way or the other.
    const bool negative = z[limbs] >> 31 != 0;
    if (negative || z[limbs] != 0 ||
        !arith::less<limbs>(static_cast<const std::uint32_t *>(z), modulus))
        detail::subtract_multiple<Bits>(z, modulus, negative ? -1 : 1);
    WARPINT_ASSERT_ON_HOST(z[limbs] == 0 && arith::bounds::below_1m<limbs>(&z[0], modulus));
    WARPINT_UNROLL(2, 1)
    for (int l = 0; l < limbs; ++l)
        r[l] = z[l];
}

} // namespace warpint::rns
