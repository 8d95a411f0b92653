// SPDX-License-Identifier: Apache-2.0
// Mistakes with batches; these are here for their messages.
#pragma once

#include "operators.h"

#include <vector>

namespace warpint {

namespace expression {

// There is no batch of floating-point numbers.
template <class... A>
inline constexpr bool with_floating = (Batch<A> || ...) && (BuiltinFloating<A> || ...) &&
                                      ((Captured<A> || BuiltinFloating<A>)&&...);

// std::vector has no operators.
template <class T>
inline constexpr bool is_std_vector = false;
template <BigNumber T, class Allocator>
inline constexpr bool is_std_vector<std::vector<T, Allocator>> = true;
template <class A, class B>
inline constexpr bool with_std_vector = (is_std_vector<A> && (is_std_vector<B> || Captured<B>)) ||
                                        (Captured<A> && is_std_vector<B>);

// Of the operands, the one that a vector can be assigned from.
template <class A, class B>
using batch_of = std::conditional_t<Batch<A> || is_std_vector<A>, A, B>;

} // namespace expression

#define WARPINT_WITH_FLOATING(symbol)                                                              \
    WARPINT_REFUSED_OPERATOR(                                                                      \
        symbol, (expression::with_floating<A, B>),                                                 \
        "BigInt<256>(x): a batch cannot be combined with a floating-point number x",               \
        expression::batch_of<A, B>)
WARPINT_WITH_FLOATING(+);
WARPINT_WITH_FLOATING(-);
WARPINT_WITH_FLOATING(*);
WARPINT_WITH_FLOATING(/);
#undef WARPINT_WITH_FLOATING

#define WARPINT_WITH_STD_VECTOR(symbol)                                                            \
    WARPINT_REFUSED_OPERATOR(symbol, (expression::with_std_vector<A, B>),                          \
                             "device_vector<T>(v), or host_vector<T>(v), of a std::vector<T> v",   \
                             expression::batch_of<A, B>)
WARPINT_WITH_STD_VECTOR(+);
WARPINT_WITH_STD_VECTOR(-);
WARPINT_WITH_STD_VECTOR(*);
WARPINT_WITH_STD_VECTOR(/);
WARPINT_WITH_STD_VECTOR(%);
#undef WARPINT_WITH_STD_VECTOR

// Exponents are integers, the square root of an integer is isqrt, and powm is GMP's name of pow.
template <class A, WARPINT_ADVICE("isqrt(a) is the square root; other exponents are integers"),
          class... B>
requires(expression::with_floating<A, B...>) const A &pow(const A &, const B &...)
    WARPINT_REFUSED("isqrt(a) is the square root; other exponents are integers");
template <expression::Batch A, WARPINT_ADVICE("isqrt(a) is the square root, rounded down")>
const A &sqrt(const A &) WARPINT_REFUSED("isqrt(a) is the square root, rounded down");
template <class A, class E, class M, WARPINT_ADVICE("pow(a, e, m)")>
requires expression::Formula<A, E, M>
const A &powm(const A &, const E &, const M &) WARPINT_REFUSED("write pow(a, e, m)");

} // namespace warpint
