// SPDX-License-Identifier: Apache-2.0
// Arithmetic of one channel of a residue number system: modulo one prime p < 2^31 of its base. The
// same text on hosts and in kernels.
//
// A residue is any representative x, |x| < 2^31. Where the matrix step reads its bytes it is kept
// as a word x + 2^31.
//
// A square is reduced by a quotient in floating point and two products of 32 bits, x^2 - round(x^2
// / p) p. A product by a factor f is reduced as Montgomery does, with the radix R = 2^32: x f / R
// by a wide product, a lower and an upper one. Factors are therefore kept times R, and balanced,
// -p/2 < f < p/2. The two share the work out over a GPU's pipes: with quotients alone an H200
// computes 0.98 of the powers at 2048 bits and 0.87 at 4096, with Montgomery's method alone 0.84 at
// 2048. All results are below p in size (ranges.h).
//
// Kernels take Biases as parameters: a constant that the compiler knows becomes an instruction of
// its own beside the product or the sum, one it reads from a parameter does not.
#pragma once

#include "../../limb/assert.h"
#include "../../limb/tensor.h"
#include "tables.h"

namespace warpint::rns {

using Word = std::uint32_t;
using Residue = std::int32_t;

// Squares are below this in size.
inline constexpr Residue square_limit = (1 << 30) + (1 << 13);

struct Biases {
    // What recombined() adds for a word, and for a residue: 2^31 or 0, less the 2^30 that is in the
    // digits' sums.
    Word word = word_bias / 2;
    Word residue = 0u - word_bias / 2;
    // What makes a word of a product.
    Word product = word_bias;
};

// The residue that a word stands for, and the word.
WARPINT_HOST_DEVICE constexpr Residue residue_of_word(Word u) {
    return static_cast<Residue>(u ^ word_bias);
}
WARPINT_HOST_DEVICE constexpr Word word_of_residue(Residue x) {
    return static_cast<Word>(x) ^ word_bias;
}

// For assertions: the same in wider integers.
namespace bounds {

WARPINT_HOST_DEVICE constexpr std::uint64_t modulo(std::int64_t x, Word prime) {
    const std::int64_t p = prime;
    return static_cast<std::uint64_t>((x % p + p) % p);
}
WARPINT_HOST_DEVICE constexpr bool is_factor(Residue f, Word prime) {
    return 2 * std::int64_t{f} < std::int64_t{prime} && -2 * std::int64_t{f} < std::int64_t{prime};
}
// |r| < p and r R = t modulo p.
WARPINT_HOST_DEVICE constexpr bool is_reduced(Residue r, std::int64_t t, Word prime) {
    const std::int64_t p = prime;
    return -p < r && r < p && (modulo(r, prime) << 32) % prime == modulo(t, prime);
}
WARPINT_HOST_DEVICE constexpr bool is_square_of(Residue r, Word u, Word negative_prime) {
    const std::int64_t x = residue_of_word(u);
    return -square_limit < r && r < square_limit &&
           modulo(r, 0u - negative_prime) == modulo(x * x, 0u - negative_prime);
}
// The steps 2 and 3 of ranges.h: no sum of digits is too large, and r is V - h p, biased.
template <bool carries>
WARPINT_HOST_DEVICE constexpr bool is_recombined(Word r, int c0, int c1, int c2, int c3,
                                                 Word negative_prime, Word bias) {
    const std::int64_t e = c0 + std::int64_t{256} * c1;
    const std::int64_t f = c2 + std::int64_t{256} * c3;
    const std::int64_t upper = carries ? f + (e >> 16) : f;
    const std::int64_t x =
        e + (f - (1 << 14)) * 65536 - (upper >> 15) * std::int64_t{0u - negative_prime};
    return e == static_cast<std::int32_t>(e) && upper == static_cast<std::int32_t>(upper) &&
           x == static_cast<Residue>(r - bias - word_bias / 2);
}

} // namespace bounds

using limb::tensor::multiply_add;

// The value that four digits stand for, c0 + c1 2^8 + c2 2^16 + c3 2^24, modulo p. The digits are
// sums of products of bytes; 2^14 has been added to c2 by the matrix, which makes the shift round.
// negative_prime: -p modulo 2^32. bias: Biases::word, or Biases::residue, and the result is a
// residue's bits. carries: carries_into_quotient of the channels.
template <bool carries>
WARPINT_HOST_DEVICE WARPINT_INLINE Word recombined(int c0, int c1, int c2, int c3,
                                                   Word negative_prime, Word bias) {
    const Word low = static_cast<Word>(c0) + (static_cast<Word>(c1) << 8);
    const Word high = static_cast<Word>(c2) + (static_cast<Word>(c3) << 8);
    const Word carry = carries ? static_cast<Word>(static_cast<std::int32_t>(low) >> 16) : 0;
    const Word quotient = static_cast<Word>(static_cast<std::int32_t>(high + carry) >> 15);
    const Word r = low + (high << 16) + multiply_add(quotient, negative_prime, bias);
    WARPINT_ASSERT(bounds::is_recombined<carries>(r, c0, c1, c2, c3, negative_prime, bias));
    return r;
}

// x^2 modulo p of a word: at most (1/2 + 2^-18) p in size. reciprocal: 1 / p. The word in the
// mantissa of 2^52 is its value, exactly, and a GPU takes it as it is; the sum with 3 2^51 rounds
// the quotient to an integer, which is its lower word.
WARPINT_HOST_DEVICE WARPINT_INLINE Residue square(Word u, Word negative_prime, double reciprocal) {
    constexpr Word exponent_of_2_52 = 0x43300000;
    constexpr double two_52_and_bias = 4503601774854144.0;
    constexpr double three_2_51 = 6755399441055744.0;
#if WARPINT_DEVICE_PASS
    const double x =
        __hiloint2double(static_cast<int>(exponent_of_2_52), static_cast<int>(u)) - two_52_and_bias;
    // (Never joined: a product that is not rounded would give another quotient.)
    const auto quotient =
        static_cast<Word>(__double2loint(__fma_rn(x, __dmul_rn(x, reciprocal), three_2_51)));
#else
    const double x =
        __builtin_bit_cast(double, std::uint64_t{exponent_of_2_52} << 32 | u) - two_52_and_bias;
    const auto quotient = static_cast<Word>(
        __builtin_bit_cast(std::uint64_t, __builtin_fma(x, x * reciprocal, three_2_51)));
#endif
    const auto r = static_cast<Residue>(multiply_add(quotient, negative_prime, u * u));
    WARPINT_ASSERT(bounds::is_square_of(r, u, negative_prime));
    return r;
}

// Products modulo p by factors.
struct Reduction {
    Word prime;   // p
    Word inverse; // p^-1 modulo R

