// SPDX-License-Identifier: Apache-2.0
// The operators + - * / % of numbers over lanes, by the rules of BigInt. Sums and differences wrap
// at the wider operand's width. Products are exact. A quotient has the dividend's type, a remainder
// the divisor's width.
#pragma once

#include "../../arith/lanes/divide.h"
#include "../../arith/lanes/product.h"
#include "compare.h"

namespace warpint {

namespace warp_int {

template <class A, class B>
using wrapping_t = number::like_t<number::wrapping_t<scalar_t<A>, scalar_t<B>>, A, B>;
template <class A, class B>
using product_t = number::like_t<number::product_t<scalar_t<A>, scalar_t<B>>, A, B>;
template <class A, class B>
using quotient_t = number::like_t<number::big_t<scalar_t<A>>, A, B>;
template <class A, class B>
using remainder_t = number::like_t<number::big_t<scalar_t<B>>, A, B>;
// Unsigned, of the same width.
template <class T>
using unsigned_t = number::like_t<BigInt<T::bits>, T>;

template <class R>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE R add(const R &a, const R &b) {
    R r;
    lanes::add<R::limbs_per_lane>(typename R::group{}, r.words, a.words, b.words);
    r.normalise();
    return r;
}
template <class R>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE R subtract(const R &a, const R &b) {
    R r;
    lanes::subtract<R::limbs_per_lane>(typename R::group{}, r.words, a.words, b.words);
    r.normalise();
    return r;
}
template <class R>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE R negate_if(const R &a, bool condition) {
    R r;
    lanes::negate_if<R::limbs_per_lane>(typename R::group{}, r.words, condition, a.words);
    r.normalise();
    return r;
}
// |x|, exact also for the most negative value.
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE unsigned_t<T> magnitude(const T &x) {
    if constexpr (T::is_signed) {
        return negate_if(to<unsigned_t<T>>(x), x.is_negative());
    } else {
        return x;
    }
}

template <class T>
using words_t = lanes::Words<T::limbs_per_lane, typename T::group>;
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE words_t<T> words_of(const T &x) {
    words_t<T> r;
    lanes::copy<T::limbs_per_lane>(r.words, x.words);
    return r;
}
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE T number_of(const words_t<T> &words) {
    T r;
    lanes::copy<T::limbs_per_lane>(r.words, words.words);
    return r;
}

// Where large functions are: in the code that calls them, or out of line, for texts that take
// little of their time there; theirs is then short code.
enum class Code { here, called };

// a b modulo R's width, of unsigned numbers.
template <class R, class A, class B>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE R multiply(const A &a, const B &b) {
    if constexpr (A::limb_count < B::limb_count) {
        return multiply<R>(b, a);
    } else {
        R r;
        lanes::multiply<R::limbs_per_lane, A::limbs_per_lane, B::limbs_per_lane, B::limb_count>(
            typename R::group{}, r.words, a.words, b.words);
        if constexpr (R::bits < A::bits + B::bits)
            r.normalise();
        return r;
    }
}

// x as a factor of a product modulo R's width: of a number as wide as that the bits, of a narrower
// one the magnitude.
template <class R, class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE auto factor_modulo(const T &x) {
    if constexpr (T::bits < R::bits) {
        return magnitude(x);
    } else {
        return to<unsigned_t<R>>(x);
    }
}

template <class R, class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool negates_modulo(const T &x) {
    if constexpr (T::bits < R::bits) {
        return x.is_negative();
    } else {
        return false;
    }
}

// a b modulo R's width, of numbers of any widths and signs.
template <class R, class A, class B>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE R low_product(const A &a, const B &b) {
    const auto x = as_number<R, R>(a);
    const auto y = as_number<R, R>(b);
    const R r = to<R>(multiply<unsigned_t<R>>(factor_modulo<R>(x), factor_modulo<R>(y)));
    constexpr bool has_sign = number::signed_of<scalar_t<A>> || number::signed_of<scalar_t<B>>;
    if constexpr (has_sign) {
        return negate_if(r, negates_modulo<R>(x) != negates_modulo<R>(y));
    } else {
        return r;
    }
}

// The exact product of unsigned numbers, out of line.
template <class A, class B>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE auto multiply_outlined(const A &a, const B &b) {
    using R = product_t<A, B>;
    if constexpr (A::limb_count < B::limb_count) {
        return multiply_outlined(b, a);
    } else {
        return number_of<R>(
            lanes::multiply_outlined<R::limbs_per_lane, A::limbs_per_lane, B::limbs_per_lane,
                                     B::limb_count>(typename R::group{}, words_of(a), words_of(b)));
    }
}

// Quotient and remainder of unsigned numbers, in the operands' types. Returns false, with both 0,
// if b = 0.
template <Code code = Code::here, class A, class B>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE bool divide(A *quotient, B *remainder, const A &a,
                                                      const B &b) {
    const typename A::group g;
    const bool exists = static_cast<bool>(b);
    B rest;
    if constexpr (code == Code::called) {
        const auto found = lanes::divide_outlined<A::limbs_per_lane, B::limbs_per_lane>(
            g, words_of(a), words_of(b));
        if (quotient != nullptr)
            *quotient = number_of<A>(found.quotient);
        rest = number_of<B>(found.remainder);
    } else {
        lanes::divide<A::limbs_per_lane, B::limbs_per_lane>(
            g, quotient != nullptr ? quotient->words : nullptr, rest.words, a.words, b.words);
    }
    if (quotient != nullptr)
        *quotient = select(exists, *quotient, A(0));
    if (remainder != nullptr)
        *remainder = select(exists, rest, B(0));
    if (!exists)
        number::report_division_by_zero();
    return exists;
}

} // namespace warp_int

template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE warp_int::wrapping_t<A, B> operator+(const A &a, const B &b) {
    using R = warp_int::wrapping_t<A, B>;
    return warp_int::add(warp_int::to<R>(a), warp_int::to<R>(b));
}
template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE warp_int::wrapping_t<A, B> operator-(const A &a, const B &b) {
    using R = warp_int::wrapping_t<A, B>;
    return warp_int::subtract(warp_int::to<R>(a), warp_int::to<R>(b));
}
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE A operator-(const A &a) {
    return warp_int::negate_if(a, true);
}

// The exact product, a WarpInt<N + M, Lanes>, signed if an operand is.
template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE warp_int::product_t<A, B> operator*(const A &a, const B &b) {
    using R = warp_int::product_t<A, B>;
    const auto x = warp_int::as_number<A, B>(a);
    const auto y = warp_int::as_number<A, B>(b);
    if constexpr (R::is_signed) {
        using Pattern = warp_int::unsigned_t<R>;
        const Pattern r =
            warp_int::multiply<Pattern>(warp_int::magnitude(x), warp_int::magnitude(y));
        return warp_int::negate_if(warp_int::to<R>(r), x.is_negative() != y.is_negative());
    } else {
        return warp_int::multiply<R>(x, y);
    }
}

namespace warp_int {

// Whether store_product() exists for factors of type W: unsigned, with an even number of limbs,
// which is half of the product's.
template <class W>
inline constexpr bool has_stored_product =
    !W::is_signed && W::limb_count % 2 == 0 && number::limb_count<2 * W::bits> == 2 * W::limb_count;

} // namespace warp_int

// Stores the exact product of two numbers of an even number of limbs, as (a * b).store(memory)
// does, but without spreading the product over the lanes first.
template <int Bits, int Lanes, warpint::lanes::Together together>
    requires(warp_int::has_stored_product<BasicWarpInt<Bits, Lanes, together, false>>)
WARPINT_HOST_DEVICE void store_product(const BasicWarpInt<Bits, Lanes, together, false> &a,
                                       const BasicWarpInt<Bits, Lanes, together, false> &b,
                                       BigInt<2 * Bits> *memory) {
    using W = BasicWarpInt<Bits, Lanes, together, false>;
    const typename W::group g;
    WARPINT_ASSERT(g.is_complete());
    lanes::multiply_and_store<W::limbs_per_lane, W::limb_count>(g, memory->limbs, a.words, b.words);
}

// Quotient and remainder together, as {quotient, remainder}; signs and b = 0 as for BigInt.
template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]]
WARPINT_HOST_DEVICE QuotientRemainder<warp_int::quotient_t<A, B>, warp_int::remainder_t<A, B>>
divmod(const A &a, const B &b) {
    using Q = warp_int::quotient_t<A, B>;
    using R = warp_int::remainder_t<A, B>;
    const auto x = warp_int::as_number<A, B>(a);
    const auto y = warp_int::as_number<A, B>(b);
    warp_int::unsigned_t<Q> quotient;
    warp_int::unsigned_t<R> remainder;
    const auto divisor = warp_int::magnitude(y);
    const bool exists = warp_int::divide(&quotient, &remainder, warp_int::magnitude(x), divisor);
    if constexpr (!Q::is_signed && !R::is_signed) {
        return {quotient, remainder};
    } else {
        const bool negative = x.is_negative();
        R rest;
        if constexpr (R::is_signed) {
            rest = warp_int::negate_if(warp_int::to<R>(remainder), negative);
        } else {
            // Round down, not toward zero.
            const bool left = static_cast<bool>(remainder);
            const bool down = negative && exists && left;
            rest = warp_int::select(down, warp_int::subtract(divisor, remainder), remainder);
            quotient = warp_int::select(down, quotient + 1, quotient);
        }
        return {warp_int::negate_if(warp_int::to<Q>(quotient), negative != y.is_negative()), rest};
    }
}

