// SPDX-License-Identifier: Apache-2.0
// Functions of formulas on numbers over lanes: bits, roots, number theory and functions of the
// user.
#pragma once

#include "lane_operations.h"

namespace warpint::execution {

namespace detail {

// A position that is a number of any type, as expression/functions.h has it.
template <class K>
WARPINT_HOST_DEVICE WARPINT_INLINE int lane_position(const K &k) {
    if constexpr (WarpNumber<K>) {
        constexpr int most = (1 << 30) - 1;
        const bool negative = k.is_negative();
        const bool beyond = warp_int::less(most, k);
        const int low = static_cast<int>(k);
        return negative ? -1 : beyond ? most : low;
    } else {
        return operation::position_of(k);
    }
}
// The places of a rotation, less than the width.
template <class K>
WARPINT_HOST_DEVICE WARPINT_INLINE int lane_places(const K &k, int width) {
    if constexpr (WarpNumber<K>) {
        return static_cast<int>(k % width);
    } else {
        return static_cast<int>(number::as_number(k) % SignedBigInt<32>(width));
    }
}
// Whether a number may be a modulus; `fault` if it may not.
template <class M>
WARPINT_HOST_DEVICE WARPINT_INLINE void require_positive(bool &fault, const M &m) {
    const bool positive = m > 0;
    fault = fault || !positive;
}
template <class R>
WARPINT_HOST_DEVICE WARPINT_INLINE R value_or_fault(bool &fault, const Optional<R> &result) {
    const bool exists = result.has_value();
    fault = fault || !exists;
    return *result;
}

} // namespace detail

#define WARPINT_OVER_LANES(Operation, ...)                                                         \
    template <>                                                                                    \
    struct OverLanes<operation::Operation> {                                                       \
        template <class A>                                                                         \
        static constexpr bool exists = AnyNumber<A>;                                               \
        template <int L, class A>                                                                  \
        WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply([[maybe_unused]] bool &fault,         \
                                                             const A &a) {                         \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    };
WARPINT_OVER_LANES(CountLeadingZeros, return countl_zero(a);)
WARPINT_OVER_LANES(CountTrailingZeros, return countr_zero(a);)
WARPINT_OVER_LANES(IsProbablePrime, return is_probable_prime(a);)
WARPINT_OVER_LANES(SquareRoot, const bool negative = a.is_negative(); fault = fault || negative;
                   return isqrt(a);)
WARPINT_OVER_LANES(SquareRootWithRemainder, const bool negative = a.is_negative();
                   fault = fault || negative; const auto both = sqrt_rem(a);
                   return expression::Slots<A, A>{{both.root}, {both.remainder}};)
#undef WARPINT_OVER_LANES

#define WARPINT_OVER_LANES(Operation, ...)                                                         \
    template <>                                                                                    \
    struct OverLanes<operation::Operation> {                                                       \
        template <class... T>                                                                      \
        static constexpr bool exists = detail::all_numbers<T...>;                                  \
        template <int L, class A, class B>                                                         \
        WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply([[maybe_unused]] bool &fault,         \
                                                             const A &a, const B &b) {             \
            using X = lane_number_t<L, plain_value_t<A>>;                                          \
            const X x = warp_int::to<X>(a);                                                        \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    };
WARPINT_OVER_LANES(HighProduct, using Y = lane_number_t<L, plain_value_t<B>>;
                   return mul_high(x, warp_int::to<Y>(b));)
WARPINT_OVER_LANES(Gcd, return gcd(x, b);)
WARPINT_OVER_LANES(Lcm, return lcm(x, b);)
WARPINT_OVER_LANES(TestBit, return test_bit(x, detail::lane_position(b));)
WARPINT_OVER_LANES(RotateLeft, return rotl(x, detail::lane_places(b, X::bits));)
WARPINT_OVER_LANES(RotateRight, return rotr(x, detail::lane_places(b, X::bits));)
WARPINT_OVER_LANES(PowerWrapping, using E = lane_number_t<L, plain_value_t<B>>;
                   const E e = warp_int::to<E>(b); const bool negative = e.is_negative();
                   fault = fault || negative; return pow(x, e);)
WARPINT_OVER_LANES(Jacobi, using N = lane_number_t<L, plain_value_t<B>>;
                   const N n = warp_int::to<N>(b); const bool negative = n.is_negative();
                   const bool odd = test_bit(n, 0); fault = fault || negative || !odd;
                   return jacobi(x, n);)
#undef WARPINT_OVER_LANES

template <>
struct OverLanes<operation::ExtractBits> {
    template <class... T>
    static constexpr bool exists = detail::all_numbers<T...>;
    template <int L, class A, class P, class C>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &, const A &a, const P &position,
                                                         const C &count) {
        using X = lane_number_t<L, plain_value_t<A>>;
        return extract_bits(warp_int::to<X>(a), detail::lane_position(position),
                            detail::lane_position(count));
    }
};
template <int Count>
struct OverLanes<operation::ExtractField<Count>> {
    template <class... T>
    static constexpr bool exists = detail::all_numbers<T...>;
    template <int L, class A, class P>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &, const A &a, const P &position) {
        using X = lane_number_t<L, plain_value_t<A>>;
        return extract_bits<Count>(warp_int::to<X>(a), detail::lane_position(position));
    }
};

template <>
struct OverLanes<operation::Inverse> {
    template <class A, class M>
    static constexpr bool exists = AnyNumber<A> &&detail::is_lane_modulus<M>;
    template <int L, class A, class M>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &fault, const A &a, const M &m) {
        using X = lane_number_t<L, plain_value_t<A>>;
        return detail::value_or_fault(
            fault, inverse(warp_int::to<X>(a), detail::lane_modulus<L>(fault, m)));
    }
};
template <>
struct OverLanes<operation::SquareRootModulo> {
    template <class A, class P>
    static constexpr bool exists = AnyNumber<A> &&expression::detail::is_plain_modulus<P>;
    template <int L, class A, class P>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &fault, const A &a, const P &p) {
        using X = lane_number_t<L, plain_value_t<A>>;
        return detail::value_or_fault(
            fault, sqrt_mod(warp_int::to<X>(a), detail::lane_modulus<L>(fault, p)));
    }
};
template <>
struct OverLanes<operation::ChineseRemainder> {
    template <class... T>
    static constexpr bool exists = detail::all_numbers<T...>;
    template <int L, class A, class M, class B, class N>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(bool &fault, const A &a, const M &m,
                                                         const B &b, const N &n) {
        const lane_number_t<L, plain_value_t<M>> first(m);
        const lane_number_t<L, plain_value_t<N>> second(n);
        detail::require_positive(fault, first);
        detail::require_positive(fault, second);
        return detail::value_or_fault(fault, crt(lane_number_t<L, plain_value_t<A>>(a), first,
                                                 lane_number_t<L, plain_value_t<B>>(b), second));
    }
};

// A function of the user, if it says that it takes numbers over lanes (over_lanes(f)): every
// operand that is a number becomes a WarpInt over L lanes.
template <class Function, bool on_host>
struct OverLanes<operation::Map<expression::TakesLanes<Function>, on_host>> {
    using Map = operation::Map<expression::TakesLanes<Function>, on_host>;
    template <class... T>
    static constexpr bool exists = detail::all_numbers<T...>;
    template <int L, class... T>
    WARPINT_HOST_DEVICE static WARPINT_INLINE auto apply(const Map &map, bool &fault,
                                                         const T &...values) {
        const auto result = map.function.function(lane_number_t<L, plain_value_t<T>>(values)...);
        using Returned = std::remove_const_t<decltype(result)>;
        if constexpr (Map::template Unwrapped<Returned>::is_optional) {
            return detail::value_or_fault(fault, result);
        } else {
            return result;
        }
    }
};

} // namespace warpint::execution
