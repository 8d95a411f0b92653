// SPDX-License-Identifier: Apache-2.0
// Literals: 0xffff_bi, 1'000_bi and -5_bi are exact constants without a width.
//
//   BigInt<256> x = 1000_bi;   // converts to every number that holds it
//   BigInt<9> y = 1000_bi;     // does not compile: too narrow
//   x + 1000_bi                // beside a number it counts as a built-in integer: x's type
//   x * 1000_bi                // exact: 10 bits wider than x, for 1000's 10 bits
//   x % 1000_bi                // in [0, 1000)
//   1000_bi + 24_bi, -5_bi     // literals again, exact
//   1_bi << 255                // does not compile: name a width, BigInt<256>(1) << 255
#pragma once

#include "bits.h"
#include "compare.h"
#include "text.h"

#include <utility>

namespace warpint {

namespace number {

// The value of a literal's characters in a width that certainly holds it: no digit carries more
// than four bits.
template <char... Characters>
consteval BigInt<4 * static_cast<int>(sizeof...(Characters))> literal_value() {
    const char characters[] = {Characters...};
    char digits[sizeof...(Characters)]{};
    std::size_t count = 0;
    for (const char c : characters) {
        if (c != '\'')
            digits[count++] = c;
    }
    return parse<BigInt<4 * static_cast<int>(sizeof...(Characters))>>(
        std::string_view(digits, count), 0);
}

// The constants whose values become literals: `value()`, a number of any type.
template <char... Characters>
struct SpelledConstant {
    static consteval auto value() { return literal_value<Characters...>(); }
};
template <class A>
struct NegatedConstant {
    static consteval auto value() { return -SignedBigInt<bits_of<A> + 1>(A::value()); }
};
template <class A, class B>
struct SumConstant {
    static consteval auto value() {
        using R = SignedBigInt<signed_bits<A> + signed_bits<B>>;
        return R(A::value()) + R(B::value());
    }
};
template <class A, class B>
struct DifferenceConstant {
    static consteval auto value() {
        using R = SignedBigInt<signed_bits<A> + signed_bits<B>>;
        return R(A::value()) - R(B::value());
    }
};
template <class A, class B>
struct ProductConstant {
    static consteval auto value() { return A::value() * B::value(); }
};

// The magnitude of a constant, computed once: each limb becomes an argument of a template.
template <class Constant>
inline constexpr auto constant_magnitude = magnitude(Constant::value());

// Its limbs without leading zeros, at least one.
template <class Constant>
consteval std::size_t magnitude_limbs() {
    const int width = bit_width(constant_magnitude<Constant>);
    return width > 0 ? static_cast<std::size_t>((width + 31) / 32) : 1;
}

template <class Constant, class Indices>
struct literal_of;
template <class Constant, std::size_t... I>
struct literal_of<Constant, std::index_sequence<I...>> {
    using type = Literal<is_negative(Constant::value()), constant_magnitude<Constant>.limbs[I]...>;
};
template <class Constant>
using literal_t =
    typename literal_of<Constant, std::make_index_sequence<magnitude_limbs<Constant>()>>::type;

template <std::uint32_t... Limbs>
WARPINT_HOST_DEVICE consteval BigInt<32 * static_cast<int>(sizeof...(Limbs))> literal_magnitude() {
    const std::uint32_t limbs[] = {Limbs...};
    BigInt<32 * static_cast<int>(sizeof...(Limbs))> r{};
    for (std::size_t i = 0; i < sizeof...(Limbs); ++i)
        r.limbs[i] = limbs[i];
    return r;
}

// Bits of the narrowest number that holds a literal: a BigInt, or a SignedBigInt for a negative
// one.
template <bool Negative, std::uint32_t... Limbs>
consteval int literal_bits() {
    const BigInt<32 * static_cast<int>(sizeof...(Limbs))> m = literal_magnitude<Limbs...>();
    if constexpr (Negative)
        return bit_width(m - 1u) + 1;
    const int bits = bit_width(m);
    return bits > 0 ? bits : 1;
}

// The value modulo the width of R.
template <BigNumber R, bool Negative, std::uint32_t... Limbs>
WARPINT_HOST_DEVICE consteval R literal_as() {
    R r = to<R>(literal_magnitude<Limbs...>());
    negate_if(r, Negative);
    return r;
}

} // namespace number

// A constant held entirely in its type: the limbs of its magnitude, least significant first,
// without leading zeros. Made by _bi.
template <bool Negative, std::uint32_t... Magnitude>
struct Literal {
    // The narrowest number that holds the value: its width, sign and type.
    static constexpr int bits = number::literal_bits<Negative, Magnitude...>();
    static constexpr bool is_signed = Negative;
    using number_type = number::select_type<bits, is_signed>;

