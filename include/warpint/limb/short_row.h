// SPDX-License-Identifier: Apache-2.0
// Rows of a short, known length whose accumulator stays in registers: t += a b for up to eight
// limbs, the inner loop of short Montgomery products on hosts. x86-64 processors with BMI2 and ADX
// add the low and the high halves of the products on two independent carry chains (Ozturk,
// Guilford, Gopal, Feghali, 2012; see row.h); chosen at run time.
#pragma once

#include "row.h"

namespace warpint::limb {

// The longest short row: its nine accumulator limbs and four more registers are what there is.
inline constexpr int short_row_limbs = 8;

#if WARPINT_X86_64
namespace detail {

#define WARPINT_ROW_PRODUCT(offset, here, next)                                                    \
    "mulxq " #offset "(%[a]), %[low], %[high]\n\t"                                                 \
    "adcxq %[low], %[" #here "]\n\t"                                                               \
    "adoxq %[high], %[" #next "]\n\t"
// The moves keep the flags; both chains' carries out of the last limb go to `low`.
#define WARPINT_ROW(products, last, ...)                                                           \
    asm("xorl %k[low], %k[low]\n\t" products "movl $0, %k[high]\n\t"                               \
        "movl $0, %k[low]\n\t"                                                                     \
        "adcxq %[high], %[" #last "]\n\t"                                                          \
        "adcxq %[high], %[low]\n\t"                                                                \
        "adoxq %[high], %[low]\n\t"                                                                \
        : __VA_ARGS__, [low] "=&r"(low), [high] "=&r"(high)                                        \
        : [a] "r"(a), "d"(b), "m"(*reinterpret_cast<const std::uint64_t (*)[N]>(a))                \
        : "cc")
#define WARPINT_ROW_LIMB(i) [t##i] "+&r"(t[i])

// t[0..N] += a[0..N) b; returns the carry out.
template <int N>
WARPINT_INLINE std::uint64_t multiply_add_short_adx(std::uint64_t *t, const std::uint64_t *a,
                                                    std::uint64_t b) {
    static_assert(N >= 1 && N <= short_row_limbs);
    std::uint64_t low, high;
    // clang-format off
    if constexpr (N == 1) {
        WARPINT_ROW(
            WARPINT_ROW_PRODUCT(0, t0, t1),
            t1, WARPINT_ROW_LIMB(0), WARPINT_ROW_LIMB(1));
    } else if constexpr (N == 2) {
        WARPINT_ROW(
            WARPINT_ROW_PRODUCT(0, t0, t1)
            WARPINT_ROW_PRODUCT(8, t1, t2),
            t2, WARPINT_ROW_LIMB(0), WARPINT_ROW_LIMB(1), WARPINT_ROW_LIMB(2));
    } else if constexpr (N == 3) {
        WARPINT_ROW(
            WARPINT_ROW_PRODUCT(0, t0, t1)
            WARPINT_ROW_PRODUCT(8, t1, t2)
            WARPINT_ROW_PRODUCT(16, t2, t3),
            t3, WARPINT_ROW_LIMB(0), WARPINT_ROW_LIMB(1), WARPINT_ROW_LIMB(2), WARPINT_ROW_LIMB(3));
    } else if constexpr (N == 4) {
        WARPINT_ROW(
            WARPINT_ROW_PRODUCT(0, t0, t1)
            WARPINT_ROW_PRODUCT(8, t1, t2)
            WARPINT_ROW_PRODUCT(16, t2, t3)
            WARPINT_ROW_PRODUCT(24, t3, t4),
            t4, WARPINT_ROW_LIMB(0), WARPINT_ROW_LIMB(1), WARPINT_ROW_LIMB(2), WARPINT_ROW_LIMB(3), WARPINT_ROW_LIMB(4));
    } else if constexpr (N == 5) {
        WARPINT_ROW(
            WARPINT_ROW_PRODUCT(0, t0, t1)
            WARPINT_ROW_PRODUCT(8, t1, t2)
            WARPINT_ROW_PRODUCT(16, t2, t3)
            WARPINT_ROW_PRODUCT(24, t3, t4)
            WARPINT_ROW_PRODUCT(32, t4, t5),
            t5, WARPINT_ROW_LIMB(0), WARPINT_ROW_LIMB(1), WARPINT_ROW_LIMB(2), WARPINT_ROW_LIMB(3), WARPINT_ROW_LIMB(4), WARPINT_ROW_LIMB(5));
    } else if constexpr (N == 6) {
        WARPINT_ROW(
            WARPINT_ROW_PRODUCT(0, t0, t1)
            WARPINT_ROW_PRODUCT(8, t1, t2)
            WARPINT_ROW_PRODUCT(16, t2, t3)
            WARPINT_ROW_PRODUCT(24, t3, t4)
            WARPINT_ROW_PRODUCT(32, t4, t5)
            WARPINT_ROW_PRODUCT(40, t5, t6),
            t6, WARPINT_ROW_LIMB(0), WARPINT_ROW_LIMB(1), WARPINT_ROW_LIMB(2), WARPINT_ROW_LIMB(3), WARPINT_ROW_LIMB(4), WARPINT_ROW_LIMB(5), WARPINT_ROW_LIMB(6));
    } else if constexpr (N == 7) {
        WARPINT_ROW(
            WARPINT_ROW_PRODUCT(0, t0, t1)
            WARPINT_ROW_PRODUCT(8, t1, t2)
            WARPINT_ROW_PRODUCT(16, t2, t3)
            WARPINT_ROW_PRODUCT(24, t3, t4)
            WARPINT_ROW_PRODUCT(32, t4, t5)
            WARPINT_ROW_PRODUCT(40, t5, t6)
            WARPINT_ROW_PRODUCT(48, t6, t7),
            t7, WARPINT_ROW_LIMB(0), WARPINT_ROW_LIMB(1), WARPINT_ROW_LIMB(2), WARPINT_ROW_LIMB(3), WARPINT_ROW_LIMB(4), WARPINT_ROW_LIMB(5), WARPINT_ROW_LIMB(6), WARPINT_ROW_LIMB(7));
    } else {
        WARPINT_ROW(
            WARPINT_ROW_PRODUCT(0, t0, t1)
            WARPINT_ROW_PRODUCT(8, t1, t2)
            WARPINT_ROW_PRODUCT(16, t2, t3)
            WARPINT_ROW_PRODUCT(24, t3, t4)
            WARPINT_ROW_PRODUCT(32, t4, t5)
            WARPINT_ROW_PRODUCT(40, t5, t6)
            WARPINT_ROW_PRODUCT(48, t6, t7)
            WARPINT_ROW_PRODUCT(56, t7, t8),
            t8, WARPINT_ROW_LIMB(0), WARPINT_ROW_LIMB(1), WARPINT_ROW_LIMB(2), WARPINT_ROW_LIMB(3), WARPINT_ROW_LIMB(4), WARPINT_ROW_LIMB(5), WARPINT_ROW_LIMB(6), WARPINT_ROW_LIMB(7), WARPINT_ROW_LIMB(8));
    }
    // clang-format on
    return low;
}

#undef WARPINT_ROW_LIMB
#undef WARPINT_ROW
#undef WARPINT_ROW_PRODUCT

} // namespace detail
#endif

// Whether there is assembly for rows of these limbs.
template <class Limb>
inline constexpr bool compiles_chained_rows = WARPINT_X86_64 && sizeof(Limb) == 8;

// True if the processor has it.
template <class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE bool has_chained_rows() {
#if WARPINT_X86_64
    if constexpr (compiles_chained_rows<Limb>)
        return !__builtin_is_constant_evaluated() && detail::has_two_carry_chains;
#endif
    return false;
}

// Which code a row is: the assembly where has_chained_rows, the language's, or either.
enum class RowCode { chained, plain, either };

// t[0..N + 2) += a[0..N) b; what is carried out of t[N + 1] is dropped. t and a do not overlap.
// Constant time.
template <int N, RowCode code = RowCode::either, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void multiply_add_short_row(Limb *t, const Limb *a,
                                                                         Limb b) {
#if WARPINT_X86_64
    if constexpr (compiles_chained_rows<Limb> && code != RowCode::plain) {
        if (code == RowCode::chained || has_chained_rows<Limb>()) {
            t[N + 1] += detail::multiply_add_short_adx<N>(t, a, b);
            return;
        }
    }
#endif
    Limb carry = 0;
    WARPINT_UNROLL_HOST
    for (int i = 0; i < N; ++i)
        t[i] = multiply_add(a[i], b, t[i], carry);
    t[N] = static_cast<Limb>(t[N] + carry);
    t[N + 1] = static_cast<Limb>(t[N + 1] + (t[N] < carry));
}

} // namespace warpint::limb
