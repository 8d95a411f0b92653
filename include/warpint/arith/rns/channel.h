// SPDX-License-Identifier: Apache-2.0
// Arithmetic of one channel of a residue number system: modulo one prime p < 2^31 of its base. The
// same text on hosts and in kernels.
//
// A residue is kept as a word u = x + 2^31 ("biased") with |x| < 2^31, x any representative. A
// constant factor is the even one of its representatives in [0, 2 p): modulo 2^32 a product with an
// even factor does not see the bias, u e = x e, so that it never has to be taken off. A product
// modulo p is a quotient in floating point and two products of 32 bits: x e - round(x e / p) p. The
// quotient's error is below 2^-18 before it is rounded, of a sum of two products too (ranges.h), so
// that the result is at most (1/2 + 2^-18) p in size.
//
// Kernels take 2^31 and 2^30 as parameters (Biases): a constant that the compiler knows becomes an
// instruction of its own beside the product, one it reads from a parameter does not (4% of the
// rate of powers on an H200).
#pragma once

#include "../../limb/assert.h"
#include "../../limb/tensor.h"
#include "bases.h"

namespace warpint::rns {

using Word = std::uint32_t;

// Residues after a product modulo p are below this in size.
inline constexpr std::int32_t residue_limit = (1 << 30) + (1 << 13);

struct Biases {
    Word residue = word_bias;    // 2^31
    Word digits = word_bias / 2; // 2^30: the other half is in the digits' sums
};

// For assertions: what the words below stand for, in wider integers.
namespace bounds {

WARPINT_HOST_DEVICE constexpr std::int64_t value(Word biased) {
    return std::int64_t{biased} - std::int64_t{word_bias};
}
// Below 2^31 in size, and as a product leaves it.
WARPINT_HOST_DEVICE constexpr bool is_residue(Word biased) {
    return biased != 0;
}
WARPINT_HOST_DEVICE constexpr bool is_product(Word biased) {
    return value(biased) < residue_limit && value(biased) > -residue_limit;
}
WARPINT_HOST_DEVICE constexpr bool is_factor(Word e, Word negative_prime) {
    return e % 2 == 0 && e < std::uint64_t{2} * (0u - negative_prime);
}
WARPINT_HOST_DEVICE constexpr std::uint64_t modulo(std::int64_t x, Word negative_prime) {
    const std::int64_t p = 0u - negative_prime;
    return static_cast<std::uint64_t>((x % p + p) % p);
}
// x e mod p, for the residue that u stands for.
WARPINT_HOST_DEVICE constexpr std::uint64_t product(Word u, std::uint64_t e, Word negative_prime) {
    return modulo(value(u), negative_prime) * e % (0u - negative_prime);
}
// Whether r stands for a product that is `wanted` modulo p.
WARPINT_HOST_DEVICE constexpr bool is_product_of(Word r, std::uint64_t wanted,
                                                 Word negative_prime) {
    return is_product(r) && modulo(value(r), negative_prime) == wanted % (0u - negative_prime);
}
// The steps 2 and 3 of ranges.h: no sum of digits is too large, and r is V - h p.
template <bool carries>
WARPINT_HOST_DEVICE constexpr bool is_recombined(Word r, int c0, int c1, int c2, int c3,
                                                 Word negative_prime) {
    const std::int64_t e = c0 + std::int64_t{256} * c1;
    const std::int64_t f = c2 + std::int64_t{256} * c3;
    const std::int64_t upper = carries ? f + (e >> 16) : f;
    const std::int64_t x =
        e + (f - (1 << 14)) * 65536 - (upper >> 15) * std::int64_t{0u - negative_prime};
    return e == static_cast<std::int32_t>(e) && upper == static_cast<std::int32_t>(upper) &&
           is_residue(r) && x == value(r);
}

} // namespace bounds

namespace detail {

WARPINT_HOST_DEVICE WARPINT_INLINE double double_of_words(Word high, Word low) {
#if WARPINT_DEVICE_PASS
    return __hiloint2double(static_cast<int>(high), static_cast<int>(low));
#else
    return __builtin_bit_cast(double, std::uint64_t{high} << 32 | low);
#endif
}

} // namespace detail

using limb::tensor::multiply_add;

// The value of a biased word, and of a word, exactly. Placing the word into the mantissa of 2^52 is
// faster on a GPU than its instruction that converts.
WARPINT_HOST_DEVICE WARPINT_INLINE double value_of_biased(Word u) {
    return detail::double_of_words(0x43300000u, u) - 4503601774854144.0; // 2^52 + 2^31
}
WARPINT_HOST_DEVICE WARPINT_INLINE double value_of(Word e) {
    return detail::double_of_words(0x43300000u, e) - 4503599627370496.0; // 2^52
}

// The integer next to a b modulo 2^32, for |a b| < 2^50: the low word of a b + 3 2^51.
WARPINT_HOST_DEVICE WARPINT_INLINE Word rounded_product(double a, double b) {
#if WARPINT_DEVICE_PASS
    return static_cast<Word>(__double2loint(__fma_rn(a, b, 6755399441055744.0)));
#else
    return static_cast<Word>(
        __builtin_bit_cast(std::uint64_t, __builtin_fma(a, b, 6755399441055744.0)));
#endif
}

WARPINT_HOST_DEVICE WARPINT_INLINE double product(double a, double b) {
#if WARPINT_DEVICE_PASS
    return __dmul_rn(a, b); // never joined to a sum, which would round otherwise
#else
    return a * b;
#endif
}
WARPINT_HOST_DEVICE WARPINT_INLINE double product_sum(double a, double b, double c) {
#if WARPINT_DEVICE_PASS
    return __fma_rn(a, b, c);
#else
    return __builtin_fma(a, b, c);
#endif
}

// The value that four digits stand for, c0 + c1 2^8 + c2 2^16 + c3 2^24, modulo p and biased. The
// digits are sums of products of bytes; 2^14 has been added to c2 by the matrix, which makes the
// shift round. negative_prime: -p modulo 2^32. carries: carries_into_quotient of the channels.
template <bool carries>
WARPINT_HOST_DEVICE WARPINT_INLINE Word recombined(int c0, int c1, int c2, int c3,
                                                   Word negative_prime, const Biases &biases) {
    const Word low = static_cast<Word>(c0) + (static_cast<Word>(c1) << 8);
    const Word high = static_cast<Word>(c2) + (static_cast<Word>(c3) << 8);
    const Word carry = carries ? static_cast<Word>(static_cast<std::int32_t>(low) >> 16) : 0;
    const Word quotient = static_cast<Word>(static_cast<std::int32_t>(high + carry) >> 15);
    const Word r = low + (high << 16) + multiply_add(quotient, negative_prime, biases.digits);
    WARPINT_ASSERT(bounds::is_recombined<carries>(r, c0, c1, c2, c3, negative_prime));
    return r;
}

// x^2 mod p of the biased word u, biased.
WARPINT_HOST_DEVICE WARPINT_INLINE Word square(Word u, Word negative_prime, double inverse,
                                               const Biases &biases) {
    WARPINT_ASSERT(bounds::is_residue(u));
    const double x = value_of_biased(u);
    const Word r = multiply_add(rounded_product(x, product(x, inverse)), negative_prime,
                                multiply_add(u, u, biases.residue));
    WARPINT_ASSERT(bounds::is_product_of(
        r, bounds::product(u, bounds::modulo(bounds::value(u), negative_prime), negative_prime),
        negative_prime));
    return r;
}
// x e mod p of the biased word u and an even factor.
WARPINT_HOST_DEVICE WARPINT_INLINE Word multiply(Word u, Word e, Word negative_prime,
                                                 double inverse, const Biases &biases) {
    WARPINT_ASSERT(bounds::is_residue(u) && bounds::is_factor(e, negative_prime));
    const Word r = multiply_add(rounded_product(product(value_of_biased(u), value_of(e)), inverse),
                                negative_prime, multiply_add(u, e, biases.residue));
    WARPINT_ASSERT(bounds::is_product_of(r, bounds::product(u, e, negative_prime), negative_prime));
    return r;
}
// (x e + y f) mod p of biased words u, v and even factors; e also as a double.
WARPINT_HOST_DEVICE WARPINT_INLINE Word multiply_two(Word u, Word e, double e_value, Word v, Word f,
                                                     Word negative_prime, double inverse,
                                                     const Biases &biases) {
    WARPINT_ASSERT(bounds::is_residue(u) && bounds::is_residue(v) &&
                   bounds::is_factor(e, negative_prime) && bounds::is_factor(f, negative_prime) &&
                   e_value == value_of(e));
    const double sum =
        product_sum(value_of_biased(u), e_value, product(value_of_biased(v), value_of(f)));
    const Word r = multiply_add(rounded_product(sum, inverse), negative_prime,
                                multiply_add(u, e, multiply_add(v, f, biases.residue)));
    WARPINT_ASSERT(bounds::is_product_of(
        r, bounds::product(u, e, negative_prime) + bounds::product(v, f, negative_prime),
        negative_prime));
    return r;
}

// The even representative in [0, 2 p) of a signed residue, -p < r < p.
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr Word even_word(std::int32_t r, Word p) {
    return even_representative(static_cast<Word>(r) + (r < 0 ? p : 0), p);
}

} // namespace warpint::rns
