// SPDX-License-Identifier: Apache-2.0
// Comparisons by mathematical value, across widths and signs: -1 < 1u. Variable time on hosts.
#pragma once

#include "arithmetic.h"

#if WARPINT_HOSTED
#include <compare>
#endif

namespace warpint {

namespace number {

// Width of a signed number that holds all values of T.
template <class T>
inline constexpr int signed_bits = bits_of<T> + (signed_of<T> ? 0 : 1);

template <class A, class B>
inline constexpr bool both_unsigned = !signed_of<A> && !signed_of<B>;

template <class A, class B>
inline constexpr int common_bits =
    both_unsigned<A, B>               ? (bits_of<A> > bits_of<B> ? bits_of<A> : bits_of<B>)
    : signed_bits<A> > signed_bits<B> ? signed_bits<A>
                                      : signed_bits<B>;

// What can be compared: literals also with one another and with built-in integers.
template <class A, class B>
concept Comparable = Operands<A, B> || WidthlessPair<A, B>;

// The narrowest type that holds the values of both.
template <class A, class B>
    requires Comparable<A, B>
using common_value_t = select_type<common_bits<A, B>, !both_unsigned<A, B>>;
// The same for numbers of any kind.
template <class A, class B>
using common_number_t = like_t<common_value_t<big_t<scalar_t<A>>, big_t<scalar_t<B>>>, A, B>;

// x as a number, where it lies.
template <AnyNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto) number_in_place(const T &x) {
    if constexpr (BigNumber<T>) {
        return (x);
    } else {
        return as_number(x);
    }
}

// Whether the limbs of x from M on carry its sign on.
template <int M, class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool fits_limbs(const T &x) {
    if constexpr (M < T::limb_count) {
        return arith::is_filled<T::limb_count - M>(x.limbs + M, fill_of(x));
    } else {
        return true;
    }
}

template <class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool equal(const A &a, const B &b) {
    const auto &x = number_in_place(a);
    const auto &y = number_in_place(b);
    constexpr int n = big_t<A>::limb_count;
    constexpr int m = big_t<B>::limb_count;
    constexpr int shared = n < m ? n : m;
    if constexpr (n == m && signed_of<A> == signed_of<B>)
        return arith::equal<shared>(x.limbs, y.limbs);
    return is_negative(x) == is_negative(y) && fits_limbs<shared>(x) && fits_limbs<shared>(y) &&
           arith::equal<shared>(x.limbs, y.limbs);
}

template <class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool less(const A &a, const B &b) {
    const auto &x = number_in_place(a);
    const auto &y = number_in_place(b);
    constexpr int n = big_t<A>::limb_count;
    constexpr int m = big_t<B>::limb_count;
    constexpr int shared = n < m ? n : m;
    const bool negative = is_negative(x);
    if (negative != is_negative(y))
        return negative;
    // Of one sign: in two's complement ordered as unsigned numbers, what is longer lies further
    // out.
    if (!fits_limbs<shared>(x))
        return negative;
    if (!fits_limbs<shared>(y))
        return !negative;
    return arith::less<shared>(x.limbs, y.limbs);
}

} // namespace number

// Compares by mathematical value, across widths and signs. Variable time on hosts.
template <class A, class B>
    requires number::Comparable<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool operator==(const A &a, const B &b) {
    return number::equal(a, b);
}
template <class A, class B>
    requires number::Comparable<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool operator<(const A &a, const B &b) {
    return number::less(a, b);
}
template <class A, class B>
    requires number::Comparable<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool operator>(const A &a, const B &b) {
    return number::less(b, a);
}
template <class A, class B>
    requires number::Comparable<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool operator<=(const A &a, const B &b) {
    return !number::less(b, a);
}
template <class A, class B>
    requires number::Comparable<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool operator>=(const A &a, const B &b) {
    return !number::less(a, b);
}

// Three-way comparison: -1, 0 or 1 as a is less than, equal to or greater than b. Unlike <=> it
// works in device code too. Variable time on hosts.
template <class A, class B>
    requires number::Comparable<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr int compare(const A &a, const B &b) {
    return number::less(a, b) ? -1 : number::equal(a, b) ? 0 : 1;
}

#if WARPINT_HOSTED
// Host only: std::strong_ordering has no device functions.
template <class A, class B>
    requires number::Comparable<A, B>
[[nodiscard]] constexpr std::strong_ordering operator<=>(const A &a, const B &b) {
    if (number::less(a, b))
        return std::strong_ordering::less;
    return number::equal(a, b) ? std::strong_ordering::equal : std::strong_ordering::greater;
}
#endif

} // namespace warpint
