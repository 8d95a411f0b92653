// SPDX-License-Identifier: Apache-2.0
// Operations of formulas on numbers over lanes: what apply() of expression/operation.h means where
// the operands are WarpInt. Functions are in lane_functions.h.
//
// All numbers of a warp go through a formula together, so nothing here branches on a number's
// value: where an element has no value the fault is noted and any result computed.
#pragma once

#include "../expression/functions.h"
#include "../warp_int.h"
#include "evaluate.h"

namespace warpint::execution {

namespace operation = expression::operation;

// The number over lanes with the values of a plain type.
template <int Lanes, class Plain>
using lane_number_t =
    warp_int::Number<number::traits<number::big_t<Plain>>::bits, Lanes, Together::warp,
                     number::traits<number::big_t<Plain>>::is_signed>;

// The plain type of an operand.
template <class T>
using plain_value_t = warp_int::plain_t<T>;

// exists: whether the operation is here for operands of these plain types. apply<L>(fault, ...): at
// least one operand is a number over L lanes; others are numbers that all lanes hold, or shared
// operands.
template <class Operation>
struct OverLanes {
    template <class...>
    static constexpr bool exists = false;
};

namespace detail {

template <class... T>
inline constexpr bool all_numbers = (AnyNumber<T> && ...);
// What may be a modulus over lanes.
template <class M>
inline constexpr bool is_lane_modulus = expression::is_shared_modulus<M> || ModulusContext<M> ||
                                        expression::detail::is_plain_modulus<M>;

// Numbers, and a modulus as the last.
template <class T, class... Rest>
inline constexpr bool numbers_and_modulus = AnyNumber<T> &&numbers_and_modulus<Rest...>;
template <class M>
inline constexpr bool numbers_and_modulus<M> = is_lane_modulus<M>;

// The number that a Modulus holds: every lane reads its own limbs. (A whole number in each lane
// would go through local memory: a * b % M of 16384 bits 10.8 M a second on an H200.)
template <class R, ModulusContext M>
WARPINT_HOST_DEVICE WARPINT_INLINE R number_of_modulus(const M &m) {
    constexpr int K = R::words_per_lane;
    const typename R::group group;
    const std::uint32_t *const memory = group.as_memory(m.form_modulus());
    R r;
    WARPINT_UNROLL(K, K)
    for (int i = 0; i < K; ++i)
        r.words[i] = group.template load_limb<K>(memory, M::limb_count, i, 0u);
    if (!m.is_odd())
        lanes::shift_right<K>(group, r.words, r.words, m.shift());
    return r;
}

// A modulus over L lanes; fault if there is no value by it.
template <int L, class M>
WARPINT_HOST_DEVICE WARPINT_INLINE auto lane_modulus(bool &fault, const M &m) {
    using R = lane_number_t<L, BigInt<expression::value_bits<plain_value_t<M>>>>;
    if constexpr (expression::is_shared_modulus<M>) {
        fault = fault || !m.exists;
        return number_of_modulus<R>(m.modulus);
    } else if constexpr (ModulusContext<M>) {
        return number_of_modulus<R>(m);
    } else {
        const bool divides = static_cast<bool>(m);
        fault = fault || !divides;
        return R(m);
    }
}

} // namespace detail

#define WARPINT_OVER_LANES(Operation, ...)                                                         \
    template <>                                                                                    \
    struct OverLanes<operation::Operation> {                                                       \
        template <class... T>                                                                      \
        static constexpr bool exists = detail::all_numbers<T...>;                                  \
        template <int L, class A, class B>                                                         \
        WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply([[maybe_unused]] bool &fault,         \
                                                             const A &a, const B &b) {             \
            using PlainA = plain_value_t<A>;                                                       \
            using PlainB = plain_value_t<B>;                                                       \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    };
WARPINT_OVER_LANES(Add, using R = lane_number_t<L, exact::sum_t<PlainA, PlainB>>;
                   return warp_int::add(warp_int::to<R>(a), warp_int::to<R>(b));)
WARPINT_OVER_LANES(Subtract, using R = lane_number_t<L, exact::difference_t<PlainA, PlainB>>;
                   return warp_int::subtract(warp_int::to<R>(a), warp_int::to<R>(b));)
WARPINT_OVER_LANES(Multiply, using X = lane_number_t<L, PlainA>; using Y = lane_number_t<L, PlainB>;
                   return warp_int::to<X>(a) * warp_int::to<Y>(b);)
WARPINT_OVER_LANES(Divide, using Q = lane_number_t<L, exact::quotient_t<PlainA, PlainB>>;
                   using Y = lane_number_t<L, PlainB>; const Y y = warp_int::to<Y>(b);
                   const bool divides = static_cast<bool>(y); fault = fault || !divides;
                   return warp_int::to<Q>(a) / y;)
WARPINT_OVER_LANES(Minimum, using X = lane_number_t<L, PlainA>; using Y = lane_number_t<L, PlainB>;
                   return min(warp_int::to<X>(a), warp_int::to<Y>(b));)
WARPINT_OVER_LANES(Maximum, using X = lane_number_t<L, PlainA>; using Y = lane_number_t<L, PlainB>;
                   return max(warp_int::to<X>(a), warp_int::to<Y>(b));)
WARPINT_OVER_LANES(LowProduct, static_assert(L > 0 && sizeof(PlainA) + sizeof(PlainB) > 0);
                   return mul_low(a, b);)
WARPINT_OVER_LANES(
    And, using R =
             lane_number_t<L, number::common_value_t<number::big_t<PlainA>, number::big_t<PlainB>>>;
    return warp_int::to<R>(a) & warp_int::to<R>(b);)
WARPINT_OVER_LANES(
    Or, using R =
            lane_number_t<L, number::common_value_t<number::big_t<PlainA>, number::big_t<PlainB>>>;
    return warp_int::to<R>(a) | warp_int::to<R>(b);)
WARPINT_OVER_LANES(
    Xor, using R =
             lane_number_t<L, number::common_value_t<number::big_t<PlainA>, number::big_t<PlainB>>>;
    return warp_int::to<R>(a) ^ warp_int::to<R>(b);)
WARPINT_OVER_LANES(ShiftLeft, using X = lane_number_t<L, PlainA>; static_assert(sizeof(PlainB) > 0);
                   return warp_int::to<X>(a) << b;)
WARPINT_OVER_LANES(ShiftRight, using X = lane_number_t<L, PlainA>;
                   static_assert(sizeof(PlainB) > 0); return warp_int::to<X>(a) >> b;)
WARPINT_OVER_LANES(
    DivideWithRemainder, using Q = lane_number_t<L, exact::quotient_t<PlainA, PlainB>>;
    using X = lane_number_t<L, PlainA>; using Y = lane_number_t<L, PlainB>;
    const X x = warp_int::to<X>(a); const Y y = warp_int::to<Y>(b);
    const bool divides = static_cast<bool>(y); fault = fault || !divides;
    if constexpr (X::is_signed && !Y::is_signed) {
        // Rounded down, so that the remainder lies in [0, b).
        const auto both = divmod(x, y);
        return expression::Slots<Q, Y>{{warp_int::to<Q>(both.quotient)}, {both.remainder}};
    } else {
        const auto both = divmod(warp_int::to<Q>(x), y);
        return expression::Slots<Q, Y>{{both.quotient}, {both.remainder}};
    })
#define WARPINT_COMPARISON_OVER_LANES(Operation, expression)                                       \
    WARPINT_OVER_LANES(Operation, static_assert(L > 0 && sizeof(PlainA) + sizeof(PlainB) > 0);     \
                       return expression;)
WARPINT_COMPARISON_OVER_LANES(Equal, warp_int::equal(a, b))
WARPINT_COMPARISON_OVER_LANES(NotEqual, !warp_int::equal(a, b))
WARPINT_COMPARISON_OVER_LANES(Less, warp_int::less(a, b))
WARPINT_COMPARISON_OVER_LANES(Greater, warp_int::less(b, a))
WARPINT_COMPARISON_OVER_LANES(LessEqual, !warp_int::less(b, a))
WARPINT_COMPARISON_OVER_LANES(GreaterEqual, !warp_int::less(a, b))
#undef WARPINT_COMPARISON_OVER_LANES
#undef WARPINT_OVER_LANES

#define WARPINT_OVER_LANES(Operation, ...)                                                         \
    template <>                                                                                    \
    struct OverLanes<operation::Operation> {                                                       \
        template <class A>                                                                         \
        static constexpr bool exists = AnyNumber<A>;                                               \
        template <int L, class A>                                                                  \
        WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &, const A &a) {                 \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    };
WARPINT_OVER_LANES(Negate, using R = lane_number_t<L, SignedBigInt<A::bits + 1>>;
                   return -warp_int::to<R>(a);)
WARPINT_OVER_LANES(Complement, return ~a;)
WARPINT_OVER_LANES(Square, return sqr(a);)
WARPINT_OVER_LANES(Absolute, return abs(a);)
WARPINT_OVER_LANES(Popcount, return popcount(a);)
WARPINT_OVER_LANES(BitWidth, return bit_width(a);)
#undef WARPINT_OVER_LANES

template <class T>
struct OverLanes<operation::Cast<T>> {
    template <class A>
    static constexpr bool exists = BigNumber<T> &&AnyNumber<A>;
    template <int L, class A>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &, const A &a) {
        return lane_number_t<L, T>(a);
    }
};

template <>
struct OverLanes<operation::Select> {
    template <class C, class A, class B>
    static constexpr bool exists = detail::all_numbers<C, A, B>;
    template <int L, class C, class A, class B>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &, const C &condition, const A &a,
                                                         const B &b) {
        using R = lane_number_t<L, number::common_value_t<plain_value_t<A>, plain_value_t<B>>>;
        return warp_int::select(static_cast<bool>(condition), warp_int::to<R>(a),
                                warp_int::to<R>(b));
    }
};

