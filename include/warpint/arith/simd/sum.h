// SPDX-License-Identifier: Apache-2.0
// Sums of columns: digits that add up halves of products and are not carried. Past 2^64 a sum
// wraps, and nothing in it shows that. So where assertions are on (arith/limbs/bounds.h) a sum
// carries its bound, and every addition asserts that it fits; elsewhere a Sum is Digits.
//
// A unit is 2^52: a half of a product is below one, and a sum of `units` of them below units 2^52.
// In memory, sums are Digits again; a function says how many units its sums have at most, which
// value_of asserts where they are stored and sum_of where they are read.
#pragma once

#include "machine/digits.h"

#if WARPINT_SIMD

namespace warpint::simd {

inline constexpr int max_units = 1 << (64 - digit_bits);

inline namespace WARPINT_SIMD_MACHINE {

// For assertions, in all lanes: whether x is 0; of numbers of n digits that need not be clean,
// whether x < 2^shift m, or <= if or_equal, m clean and shift < 52, and whether x < R / 2^bits,
// 0 < bits < 52.
WARPINT_SIMD_INLINE bool all_zeros(const Digits &x) {
    return bits(equal(x, Digits{})) == 0xffu;
}
template <int K>
WARPINT_SIMD_CALL bool is_below(const Digits *x, const Digits *m, int n, int shift,
                                bool or_equal = false) {
    bool holds = true;
    for (int l = 0; l < lanes; ++l) {
        bool is_less = or_equal;
        std::uint64_t before = 0;
        for (int i = 0; i < n; ++i) {
            const std::uint64_t multiple =
                (m[i][l] << shift | before >> (digit_bits - shift)) & digit_mask;
            before = m[i][l];
            const std::uint64_t digit = x[i][l] & digit_mask;
            is_less = digit != multiple ? digit < multiple : is_less;
        }
        holds = holds && (is_less || before >> (digit_bits - shift) != 0);
    }
    return holds;
}
template <int K>
WARPINT_SIMD_CALL bool is_below_part_of_r(const Digits *x, int n, int bits) {
    return all_zeros(clean(x[n - 1]) >> static_cast<std::uint64_t>(digit_bits - bits));
}

#if WARPINT_ASSERTIONS

struct Sum {
    Digits value;
    int units;
};

// The value, of at most so many units by what is known of it.
WARPINT_SIMD_INLINE Digits value_of(const Sum &sum, int units) {
    WARPINT_ASSERT(sum.units <= units);
    return sum.value;
}
// A value that has at most so many units.
WARPINT_SIMD_INLINE Sum sum_of(const Digits &value, int units) {
    WARPINT_ASSERT(units <= max_units);
    for (int l = 0; l < lanes; ++l)
        WARPINT_ASSERT(static_cast<int>(value[l] >> digit_bits) < units || value[l] == 0);
    return {value, units};
}
WARPINT_SIMD_INLINE Sum operator+(const Sum &x, const Sum &y) {
    WARPINT_ASSERT(x.units + y.units <= max_units);
    return {x.value + y.value, x.units + y.units};
}
WARPINT_SIMD_INLINE void operator+=(Sum &x, const Sum &y) {
    x = x + y;
}
// The carry: less than a unit.
WARPINT_SIMD_INLINE Sum operator>>(const Sum &x, int k) {
    WARPINT_ASSERT(k == digit_bits);
    return {x.value >> static_cast<std::uint64_t>(k), 1};
}
WARPINT_SIMD_INLINE Sum lo(const Sum &sum, const Digits &x, const Digits &y) {
    WARPINT_ASSERT(sum.units < max_units);
    return {lo(sum.value, x, y), sum.units + 1};
}
WARPINT_SIMD_INLINE Sum hi(const Sum &sum, const Digits &x, const Digits &y) {
    WARPINT_ASSERT(sum.units < max_units);
    return {hi(sum.value, x, y), sum.units + 1};
}

#else

using Sum = Digits;

WARPINT_SIMD_INLINE Digits value_of(Sum sum, int) {
    return sum;
}
WARPINT_SIMD_INLINE Sum sum_of(Digits value, int) {
    return value;
}

#endif

} // namespace WARPINT_SIMD_MACHINE
} // namespace warpint::simd

#endif // WARPINT_SIMD
