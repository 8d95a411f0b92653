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
    return low + (high << 16) + multiply_add(quotient, negative_prime, biases.digits);
}

// x^2 mod p of the biased word u, biased.
WARPINT_HOST_DEVICE WARPINT_INLINE Word square(Word u, Word negative_prime, double inverse,
                                               const Biases &biases) {
    const double x = value_of_biased(u);
    return multiply_add(rounded_product(x, product(x, inverse)), negative_prime,
                        multiply_add(u, u, biases.residue));
}
// x e mod p of the biased word u and an even factor.
WARPINT_HOST_DEVICE WARPINT_INLINE Word multiply(Word u, Word e, Word negative_prime,
                                                 double inverse, const Biases &biases) {
    return multiply_add(rounded_product(product(value_of_biased(u), value_of(e)), inverse),
                        negative_prime, multiply_add(u, e, biases.residue));
}
// (x e + y f) mod p of biased words u, v and even factors; e also as a double.
WARPINT_HOST_DEVICE WARPINT_INLINE Word multiply_two(Word u, Word e, double e_value, Word v, Word f,
                                                     Word negative_prime, double inverse,
                                                     const Biases &biases) {
    const double sum =
        product_sum(value_of_biased(u), e_value, product(value_of_biased(v), value_of(f)));
    return multiply_add(rounded_product(sum, inverse), negative_prime,
                        multiply_add(u, e, multiply_add(v, f, biases.residue)));
}

// The even representative in [0, 2 p) of a signed residue, -p < r < p.
WARPINT_HOST_DEVICE WARPINT_INLINE constexpr Word even_word(std::int32_t r, Word p) {
    return even_representative(static_cast<Word>(r) + (r < 0 ? p : 0), p);
}

} // namespace warpint::rns
