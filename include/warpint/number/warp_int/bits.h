// SPDX-License-Identifier: Apache-2.0
// Bitwise operators, shifts, the functions of <bit> and bit fields of numbers over lanes, by the
// rules of BigInt. Positions and counts must be the same in all lanes of a number. Variable time in
// positions and counts.
#pragma once

#include "arithmetic.h"

namespace warpint {

#define WARPINT_WARP_BITWISE(op)                                                                   \
    template <class A, class B>                                                                    \
        requires number::OperandsTogether<A, B>                                                    \
    [[nodiscard]] WARPINT_HOST_DEVICE warp_int::wrapping_t<A, B> operator op(const A &a,           \
                                                                             const B &b) {         \
        using R = warp_int::wrapping_t<A, B>;                                                      \
        R r = warp_int::to<R>(a);                                                                  \
        const R y = warp_int::to<R>(b);                                                            \
        WARPINT_UNROLL(R::limbs_per_lane, R::limbs_per_lane)                                       \
        for (int i = 0; i < R::limbs_per_lane; ++i)                                                \
            r.words[i] = r.words[i] op y.words[i];                                                 \
        return r;                                                                                  \
    }                                                                                              \
    template <WarpNumber A, class B>                                                               \
        requires number::OperandsTogether<A, B>                                                    \
    WARPINT_HOST_DEVICE A &operator op## = (A & a, const B &b) {                                   \
        const A y = warp_int::to<A>(b);                                                            \
        WARPINT_UNROLL(A::limbs_per_lane, A::limbs_per_lane)                                       \
        for (int i = 0; i < A::limbs_per_lane; ++i)                                                \
            a.words[i] = a.words[i] op y.words[i];                                                 \
        return a;                                                                                  \
    }
WARPINT_WARP_BITWISE(&)
WARPINT_WARP_BITWISE(|)
WARPINT_WARP_BITWISE(^)
#undef WARPINT_WARP_BITWISE

template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE A operator~(const A &a) {
    A r;
    WARPINT_UNROLL(A::limbs_per_lane, A::limbs_per_lane)
    for (int i = 0; i < A::limbs_per_lane; ++i)
        r.words[i] = ~a.words[i];
    r.normalise();
    return r;
}

namespace warp_int {

// A shift count as an int in [0, width]; width stands for everything else.
template <int Width, class K>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE int shift_count(const K &k) {
    if constexpr (WarpNumber<K>) {
        const bool negative = k.is_negative();
        const bool below = less(k, Width);
        const int low = static_cast<int>(k);
        return !negative && below ? low : Width;
    } else {
        return number::shift_count<Width>(k);
    }
}

} // namespace warp_int

// Shifts left modulo 2^width. k >= width and k < 0 give 0.
template <WarpNumber A, number::Held K>
[[nodiscard]] WARPINT_HOST_DEVICE A operator<<(const A &a, const K &k) {
    const typename A::group g;
    const int count = warp_int::shift_count<A::bits>(k);
    A r;
    lanes::shift_left<A::limbs_per_lane>(g, r.words, a.words, count);
    r.normalise();
    return warp_int::select(count < A::bits, r, A(0));
}
// Shifts right, arithmetically for signed numbers. k >= width and k < 0 give 0, or -1 if a is
// negative.
template <WarpNumber A, number::Held K>
[[nodiscard]] WARPINT_HOST_DEVICE A operator>>(const A &a, const K &k) {
    const typename A::group g;
    const int count = warp_int::shift_count<A::bits>(k);
    const std::uint32_t fill = a.is_negative() ? 0xffffffffu : 0u;
    A r;
    lanes::shift_right<A::limbs_per_lane>(g, r.words, a.words, count, fill);
    return r;
}

