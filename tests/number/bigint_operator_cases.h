// SPDX-License-Identifier: Apache-2.0
// Properties of the operators of BigInt and SignedBigInt: + - * & | ^ ~ and their compound
// assignments, / %, comparisons, and all of these with built-in operands.
//
// Part of bigint_cases.h.
#pragma once

#include "bigint_operands.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <compare>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace bigint_cases {

// ---- + - * & | ^ ~ and compound assignment ------------------------------------------------------

/// `a op= b` for every op of a ring, where a and b hold the values v[0] and v[1].
template <typename A, typename B>
void check_compound(Verdict &verdict, const A &a, const B &b, const Operands &v) {
    const auto compound = [&](const char *what, auto assign, const Integer &exact) {
        A x = a;
        assign(x);
        holds(verdict, what, x, exact);
    };
    compound("a += b", [&](A &x) { x += b; }, v[0] + v[1]);
    compound("a -= b", [&](A &x) { x -= b; }, v[0] - v[1]);
    compound("a *= b", [&](A &x) { x *= b; }, v[0] * v[1]);
    compound("a &= b", [&](A &x) { x &= b; }, v[0] & v[1]);
    compound("a |= b", [&](A &x) { x |= b; }, v[0] | v[1]);
    compound("a ^= b", [&](A &x) { x ^= b; }, v[0] ^ v[1]);
}

template <typename A, typename B>
void check_ring(const char *name, long count) {
    check_property(name, A::bits, count, draw_pair<A, B>, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const B b = from_integer<B>(v[1]);
        constexpr int wider = std::max(A::bits, B::bits);
        static_assert(decltype(a + b)::bits == wider && decltype(a - b)::bits == wider);
        static_assert(decltype(a & b)::bits == wider && decltype(a | b)::bits == wider);
        static_assert(decltype(a ^ b)::bits == wider && decltype(~a)::bits == A::bits);
        static_assert(decltype(a * b)::bits == A::bits + B::bits);
        static_assert(is_signed_number<decltype(a * b)> ==
                      (is_signed_number<A> || is_signed_number<B>));
        holds(verdict, "a + b", a + b, v[0] + v[1]);
        holds(verdict, "a - b", a - b, v[0] - v[1]);
        holds(verdict, "a & b", a & b, v[0] & v[1]);
        holds(verdict, "a | b", a | b, v[0] | v[1]);
        holds(verdict, "a ^ b", a ^ b, v[0] ^ v[1]);
        holds(verdict, "~a", ~a, ~v[0]);
        holds(verdict, "-a", -a, -v[0]);
        holds(verdict, "+a", +a, v[0]);
        verdict.equal("a * b", to_integer(a * b), v[0] * v[1]); // exact, never truncated

        check_compound(verdict, a, b, v);
        verdict.equal("a is untouched", to_integer(a), v[0]);
        verdict.equal("b is untouched", to_integer(b), v[1]);
    });
}

