// SPDX-License-Identifier: Apache-2.0
// Bit fields of numbers. Positions count from the least significant bit. A number is read as if it
// continued with zeros, or with copies of its sign.
#pragma once

#include "bits.h"

namespace warpint {

namespace number {

// The part of limb `index` that lies below bit `end` of the number, as a mask.
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE std::uint32_t mask_below(int index, int end) {
    const int bits = end - 32 * index;
    return bits >= 32 ? 0xffffffffu : bits <= 0 ? 0u : 0xffffffffu >> (32 - bits);
}

} // namespace number

// Bits [position, position + count) of a, moved down to bit 0, in a's type. The value lies in
// [0, 2^count); for count >= width it is a >> position. A negative position and count <= 0 give 0.
// Variable time in position and count, constant time in a.
// Example:
//     const auto field = extract_bits(BigInt<64>(0xabcd), 4, 8); // 0xbc
template <BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A extract_bits(const A &a, int position, int count) {
    if (position < 0 || count <= 0)
        return A{};
    A r = a >> position;
    if (count < A::bits) {
        WARPINT_UNROLL(A::limb_count, limb::chain_limbs)
        for (int i = 0; i < A::limb_count; ++i)
            r.limbs[i] &= number::mask_below(i, count);
    }
    return r;
}

// The same with a width known at compile time: extract_bits<8>(a, 16) is a BigInt<8>. On hosts the
// cost depends on the field's width, not on a's. Variable time in position, constant time in a.
template <int Count, BigNumber A>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr BigInt<Count> extract_bits(const A &a, int position) {
    static_assert(Count >= 1, "extract_bits<Count>: Count must be at least 1");
    BigInt<Count> r{};
    if (position < 0)
        return r;
    if (WARPINT_USES_PTX && A::limb_count <= limb::chain_limbs) // stay in registers
        return number::to<BigInt<Count>>(a >> position);
    const std::uint32_t fill = number::is_negative(a) ? 0xffffffffu : 0u;
    const int first = position / 32;
    // The limb of a, or of what follows it, that lies i limbs above bit `position`'s.
    const auto limb = [&a, fill, first](int i) {
        return first < A::limb_count && i < A::limb_count - first ? a.limbs[first + i] : fill;
    };
    for (int i = 0; i < BigInt<Count>::limb_count; ++i)
        r.limbs[i] = arith::funnel_right(limb(i + 1), limb(i), position % 32);
    number::normalise<Count, false>(r.limbs);
    return r;
}

// The number a with bits [position, position + count) replaced by the low `count` bits of `value`,
// a number of any type. Bits beyond a's width are dropped. A negative position or count <= 0
// changes nothing. Variable time in position and count, constant time in a and value.
template <BigNumber A, AnyNumber B>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A insert_bits(const A &a, const B &value, int position,
                                                          int count) {
    if (position < 0 || position >= A::bits || count <= 0)
        return a;
    const int end = count < A::bits - position ? position + count : A::bits;
    A r = number::to<A>(value) << position;
    WARPINT_UNROLL(A::limb_count, limb::chain_limbs)
    for (int i = 0; i < A::limb_count; ++i) {
        const std::uint32_t mask = number::mask_below(i, end) & ~number::mask_below(i, position);
        r.limbs[i] = (r.limbs[i] & mask) | (a.limbs[i] & ~mask);
    }
    number::normalise<A::bits, A::is_signed>(r.limbs);
    return r;
}

// The same with positions and counts of any types.
template <number::HeldBig A, AnyNumber P, AnyNumber C>
    requires(number::WidePosition<P> || number::WidePosition<C>)
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A extract_bits(const A &a, const P &position,
                                                           const C &count) {
    return extract_bits(a, number::position_of(position), number::position_of(count));
}
template <int Count, number::HeldBig A, number::WidePosition P>
[[nodiscard]] WARPINT_HOST_DEVICE constexpr auto extract_bits(const A &a, const P &position) {
    return extract_bits<Count>(a, number::position_of(position));
}
template <number::HeldBig A, number::Held B, AnyNumber P, AnyNumber C>
    requires(number::WidePosition<P> || number::WidePosition<C>)
[[nodiscard]] WARPINT_HOST_DEVICE constexpr A insert_bits(const A &a, const B &value,
                                                          const P &position, const C &count) {
    return insert_bits(a, value, number::position_of(position), number::position_of(count));
}

} // namespace warpint
