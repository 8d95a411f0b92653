// SPDX-License-Identifier: Apache-2.0
// Habitual notations that numbers do not have; these are here for their messages.
#pragma once

#include "storage.h"

namespace warpint {

namespace number {

// A number beside a floating-point one.
template <class A, class B>
concept WithFloating = (BigNumber<A> && BuiltinFloating<B>) || (BuiltinFloating<A> && BigNumber<B>);

} // namespace number

// a * 0.5: neither operand converts by itself.
#define WARPINT_REFUSED_FLOATING(symbol, result)                                                   \
    template <class A, class B, class write_BigInt_256_x_or_static_cast_double_a = void>           \
    requires number::WithFloating<A, B> result operator symbol(const A &, const B &)               \
        WARPINT_REFUSED("convert one of them: BigInt<256>(x), or static_cast<double>(a)");
WARPINT_REFUSED_FLOATING(+, A)
WARPINT_REFUSED_FLOATING(-, A)
WARPINT_REFUSED_FLOATING(*, A)
WARPINT_REFUSED_FLOATING(/, A)
WARPINT_REFUSED_FLOATING(==, bool)
WARPINT_REFUSED_FLOATING(<, bool)
WARPINT_REFUSED_FLOATING(>, bool)
WARPINT_REFUSED_FLOATING(<=, bool)
WARPINT_REFUSED_FLOATING(>=, bool)
#undef WARPINT_REFUSED_FLOATING

// The square root of an integer is isqrt.
template <BigNumber A, class isqrt_rounds_down_as_integers_do = void>
A sqrt(const A &) WARPINT_REFUSED("isqrt(a) is the square root, rounded down");

// GMP's name of pow.
template <class A, class E, AnyNumber M, class write_pow_a_e_m = void>
requires(BigNumber<A> || BigNumber<E> || BigNumber<M>) //
    M powm(const A &, const E &, const M &)
WARPINT_REFUSED("write pow(a, e, m)");

} // namespace warpint