/// One operand: increments, aliased compound assignment, squares and products of one width.
template <typename A>
void check_unary(const char *name, long count) {
    check_property(name, A::bits, count, draw_pair<A, A>, [](Verdict &verdict, const Operands &v) {
        A x = from_integer<A>(v[0]);
        holds(verdict, "++a", ++x, v[0] + 1);
        holds(verdict, "a++ returns", x++, v[0] + 1);
        holds(verdict, "a++", x, v[0] + 2);
        holds(verdict, "--a", --x, v[0] + 1);
        holds(verdict, "a-- returns", x--, v[0] + 1);
        holds(verdict, "a--", x, v[0]);
        const auto aliased = [&](const char *what, auto assign, const Integer &exact) {
            A y = from_integer<A>(v[0]);
            assign(y, y);
            holds(verdict, what, y, exact);
        };
        aliased("a += a", [](A &y, const A &z) { y += z; }, v[0] + v[0]);
        aliased("a -= a", [](A &y, const A &z) { y -= z; }, Integer(0));
        aliased("a *= a", [](A &y, const A &z) { y *= z; }, v[0] * v[0]);
        aliased("a &= a", [](A &y, const A &z) { y &= z; }, v[0]);
        aliased("a |= a", [](A &y, const A &z) { y |= z; }, v[0]);
        aliased("a ^= a", [](A &y, const A &z) { y ^= z; }, Integer(0));
        aliased("a = a + a * a", [](A &y, const A &z) { y = z + y * z; }, v[0] + v[0] * v[0]);
        if (!v[0].is_zero()) {
            aliased("a /= a", [](A &y, const A &z) { y /= z; }, Integer(1));
            aliased("a %= a", [](A &y, const A &z) { y %= z; }, Integer(0));
        }
        const A a = from_integer<A>(v[0]);
        const A b = from_integer<A>(v[1]);
        static_assert(decltype(sqr(a))::bits == 2 * A::bits);
        static_assert(decltype(mul_low(a, b))::bits == A::bits);
        static_assert(decltype(mul_high(a, b))::bits == A::bits);
        verdict.equal("sqr(a)", to_integer(sqr(a)), v[0] * v[0]);
        holds(verdict, "mul_low(a, b)", mul_low(a, b), v[0] * v[1]);
        holds(verdict, "mul_high(a, b)", mul_high(a, b), (v[0] * v[1]) >> std::size_t(A::bits));
    });
}

// ---- / % divmod ---------------------------------------------------------------------------------

template <typename A, typename B>
void check_division(const char *name, long count) {
    check_property(
        name, A::bits, count, draw_division<A, B>, [](Verdict &verdict, const Operands &v) {
            const A a = from_integer<A>(v[0]);
            const B b = from_integer<B>(v[1]);
            static_assert(decltype(a / b)::bits == A::bits && decltype(a % b)::bits == B::bits);
            if (v[1].is_zero()) {
                return;
            }
            const Integer quotient = v[0] / v[1]; // truncated
            const Integer remainder = is_signed_number<B> ? v[0] % v[1] : modulo(v[0], v[1]);
            holds(verdict, "a / b", a / b, quotient);
            verdict.equal("a % b", to_integer(a % b), remainder);
            // divmod keeps a = q b + r, so with the remainder in [0, b) the quotient is rounded
            // down.
            const auto both = divmod(a, b);
            holds(verdict, "divmod(a, b).quotient", both.quotient, (v[0] - remainder) / v[1]);
            verdict.equal("divmod(a, b).remainder", to_integer(both.remainder), remainder);
            A x = a;
            x /= b;
            holds(verdict, "a /= b", x, quotient);
            x = a;
            x %= b;
            holds(verdict, "a %= b", x, remainder);
        });
}

template <typename A>
void check_division_by_zero() {
    const A a = from_integer<A>(Integer(1));
    const A zero = 0;
    const BigInt<64> other_zero = 0;
    A x = a;
    CHECK_THROWS_AS(static_cast<void>(a / zero), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(a % zero), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(zero / zero), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(divmod(a, zero)), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(a / other_zero), std::domain_error);
    CHECK_THROWS_AS(static_cast<void>(a % 0u), std::domain_error);
    CHECK_THROWS_AS(x /= zero, std::domain_error);
    CHECK_THROWS_AS(x %= zero, std::domain_error);
    CHECK(x == a); // untouched
}

// ---- comparisons --------------------------------------------------------------------------------

template <typename A, typename B>
void check_order_of(Verdict &verdict, const A &a, const B &b, int order) {
    verdict.is_true("a == b by value", (a == b) == (order == 0));
    verdict.is_true("a != b by value", (a != b) == (order != 0));
    verdict.is_true("a < b by value", (a < b) == (order < 0));
    verdict.is_true("a <= b by value", (a <= b) == (order <= 0));
    verdict.is_true("a > b by value", (a > b) == (order > 0));
    verdict.is_true("a >= b by value", (a >= b) == (order >= 0));
    verdict.is_true("a <=> b by value",
                    ((a <=> b) == 0) == (order == 0) && ((a <=> b) < 0) == (order < 0));
}