template <>
struct OverLanes<operation::Remainder> {
    template <class A, class M>
    static constexpr bool exists = AnyNumber<A> && (detail::is_lane_modulus<M> || AnyNumber<M>);
    template <int L, class A, class M>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &fault, const A &a, const M &m) {
        using X = lane_number_t<L, plain_value_t<A>>;
        if constexpr (detail::is_lane_modulus<plain_value_t<M>>) {
            return warp_int::to<X>(a) % detail::lane_modulus<L>(fault, m);
        } else {
            using Y = lane_number_t<L, plain_value_t<M>>;
            const Y y = warp_int::to<Y>(m);
            const bool divides = static_cast<bool>(y);
            fault = fault || !divides;
            return warp_int::to<X>(a) % y;
        }
    }
};

#define WARPINT_OVER_LANES(Operation, function)                                                    \
    template <>                                                                                    \
    struct OverLanes<operation::Operation> {                                                       \
        template <class A, class B, class M>                                                       \
        static constexpr bool exists = detail::all_numbers<A, B> &&detail::is_lane_modulus<M>;     \
        template <int L, class A, class B, class M>                                                \
        WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &fault, const A &a, const B &b,  \
                                                             const M &m) {                         \
            using X = lane_number_t<L, plain_value_t<A>>;                                          \
            using Y = lane_number_t<L, plain_value_t<B>>;                                          \
            return function(warp_int::to<X>(a), warp_int::to<Y>(b),                                \
                            detail::lane_modulus<L>(fault, m));                                    \
        }                                                                                          \
    };