    // t / R modulo p, |t| < 2^62: at most |t| / R + p / 2 in size. Its word, for Biases::product.
    [[nodiscard]] WARPINT_HOST_DEVICE WARPINT_INLINE Word reduced(std::int64_t t, Word bias) const {
        const auto m = static_cast<std::int32_t>(static_cast<Word>(t) * inverse);
#if WARPINT_DEVICE_PASS
        const auto upper = static_cast<Word>(__mulhi(m, static_cast<int>(prime)));
#else
        const auto upper = static_cast<Word>(std::int64_t{m} * std::int64_t{prime} >> 32);
#endif
        const Word r = static_cast<Word>(t >> 32) - upper + bias;
        WARPINT_ASSERT(bounds::is_reduced(static_cast<Residue>(r - bias), t, prime));
        return r;
    }
    // The words of x f / R, and of (x e + y f) / R.
    [[nodiscard]] WARPINT_HOST_DEVICE WARPINT_INLINE Word multiply(Residue x, Residue f,
                                                                   const Biases &biases) const {
        WARPINT_ASSERT(bounds::is_factor(f, prime));
        return reduced(std::int64_t{x} * f, biases.product);
    }
    [[nodiscard]] WARPINT_HOST_DEVICE WARPINT_INLINE Word multiply_two(Residue x, Residue e,
                                                                       Residue y, Residue f,
                                                                       const Biases &biases) const {
        WARPINT_ASSERT(bounds::is_factor(e, prime) && bounds::is_factor(f, prime));
        return reduced(std::int64_t{x} * e + std::int64_t{y} * f, biases.product);
    }
};

// The entry of a number's word of B, or of the word of x g in A (tables.h): a factor.
WARPINT_HOST_DEVICE WARPINT_INLINE Residue entry_of_word(Word u, const Channel &c,
                                                         const Biases &biases) {
    const Residue x = residue_of_word(
        Reduction{c.prime, c.inverse}.multiply(residue_of_word(u), c.entry_factor, biases));
    return balanced(static_cast<Word>(x) + (x < 0 ? c.prime : 0), c.prime);
}

} // namespace warpint::rns
