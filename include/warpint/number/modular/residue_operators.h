// SPDX-License-Identifier: Apache-2.0
// The operators of residues, written once for Residue and StaticResidue. A residue type R offers
//   R::sum, R::difference, R::product (a, b), R::square(a), R::equal(a, b)   static
//   x.like(n)        the residue of any number n for the same modulus
//   x.value()        the canonical number in [0, m)
//   x.raised(e)      x^e for a BigInt e
//   x.inverted()     Optional<R>
#pragma once

#include "../../bigint.h"
#include "../../limb/refused.h"
#include "../exact.h"
#include "tuning.h"

#if WARPINT_HOSTED
#include <iosfwd>
#include <string>
#endif

namespace warpint {

template <class T>
concept AnyResidue = number::is_residue<std::remove_cvref_t<T>>;

namespace number {

// x^e for e of 1 <= width <= short_exponent_bits bits, bit by bit.
template <AnyResidue R>
WARPINT_HOST_DEVICE constexpr R short_power(const R &x, std::uint32_t e, int width) {
    R r = x;
    for (int i = width - 2; i >= 0; --i) {
        r = R::square(r);
        if ((e >> i & 1u) != 0)
            r = R::product(r, x);
    }
    return r;
}

// Operands of which the first, or either, is a residue: the other one is of its type or a number.
template <class A, class B>
concept ResidueAndOther = Variable<A> && AnyResidue<A> && (AnyNumber<B> || std::is_same_v<B, A>);
template <class A, class B>
concept ResidueOperands = ResidueAndOther<A, B> || ResidueAndOther<B, A>;

// Residues of two types: their moduli differ in width or value.
template <class A, class B>
concept ResiduesApart = AnyResidue<A> && AnyResidue<B> && !std::is_same_v<A, B>;

template <class A, class B>
using residue_t = std::conditional_t<AnyResidue<A>, A, B>;

// x as a residue for the modulus of the other operand.
template <class X, class Other>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto) as_residue(const X &x,
                                                                       const Other &other) {
    if constexpr (AnyResidue<X>) {
        return (x);
    } else {
        return other.like(x);
    }
}

} // namespace number

// Sums, differences and products modulo m, also with plain numbers of any width and sign. Residues
// of different moduli: wrong_modulus on the host, an unspecified result in device code.
// Constant time for two residues; converting a plain number takes variable time.
template <class X, class Y>
    requires number::ResidueOperands<X, Y>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::residue_t<X, Y> operator+(const X &x,
                                                                              const Y &y) {
    using R = number::residue_t<X, Y>;
    return R::sum(number::as_residue(x, y), number::as_residue(y, x));
}
template <class X, class Y>
    requires number::ResidueOperands<X, Y>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::residue_t<X, Y> operator-(const X &x,
                                                                              const Y &y) {
    using R = number::residue_t<X, Y>;
    return R::difference(number::as_residue(x, y), number::as_residue(y, x));
}
template <class X, class Y>
    requires number::ResidueOperands<X, Y>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::residue_t<X, Y> operator*(const X &x,
                                                                              const Y &y) {
    using R = number::residue_t<X, Y>;
    // On the host x * x is a square. Device code must call sqr(x): a comparison of addresses would
    // put the operands into local memory.
    if constexpr (std::is_same_v<X, Y>) {
        if (!WARPINT_DEVICE_PASS && &x == &y)
            return R::square(x);
    }
    return R::product(number::as_residue(x, y), number::as_residue(y, x));
}

// The quotient modulo m: x times the inverse of y. If y has no inverse: std::domain_error on the
// host, 0 in device code. Variable time.
template <class X, class Y>
    requires number::ResidueOperands<X, Y>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::residue_t<X, Y> operator/(const X &x,
                                                                              const Y &y) {
    using R = number::residue_t<X, Y>;
    const R &dividend = number::as_residue(x, y);
    const R &divisor = number::as_residue(y, x);
    R::require_same(dividend, divisor);
    const Optional<R> inverse_of_y = divisor.inverted();
    if (!inverse_of_y) {
        number::report_domain_error("warpint: division by a residue without an inverse");
        return dividend.like(0);
    }
    return dividend * *inverse_of_y;
}

// Whether two residues, or a residue and a number, which may be unreduced, are equal.
template <class X, class Y>
    requires number::ResidueOperands<X, Y>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool operator==(const X &x, const Y &y) {
    using R = number::residue_t<X, Y>;
    return R::equal(number::as_residue(x, y), number::as_residue(y, x));
}