namespace warp_int {

template <Code code, class A, class B>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE quotient_t<A, B> quotient(const A &a, const B &b) {
    using Q = quotient_t<A, B>;
    const auto x = as_number<A, B>(a);
    const auto y = as_number<A, B>(b);
    unsigned_t<Q> quotient;
    divide<code>(&quotient, static_cast<unsigned_t<remainder_t<A, B>> *>(nullptr), magnitude(x),
                 magnitude(y));
    return negate_if(to<Q>(quotient), x.is_negative() != y.is_negative());
}
template <Code code, class A, class B>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE remainder_t<A, B> remainder(const A &a, const B &b) {
    using R = remainder_t<A, B>;
    const auto x = as_number<A, B>(a);
    const auto y = as_number<A, B>(b);
    const auto divisor = magnitude(y);
    unsigned_t<R> remainder;
    divide<code>(static_cast<unsigned_t<quotient_t<A, B>> *>(nullptr), &remainder, magnitude(x),
                 divisor);
    if constexpr (R::is_signed) {
        return negate_if(to<R>(remainder), x.is_negative());
    } else if constexpr (number::signed_of<scalar_t<A>>) {
        const bool left = static_cast<bool>(remainder);
        const bool negative = x.is_negative();
        const bool down = negative && left;
        return select(down, subtract(divisor, remainder), remainder);
    } else {
        return remainder;
    }
}

} // namespace warp_int

