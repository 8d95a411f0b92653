// SPDX-License-Identifier: Apache-2.0
// Sums and differences with a carry in and out; sums, differences and products that say whether
// they overflowed. All take operands of any widths and signs, one of which may be a built-in
// integer. The value has the type that operator+ gives.
#pragma once

#include "compare.h"

namespace warpint {

template <class T>
struct AddCarryResult {
    T value;
    bool carry;
};

template <class T>
struct SubBorrowResult {
    T value;
    bool borrow;
};

template <class T>
struct OverflowResult {
    T value;
    bool overflow;
};

namespace number {

// x as its bit pattern in [0, 2^Bits): where it lies, if its limbs are that.
template <int Bits, class T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE decltype(auto) pattern_of(const T &x) {
    if constexpr (T::limb_count == BigInt<Bits>::limb_count &&
                  (T::is_signed ? Bits % 32 == 0 : T::bits <= Bits)) {
        return (x);
    } else {
        return to<BigInt<Bits>>(x);
    }
}

// r = a + b + carry, or a - b - carry, of bit patterns modulo R's width; returns the carry out of
// the highest bit. Hosts do not widen a shorter b.
template <bool subtract, class R, class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool combine_patterns(R &r, const A &a, const B &b,
                                                                   bool carry_in) {
    constexpr int n = R::limb_count;
    if constexpr (!subtract && A::limb_count < n && B::limb_count == n)
        return combine_patterns<subtract>(r, b, a, carry_in);
    const auto &x = pattern_of<R::bits>(a);
    const auto carry = static_cast<std::uint32_t>(carry_in);
    std::uint32_t above = 0;
    const auto whole = [&] {
        const auto &y = pattern_of<R::bits>(b);
        above = subtract ? limb::sub<n>(r.limbs, x.limbs, y.limbs, carry)
                         : limb::add<n>(r.limbs, x.limbs, y.limbs, carry);
    };
    if constexpr (limb::in_words<n, std::uint32_t> && B::limb_count < n &&
                  (!B::is_signed || R::bits % 32 == 0)) {
        if (WARPINT_USES_WORDS) {
            const std::uint64_t fill = fill_of(b);
            above = limb::combine_words<subtract, n, B::limb_count>(r.limbs, x.limbs, b.limbs,
                                                                    carry, fill | fill << 32);
        } else {
            whole();
        }
    } else {
        whole();
    }
    if constexpr (!subtract && R::bits % 32 != 0) // the bits from there on were zero
        above = r.limbs[n - 1] >> (R::bits % 32);
    normalise<R::bits, R::is_signed>(r.limbs);
    return above != 0;
}

// floor(x / 2^Bits), clamped to [-3, 2]: the part of x above its low Bits bits. Only a built-in
// integer or a literal can be wider than the result's type.
template <int Bits, AnyNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int high_part(const T &x) {
    if constexpr (LiteralNumber<T>) {
        constexpr auto high = T::value() >> Bits;
        return high < -3 ? -3 : high > 2 ? 2 : static_cast<int>(high);
    } else if constexpr (BigNumber<T>) {
        static_assert(T::bits <= Bits);
        return is_negative(x) ? -1 : 0;
    } else if constexpr (bits_of<T> <= Bits) {
        if constexpr (signed_of<T>)
            return x < 0 ? -1 : 0;
        return 0;
    } else {
        const auto high = x >> Bits;
        if constexpr (signed_of<T>) {
            if (high < -3)
                return -3;
        }
        return high > 2 ? 2 : static_cast<int>(high);
    }
}

// True if value + high 2^Bits, where value stands for its bit pattern in [0, 2^Bits), is not the
// number that value is.
template <class R>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool is_beyond(const R &value, int high) {
    return high != (is_negative(value) ? -1 : 0);
}

} // namespace number

// The sum with a carry, as {value, carry}: a + b + carry modulo 2^width, and bit `width` of the sum
// of the operands' bit patterns in the result's type. Constant time.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr AddCarryResult<number::wrapping_t<A, B>>
add_carry(const A &a, const B &b, bool carry = false) {
    AddCarryResult<number::wrapping_t<A, B>> sum;
    sum.carry = number::combine_patterns<false>(sum.value, number::as_number(a),
                                                number::as_number(b), carry);
    return sum;
}

// The difference with a borrow, as {value, borrow}: a - b - borrow modulo 2^width, and whether the
// bit pattern of a in the result's type is less than that of b, plus borrow. Constant time.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr SubBorrowResult<number::wrapping_t<A, B>>
sub_borrow(const A &a, const B &b, bool borrow = false) {
    SubBorrowResult<number::wrapping_t<A, B>> difference;
    difference.borrow = number::combine_patterns<true>(difference.value, number::as_number(a),
                                                       number::as_number(b), borrow);
    return difference;
}

// The sum modulo 2^width and whether it overflowed, as {value, overflow}. Constant time.
// Example:
//     const auto sum = add_overflow(BigInt<8>(200), BigInt<8>(100)); // overflow, value 44
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr OverflowResult<number::wrapping_t<A, B>>
add_overflow(const A &a, const B &b) {
    using R = number::wrapping_t<A, B>;
    OverflowResult<R> sum;
    const bool carry = number::combine_patterns<false>(sum.value, number::as_number(a),
                                                       number::as_number(b), false);
    const int high =
        number::high_part<R::bits>(a) + number::high_part<R::bits>(b) + (carry ? 1 : 0);
    sum.overflow = number::is_beyond(sum.value, high);
    return sum;
}

// The difference modulo 2^width and whether it overflowed, as {value, overflow}. Unsigned numbers
// overflow if a < b. Constant time.
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr OverflowResult<number::wrapping_t<A, B>>
sub_overflow(const A &a, const B &b) {
    using R = number::wrapping_t<A, B>;
    OverflowResult<R> difference;
    const bool borrow = number::combine_patterns<true>(difference.value, number::as_number(a),
                                                       number::as_number(b), false);
    const int high =
        number::high_part<R::bits>(a) - number::high_part<R::bits>(b) - (borrow ? 1 : 0);
    difference.overflow = number::is_beyond(difference.value, high);
    return difference;
}

// The product modulo 2^width and whether it overflowed, as {value, overflow}. Costs a full product,
// on hosts one of the lengths that the numbers have, where it cannot overflow. Variable time on
// hosts.
template <class A, class B>
    requires number::HeldOperands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto mul_overflow(const A &a, const B &b) {
    using R = decltype(a + b);
    if constexpr (number::may_be_short<A, B>) {
        if (number::are_short(a, b)) {
            const auto product = number::shortened(a) * number::shortened(b);
            return OverflowResult<R>{number::to<R>(product),
                                     !R::is_signed && number::is_negative(product)};
        }
    }
    if constexpr (BigNumber<A> && BigNumber<B>) {
        if constexpr (number::detail::looks_at_lengths<A::bits, B::bits>) {
            const auto &x = number::magnitude(a);
            const auto &y = number::magnitude(b);
            const auto lengths = number::factor_lengths(x, y);
            if (lengths.are_known && 64 * (lengths.a + lengths.b) < R::bits) {
                auto value = number::product_of_lengths<R>(x, y, lengths);
                const bool negative = number::is_negative(a) != number::is_negative(b);
                const bool overflow = negative && !R::is_signed && static_cast<bool>(value);
                number::negate_if(value, negative);
                return OverflowResult<R>{value, overflow};
            }
        }
    }
    const auto product = a * b;
    const auto value = number::to<R>(product);
    return OverflowResult<R>{value, value != product};
}

} // namespace warpint
