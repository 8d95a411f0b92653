// SPDX-License-Identifier: Apache-2.0
// Sums and differences modulo a number, over limb arrays. Constant time.
#pragma once

#include "../bounds.h"
#include "../linear.h"

namespace warpint::arith {

namespace detail {

// select and copy, unrolled on hosts too: short numbers then stay in registers, and are not read
// back in wide pieces right after they were written in words.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void choose(Limb *r, bool condition, const Limb *a,
                                                         const Limb *b) {
    const Limb mask = static_cast<Limb>(Limb{0} - static_cast<Limb>(condition));
    WARPINT_UNROLL_HOST
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        r[i] = static_cast<Limb>((a[i] & mask) | (b[i] & static_cast<Limb>(~mask)));
}
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void move(Limb *r, const Limb *a) {
    if constexpr (N > limb::chain_limbs) {
        copy<N>(r, a);
    } else {
        WARPINT_UNROLL_HOST
        WARPINT_UNROLL(N, limb::chain_limbs)
        for (int i = 0; i < N; ++i)
            r[i] = a[i];
    }
}

} // namespace detail

// r = (top : t) mod m for a value below 2 m; top is 0 or 1. r may be t.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void reduce_once(Limb *r, const Limb *t, Limb top,
                                                              const Limb *m) {
    WARPINT_ASSERT(bounds::below_2m<N>(t, top, m));
    Limb difference[N]{};
    const Limb borrow = limb::sub<N>(difference, t, m); // top = 1 implies a borrow
    detail::choose<N>(r, borrow <= top, difference, t);
    WARPINT_ASSERT(bounds::below_1m<N>(r, m));
}

// r = (a + b) mod m for a, b < m. r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void add_modulo(Limb *r, const Limb *a, const Limb *b,
                                                             const Limb *m) {
    WARPINT_ASSERT(bounds::below_1m<N>(a, m) && bounds::below_1m<N>(b, m));
    Limb sum[N]{};
    const Limb top = limb::add<N>(sum, a, b);
    reduce_once<N>(r, sum, top, m);
}

// r = (a - b) mod m for a, b < m. r may be a or b.
template <int N, class Limb>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void subtract_modulo(Limb *r, const Limb *a,
                                                                  const Limb *b, const Limb *m) {
    WARPINT_ASSERT(bounds::below_1m<N>(a, m) && bounds::below_1m<N>(b, m));
    Limb difference[N]{};
    Limb correction[N]{};
    const Limb borrow = limb::sub<N>(difference, a, b);
    const Limb mask = static_cast<Limb>(Limb{0} - borrow);
    WARPINT_UNROLL_HOST
    WARPINT_UNROLL(N, limb::chain_limbs)
    for (int i = 0; i < N; ++i)
        correction[i] = static_cast<Limb>(m[i] & mask);
    limb::add<N>(r, difference, correction);
    WARPINT_ASSERT(bounds::below_1m<N>(r, m));
}

} // namespace warpint::arith
