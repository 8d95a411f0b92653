// SPDX-License-Identifier: Apache-2.0
// Functions that exist to be refused, for messages that say what to write instead.
#pragma once

#include <compare>
#include <cstddef>
#include <iosfwd>
#include <string_view>
#include <type_traits>

namespace warpint::limb {

// Text as a template's argument.
template <std::size_t size>
struct Advice {
    char text[size];
    constexpr Advice(const char (&letters)[size]) : text{} {
        for (std::size_t i = 0; i < size; ++i)
            text[i] = letters[i];
    }
};
template <Advice>
struct Instead;

} // namespace warpint::limb

// A function that exists to be refused, to say what to write instead. It is deleted, so
// requires-expressions and traits like std::is_convertible see no such function.
//
//     template <BigNumber A, WARPINT_ADVICE("isqrt(a) is the square root, rounded down")>
//     A sqrt(const A &) WARPINT_REFUSED("isqrt(a) is the square root, rounded down");
//
// clang++ prints the reason. Other compilers print the template's arguments: g++ all of the advice,
// nvcc the first 20 characters, which should be what to write. Where the arguments are all deduced,
// the name of a parameter is the advice.
#if defined(__clang__) && !defined(__CUDACC__)
#define WARPINT_REFUSED(reason) __attribute__((unavailable(reason)))
#define WARPINT_ADVICE(text) class = void
#else
#define WARPINT_REFUSED(reason) = delete
#if defined(__CUDACC__)
#define WARPINT_ADVICE(text) ::warpint::limb::Advice write = text
#else // a type: read once, not in each overload resolution
#define WARPINT_ADVICE(text) class write = ::warpint::limb::Instead<text>
#endif
#endif

// A refused operator of two operands, for which `condition`, of A and B, holds. Its result, the
// last argument, is what the rest of the statement can use, so that there is one error. A refused
// == is found for !=, and <=> for all of < > <= >=, also with the operands exchanged.
#define WARPINT_REFUSED_OPERATOR(symbol, condition, text, ...)                                     \
    template <class A, class B, WARPINT_ADVICE(text)>                                              \
    requires(condition) __VA_ARGS__ operator symbol(const A &, const B &) WARPINT_REFUSED(text)

// In a class that is no number: a refused operator with this class on its left, and with it on
// either side. They are looked up only where an operand is of this class.
#define WARPINT_REFUSED_FRIEND(symbol, Class, text, ...)                                           \
    template <class B, WARPINT_ADVICE(text)>                                                       \
    friend __VA_ARGS__ operator symbol(const Class &, const B &) WARPINT_REFUSED(text)
#define WARPINT_REFUSED_FRIENDS(symbol, Class, text)                                               \
    WARPINT_REFUSED_FRIEND(symbol, Class, text, const B &);                                        \
    template <class A, WARPINT_ADVICE(text)>                                                       \
    requires(!std::is_same_v<A, Class>) friend const A &operator symbol(const A &, const Class &)  \
        WARPINT_REFUSED(text)
#define WARPINT_REFUSED_ARITHMETIC(Class, text)                                                    \
    WARPINT_REFUSED_FRIENDS(+, Class, text);                                                       \
    WARPINT_REFUSED_FRIENDS(-, Class, text);                                                       \
    WARPINT_REFUSED_FRIENDS(*, Class, text);                                                       \
    WARPINT_REFUSED_FRIENDS(/, Class, text)
// Likewise comparisons and printing.
#define WARPINT_REFUSED_AS_VALUE(Class, text)                                                      \
    WARPINT_REFUSED_FRIEND(==, Class, text, bool);                                                 \
    WARPINT_REFUSED_FRIEND(<=>, Class, text, std::strong_ordering);                                \
    WARPINT_REFUSED_FUNCTION(to_string, Class, text, std::string_view);                            \
    template <WARPINT_ADVICE(text)>                                                                \
    friend std::ostream &operator<<(std::ostream &, const Class &) WARPINT_REFUSED(text)
// Likewise a function with this class as its first or second operand.
#define WARPINT_REFUSED_FUNCTION(function, Class, text, ...)                                       \
    template <WARPINT_ADVICE(text), class... B>                                                    \
    friend __VA_ARGS__ function(const Class &, const B &...) WARPINT_REFUSED(text);                \
    template <class A, WARPINT_ADVICE(text), class... B>                                           \
    requires(!std::is_same_v<A, Class>) friend __VA_ARGS__                                         \
    function(const A &, const Class &, const B &...) WARPINT_REFUSED(text)
