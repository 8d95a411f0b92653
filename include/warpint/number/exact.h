// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic: the operators with result types wide enough for every value, as formulas over
// batches define them. + grows by a bit, - is signed, * adds widths; operands may be of any width,
// signedness or built-in type, and of any kind (kinds.h).
#pragma once

#include "bits.h"
#include "kinds.h"

namespace warpint::exact {

using number::as_number;
using number::big_t;
using number::bits_of;
using number::both_unsigned;
using number::common_bits;
using number::Held;
using number::like_t;
using number::scalar_t;
using number::select_type;
using number::signed_of;
using number::to;

template <class A, class B>
using sum_t = select_type<common_bits<A, B> + 1, !both_unsigned<A, B>>;
template <class A, class B>
using difference_t = SignedBigInt<common_bits<A, B> + 1>;
template <class A, class B>
using quotient_t =
    select_type<signed_of<B> ? bits_of<A> + 1 : bits_of<A>, signed_of<A> || signed_of<B>>;

// Long unsigned numbers of one width that fill their limbs: their sums and differences are a row of
// limbs and its carry. (Widening both first would copy them.)
template <class A, class B>
inline constexpr bool is_row_and_carry = false;
template <int Bits>
inline constexpr bool is_row_and_carry<BigInt<Bits>, BigInt<Bits>> = Bits % 32 == 0 && Bits >= 1024;

template <Held A, Held B>
WARPINT_HOST_DEVICE constexpr auto add(const A &a, const B &b) {
    using R = like_t<sum_t<scalar_t<A>, scalar_t<B>>, A, B>;
    if constexpr (is_row_and_carry<A, B>) {
        R r;
        r.limbs[A::limb_count] = limb::add<A::limb_count>(r.limbs, a.limbs, b.limbs);
        return r;
    } else {
        R r = to<R>(as_number(a));
        r += as_number(b);
        return r;
    }
}

template <Held A, Held B>
WARPINT_HOST_DEVICE constexpr auto subtract(const A &a, const B &b) {
    using R = like_t<difference_t<scalar_t<A>, scalar_t<B>>, A, B>;
    if constexpr (is_row_and_carry<A, B>) {
        R r;
        r.limbs[A::limb_count] = 0 - limb::sub<A::limb_count>(r.limbs, a.limbs, b.limbs);
        return r;
    } else {
        R r = to<R>(as_number(a));
        r -= as_number(b);
        return r;
    }
}

template <Held A>
WARPINT_HOST_DEVICE constexpr auto negate(const A &a) {
    return -to<like_t<SignedBigInt<bits_of<scalar_t<A>> + 1>, A>>(as_number(a));
}

// The truncated quotient. On input: b != 0.
template <Held A, Held B>
WARPINT_HOST_DEVICE constexpr auto divide(const A &a, const B &b) {
    using Q = like_t<quotient_t<scalar_t<A>, scalar_t<B>>, A, B>;
    return to<Q>(as_number(a)) / as_number(b);
}
// Quotient and remainder with a = q b + r, by the rules of divmod. On input: b != 0.
template <Held A, Held B>
WARPINT_HOST_DEVICE constexpr auto divide_with_remainder(const A &a, const B &b) {
    using Q = like_t<quotient_t<scalar_t<A>, scalar_t<B>>, A, B>;
    return divmod(to<Q>(as_number(a)), as_number(b));
}

// Bitwise operations on two's complement numbers of unlimited length.
template <number::Bitwise operation, Held A, Held B>
WARPINT_HOST_DEVICE constexpr auto combine(const A &a, const B &b) {
    using R = number::common_number_t<A, B>;
    R r = to<R>(as_number(a));
    if constexpr (operation == number::Bitwise::conjunction) {
        r &= as_number(b);
    } else if constexpr (operation == number::Bitwise::disjunction) {
        r |= as_number(b);
    } else {
        r ^= as_number(b);
    }
    return r;
}

} // namespace warpint::exact
