// SPDX-License-Identifier: Apache-2.0
// Products whose reduction follows (fold.h), in two accumulators of limb pairs: row by row, or by
// one level of Karatsuba's method, which leaves them unmerged.
#pragma once

#include "../division/quotient_digit.h"
#include "../product/schoolbook.h"

namespace warpint::arith::detail {

// The rows J .. N - 1 of even + odd += a b, or += a b + c d if Double; the accumulators have 2 N +
// 2 limbs. On output `even` holds the number. Before: pending = 0.
template <int N, int J, bool Double, class Limb, class B, class D>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
add_product_rows(Limb *even, Limb *odd, const Limb *a, const B &b, [[maybe_unused]] const Limb *c,
                 [[maybe_unused]] const D &d, Limb pending) {
    constexpr int room = 2 * N + 2;
    add_split_row<N, J, room, false>(even, odd, a, b(J));
    if constexpr (Double)
        add_split_row<N, J, room, true>(even, odd, c, d(J));
    // Merged now and then: fewer registers than at the end.
    constexpr int step = N / 4 > 4 ? N / 4 : 4;
    if constexpr (J % step == step - 1 || J == N - 1) {
        constexpr int from = J / step * step;
        constexpr int begin = from == 0 ? 1 : from; // odd[0] is not used
        limb::Chain<Limb> chain;
        if constexpr (from > 0)
            chain.begin(pending);
        WARPINT_UNROLL(N, register_limbs)
        for (int p = begin; p <= J; ++p)
            even[p] = chain.add(even[p], odd[p], from == 0 && p == 1);
        if constexpr (J == N - 1) {
            constexpr int length = Double ? 2 * N + 1 : 2 * N;
            WARPINT_UNROLL(N + 1, limb::chain_limbs)
            for (int p = N; p < length; ++p)
                even[p] = chain.add(even[p], odd[p], N == 1 && p == 1);
        } else if constexpr (begin <= J) {
            pending = chain.end(Limb{0});
        }
    }
    if constexpr (J + 1 < N)
        add_product_rows<N, J + 1, Double>(even, odd, a, b, c, d, pending);
}

// even + odd += a b, the rows J .. N - 1, N limbs each; the accumulators hold at most N limbs
// before row 0, and have 2 N + 1.
template <int N, int J, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
add_split_rows(Limb *even, Limb *odd, const Limb *a, const Limb *b) {
    add_split_row<N, J, 2 * N + 1, false>(even, odd, a, b[J]);
    if constexpr (J + 1 < N)
        add_split_rows<N, J + 1>(even, odd, a, b);
}

// even + odd = a b + t by one level of Karatsuba's method: of N limbs each, t counts
// if Adds. With a = a1 B^h + a0 and b = b1 B^h + b0, even becomes
// a0 b0 + a1 b1 B^2h and odd the rest: t and
//     (a0 b0 + a1 b1 + (a0 - a1) (b1 - b0)) B^h.
// The differences are taken modulo B^h, and what their signs stand for is subtracted: products of
// theirs add to the accumulators without another sum. even and odd hold 0 on input.
template <int N, bool Adds, class Limb, class B>
WARPINT_HOST_DEVICE constexpr WARPINT_DEVICE_INLINE void
karatsuba_product(Limb *even, Limb *odd, const Limb *a, const B &b,
                  [[maybe_unused]] const Limb *t) {
    constexpr int h = (N + 1) / 2;
    constexpr int l = N - h;
    static_assert(h + 2 * h + 1 <= 2 * N - 3); // what folds ask of odd
    Limb factor[N]{};
    WARPINT_UNROLL(N, register_limbs)
    for (int i = 0; i < N; ++i)
        factor[i] = b(i);
    multiply_alternate<h, h>(even, a, &factor[0]);
    Limb high[h]{};
    Limb difference_a[h]{};
    Limb difference_b[h]{};
    copy<l>(high, a + h);
    const Limb sign_a = static_cast<Limb>(Limb{0} - limb::sub<h>(difference_a, a, high));
    copy<l>(high, factor + h);
    const Limb sign_b = static_cast<Limb>(Limb{0} - limb::sub<h>(difference_b, high, factor));
    multiply_alternate<l, l>(even + 2 * h, a + h, &factor[h]);
    Limb upper[2 * h]{}; // a1 b1
    copy<2 * l>(upper, even + 2 * h);

    Limb *const middle = odd + h;
    Limb other[2 * h + 1]{};
    const Limb carry = limb::add<h>(middle, even, upper);
    if constexpr (Adds) {
        copy<h>(odd, t);
        copy<l>(other, t + h);
    }
    add_split_rows<h, 0>(middle, &other[0], difference_a, difference_b);
    constexpr int from = Adds ? 0 : 1;
    limb::add<2 * h + 1 - from>(middle + from, middle + from, other + from);

    // What belongs to B^2h: the upper part of the sum, less the differences whose factor is
    // negative.
    Limb sum[h + 1]{};
    sum[h] =
        static_cast<Limb>((sign_a & sign_b & 1u) + limb::add<h>(sum, even + h, upper + h, carry));
    Limb cross[h + 1]{};
    Limb second[h]{};
    WARPINT_UNROLL(h, register_limbs)
    for (int i = 0; i < h; ++i) {
        cross[i] = static_cast<Limb>(difference_b[i] & sign_a);
        second[i] = static_cast<Limb>(difference_a[i] & sign_b);
    }
    cross[h] = limb::add<h>(cross, cross, second);
    limb::sub<h + 1>(sum, sum, cross);
    limb::add<h + 1>(middle + h, middle + h, sum);
}

} // namespace warpint::arith::detail