    // The value modulo the width of R.
    template <BigNumber R>
    WARPINT_HOST_DEVICE static constexpr R as() {
        return number::literal_as<R, Negative, Magnitude...>();
    }
    // The value in its own width.
    WARPINT_HOST_DEVICE static constexpr number_type value() { return as<number_type>(); }

    // Converts implicitly to any number that holds the value.
    template <BigNumber R>
        requires(number::holds_values_of<R, number_type>)
    WARPINT_HOST_DEVICE constexpr operator R() const {
        return as<R>();
    }
    // For this library: converting to a number that does not hold it is an error, declared for its
    // diagnostic.
    template <BigNumber number_too_narrow_for_this_literal>
        requires(!number::holds_values_of<number_too_narrow_for_this_literal, number_type>)
    operator number_too_narrow_for_this_literal() const
        WARPINT_REFUSED("the number is too narrow (or unsigned) for this literal");
    // Converts to a built-in integer that holds the value.
    template <BuiltinInteger R>
        requires(number::holds_values_of<number::big_t<R>, number_type>)
    WARPINT_HOST_DEVICE constexpr explicit operator R() const {
        return static_cast<R>(value());
    }
};

inline namespace literals {

// A decimal (255_bi), hexadecimal (0xff_bi), binary (0b101_bi) or octal (017_bi) integer as an
// exact constant. Digit separators are allowed. Always a constant expression, also in kernels;
// anything else, like 1.5_bi, is a compile error. It costs nothing at run time. (Not consteval: in
// templates clang++ 14 would call such a function, which is not there.)
template <char... Characters>
WARPINT_HOST_DEVICE constexpr number::literal_t<number::SpelledConstant<Characters...>>
operator""_bi() {
    return {};
}

} // namespace literals

// Exact: -5_bi is -5, 1000_bi + 24_bi is 1024_bi.
template <bool Negative, std::uint32_t... Limbs>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr Literal<Negative, Limbs...>
operator+(const Literal<Negative, Limbs...> &a) {
    return a;
}
template <bool Negative, std::uint32_t... Limbs>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::literal_t<
    number::NegatedConstant<Literal<Negative, Limbs...>>>
operator-(const Literal<Negative, Limbs...> &) {
    return {};
}
#define WARPINT_LITERAL_OPERATOR(op, result)                                                       \
    template <bool S, std::uint32_t... A, bool T, std::uint32_t... B>                              \
    [[nodiscard]] WARPINT_HOST_DEVICE constexpr number::literal_t<                                 \
        number::result<Literal<S, A...>, Literal<T, B...>>>                                        \
    operator op(const Literal<S, A...> &, const Literal<T, B...> &) {                              \
        return {};                                                                                 \
    }
WARPINT_LITERAL_OPERATOR(+, SumConstant)
WARPINT_LITERAL_OPERATOR(-, DifferenceConstant)
WARPINT_LITERAL_OPERATOR(*, ProductConstant)
#undef WARPINT_LITERAL_OPERATOR

namespace number {

// The error of an operation that would have to invent a width.
template <class A, class B, bool Matches>
struct width_is_missing {};
template <class A, class B>
struct width_is_missing<A, B, true> {
    static_assert(sizeof(A) == 0,
                  "a literal has no width: name one, as in BigInt<256>(1) << 255 or "
                  "BigInt<256>(1000) + 100");
    using type = BigInt<1>;
};
template <class A, class B>
using width_is_missing_t = typename width_is_missing<A, B, WidthlessPair<A, B>>::type;
template <class A, class B>
using width_is_missing_in_sum_t = typename width_is_missing<A, B, BuiltinInteger<B>>::type;

} // namespace number

// With a built-in integer on either side; those of `refused` also of two literals.
#define WARPINT_LITERAL_WITHOUT_WIDTH(op, refused)                                                 \
    template <bool S, std::uint32_t... A, class B>                                                 \
    WARPINT_HOST_DEVICE constexpr number::refused<Literal<S, A...>, B> operator op(                \
        const Literal<S, A...> &, const B &) {                                                     \
        return {};                                                                                 \
    }                                                                                              \
    template <class A, bool S, std::uint32_t... B>                                                 \
    WARPINT_HOST_DEVICE constexpr number::width_is_missing_in_sum_t<Literal<S, B...>, A>           \
    operator op(const A &, const Literal<S, B...> &) {                                             \
        return {};                                                                                 \
    }
WARPINT_LITERAL_WITHOUT_WIDTH(+, width_is_missing_in_sum_t)
WARPINT_LITERAL_WITHOUT_WIDTH(-, width_is_missing_in_sum_t)
WARPINT_LITERAL_WITHOUT_WIDTH(*, width_is_missing_in_sum_t)
WARPINT_LITERAL_WITHOUT_WIDTH(/, width_is_missing_t)
WARPINT_LITERAL_WITHOUT_WIDTH(%, width_is_missing_t)
WARPINT_LITERAL_WITHOUT_WIDTH(&, width_is_missing_t)
WARPINT_LITERAL_WITHOUT_WIDTH(|, width_is_missing_t)
WARPINT_LITERAL_WITHOUT_WIDTH(^, width_is_missing_t)
WARPINT_LITERAL_WITHOUT_WIDTH(<<, width_is_missing_t)
WARPINT_LITERAL_WITHOUT_WIDTH(>>, width_is_missing_t)
#undef WARPINT_LITERAL_WITHOUT_WIDTH

template <LiteralNumber T>
[[nodiscard]] std::string to_string(const T &, int base = 10) {
    return to_string(T::value(), base);
}

// Functions whose result has the type of their operand, or depends on its width. These are here for
// their message.
#define WARPINT_NEEDS_WIDTH "a literal has no width: name one, as in BigInt<256>(99_bi)"
#define WARPINT_REFUSED_LITERAL(function)                                                          \
    template <limb::Advice instead = WARPINT_NEEDS_WIDTH, LiteralNumber A, class... More>          \
    BigInt<64> function(const A &, const More &...) WARPINT_REFUSED(WARPINT_NEEDS_WIDTH);
#define WARPINT_REFUSED_LITERALS(function)                                                         \
    template <limb::Advice instead = WARPINT_NEEDS_WIDTH, class A, class B>                        \
        requires number::WidthlessPair<A, B>                                                       \
    BigInt<64> function(const A &, const B &) WARPINT_REFUSED(WARPINT_NEEDS_WIDTH);
WARPINT_REFUSED_LITERAL(popcount)
WARPINT_REFUSED_LITERAL(bit_width)
WARPINT_REFUSED_LITERAL(countl_zero)
WARPINT_REFUSED_LITERAL(countr_zero)
WARPINT_REFUSED_LITERAL(has_single_bit)
WARPINT_REFUSED_LITERAL(test_bit)
WARPINT_REFUSED_LITERAL(set_bit)
WARPINT_REFUSED_LITERAL(rotl)
WARPINT_REFUSED_LITERAL(rotr)
WARPINT_REFUSED_LITERAL(extract_bits)
WARPINT_REFUSED_LITERAL(insert_bits)
WARPINT_REFUSED_LITERAL(to_bytes)
WARPINT_REFUSED_LITERAL(abs)
WARPINT_REFUSED_LITERAL(sqr)
WARPINT_REFUSED_LITERAL(isqrt)
WARPINT_REFUSED_LITERAL(sqrt_rem)
WARPINT_REFUSED_LITERALS(pow)
WARPINT_REFUSED_LITERALS(min)
WARPINT_REFUSED_LITERALS(max)
WARPINT_REFUSED_LITERALS(gcd)
WARPINT_REFUSED_LITERALS(lcm)
WARPINT_REFUSED_LITERALS(divmod)
WARPINT_REFUSED_LITERALS(mul_low)
WARPINT_REFUSED_LITERALS(mul_high)
WARPINT_REFUSED_LITERALS(mul_overflow)
WARPINT_REFUSED_LITERALS(add_overflow)
WARPINT_REFUSED_LITERALS(sub_overflow)
WARPINT_REFUSED_LITERALS(add_carry)
WARPINT_REFUSED_LITERALS(sub_borrow)
template <int Count, limb::Advice instead = WARPINT_NEEDS_WIDTH, LiteralNumber A, class P>
BigInt<Count> extract_bits(const A &, const P &) WARPINT_REFUSED(WARPINT_NEEDS_WIDTH);
template <limb::Advice instead = WARPINT_NEEDS_WIDTH, LiteralNumber A>
BigInt<64> operator~(const A &) WARPINT_REFUSED(WARPINT_NEEDS_WIDTH);
#undef WARPINT_REFUSED_LITERALS
#undef WARPINT_REFUSED_LITERAL
#undef WARPINT_NEEDS_WIDTH

} // namespace warpint
