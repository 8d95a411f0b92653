// SPDX-License-Identifier: Apache-2.0
// Conversions between numbers and GMP's mpz_t, and mpz_class if <gmpxx.h> is installed. This is the
// only header of the library that needs GMP; link with -lgmp. Host only; variable time.
#pragma once

#include "limb/language.h"

#if WARPINT_HAS_CXX20
WARPINT_HEADER_BEGIN

#include "bigint.h"

#include <gmp.h>
#if __has_include(<gmpxx.h>)
#include <gmpxx.h>
#define WARPINT_HAS_GMPXX 1
#else
#define WARPINT_HAS_GMPXX 0
#endif

#include <stdexcept>
#include <string>

namespace warpint {

// Stores x in `out`, which the caller has initialised with mpz_init.
template <BigNumber T>
inline void to_mpz(mpz_ptr out, const T &x) {
    const auto m = number::magnitude(x);
    mpz_import(out, static_cast<std::size_t>(T::limb_count), -1, sizeof(std::uint32_t), 0, 0,
               m.limbs);
    if (number::is_negative(x))
        mpz_neg(out, out);
}

// The value of z as a BigInt<N> or SignedBigInt<N>, as in from_mpz<BigInt<256>>(z). Throws
// std::out_of_range if the value does not fit; a negative one never fits a BigInt.
template <BigNumber T>
[[nodiscard]] inline T from_mpz(mpz_srcptr z) {
    const bool negative = mpz_sgn(z) < 0;
    const std::size_t width = mpz_cmp_ui(z, 0) != 0 ? mpz_sizeinbase(z, 2) : 0;
    bool fits = width <= static_cast<std::size_t>(T::bits);
    if constexpr (T::is_signed) {
        // Of the values as wide as the type, only -2^(Bits-1) fits: it is negative and has Bits - 1
        // trailing zeros.
        const std::size_t last = static_cast<std::size_t>(T::bits) - 1;
        fits = width <= last || (fits && negative && mpz_scan1(z, 0) == last);
    } else {
        fits = fits && !negative;
    }
    if (!fits) {
        throw std::out_of_range(
            number::join({"from_mpz: a ", negative ? "negative" : "positive", " value of ",
                          std::to_string(width), " bits does not fit in ",
                          number::type_name(T::bits, T::is_signed)}));
    }
    BigInt<T::bits> m{};
    mpz_export(m.limbs, nullptr, -1, sizeof(std::uint32_t), 0, 0, z);
    number::negate_if(m, negative);
    return number::to<T>(m);
}

#if WARPINT_HAS_GMPXX

// The value of x as an mpz_class.
template <BigNumber T>
[[nodiscard]] inline mpz_class to_mpz_class(const T &x) {
    mpz_class z;
    to_mpz(z.get_mpz_t(), x);
    return z;
}

// The value of z as a number, as from_mpz of an mpz_t gives it.
template <BigNumber T>
[[nodiscard]] inline T from_mpz(const mpz_class &z) {
    return from_mpz<T>(z.get_mpz_t());
}

#endif

} // namespace warpint

WARPINT_HEADER_END
#endif
