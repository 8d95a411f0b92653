// SPDX-License-Identifier: Apache-2.0
// Conversions between warpint's numbers and the oracle's Integer.
//
// They read and write the public `limbs` directly and share no code with warpint/gmp.h or
// warpint's own conversions. Every stored bit is looked at: a number whose unused top bits are
// not zero (not sign copies, if signed) converts to a value out of its range, so a comparison
// with the expected value fails.
#pragma once

#include "integer.h"

#include <warpint/bigint.h>

#include <cstdint>

namespace test {

/// The value of an unsigned number, padding bits included.
template <int Bits>
Integer to_integer(const warpint::BigInt<Bits> &x) {
    return unsigned_from_limbs(x.limbs, warpint::BigInt<Bits>::limb_count);
}

/// The value of a signed number: two's complement over its whole storage.
template <int Bits>
Integer to_integer(const warpint::SignedBigInt<Bits> &x) {
    return signed_from_limbs(x.limbs, warpint::SignedBigInt<Bits>::limb_count);
}

template <typename T>
    requires(std::is_integral_v<T>)
Integer to_integer(T x) {
    return Integer(x);
}

/// True for warpint::SignedBigInt.
template <typename Number>
inline constexpr bool is_signed_number = false;
template <int Bits>
inline constexpr bool is_signed_number<warpint::SignedBigInt<Bits>> = true;

/// What a number of type Number keeps of the unbounded value `a`.
template <typename Number>
Integer stored(const Integer &a) {
    return is_signed_number<Number> ? store_signed(a, Number::bits)
                                    : store_unsigned(a, Number::bits);
}

/// The number of type Number (BigInt or SignedBigInt) that keeps the low bits of `a`.
template <typename Number>
Number from_integer(const Integer &a) {
    Number result{};
    to_limbs(result.limbs, Number::limb_count, stored<Number>(a));
    return result;
}

} // namespace test