template <AnyResidue R>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr R operator+(const R &a) {
    return a;
}
template <AnyResidue R>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr R operator-(const R &a) {
    return R::difference(a.zero(), a);
}

template <class R, class B>
    requires number::ResidueAndOther<R, B>
WARPINT_HOST_DEVICE constexpr R &operator+=(R &a, const B &b) {
    return a = a + b;
}
template <class R, class B>
    requires number::ResidueAndOther<R, B>
WARPINT_HOST_DEVICE constexpr R &operator-=(R &a, const B &b) {
    return a = a - b;
}
template <class R, class B>
    requires number::ResidueAndOther<R, B>
WARPINT_HOST_DEVICE constexpr R &operator*=(R &a, const B &b) {
    return a = a * b;
}
template <class R, class B>
    requires number::ResidueAndOther<R, B>
WARPINT_HOST_DEVICE constexpr R &operator/=(R &a, const B &b) {
    return a = a / b;
}

// Residues of two types; these are here for their message.
#define WARPINT_REFUSED_RESIDUES(result, symbol)                                                   \
    template <limb::Advice instead = WARPINT_OTHER_MODULUS, class X, class Y>                      \
        requires number::ResiduesApart<X, Y>                                                       \
    result operator symbol(const X &, const Y &) WARPINT_REFUSED(WARPINT_OTHER_MODULUS);
#define WARPINT_OTHER_MODULUS                                                                      \
    "their moduli differ: write m(x.value()) for x modulo the other one, m"
WARPINT_REFUSED_RESIDUES(X, +)
WARPINT_REFUSED_RESIDUES(X, -)
WARPINT_REFUSED_RESIDUES(X, *)
WARPINT_REFUSED_RESIDUES(X, /)
WARPINT_REFUSED_RESIDUES(bool, ==)
WARPINT_REFUSED_RESIDUES(void, +=)
WARPINT_REFUSED_RESIDUES(void, -=)
WARPINT_REFUSED_RESIDUES(void, *=)
WARPINT_REFUSED_RESIDUES(void, /=)
#undef WARPINT_OTHER_MODULUS
#undef WARPINT_REFUSED_RESIDUES

// The square. In kernels it is faster than x * x. Constant time.
template <AnyResidue R>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr R sqr(const R &x) {
    return R::square(x);
}

// The power x^e; x^0 is 1. A negative e: std::domain_error on the host, 0 in device code. Variable
// time.
template <AnyResidue R, AnyNumber E>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr R pow(const R &x, const E &e) {
    const auto exponent = number::as_number(e);
    if (number::is_negative(exponent)) {
        number::report_domain_error("warpint: pow with a negative exponent");
        return x.zero();
    }
    return x.raised(number::to<BigInt<number::bits_of<E>>>(exponent));
}

// The inverse, or nothing if x has a factor in common with the modulus. Variable time.
template <AnyResidue R>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr Optional<R> inverse(const R &x) {
    return x.inverted();
}

// ---- what formulas call for numbers of all kinds (number/kinds.h, number/exact.h)

namespace number {

template <AnyResidue R>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE const R &as_number(const R &x) {
    return x;
}
// Of a fault too a residue of the same modulus.
template <class Kind, AnyResidue R>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE R value_or_fault(bool &fault,
                                                              const Optional<R> &result) {
    if (!result.has_value())
        fault = true;
    return *result;
}

} // namespace number

namespace exact {

template <class A, class B>
    requires(AnyResidue<A> || AnyResidue<B>)
WARPINT_HOST_DEVICE constexpr auto add(const A &a, const B &b) {
    return a + b;
}
template <class A, class B>
    requires(AnyResidue<A> || AnyResidue<B>)
WARPINT_HOST_DEVICE constexpr auto subtract(const A &a, const B &b) {
    return a - b;
}
template <AnyResidue R>
WARPINT_HOST_DEVICE constexpr R negate(const R &a) {
    return -a;
}

} // namespace exact

#if WARPINT_HOSTED
// The number in [0, m), as text.
template <AnyResidue R>
[[nodiscard]] inline std::string to_string(const R &x, int base = 10) {
    return to_string(x.value(), base);
}
template <class Character, class Traits, AnyResidue R>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &stream,
                                                  const R &x) {
    return stream << x.value();
}
#endif

} // namespace warpint
