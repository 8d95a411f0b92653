// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic: the operators with result types wide enough for every value, as formulas over
// batches define them. + grows by a bit, - is signed, * adds widths; operands may be of any width,
// signedness or built-in type.
#pragma once

#include "bits.h"

namespace warpint::exact {

using number::as_number;
using number::big_t;
using number::bits_of;
using number::both_unsigned;
using number::common_bits;
using number::common_value_t;
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

template <AnyNumber A, AnyNumber B>
WARPINT_HOST_DEVICE constexpr sum_t<A, B> add(const A &a, const B &b) {
    using R = sum_t<A, B>;
    if constexpr (is_row_and_carry<A, B>) {
        R r;
        r.limbs[A::limb_count] = limb::add<A::limb_count>(r.limbs, a.limbs, b.limbs);
        return r;
    } else {
        R r = to<R>(as_number(a));
        number::add_in_place(r, to<R>(as_number(b)));
        return r;
    }
}

template <AnyNumber A, AnyNumber B>
WARPINT_HOST_DEVICE constexpr difference_t<A, B> subtract(const A &a, const B &b) {
    using R = difference_t<A, B>;
    if constexpr (is_row_and_carry<A, B>) {
        R r;
        r.limbs[A::limb_count] = 0 - limb::sub<A::limb_count>(r.limbs, a.limbs, b.limbs);
        return r;
    } else {
        R r = to<R>(as_number(a));
        number::subtract_in_place(r, to<R>(as_number(b)));
        return r;
    }
}

template <AnyNumber A>
WARPINT_HOST_DEVICE constexpr SignedBigInt<bits_of<A> + 1> negate(const A &a) {
    return -to<SignedBigInt<bits_of<A> + 1>>(as_number(a));
}

// The truncated quotient. On input: b != 0.
template <AnyNumber A, AnyNumber B>
WARPINT_HOST_DEVICE constexpr quotient_t<A, B> divide(const A &a, const B &b) {
    return to<quotient_t<A, B>>(as_number(a)) / as_number(b);
}

// Bitwise operations on two's complement numbers of unlimited length.
template <number::Bitwise operation, AnyNumber A, AnyNumber B>
WARPINT_HOST_DEVICE constexpr common_value_t<big_t<A>, big_t<B>> combine(const A &a, const B &b) {
    using R = common_value_t<big_t<A>, big_t<B>>;
    R r = to<R>(as_number(a));
    number::combine_in_place<operation>(r, to<R>(as_number(b)));
    return r;
}

} // namespace warpint::exact
