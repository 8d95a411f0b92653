// SPDX-License-Identifier: Apache-2.0
// Products of run-time length by Karatsuba's method (Karatsuba, Ofman, Doklady 145, 1962), in the
// form that multiplies differences: with a = a1 B^h + a0,
//   a b = z2 B^2h + (z2 + z0 - (a0 - a1) (b0 - b1)) B^h + z0,   z0 = a0 b0,  z2 = a1 b1.
// Three half products instead of four, at each of `Levels` levels; the depth is a template
// parameter, so that a GPU's stack is known at compile time. Hosts multiply very long numbers by a
// transform instead (word_transform.h). Constant time in the values.
#pragma once

#include "schoolbook.h"
#include "tiles.h"
#include "word_transform.h"

namespace warpint::arith {

// Levels that pay for n limbs if one pays from `threshold` limbs on.
WARPINT_HOST_DEVICE constexpr int karatsuba_levels(int n, int threshold) {
    int levels = 0;
    for (; n >= threshold && n > 3; n = (n + 1) / 2)
        ++levels;
    return levels;
}

// Limbs of scratch for a Karatsuba product of n limbs, any number of levels.
WARPINT_HOST_DEVICE constexpr int karatsuba_scratch(int n) {
    int limbs = 0;
    for (; n > 3; n = (n + 1) / 2)
        limbs += 2 * ((n + 1) / 2);
    return limbs;
}

namespace detail {

// Long products without recursion, and where it ends: rows on hosts, tiles of T x T limbs on GPUs.
template <int T = long_tile, class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_base(Limb *r, const Limb *a, int n, const Limb *b,
                                                 int m) {
    if (WARPINT_USES_PTX) {
        multiply_tiles<T>(r, n + m, a, n, b, m);
    } else {
        multiply_rows(r, a, n, b, m);
    }
}
template <class Limb>
WARPINT_HOST_DEVICE constexpr void square_base(Limb *r, const Limb *a, int n, Limb *scratch) {
    if (WARPINT_USES_PTX) {
        square_tiles<long_tile>(r, a, n);
    } else {
        square_rows(r, a, n, scratch);
    }
}
template <int T = long_tile, class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_low_base(Limb *r, const Limb *a, const Limb *b, int n) {
    if (WARPINT_USES_PTX) {
        multiply_tiles<T>(r, n, a, n, b, n);
    } else {
        multiply_low_rows(r, a, b, n);
    }
}

// r = |a - b|; a has h limbs, b has l <= h. Returns all ones if a < b, else 0. Branch-free.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr Limb
absolute_difference(Limb *r, const Limb *a, int h, const Limb *b, int l) {
    Limb borrow = limb::sub_row(r, a, b, l);
    for (int i = l; i < h; ++i)
        r[i] = limb::sub_borrow(a[i], Limb{0}, borrow);
    const Limb mask = static_cast<Limb>(Limb{0} - borrow);
    Limb carry = borrow;
    for (int i = 0; i < h; ++i)
        r[i] = limb::add_carry(static_cast<Limb>(r[i] ^ mask), Limb{0}, carry);
    return mask;
}

// The last step of a level: r holds z0 and z2 (2 h and 2 l limbs), t the product of the absolute
// differences (2 h limbs); mask is all ones if that product is to be subtracted, else 0.
template <class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void join_karatsuba(Limb *r, Limb *t, int h,
                                                                          int l, Limb mask) {
    Limb carry = static_cast<Limb>(mask & 1u);
    for (int i = 0; i < 2 * h; ++i) // z0 - t, or z0 + t
        t[i] = limb::add_carry(r[i], static_cast<Limb>(t[i] ^ mask), carry);
    Limb above = static_cast<Limb>(carry - (mask & 1u)); // -1, 0 or 1
    carry = limb::add_row(t, t, r + 2 * h, 2 * l);
    above = static_cast<Limb>(above + limb::add_limb_row(t + 2 * l, 2 * (h - l), carry));
    above = static_cast<Limb>(above + limb::add_row(r + h, r + h, t, 2 * h)); // 0 or more by now
    limb::add_limb_row(r + 3 * h, 2 * l - h, above);
}

} // namespace detail

namespace detail {

// r = a b by a transform, on hosts, where both are so long that this is faster; else false.
template <class Limb>
WARPINT_HOST_DEVICE constexpr bool
multiply_by_transform([[maybe_unused]] Limb *r, [[maybe_unused]] const Limb *a,
                      [[maybe_unused]] int n, [[maybe_unused]] const Limb *b,
                      [[maybe_unused]] int m) {
#if WARPINT_WORD_TRANSFORMS
    if constexpr (sizeof(Limb) == 8) {
        if (!__builtin_is_constant_evaluated() && n >= word_transform::min_words &&
            m >= word_transform::min_words)
            return word_transform::multiply_words(r, a, n, b, m);
    }
#endif
    return false;
}

// True where a product in so many levels can be as long as that.
template <int Threshold, int Levels>
inline constexpr bool reaches_transforms = Levels > 0 &&
                                           Levels >= karatsuba_levels(word_transform::min_words,
                                                                      Threshold);

} // namespace detail

// r = a b; all operands have n >= 1 limbs, r has 2 n and overlaps nothing. scratch has
// karatsuba_scratch(n) limbs. A level is taken from Threshold limbs on, at most Levels in all.
template <int Threshold, int Levels, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void
multiply_karatsuba(Limb *r, const Limb *a, const Limb *b, int n, Limb *scratch) {
    if constexpr (detail::reaches_transforms<Threshold, Levels>) {
        if (detail::multiply_by_transform(r, a, n, b, n))
            return;
    }
    if constexpr (Levels > 0) {
        if (n >= Threshold && n > 3) {
            const int h = (n + 1) / 2;
            const int l = n - h;
            Limb *const t = scratch;
            Limb *const rest = scratch + 2 * h;
            const Limb sign_a = detail::absolute_difference(r, a, h, a + h, l);
            const Limb sign_b = detail::absolute_difference(r + h, b, h, b + h, l);
            multiply_karatsuba<Threshold, Levels - 1>(t, r, r + h, h, rest);
            multiply_karatsuba<Threshold, Levels - 1>(r, a, b, h, rest);
            multiply_karatsuba<Threshold, Levels - 1>(r + 2 * h, a + h, b + h, l, rest);
            detail::join_karatsuba(r, t, h, l, static_cast<Limb>(~(sign_a ^ sign_b)));
            return;
        }
    }
    detail::multiply_base(r, a, n, b, n);
}

// Limbs of scratch for square_karatsuba.
WARPINT_HOST_DEVICE constexpr int square_scratch(int n) {
    return karatsuba_scratch(n) + square_rows_scratch(n);
}

// r = a^2; a has n limbs, r has 2 n and overlaps nothing. scratch has square_scratch(n) limbs.
template <int Threshold, int Levels, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void square_karatsuba(Limb *r, const Limb *a,
                                                                            int n, Limb *scratch) {
    if constexpr (detail::reaches_transforms<Threshold, Levels>) {
        if (detail::multiply_by_transform(r, a, n, a, n))
            return;
    }
    if constexpr (Levels > 0) {
        if (n >= Threshold && n > 3) {
            const int h = (n + 1) / 2;
            const int l = n - h;
            Limb *const t = scratch;
            Limb *const rest = scratch + 2 * h;
            detail::absolute_difference(r, a, h, a + h, l);
            square_karatsuba<Threshold, Levels - 1>(t, r, h, rest);
            square_karatsuba<Threshold, Levels - 1>(r, a, h, rest);
            square_karatsuba<Threshold, Levels - 1>(r + 2 * h, a + h, l, rest);
            detail::join_karatsuba(r, t, h, l, static_cast<Limb>(~Limb{0}));
            return;
        }
    }
    detail::square_base(r, a, n, scratch);
}

namespace detail {

// r = mask == 0 ? x : -x, one limb longer than x for its sign; mask is 0 or all ones.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void negate_masked(Limb *r, const Limb *x, Limb mask) {
    Limb flipped[N]{};
    Limb ones[N]{};
    WARPINT_UNROLL(N, 2 * register_limbs)
    for (int i = 0; i < N; ++i)
        flipped[i] = static_cast<Limb>(x[i] ^ mask);
    ones[0] = static_cast<Limb>(mask & 1u);
    limb::add<N>(r, flipped, ones);
}

} // namespace detail

