// SPDX-License-Identifier: Apache-2.0
// Bitwise operators, shifts and the functions of <bit>. & | ^ ~ take constant time. Shifts and
// everything that takes a position take variable time in the count or position. On hosts, the time
// of counting bits depends on the number.
#pragma once

#include "compare.h"
#include "kinds.h"

namespace warpint {

namespace number {

// A shift count as an int in [0, width]. width stands for every larger count and for negative ones,
// which leave no bit of the operand.
template <int Width, AnyNumber K>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int shift_count(const K &k) {
    if constexpr (BuiltinInteger<K>) {
        if constexpr (signed_of<K>) {
            return k >= 0 && k < Width ? static_cast<int>(k) : Width;
        } else {
            using Wide = std::conditional_t<(sizeof(K) > sizeof(std::uint64_t)), K, std::uint64_t>;
            return static_cast<Wide>(k) < static_cast<Wide>(Width) ? static_cast<int>(k) : Width;
        }
    } else {
        const auto count = as_number(k);
        return !is_negative(count) && less(count, Width) ? static_cast<int>(count) : Width;
    }
}

// A position or count that an int may not hold, unsigned ones of 32 bits included. What lies beyond
// every number's width stays beyond.
template <class K>
concept WidePosition = AnyNumber<K> && (!BuiltinInteger<K> || bits_of<K> + !signed_of<K> > 32);

// The same of a rotation: k modulo the width, with k's sign.
template <int Width, WidePosition K>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int places_of(const K &k) {
    if constexpr (BuiltinInteger<K>) {
        return static_cast<int>(k % static_cast<K>(Width));
    } else {
        return static_cast<int>(as_number(k) % SignedBigInt<32>(Width));
    }
}

enum class Bitwise { conjunction, disjunction, exclusive };

template <Bitwise operation, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb combine_limbs(Limb a, Limb b) {
    if constexpr (operation == Bitwise::conjunction)
        return a & b;
    if constexpr (operation == Bitwise::disjunction)
        return a | b;
    return a ^ b;
}

// r = a op b, where a has as many limbs as r and may be r. Of a shorter b the sign is carried on.
// in_place: a is r; limbs that this leaves as they are are not touched then. Short results are
// written word by word, never as a copy of a that is then changed: a copy of the result would wait
// for words that lie in two writes (limb::store_extended).
template <Bitwise operation, bool in_place, class R, class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void combine_into(R &r, const A &a, const B &b) {
    constexpr int n = R::limb_count;
    constexpr int m = B::limb_count < n ? B::limb_count : n;
    constexpr bool stays = !B::is_signed && operation != Bitwise::conjunction;
    limb::keep_local_arrays_apart<n, limb::chain_limbs>();
    const std::uint32_t fill = fill_of(b);
    if constexpr (n > 3 && limb::in_words<n, std::uint32_t> &&
                  (m < n || n <= 2 * limb::unrolled_words)) {
        if (WARPINT_USES_WORDS) {
            const std::uint64_t word = fill | std::uint64_t{fill} << 32;
            constexpr int changed = stays && (m + 1) / 2 < n / 2 ? (m + 1) / 2 : n / 2;
            WARPINT_UNROLL_HOST
            for (int i = 0; i < (in_place ? changed : n / 2); ++i) {
                const std::uint64_t of_a = limb::load_word(a.limbs, i);
                limb::store_word(r.limbs, i,
                                 i < changed ? combine_limbs<operation>(
                                                   of_a, limb::extended_word<m>(b.limbs, i, word))
                                             : of_a);
            }
            if constexpr (n % 2 != 0) {
                r.limbs[n - 1] =
                    combine_limbs<operation>(a.limbs[n - 1], m == n ? b.limbs[m - 1] : fill);
            }
            normalise<R::bits, R::is_signed>(r.limbs);
            return;
        }
    }
    WARPINT_UNROLL(n, limb::chain_limbs)
    for (int i = 0; i < (in_place && stays ? m : n); ++i)
        r.limbs[i] = combine_limbs<operation>(a.limbs[i], i < m ? b.limbs[i < m ? i : 0] : fill);
    normalise<R::bits, R::is_signed>(r.limbs);
}
template <Bitwise operation, class R, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void combine_in_place(R &r, const B &b) {
    combine_into<operation, true>(r, r, b);
}

template <Bitwise operation, class A, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE wrapping_t<A, B> combine(const A &a, const B &b) {
    using R = wrapping_t<A, B>;
    if constexpr (big_t<A>::limb_count < R::limb_count) {
        return combine<operation>(b, a);
    } else {
        constexpr bool changes_few = R::limb_count > 2 * limb::unrolled_words &&
                                     big_t<B>::limb_count < R::limb_count &&
                                     operation != Bitwise::conjunction;
        if constexpr (changes_few) {
            R r = to<R>(a);
            combine_in_place<operation>(r, as_number(b));
            return r;
        } else {
            R r;
            combine_into<operation, false>(r, as_number(a), as_number(b));
            return r;
        }
    }
}

} // namespace number

template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::wrapping_t<A, B> operator&(const A &a,
                                                                               const B &b) {
    return number::combine<number::Bitwise::conjunction>(a, b);
}
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::wrapping_t<A, B> operator|(const A &a,
                                                                               const B &b) {
    return number::combine<number::Bitwise::disjunction>(a, b);
}
template <class A, class B>
    requires number::Operands<A, B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr number::wrapping_t<A, B> operator^(const A &a,
                                                                               const B &b) {
    return number::combine<number::Bitwise::exclusive>(a, b);
}
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A operator~(const A &a) {
    A r;
    number::combine_into<number::Bitwise::exclusive, false>(r, a, SignedBigInt<32>(-1));
    return r;
}

// Shifts left: a 2^k modulo 2^width. k >= width and k < 0 give 0.
template <BigNumber A, AnyNumber K>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A operator<<(const A &a, const K &k) {
    const int count = number::shift_count<A::bits>(k);
    A r; // the only object returned, so that it is built in its place
    if (count < A::bits) {
        arith::shift_left<A::limb_count>(r.limbs, a.limbs, count);
    } else {
        arith::set_zero<A::limb_count>(r.limbs);
    }
    number::normalise<A::bits, A::is_signed>(r.limbs);
    return r;
}

// Shifts right, arithmetically for signed numbers. k >= width and k < 0 give 0, or -1 if a is
// negative.
template <BigNumber A, AnyNumber K>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A operator>>(const A &a, const K &k) {
    const int count = number::shift_count<A::bits>(k);
    const std::uint32_t fill = number::is_negative(a) ? 0xffffffffu : 0u;
    A r;
    if (count < A::bits) {
        arith::shift_right<A::limb_count>(r.limbs, a.limbs, count, fill);
        return r;
    }
    WARPINT_UNROLL(A::limb_count, limb::chain_limbs)
    for (int i = 0; i < A::limb_count; ++i)
        r.limbs[i] = fill;
    return r;
}

template <number::BigVariable A, AnyNumber B>
WARPINT_HOST_DEVICE constexpr A &operator&=(A &a, const B &b) {
    number::combine_in_place<number::Bitwise::conjunction>(a, number::as_number(b));
    return a;
}
template <number::BigVariable A, AnyNumber B>
WARPINT_HOST_DEVICE constexpr A &operator|=(A &a, const B &b) {
    number::combine_in_place<number::Bitwise::disjunction>(a, number::as_number(b));
    return a;
}
template <number::BigVariable A, AnyNumber B>
WARPINT_HOST_DEVICE constexpr A &operator^=(A &a, const B &b) {
    number::combine_in_place<number::Bitwise::exclusive>(a, number::as_number(b));
    return a;
}
template <class A, class K>
    requires number::ChangedBy<A, K>
WARPINT_HOST_DEVICE constexpr A &operator<<=(A &a, const K &k) {
    a = a << k;
    return a;
}
template <class A, class K>
    requires number::ChangedBy<A, K>
WARPINT_HOST_DEVICE constexpr A &operator>>=(A &a, const K &k) {
    a = a >> k;
    return a;
}

// The functions of <bit>, applied to the Bits bits of the number. A negative number is taken in
// two's complement.

// The number of bits without leading zeros; 0 for 0. A signed number counts as the unsigned number
// with the same bits.
// Example:
//     const int width = bit_width(BigInt<256>(255)); // 8
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr int bit_width(const A &a) {
    const auto &x = number::operand<BigInt<A::bits>>(a);
    return arith::bit_width<A::limb_count>(x.limbs);
}
// The number of leading zeros; Bits for 0.
template <number::HeldBig A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr int countl_zero(const A &a) {
    return A::bits - bit_width(a);
}
// The number of trailing zeros; Bits for 0.
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr int countr_zero(const A &a) {
    const int zeros = arith::countr_zero<A::limb_count>(a.limbs);
    return zeros < A::bits ? zeros : A::bits;
}
// The number of ones.
// Example:
//     const int ones = popcount(BigInt<256>(255)); // 8
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr int popcount(const A &a) {
    const auto &x = number::operand<BigInt<A::bits>>(a);
    int count = 0;
    if constexpr (limb::in_words<A::limb_count, std::uint32_t>) {
        if (WARPINT_USES_WORDS) {
            for (int i = 0; i < A::limb_count / 2; ++i)
                count += limb::popcount(limb::load_word(x.limbs, i));
            if constexpr (A::limb_count % 2 != 0)
                count += limb::popcount(x.limbs[A::limb_count - 1]);
            return count;
        }
    }
    WARPINT_UNROLL(A::limb_count, limb::chain_limbs)
    for (int i = 0; i < A::limb_count; ++i)
        count += limb::popcount(x.limbs[i]);
    return count;
}
// Whether a is a power of two.
template <number::HeldBig A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool has_single_bit(const A &a) {
    return popcount(a) == 1;
}
// Bit i. For i outside [0, Bits): whether a is negative.
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool test_bit(const A &a, int i) {
    if (i < 0 || i >= A::bits)
        return number::is_negative(a);
    return (a.limbs[i / 32] >> (i % 32) & 1u) != 0;
}
// The number a with bit i set to `value`; unchanged if i is outside [0, Bits).
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A set_bit(A a, int i, bool value = true) {
    if (i < 0 || i >= A::bits)
        return a;
    const std::uint32_t mask = 1u << (i % 32);
    a.limbs[i / 32] = value ? a.limbs[i / 32] | mask : a.limbs[i / 32] & ~mask;
    number::normalise<A::bits, A::is_signed>(a.limbs);
    return a;
}
// Rotates left by k bits. A negative k rotates right.
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A rotl(const A &a, int k) {
    const int count = ((k % A::bits) + A::bits) % A::bits;
    const auto &x = number::operand<BigInt<A::bits>>(a);
    if constexpr (number::may_be_short<BigInt<A::bits>>) {
        if (count <= A::bits - number::short_bits && number::are_short(x)) // nothing comes round
            return number::to<A>(x << count);
    }
    return number::to<A>((x << count) | (x >> (A::bits - count)));
}
// Rotates right by k bits. A negative k rotates left.
template <number::HeldBig A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A rotr(const A &a, int k) {
    return rotl(a, -(k % A::bits));
}

// The same with a position or a number of places of any type.
template <number::HeldBig A, number::WidePosition K>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr bool test_bit(const A &a, const K &i) {
    return test_bit(a, number::position_of(i));
}
template <number::HeldBig A, number::WidePosition K>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A set_bit(const A &a, const K &i, bool value = true) {
    return set_bit(a, number::position_of(i), value);
}
template <number::HeldBig A, number::WidePosition K>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A rotl(const A &a, const K &k) {
    return rotl(a, number::places_of<A::bits>(k));
}
template <number::HeldBig A, number::WidePosition K>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A rotr(const A &a, const K &k) {
    return rotr(a, number::places_of<A::bits>(k));
}

// Positions are integers; these are here for their message.
#define WARPINT_POSITION "a position is an integer: write static_cast<int>(x)"
template <limb::Advice instead = WARPINT_POSITION, number::HeldBig A, BuiltinFloating K>
bool test_bit(const A &, K) WARPINT_REFUSED(WARPINT_POSITION);
template <limb::Advice instead = WARPINT_POSITION, number::HeldBig A, BuiltinFloating K>
A set_bit(const A &, K, bool = true) WARPINT_REFUSED(WARPINT_POSITION);
template <limb::Advice instead = WARPINT_POSITION, number::HeldBig A, BuiltinFloating K>
A rotl(const A &, K) WARPINT_REFUSED(WARPINT_POSITION);
template <limb::Advice instead = WARPINT_POSITION, number::HeldBig A, BuiltinFloating K>
A rotr(const A &, K) WARPINT_REFUSED(WARPINT_POSITION);
#undef WARPINT_POSITION

} // namespace warpint
