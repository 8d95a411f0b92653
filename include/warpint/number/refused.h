// SPDX-License-Identifier: Apache-2.0
// Habitual notations that numbers do not have; these are here for their messages.
#pragma once

#include "storage.h"

#if WARPINT_HOSTED
#include <string>
#endif

namespace warpint {

namespace number {

// A number beside a floating-point one.
template <class A, class B>
concept WithFloating = (BigNumber<A> && BuiltinFloating<B>) || (BuiltinFloating<A> && BigNumber<B>);

// Kinds of operands.
struct IsBig {
    template <class T>
    static constexpr bool holds = BigNumber<T>;
};
struct IsText {
    template <class T>
    static constexpr bool holds = String<T> || std::is_same_v<std::decay_t<T>, char *> ||
                                  std::is_same_v<std::decay_t<T>, const char *>;
};
struct IsFloating {
    template <class T>
    static constexpr bool holds = BuiltinFloating<T>;
};

} // namespace number

// a * 0.5: neither operand converts by itself.
#define WARPINT_REFUSED_FLOATING(symbol, result)                                                   \
    template <class A, class B, class write_BigInt_256_x_or_static_cast_double_a = void>           \
        requires number::WithFloating<A, B>                                                        \
    result operator symbol(const A &, const B &)                                                   \
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

#if WARPINT_HOSTED
// "text" + a. These are templates, so that functions that are none are preferred.
#define WARPINT_TEXT "to_string(a) is the text of a number a"
template <class...>
std::string operator+(limb::Refused<number::IsBig>,
                      limb::WriteInstead<number::IsText, WARPINT_TEXT>)
    WARPINT_REFUSED(WARPINT_TEXT);
template <class...>
std::string operator+(limb::WriteInstead<number::IsText, WARPINT_TEXT>,
                      limb::Refused<number::IsBig>) WARPINT_REFUSED(WARPINT_TEXT);
#undef WARPINT_TEXT
#endif

// Exponents are integers.
#define WARPINT_EXPONENT "isqrt(a) is the square root; other exponents are integers"
template <class...>
BigInt<64> pow(limb::Refused<number::IsBig>,
               limb::WriteInstead<number::IsFloating, WARPINT_EXPONENT>)
    WARPINT_REFUSED(WARPINT_EXPONENT);
template <class...>
BigInt<64> pow(limb::WriteInstead<number::IsFloating, WARPINT_EXPONENT>,
               limb::Refused<number::IsBig>) WARPINT_REFUSED(WARPINT_EXPONENT);
#undef WARPINT_EXPONENT

// The square root of an integer is isqrt.
template <BigNumber A, class isqrt_rounds_down_as_integers_do = void>
A sqrt(const A &) WARPINT_REFUSED("isqrt(a) is the square root, rounded down");

// GMP's name of pow.
template <class A, class E, AnyNumber M, class write_pow_a_e_m = void>
    requires(BigNumber<A> || BigNumber<E> || BigNumber<M>)
M powm(const A &, const E &, const M &) WARPINT_REFUSED("write pow(a, e, m)");

} // namespace warpint