// One level over products in registers, for GPUs: r = a b, N limbs each, N > 1; r overlaps nothing.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
multiply_karatsuba_registers(Limb *r, const Limb *a, const Limb *b) {
    constexpr int h = (N + 1) / 2;
    constexpr int l = N - h;
    Limb high_a[h]{};
    Limb high_b[h]{};
    copy<l>(high_a, a + h);
    copy<l>(high_b, b + h);
    // |a0 - a1|, |b0 - b1| and their product.
    Limb difference_a[h]{};
    Limb difference_b[h]{};
    const Limb sign_a = static_cast<Limb>(Limb{0} - limb::sub<h>(difference_a, a, high_a));
    const Limb sign_b = static_cast<Limb>(Limb{0} - limb::sub<h>(difference_b, b, high_b));
    detail::negate_masked<h>(difference_a, difference_a, sign_a);
    detail::negate_masked<h>(difference_b, difference_b, sign_b);
    Limb t[2 * h + 1]{};
    multiply_alternate<h, h>(t, difference_a, difference_b);
    multiply_alternate<h, h>(r, a, b);
    multiply_alternate<l, l>(r + 2 * h, a + h, b + h);
    // z0 + z2, then minus or plus t; not negative at the end.
    Limb middle[2 * h + 1]{};
    Limb z2[2 * h]{};
    copy<2 * l>(z2, r + 2 * h);
    middle[2 * h] = limb::add<2 * h>(middle, r, z2);
    const Limb subtracts = static_cast<Limb>(~(sign_a ^ sign_b));
    detail::negate_masked<2 * h + 1>(t, t, subtracts);
    limb::add<2 * h + 1>(middle, middle, t);
    constexpr int above = 2 * N - h; // limbs of r from the middle on
    Limb addend[above]{};
    copy<(2 * h + 1 < above ? 2 * h + 1 : above)>(addend, middle);
    limb::add<above>(r + h, r + h, addend);
}

