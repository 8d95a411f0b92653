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

// r = a + b + carry; returns the carry out of bit Bits - 1. r may be a or b.
template <int Bits>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool
add_with_carry(BigInt<Bits> &r, const BigInt<Bits> &a, const BigInt<Bits> &b, bool carry) {
    constexpr int n = BigInt<Bits>::limb_count;
    const std::uint32_t above =
        limb::add<n>(r.limbs, a.limbs, b.limbs, static_cast<std::uint32_t>(carry));
    if constexpr (Bits % 32 == 0) {
        return above != 0;
    } else { // the bits from Bits on were zero
        const bool out = (r.limbs[n - 1] >> (Bits % 32)) != 0;
        normalise<Bits, false>(r.limbs);
        return out;
    }
}

// r = a - b - borrow; returns the borrow out, true if a < b + borrow. r may be a or b.
template <int Bits>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool
subtract_with_borrow(BigInt<Bits> &r, const BigInt<Bits> &a, const BigInt<Bits> &b, bool borrow) {
    const bool out = limb::sub<BigInt<Bits>::limb_count>(r.limbs, a.limbs, b.limbs,
                                                         static_cast<std::uint32_t>(borrow)) != 0;
    normalise<Bits, false>(r.limbs);
    return out;
}

// floor(x / 2^Bits), clamped to [-3, 2]: the part of x above its low Bits bits. Only a built-in
// integer can be wider than the result's type.
template <int Bits, AnyNumber T>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int high_part(const T &x) {
    if constexpr (BigNumber<T>) {
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
    using R = number::wrapping_t<A, B>;
    using Pattern = BigInt<R::bits>;
    Pattern sum = number::to<Pattern>(a);
    const bool out = number::add_with_carry(sum, sum, number::to<Pattern>(b), carry);
    return {number::to<R>(sum), out};
}

// The difference with a borrow, as {value, borrow}: a - b - borrow modulo 2^width, and whether the
// bit pattern of a in the result's type is less than that of b, plus borrow. Constant time.
template <class A, class B>
requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr SubBorrowResult<number::wrapping_t<A, B>>
sub_borrow(const A &a, const B &b, bool borrow = false) {
    using R = number::wrapping_t<A, B>;
    using Pattern = BigInt<R::bits>;
    Pattern difference = number::to<Pattern>(a);
    const bool out =
        number::subtract_with_borrow(difference, difference, number::to<Pattern>(b), borrow);
    return {number::to<R>(difference), out};
}

// The sum modulo 2^width and whether it overflowed, as {value, overflow}. Constant time.
// Example:
//     const auto sum = add_overflow(BigInt<8>(200), BigInt<8>(100)); // overflow, value 44
template <class A, class B>
requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr OverflowResult<number::wrapping_t<A, B>>
add_overflow(const A &a, const B &b) {
    using R = number::wrapping_t<A, B>;
    const auto sum = add_carry(a, b);
    const int high =
        number::high_part<R::bits>(a) + number::high_part<R::bits>(b) + (sum.carry ? 1 : 0);
    return {sum.value, number::is_beyond(sum.value, high)};
}

// The difference modulo 2^width and whether it overflowed, as {value, overflow}. Unsigned numbers
// overflow if a < b. Constant time.
template <class A, class B>
requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr OverflowResult<number::wrapping_t<A, B>>
sub_overflow(const A &a, const B &b) {
    using R = number::wrapping_t<A, B>;
    const auto difference = sub_borrow(a, b);
    const int high =
        number::high_part<R::bits>(a) - number::high_part<R::bits>(b) - (difference.borrow ? 1 : 0);
    return {difference.value, number::is_beyond(difference.value, high)};
}

// The product modulo 2^width and whether it overflowed, as {value, overflow}. Costs a full product.
// Variable time on hosts.
template <class A, class B>
requires number::HeldOperands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto mul_overflow(const A &a, const B &b) {
    const auto product = a * b;
    const auto value = number::to<decltype(a + b)>(product);
    return OverflowResult<decltype(a + b)>{value, value != product};
}

} // namespace warpint
