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
        requires(Kind::template holds<T>)
    Refused(const T &);
};

// Text as a template's argument: what to write instead of a deleted function. As a default argument
// that comes first, g++ and nvcc print it before the types of the operands, which may be long.
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
        requires(Kind::template holds<T>)
    WriteInstead(const T &);
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

// In a class that is no number: refused arithmetic with it. The operators are looked up only where
// an operand is of this class. They are templates, so that functions that are none are preferred.
// Their result, the last argument, is what the rest of the statement can use.
#define WARPINT_REFUSED_ARITHMETIC(Class, advice, ...)                                             \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator+(::warpint::limb::Refused<::warpint::limb::Is<Class>>,             \
                                 ::warpint::limb::WriteInstead<::warpint::limb::Any, advice>)      \
        WARPINT_REFUSED(advice);                                                                   \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator-(::warpint::limb::Refused<::warpint::limb::Is<Class>>,             \
                                 ::warpint::limb::WriteInstead<::warpint::limb::Any, advice>)      \
        WARPINT_REFUSED(advice);                                                                   \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator*(::warpint::limb::Refused<::warpint::limb::Is<Class>>,             \
                                 ::warpint::limb::WriteInstead<::warpint::limb::Any, advice>)      \
        WARPINT_REFUSED(advice);                                                                   \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator/(::warpint::limb::Refused<::warpint::limb::Is<Class>>,             \
                                 ::warpint::limb::WriteInstead<::warpint::limb::Any, advice>)      \
        WARPINT_REFUSED(advice);                                                                   \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator%(::warpint::limb::Refused<::warpint::limb::Is<Class>>,             \
                                 ::warpint::limb::WriteInstead<::warpint::limb::Any, advice>)      \
        WARPINT_REFUSED(advice);                                                                   \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator+(                                                                  \
        ::warpint::limb::WriteInstead<::warpint::limb::IsNot<Class>, advice>,                      \
        ::warpint::limb::Refused<::warpint::limb::Is<Class>>) WARPINT_REFUSED(advice);             \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator-(                                                                  \
        ::warpint::limb::WriteInstead<::warpint::limb::IsNot<Class>, advice>,                      \
        ::warpint::limb::Refused<::warpint::limb::Is<Class>>) WARPINT_REFUSED(advice);             \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator*(                                                                  \
        ::warpint::limb::WriteInstead<::warpint::limb::IsNot<Class>, advice>,                      \
        ::warpint::limb::Refused<::warpint::limb::Is<Class>>) WARPINT_REFUSED(advice);             \
    template <class...>                                                                            \
    friend __VA_ARGS__ operator/(                                                                  \
        ::warpint::limb::WriteInstead<::warpint::limb::IsNot<Class>, advice>,                      \
        ::warpint::limb::Refused<::warpint::limb::Is<Class>>) WARPINT_REFUSED(advice)
