// SPDX-License-Identifier: Apache-2.0
// Habitual notations that numbers do not have; these are here for their messages.
#pragma once

#include "storage.h"

#include <string>

namespace warpint {

namespace number {

// Numbers, of which one at least is big, beside floating-point ones.
template <class... A>
inline constexpr bool with_floating = (BigNumber<A> || ...) && (BuiltinFloating<A> || ...) &&
                                      ((AnyNumber<A> || BuiltinFloating<A>)&&...);
// A number beside text.
template <class A, class B>
inline constexpr bool with_text = (BigNumber<A> && Text<B>) || (Text<A> && BigNumber<B>);

} // namespace number

// a * 0.5: neither operand converts by itself.
#define WARPINT_WITH_FLOATING(symbol, ...)                                                         \
    WARPINT_REFUSED_OPERATOR(                                                                      \
        symbol, (number::with_floating<A, B>),                                                     \
        "BigInt<256>(x), or static_cast<double>(a): convert one of them", __VA_ARGS__)
WARPINT_WITH_FLOATING(+, BigInt<64>);
WARPINT_WITH_FLOATING(-, BigInt<64>);
WARPINT_WITH_FLOATING(*, BigInt<64>);
WARPINT_WITH_FLOATING(/, BigInt<64>);
WARPINT_WITH_FLOATING(%, BigInt<64>);
WARPINT_WITH_FLOATING(==, bool);
WARPINT_WITH_FLOATING(<=>, std::strong_ordering);
#undef WARPINT_WITH_FLOATING

// "text" + a, and a == "12".
WARPINT_REFUSED_OPERATOR(+, (number::with_text<A, B>), "to_string(a) is the text of a number",
                         std::string);
template <number::Text A, BigNumber B, WARPINT_ADVICE("to_string(a) is the text of a number")>
A &operator+=(A &, const B &) WARPINT_REFUSED("to_string(a) is the text of a number");
WARPINT_REFUSED_OPERATOR(==, (number::with_text<A, B>),
                         "::parse(text), as in BigInt<256>::parse(text)", bool);

// Exponents are integers.
template <class A, WARPINT_ADVICE("isqrt(a) is the square root; other exponents are integers"),
          class... B>
requires(number::with_floating<A, B...>) BigInt<64> pow(const A &, const B &...)
    WARPINT_REFUSED("isqrt(a) is the square root; other exponents are integers");

// The square root of an integer is isqrt.
template <BigNumber A, WARPINT_ADVICE("isqrt(a) is the square root, rounded down")>
A sqrt(const A &) WARPINT_REFUSED("isqrt(a) is the square root, rounded down");

// GMP's name of pow.
template <class A, class E, AnyNumber M, WARPINT_ADVICE("pow(a, e, m)")>
requires(BigNumber<A> || BigNumber<E> || BigNumber<M>) //
    M powm(const A &, const E &, const M &)
WARPINT_REFUSED("write pow(a, e, m)");

} // namespace warpint