template <typename A, typename B>
void check_comparisons(const char *name, long count) {
    const auto draw = [](OperandSource &source) -> Operands {
        Operands v = draw_pair<A, B>(source);
        if (source.one_in(3)) { // the same value, or a neighbour, where both types hold it
            v[1] = stored<B>(v[0] + Integer(source.below(3) - 1));
        }
        return v;
    };
    check_property(name, A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const B b = from_integer<B>(v[1]);
        const int order = compare(v[0], v[1]);
        check_order_of(verdict, a, b, order);
        check_order_of(verdict, b, a, -order);
        check_order_of(verdict, a, a, 0);
    });
}

// ---- built-in operands --------------------------------------------------------------------------

/// `a op b` and `b op a` with a built-in b: a number of its own width.
template <typename A, typename B>
void check_builtin(const char *name, long count) {
    constexpr int width = std::numeric_limits<B>::digits + (std::is_signed_v<B> ? 1 : 0);
    const auto draw = [](OperandSource &source) -> Operands {
        return {draw_number<A>(source),
                std::is_signed_v<B> ? source.signed_number(width) : source.number(width)};
    };
    check_property(name, A::bits, count, draw, [](Verdict &verdict, const Operands &v) {
        const A a = from_integer<A>(v[0]);
        const B b =
            std::is_signed_v<B> ? static_cast<B>(v[1].to_long()) : static_cast<B>(v[1].to_uint64());
        static_assert(std::is_same_v<decltype(a + b), A> && std::is_same_v<decltype(b + a), A>);
        static_assert(std::is_same_v<decltype(a - b), A> && std::is_same_v<decltype(a & b), A>);
        static_assert(std::is_same_v<decltype(a | b), A> && std::is_same_v<decltype(a ^ b), A>);
        static_assert(decltype(a * b)::bits == A::bits + width);
        static_assert(decltype(b * a)::bits == A::bits + width);
        holds(verdict, "a + b", a + b, v[0] + v[1]);
        holds(verdict, "b + a", b + a, v[0] + v[1]);
        holds(verdict, "a - b", a - b, v[0] - v[1]);
        holds(verdict, "b - a", b - a, v[1] - v[0]);
        holds(verdict, "a & b", a & b, v[0] & v[1]);
        holds(verdict, "b & a", b & a, v[0] & v[1]);
        holds(verdict, "a | b", a | b, v[0] | v[1]);
        holds(verdict, "a ^ b", a ^ b, v[0] ^ v[1]);
        verdict.equal("a * b", to_integer(a * b), v[0] * v[1]);
        verdict.equal("b * a", to_integer(b * a), v[0] * v[1]);
        if (!v[1].is_zero()) {
            static_assert(decltype(a / b)::bits == A::bits && decltype(a % b)::bits == width);
            holds(verdict, "a / b", a / b, v[0] / v[1]);
            verdict.equal("a % b", to_integer(a % b),
                          std::is_signed_v<B> ? v[0] % v[1] : modulo(v[0], v[1]));
        }
        if (!v[0].is_zero()) {
            static_assert(decltype(b / a)::bits == width && decltype(b % a)::bits == A::bits);
            holds(verdict, "b / a", b / a, v[1] / v[0]);
            verdict.equal("b % a", to_integer(b % a),
                          is_signed_number<A> ? v[1] % v[0] : modulo(v[1], v[0]));
        }
        const int order = compare(v[0], v[1]);
        check_order_of(verdict, a, b, order);
        check_order_of(verdict, b, a, -order);
        check_compound(verdict, a, b, v);
        A x = a;
        x = b;
        holds(verdict, "a = b", x, v[1]);
    });
}

} // namespace bigint_cases