// Limbs of scratch for multiply_any with a shorter operand of up to n limbs.
template <class Limb>
WARPINT_HOST_DEVICE constexpr int product_scratch(int n) {
    return 3 * n + karatsuba_scratch(n);
}

// r = a b for operands of any lengths n, m >= 1; r has n + m limbs and overlaps nothing. scratch
// has product_scratch<Limb>(min(n, m)) limbs. Slices the longer operand into pieces of the shorter
// one's length.
template <int Threshold, int Levels, class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_sliced(Limb *r, const Limb *a, int n, const Limb *b,
                                                   int m, Limb *scratch) {
    if (n < m) {
        const Limb *const longer = b;
        b = a;
        a = longer;
        const int length = m;
        m = n;
        n = length;
    }
    if (m < Threshold || Levels == 0) {
        detail::multiply_base(r, a, n, b, m);
        return;
    }
    if constexpr (detail::reaches_transforms<Threshold, Levels>) {
        if (n < 4 * m && detail::multiply_by_transform(r, a, n, b, m))
            return;
    }
    multiply_karatsuba<Threshold, Levels>(r, a, b, m, scratch);
    Limb *const product = scratch;
    Limb *const padded = scratch + 2 * m;
    Limb *const rest = scratch + 3 * m;
    for (int i = m; i < n; i += m) {
        const int length = n - i < m ? n - i : m;
        if (length < Threshold) {
            detail::multiply_base(product, b, m, a + i, length);
        } else if (length < m) { // the last piece, filled up with zeros
            for (int k = 0; k < m; ++k)
                padded[k] = k < length ? a[i + k] : Limb{0};
            multiply_karatsuba<Threshold, Levels>(product, padded, b, m, rest);
        } else {
            multiply_karatsuba<Threshold, Levels>(product, a + i, b, m, rest);
        }
        const Limb carry = limb::add_row(r + i, r + i, product, m);
        for (int k = 0; k < length; ++k)
            r[i + m + k] = product[m + k];
        limb::add_limb_row(r + i + m, length, carry);
    }
}

// multiply_sliced with the threshold of the limb type and as many levels as numbers below 2^20 bits
// can use.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void multiply_any(Limb *r, const Limb *a, int n, const Limb *b, int m,
                                                Limb *scratch) {
    multiply_sliced<Tuning<Limb>::karatsuba_limbs, 8>(r, a, n, b, m, scratch);
}

// r = a b modulo B^n; all have n limbs, r overlaps nothing. scratch has low_product_scratch(n)
// limbs. From Threshold limbs on: a full product of the lower halves and two low products of half
// the length.
template <int Threshold, int KaratsubaThreshold, int Levels, class Limb>
WARPINT_HOST_DEVICE WARPINT_DEVICE_NOINLINE constexpr void
multiply_low_split(Limb *r, const Limb *a, const Limb *b, int n, Limb *scratch) {
    if constexpr (detail::reaches_transforms<KaratsubaThreshold, Levels>) {
        if (detail::multiply_by_transform(scratch, a, n, b, n)) {
            for (int i = 0; i < n; ++i)
                r[i] = scratch[i];
            return;
        }
    }
    if constexpr (Levels > 0) {
        if (n >= Threshold && n > 3) {
            const int h = (n + 1) / 2;
            const int l = n - h;
            Limb *const product = scratch; // 2 h limbs, of which n are wanted
            Limb *const cross = scratch + 2 * h;
            Limb *const rest = cross + l;
            multiply_karatsuba<KaratsubaThreshold, Levels>(product, a, b, h, rest);
            for (int i = 0; i < n; ++i)
                r[i] = product[i];
            multiply_low_split<Threshold, KaratsubaThreshold, Levels - 1>(cross, a + h, b, l, rest);
            limb::add_row(r + h, r + h, cross, l);
            multiply_low_split<Threshold, KaratsubaThreshold, Levels - 1>(cross, a, b + h, l, rest);
            limb::add_row(r + h, r + h, cross, l);
            return;
        }
    }
    detail::multiply_low_base(r, a, b, n);
}

WARPINT_HOST_DEVICE constexpr int low_product_scratch(int n) {
    return 3 * n + 3 + karatsuba_scratch(n);
}

} // namespace warpint::arith