// The quotient truncated toward zero, in the dividend's type.
template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE warp_int::quotient_t<A, B> operator/(const A &a, const B &b) {
    return warp_int::quotient<warp_int::Code::here>(a, b);
}

// The remainder at the divisor's width: in [0, b) for an unsigned b, else with the dividend's sign.
template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE warp_int::remainder_t<A, B> operator%(const A &a, const B &b) {
    return warp_int::remainder<warp_int::Code::here>(a, b);
}

// Compound assignment; the result has the left operand's width.
template <WarpNumber A, class B>
    requires number::OperandsTogether<A, B>
WARPINT_HOST_DEVICE A &operator+=(A &a, const B &b) {
    return a = warp_int::add(a, warp_int::to<A>(b));
}
template <WarpNumber A, class B>
    requires number::OperandsTogether<A, B>
WARPINT_HOST_DEVICE A &operator-=(A &a, const B &b) {
    return a = warp_int::subtract(a, warp_int::to<A>(b));
}
template <WarpNumber A, class B>
    requires number::OperandsTogether<A, B>
WARPINT_HOST_DEVICE A &operator*=(A &a, const B &b) {
    return a = warp_int::low_product<A>(a, b);
}

// The square, exact.
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE auto sqr(const A &a) {
    const auto x = warp_int::magnitude(a);
    return x * x;
}

// Sums and differences with a carry in and out, or with an overflow flag, as for BigInt.
template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE AddCarryResult<warp_int::wrapping_t<A, B>>
add_carry(const A &a, const B &b, bool carry = false) {
    using R = warp_int::wrapping_t<A, B>;
    using Pattern = warp_int::unsigned_t<R>;
    using Wide = number::like_t<BigInt<R::bits + 1>, R>;
    const Wide sum = warp_int::to<Wide>(warp_int::to<Pattern>(a)) +
                     warp_int::to<Wide>(warp_int::to<Pattern>(b)) +
                     warp_int::to<Wide>(carry ? 1 : 0);
    return {R(sum), lanes::bit_at<Wide::limbs_per_lane>(typename R::group{}, sum.words, R::bits)};
}
template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE SubBorrowResult<warp_int::wrapping_t<A, B>>
sub_borrow(const A &a, const B &b, bool borrow = false) {
    using R = warp_int::wrapping_t<A, B>;
    using Pattern = warp_int::unsigned_t<R>;
    using Wide = number::like_t<BigInt<R::bits + 1>, R>;
    const Wide difference = warp_int::to<Wide>(warp_int::to<Pattern>(a)) -
                            warp_int::to<Wide>(warp_int::to<Pattern>(b)) -
                            warp_int::to<Wide>(borrow ? 1 : 0);
    return {R(difference),
            lanes::bit_at<Wide::limbs_per_lane>(typename R::group{}, difference.words, R::bits)};
}

namespace warp_int {

// The exact sum, or difference, of the values, over the lanes of all operands.
template <class A, class B, class... Others>
using exact_sum_t = number::like_t<number::exact_sum_t<scalar_t<A>, scalar_t<B>>, A, B, Others...>;

} // namespace warp_int

template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE OverflowResult<warp_int::wrapping_t<A, B>>
add_overflow(const A &a, const B &b) {
    using Exact = warp_int::exact_sum_t<A, B>;
    const Exact sum = warp_int::to<Exact>(a) + warp_int::to<Exact>(b);
    const warp_int::wrapping_t<A, B> value(sum);
    return {value, value != sum};
}
template <class A, class B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE OverflowResult<warp_int::wrapping_t<A, B>>
sub_overflow(const A &a, const B &b) {
    using Exact = warp_int::exact_sum_t<A, B>;
    const Exact difference = warp_int::to<Exact>(a) - warp_int::to<Exact>(b);
    const warp_int::wrapping_t<A, B> value(difference);
    return {value, value != difference};
}

} // namespace warpint
