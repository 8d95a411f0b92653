// SPDX-License-Identifier: Apache-2.0
// Operands of functions that exist to be refused, for messages that say what to write instead.
#pragma once

#include "config.h"

#include <cstddef>
#include <type_traits>

namespace warpint::limb {

// An operand of a refused function: any value of a type T with Kind::holds<T>. It takes a
// conversion, and so does every other operand of such a function. Therefore any other function that
// accepts the operands is preferred, also one that a program defines.
template <class Kind>
struct Refused {
    template <class T>
    requires(Kind::template holds<T>) Refused(const T &);
};

// Text as a template's argument.
template <std::size_t size>
struct Advice {
    char text[size];
    constexpr Advice(const char (&letters)[size]) : text{} {
        for (std::size_t i = 0; i < size; ++i)
            text[i] = letters[i];
    }
};

// Such an operand, whose name says what to write: compilers print the type of a deleted function.
template <class Kind, Advice>
struct WriteInstead {
    template <class T>
    requires(Kind::template holds<T>) WriteInstead(const T &);
};

// Kinds of operands.
struct Any {
    template <class T>
    static constexpr bool holds = true;
};
template <class Class>
struct Is {
    template <class T>
    static constexpr bool holds = std::is_same_v<T, Class>;
};
template <class Class>
struct IsNot {
    template <class T>
    static constexpr bool holds = !std::is_same_v<T, Class>;
};

} // namespace warpint::limb

// A refused operator of two kinds of operands. Its result, the last argument, is what the rest of
// the statement can use. It is a template, so that a function that is none is preferred.
#define WARPINT_REFUSED_OPERATOR(symbol, Left, Right, advice, ...)                                 \
    template <class...>                                                                            \
    __VA_ARGS__ operator symbol(::warpint::limb::Refused<Left>,                                    \
                                ::warpint::limb::WriteInstead<Right, advice>)                      \
        WARPINT_REFUSED(advice)

// In a class: refused operators with this class on the left and on the right side. They are looked
// up only where an operand is of this class.
#define WARPINT_REFUSED_LEFT(symbol, Class, advice, ...)                                           \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator symbol(                                                            \
        ::warpint::limb::Refused<::warpint::limb::Is<Class>>,                                      \
        ::warpint::limb::WriteInstead<::warpint::limb::Any, advice>) WARPINT_REFUSED(advice)
#define WARPINT_REFUSED_RIGHT(symbol, Class, advice, ...)                                          \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator symbol(                                                            \
        ::warpint::limb::WriteInstead<::warpint::limb::IsNot<Class>, advice>,                      \
        ::warpint::limb::Refused<::warpint::limb::Is<Class>>) WARPINT_REFUSED(advice)
#define WARPINT_REFUSED_ARITHMETIC(Class, advice, ...)                                             \
    WARPINT_REFUSED_LEFT(+, Class, advice, __VA_ARGS__);                                           \
    WARPINT_REFUSED_LEFT(-, Class, advice, __VA_ARGS__);                                           \
    WARPINT_REFUSED_LEFT(*, Class, advice, __VA_ARGS__);                                           \
    WARPINT_REFUSED_LEFT(/, Class, advice, __VA_ARGS__);                                           \
    WARPINT_REFUSED_LEFT(%, Class, advice, __VA_ARGS__);                                           \
    WARPINT_REFUSED_LEFT(==, Class, advice, bool);                                                 \
    WARPINT_REFUSED_RIGHT(+, Class, advice, __VA_ARGS__);                                          \
    WARPINT_REFUSED_RIGHT(-, Class, advice, __VA_ARGS__);                                          \
    WARPINT_REFUSED_RIGHT(*, Class, advice, __VA_ARGS__);                                          \
    WARPINT_REFUSED_RIGHT(/, Class, advice, __VA_ARGS__)
