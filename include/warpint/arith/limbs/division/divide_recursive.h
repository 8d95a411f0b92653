// SPDX-License-Identifier: Apache-2.0
// Division in less than quadratic time, of limb arrays of run-time length: half of the quotient
// from the upper halves, recursively, then one product with the rest of the divisor (Burnikel and
// Ziegler, "Fast recursive division", MPI-I-98-1-022, 1998; Brent and Zimmermann, Modern Computer
// Arithmetic, algorithms 1.8 and 1.9). For hosts: the recursion is real. Variable time.
#pragma once

#include "../product/karatsuba.h"
#include "../tuning.h"
#include "divide_schoolbook.h"

namespace warpint::arith {

// Limbs of scratch for divide_recursive by n limbs.
template <class Limb>
WARPINT_HOST_DEVICE constexpr int division_scratch(int n) {
    return n + product_scratch<Limb>((n + 1) / 2);
}

namespace detail {

// As divide_recursive with 1 <= m <= n, but without a condition on the top limbs of u: returns the
// quotient's limb above q[m-1], 0 or 1.
template <int Threshold, class Limb>
WARPINT_HOST_DEVICE constexpr Limb divide_block(Limb *q, Limb *u, int m, const Limb *v, int n,
                                                Limb inverse, Limb *scratch) {
    if (m < Threshold) {
        Limb top = 0;
        if (!less_row(u + m, v, n)) {
            limb::sub_row(u + m, u + m, v, n);
            top = 1;
        }
        divide_schoolbook(q, u, m, v, n, inverse);
        return top;
    }
    if (m == n) { // the upper half of the quotient, then the lower
        const int low = n / 2;
        const Limb top = divide_block<Threshold>(q + low, u + low, n - low, v, n, inverse, scratch);
        divide_block<Threshold>(q, u, low, v, n, inverse, scratch);
        return top;
    }
    // By the upper m limbs of v; then u - q v for its lower k limbs.
    const int k = n - m;
    Limb top = divide_block<Threshold>(q, u + k, m, v + k, m, inverse, scratch);
    Limb *const product = scratch;
    multiply_any(product, q, m, v, k, scratch + n);
    Limb borrow = limb::sub_row(u, u, product, n);
    if (top != 0)
        borrow = static_cast<Limb>(borrow + limb::sub_row(u + m, u + m, v, k));
    while (borrow != 0) { // the quotient is at most two too large
        Limb below = 1;
        for (int i = 0; below != 0 && i < m; ++i)
            below = q[i]-- == 0;
        top = static_cast<Limb>(top - below);
        borrow = static_cast<Limb>(borrow - limb::add_row(u, u, v, n));
    }
    WARPINT_ASSERT(top <= 1 && less_row(u, v, n));
    return top;
}

} // namespace detail

// As divide_schoolbook, for q not null; scratch has division_scratch<Limb>(n) limbs. n, Threshold
// >= 2.
template <int Threshold = recursive_division_limbs, class Limb>
WARPINT_HOST_DEVICE constexpr void divide_recursive(Limb *q, Limb *u, int m, const Limb *v, int n,
                                                    Limb inverse, Limb *scratch) {
    static_assert(Threshold >= 2);
    WARPINT_ASSERT(n >= 2 && v[n - 1] >> (limb::limb_bits<Limb> - 1) != 0);
    WARPINT_ASSERT(detail::less_row(u + m, v, n));
    // Pieces of n quotient limbs; the first one is what is over.
    int size = m % n;
    for (int j = m - size; j >= 0; size = n, j -= n) {
        if (size > 0)
            detail::divide_block<Threshold>(q + j, u + j, size, v, n, inverse, scratch);
    }
}

// divide_recursive or divide_schoolbook, whichever is faster.
template <class Limb>
WARPINT_HOST_DEVICE constexpr void divide_any(Limb *q, Limb *u, int m, const Limb *v, int n,
                                              Limb inverse, Limb *scratch) {
    if (m >= recursive_division_limbs && n > recursive_division_limbs) {
        divide_recursive(q, u, m, v, n, inverse, scratch);
    } else {
        divide_schoolbook(q, u, m, v, n, inverse);
    }
}

} // namespace warpint::arith
