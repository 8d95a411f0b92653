// SPDX-License-Identifier: Apache-2.0
// Signed limbs, and the step of the binary algorithm for greatest common divisors, in a form that
// no compiler turns into a branch (which would be mispredicted every other time). All functions are
// constant time.
#pragma once

#include "arithmetic.h"

#include <type_traits>

namespace warpint::limb {

// The signed type of the same width.
template <class Limb>
struct signed_limb {
    using type = std::make_signed_t<Limb>;
};
#if WARPINT_HAS_INT128
template <>
struct signed_limb<uint128> {
    __extension__ using type = __int128;
};
#endif
template <class Limb>
using signed_limb_t = typename signed_limb<Limb>::type;

// Trailing zeros of x != 0.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE int trailing_zeros(Limb x) {
#if defined(__GNUC__) && !WARPINT_DEVICE_PASS
    if constexpr (sizeof(Limb) == 8) {
        return __builtin_ctzll(x);
    } else {
        return __builtin_ctz(x);
    }
#else
    return countr_zero(x);
#endif
}

// The larger of a and b becomes their difference and is called a, the smaller b; row_a and row_b,
// numbers that belong to them, follow. Returns a number with the new a's trailing zeros that is
// ready earlier than a: the difference without its final sign.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb subtract_smaller(Limb &a, Limb &b, Limb &row_a,
                                                                   Limb &row_b) {
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated()) {
            Limb difference = a, opposite = b, row = row_a, opposite_row = row_b;
            asm("subq %[a], %[opposite]\n\t"
                "subq %[row_a], %[opposite_row]\n\t"
                "subq %[row_b], %[row]\n\t"
                "subq %[b], %[difference]\n\t"
                "cmovbq %[a], %[b]\n\t"
                "cmovbq %[row_a], %[row_b]\n\t"
                "cmovbq %[opposite], %[difference]\n\t"
                "cmovbq %[opposite_row], %[row]"
                : [difference] "+&r"(difference), [opposite] "+&r"(opposite), [row] "+&r"(row),
                  [opposite_row] "+&r"(opposite_row), [b] "+&r"(b), [row_b] "+&r"(row_b)
                : [a] "r"(a), [row_a] "r"(row_a)
                : "cc");
            a = difference;
            row_a = row;
            return opposite;
        }
    }
#endif
    const Limb swap = static_cast<Limb>(Limb{0} - static_cast<Limb>(a < b));
    const Limb difference = static_cast<Limb>(a - b);
    const Limb row = static_cast<Limb>(row_a - row_b);
    b = static_cast<Limb>(b + (difference & swap));
    row_b = static_cast<Limb>(row_b + (row & swap));
    a = static_cast<Limb>(static_cast<Limb>(difference ^ swap) - swap);
    row_a = static_cast<Limb>(static_cast<Limb>(row ^ swap) - swap);
    return difference;
}

// The same for numbers of which the highest and the lowest bits are known, in a word each: high_a
// and high_b are compared. The rows hold absolute values of opposite signs, so that their
// difference is a sum. Returns the difference of the low words, with either sign.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE Limb subtract_smaller(Limb &high_a, Limb &high_b,
                                                                   Limb &low_a, Limb &low_b,
                                                                   Limb &row_a, Limb &row_b) {
    const Limb row_sum = static_cast<Limb>(row_a + row_b);
#if WARPINT_X86_64
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated()) {
            Limb high = high_a, high_opposite = high_b, low = low_a, low_opposite = low_b;
            asm("subq %[low_a], %[low_opposite]\n\t"
                "subq %[low_b], %[low]\n\t"
                "subq %[high_a], %[high_opposite]\n\t"
                "subq %[high_b], %[high]\n\t"
                "cmovbq %[high_a], %[high_b]\n\t"
                "cmovbq %[high_opposite], %[high]\n\t"
                "cmovbq %[low_opposite], %[low]\n\t"
                "cmovbq %[low_a], %[low_b]\n\t"
                "cmovbq %[row_a], %[row_b]"
                : [high] "+&r"(high), [high_opposite] "+&r"(high_opposite), [low] "+&r"(low),
                  [low_opposite] "+&r"(low_opposite), [high_b] "+&r"(high_b), [low_b] "+&r"(low_b),
                  [row_b] "+&r"(row_b)
                : [high_a] "r"(high_a), [low_a] "r"(low_a), [row_a] "r"(row_a)
                : "cc");
            high_a = high;
            low_a = low;
            row_a = row_sum;
            return low_opposite;
        }
    }
#endif
    const Limb swap = static_cast<Limb>(Limb{0} - static_cast<Limb>(high_a < high_b));
    const Limb high = static_cast<Limb>(high_a - high_b);
    const Limb low = static_cast<Limb>(low_a - low_b);
    high_b = static_cast<Limb>(high_b + (high & swap));
    low_b = static_cast<Limb>(low_b + (low & swap));
    row_b = static_cast<Limb>(row_b ^ (static_cast<Limb>(row_a ^ row_b) & swap));
    high_a = static_cast<Limb>(static_cast<Limb>(high ^ swap) - swap);
    low_a = static_cast<Limb>(static_cast<Limb>(low ^ swap) - swap);
    row_a = row_sum;
    return low;
}

} // namespace warpint::limb
