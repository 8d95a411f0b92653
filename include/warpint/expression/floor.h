// SPDX-License-Identifier: Apache-2.0
// Operations in the meaning of languages whose integers have no width: division rounds down, what a
// condition does not take may have no value. Formulas that another language generates use them
// (rtc.h); they have no syntax in C++.
#pragma once

#include "functions.h"

namespace warpint::expression {

namespace operation {

// The quotient rounded down, or the remainder that goes with it, which has the sign of the divisor.
// Faults: division by zero.
template <bool quotient>
struct Floor : NumberOperation<WorkKind::division> {
    template <class...>
    static constexpr bool can_fault = true;
    template <class A, class B>
    WARPINT_HOST_DEVICE static constexpr WARPINT_DEVICE_INLINE auto apply(bool &fault, const A &a,
                                                                          const B &b) {
        return number::guard<number::kind_of<A, B>>(
            fault, static_cast<bool>(b), [&]() WARPINT_INLINE_LAMBDA {
                const auto divisor = number::as_number(b);
                const auto both = exact::divide_with_remainder(a, b);
                auto q = both.quotient;
                auto r = both.remainder;
                if constexpr (number::signed_of<number::scalar_t<B>>) {
                    // All three in any case: over lanes each is a vote.
                    const bool inexact = static_cast<bool>(r);
                    const bool below = number::is_negative(r);
                    const bool by_negative = number::is_negative(divisor);
                    const bool is_above = inexact && below != by_negative;
                    q = number::choose(is_above, static_cast<decltype(q)>(q - 1), q);
                    r = number::choose(is_above, static_cast<decltype(r)>(r + divisor), r);
                }
                if constexpr (quotient) {
                    return q;
                } else {
                    return r;
                }
            });
    }
    // Of unsigned numbers, which alone engines take.
    template <class Engine, class A, class B>
    static constexpr bool is_together = Engine::template divides<A, B>;
    template <class Engine, class R, class A, class B>
    static auto together(const Engine &engine, R *out, int count, const A &a, const B &b) {
        if constexpr (quotient) {
            return engine.quotient(out, count, a, b);
        } else {
            return engine.remainder(out, count, a, b);
        }
    }
};
using FloorQuotient = Floor<true>;
using FloorRemainder = Floor<false>;

// The number itself. Faults: it is negative.
struct NotNegative : NumberOperation<WorkKind::streaming> {
    template <class A>
    static constexpr bool can_fault = number::signed_of<A>;
    template <class A>
    WARPINT_HOST_DEVICE static constexpr WARPINT_DEVICE_INLINE auto apply(bool &fault, const A &a) {
        const auto x = number::as_number(a);
        const bool negative = number::is_negative(x);
        fault = fault || negative;
        return x;
    }
};

// As Select, but a fault of the operand that is not taken is none of the result. Evaluated by
// evaluate() (execution/evaluation/evaluate_choice.h).
struct Choose : Select {
    static constexpr bool forgives = true;
};

} // namespace operation

// An operation of a condition and two operands that forgives the fault of the one not taken.
template <class Operation>
concept Forgiving = requires { Operation::forgives; };

} // namespace warpint::expression