template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE int bit_width(const A &a) {
    const auto x = warp_int::to<warp_int::unsigned_t<A>>(a);
    return lanes::bit_width<A::limbs_per_lane>(typename A::group{}, x.words);
}
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE int countr_zero(const A &a) {
    const int zeros = lanes::countr_zero<A::limbs_per_lane>(typename A::group{}, a.words);
    return zeros < A::bits ? zeros : A::bits;
}
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE int popcount(const A &a) {
    const auto x = warp_int::to<warp_int::unsigned_t<A>>(a);
    auto count = lanes::popcount(x.words[0]);
    WARPINT_UNROLL(A::limbs_per_lane, A::limbs_per_lane)
    for (int i = 1; i < A::limbs_per_lane; ++i)
        count = count + lanes::popcount(x.words[i]);
    return typename A::group{}.sum(count);
}
// Bit i. For i outside [0, Bits): whether a is negative.
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE bool test_bit(const A &a, int i) {
    const bool inside = i >= 0 && i < A::bits;
    const bool bit = lanes::bit_at<A::limbs_per_lane>(typename A::group{}, a.words, inside ? i : 0);
    const bool negative = a.is_negative();
    return inside ? bit : negative;
}
// The number a with bit i set to `value`; unchanged if i is outside [0, Bits).
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE A set_bit(const A &a, int i, bool value = true) {
    const bool inside = i >= 0 && i < A::bits;
    using word = typename A::word;
    const typename A::group g;
    A r = a;
    const word mask(inside ? 1u << (i % 32) : 0u);
    WARPINT_UNROLL(A::limbs_per_lane, A::limbs_per_lane)
    for (int j = 0; j < A::limbs_per_lane; ++j) {
        const word changed = value ? a.words[j] | mask : a.words[j] & ~mask;
        r.words[j] = A::group::select(
            g.template place<A::limbs_per_lane>(j) == (inside ? i / 32 : 0), changed, a.words[j]);
    }
    r.normalise();
    return r;
}
// Rotates left by k bits.
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE A rotl(const A &a, int k) {
    const int count = ((k % A::bits) + A::bits) % A::bits;
    const auto x = warp_int::to<warp_int::unsigned_t<A>>(a);
    return warp_int::to<A>((x << count) | (x >> (A::bits - count)));
}

namespace warp_int {

// The lowest `count` bits ones, count >= 0.
template <class T>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE T low_ones(int count) {
    using word = typename T::word;
    const typename T::group g;
    T r;
    WARPINT_UNROLL(T::limbs_per_lane, T::limbs_per_lane)
    for (int i = 0; i < T::limbs_per_lane; ++i) {
        const auto place = g.template place<T::limbs_per_lane>(i);
        const word cut(count % 32 != 0 ? 0xffffffffu >> (32 - count % 32) : 0u);
        r.words[i] = T::group::select(place < count / 32, word(0xffffffffu),
                                      T::group::select(place == count / 32, cut, word(0u)));
    }
    r.normalise();
    return r;
}

} // namespace warp_int

// Bits [position, position + count) of a, moved down to bit 0, in a's type.
template <WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE A extract_bits(const A &a, int position, int count) {
    const bool exists = position >= 0 && count > 0;
    const A field = a >> (exists ? position : 0);
    const A cut = field & warp_int::low_ones<A>(count > 0 ? count : 0);
    return warp_int::select(exists, warp_int::select(count < A::bits, cut, field), A(0));
}
// The same with a width known at compile time.
template <int Count, WarpNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE auto extract_bits(const A &a, int position) {
    static_assert(Count >= 1, "extract_bits<Count>: Count must be at least 1");
    using R = number::like_t<BigInt<Count>, A>;
    // Wide enough for copies of the sign at the field's top.
    using Wide =
        number::like_t<number::select_type<(Count > A::bits ? Count : A::bits), A::is_signed>, A>;
    const bool exists = position >= 0;
    return warp_int::select(exists, R(warp_int::to<Wide>(a) >> (exists ? position : 0)), R(0));
}
// The number a with bits [position, position + count) replaced by the low `count` bits of `value`.
template <WarpNumber A, number::Held B>
[[nodiscard]] WARPINT_HOST_DEVICE A insert_bits(const A &a, const B &value, int position,
                                                int count) {
    const bool exists = position >= 0 && position < A::bits && count > 0;
    const int begin = exists ? position : 0;
    const int end = !exists ? 0 : count < A::bits - begin ? begin + count : A::bits;
    const A mask = warp_int::low_ones<A>(end) ^ warp_int::low_ones<A>(begin);
    return ((warp_int::to<A>(value) << begin) & mask) | (a & ~mask);
}

// The high half of the product, floor(a b / 2^M) for b of M bits, a number as wide as a. Of two
// unsigned numbers of one type, of more than six limbs a lane, over two lanes or more, it costs
// about half a product; else the whole one. Variable time.
template <WarpNumber A, WarpNumber B>
    requires number::OperandsTogether<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE A mul_high(const A &a, const B &b) {
    if constexpr (std::is_same_v<A, B> && !A::is_signed &&
                  lanes::has_high_product<A::limbs_per_lane, typename A::group>) {
        constexpr int K = A::limbs_per_lane;
        constexpr int unused = 32 * K * A::lanes - A::bits;
        const typename A::group g;
        A x = a; // at the top of the lanes
        if constexpr (unused != 0)
            lanes::shift_left<K>(g, x.words, x.words, unused);
        A r;
        lanes::multiply_high<K>(g, r.words, x.words, b.words);
        return r;
    } else {
        return warp_int::to<A>(decltype(a * b)(a * b) >> int{B::bits});
    }
}
// With a built-in integer: the other half of mul_low.
template <WarpNumber A, number::Widthless B>
[[nodiscard]] WARPINT_HOST_DEVICE A mul_high(const A &a, const B &b) {
    return warp_int::to<A>((a * b) >> int{A::bits});
}

} // namespace warpint
