// SPDX-License-Identifier: Apache-2.0
// What the properties of BigInt and SignedBigInt (bigint_cases.h) share: lists of widths, operands
// for number types, and the comparison of a result with the law.
#pragma once

#include "support/oracle.h"
#include "support/property.h"

#include <warpint/bigint.h>

namespace bigint_cases {

using test::check_property;
using test::from_integer;
using test::Integer;
using test::is_signed_number;
using test::Operands;
using test::OperandSource;
using test::store_signed;
using test::store_unsigned;
using test::stored;
using test::to_integer;
using test::Verdict;
using warpint::BigInt;
using warpint::SignedBigInt;

/// A list of widths known at compile time; `for_each` calls f.template operator()<width>().
template <int... Widths>
struct WidthList {
    template <typename Function>
    static void for_each(Function f) {
        (f.template operator()<Widths>(), ...);
    }
};

/// Draws a value that the number type A holds.
template <typename A>
Integer draw_number(OperandSource &source) {
    return is_signed_number<A> ? source.signed_number(A::bits) : source.number(A::bits);
}

/// Draws operands for number types A, B: each unsigned or signed, of any width.
template <typename A, typename B>
Operands draw_pair(OperandSource &source) {
    if constexpr (!is_signed_number<A> && !is_signed_number<B>) {
        test::OperandPair pair = source.pair(A::bits, B::bits);
        return {pair.a, pair.b};
    } else {
        if (source.one_in(2)) { // related bit patterns, read as signed where the type is
            test::OperandPair pair = source.pair(A::bits, B::bits);
            return {stored<A>(pair.a), stored<B>(pair.b)};
        }
        Integer a = draw_number<A>(source);
        return {a, draw_number<B>(source)};
    }
}

/// Draws a dividend of type A and a divisor of type B (which may be 0 after shrinking only).
template <typename A, typename B>
Operands draw_division(OperandSource &source) {
    test::DivisionPair d = source.division_pair(A::bits, B::bits);
    Integer dividend =
        is_signed_number<A> ? stored<A>(source.one_in(2) ? -d.dividend : d.dividend) : d.dividend;
    Integer divisor =
        is_signed_number<B> ? stored<B>(source.one_in(2) ? -d.divisor : d.divisor) : d.divisor;
    if (is_signed_number<A> && source.one_in(8)) {
        dividend = source.signed_number(A::bits);
    }
    if (is_signed_number<B> && source.one_in(8)) {
        divisor = source.signed_number(B::bits);
    }
    return {dividend, divisor.is_zero() ? stored<B>(Integer(1)) : divisor};
}

/// The law for `result`, whatever its type: it holds the stored exact value.
template <typename Result>
void holds(Verdict &verdict, const char *what, const Result &result, const Integer &exact) {
    verdict.equal(what, to_integer(result), stored<Result>(exact));
}

} // namespace bigint_cases
