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

} // namespace warpint::limb