WARPINT_OVER_LANES(AddModulo, addmod)
WARPINT_OVER_LANES(SubtractModulo, submod)
WARPINT_OVER_LANES(MultiplyModulo, mulmod)
#undef WARPINT_OVER_LANES

// a b + c or a b + c d modulo m, and likewise with -.
#define WARPINT_OVER_LANES(Operation, function, product_function)                                  \
    template <>                                                                                    \
    struct OverLanes<operation::Operation> {                                                       \
        template <class... T>                                                                      \
        static constexpr bool exists = detail::numbers_and_modulus<T...>;                          \
        template <int L, class A, class B, class C, class M>                                       \
        WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &fault, const A &a, const B &b,  \
                                                             const C &c, const M &m) {             \
            return product_function(                                                               \
                lane_number_t<L, plain_value_t<A>>(a), lane_number_t<L, plain_value_t<B>>(b),      \
                lane_number_t<L, plain_value_t<C>>(c), detail::lane_modulus<L>(fault, m));         \
        }                                                                                          \
        template <int L, class A, class B, class C, class D, class M>                              \
        WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &fault, const A &a, const B &b,  \
                                                             const C &c, const D &d, const M &m) { \
            const auto modulus = detail::lane_modulus<L>(fault, m);                                \
            const auto ab = mulmod(lane_number_t<L, plain_value_t<A>>(a),                          \
                                   lane_number_t<L, plain_value_t<B>>(b), modulus);                \
            const auto cd = mulmod(lane_number_t<L, plain_value_t<C>>(c),                          \
                                   lane_number_t<L, plain_value_t<D>>(d), modulus);                \
            return function(ab, cd, modulus);                                                      \
        }                                                                                          \
    };
WARPINT_OVER_LANES(MultiplyAddModulo, addmod, muladdmod)
WARPINT_OVER_LANES(MultiplySubtractModulo, submod, mulsubmod)
#undef WARPINT_OVER_LANES

template <>
struct OverLanes<operation::SquareModulo> {
    template <class A, class M>
    static constexpr bool exists = AnyNumber<A> &&detail::is_lane_modulus<M>;
    template <int L, class A, class M>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &fault, const A &a, const M &m) {
        using X = lane_number_t<L, plain_value_t<A>>;
        const X x = warp_int::to<X>(a);
        return mulmod(x, x, detail::lane_modulus<L>(fault, m));
    }
};

template <>
struct OverLanes<operation::Power> {
    template <class A, class E, class M>
    static constexpr bool exists = AnyNumber<A> &&
                                   (AnyNumber<E> ||
                                    expression::is_shared_exponent<E>)&&detail::is_lane_modulus<M>;
    template <int L, class A, class E, class M>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &fault, const A &a, const E &e,
                                                         const M &m) {
        using X = lane_number_t<L, plain_value_t<A>>;
        const X x = warp_int::to<X>(a);
        const auto modulus = detail::lane_modulus<L>(fault, m);
        if constexpr (expression::is_shared_exponent<E>) {
            constexpr int bits = expression::value_bits<E>;
            constexpr int window =
                number::schedule_window(bits, Modulus<decltype(modulus)::bits>::limb_count, true);
            fault = fault || !e.exists;
            return warp_int::power_by_schedule<window>(x, e.schedule, modulus);
        } else {
            using Exponent = lane_number_t<L, plain_value_t<E>>;
            const Exponent exponent = warp_int::to<Exponent>(e);
            const bool negative = exponent.is_negative();
            fault = fault || negative;
            return pow(x, exponent, modulus);
        }
    }
};

} // namespace warpint::execution
