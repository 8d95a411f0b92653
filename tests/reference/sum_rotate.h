// SPDX-License-Identifier: Apache-2.0
// The sum-rotate product: one limb of each factor in a lane, and no memory but registers (T. Honda,
// Y. Ito, K. Nakano, "A Warp-synchronous Implementation for Multiple-length Multiplication on the
// GPU", algorithm 3). By name, for comparison: product.h, with several limbs a lane and carries
// that stay there, is faster. Variable time in the last carries.
#pragma once

#include <warpint/arith/lanes/group.h>

namespace warpint::lanes {

// high B^L + low = a b, one word each. A row adds a times one limb of b; then the sums rotate down
// by a lane, and the limb that leaves lane 0, one of the product's, joins those that rotate behind
// it.
template <class G>
WARPINT_HOST_DEVICE WARPINT_DEVICE_INLINE void
multiply_sum_rotate(const G &group, typename G::word &low, typename G::word &high,
                    const typename G::word &a, const typename G::word &b) {
    using word = typename G::word;
    const auto last = group.last();
    word upper = word(0);
    word lower = word(0);
    word finished = word(0);
    for (int row = 0; row < G::lanes; ++row) {
        typename G::chain chain;
        const auto sum =
            chain.multiply_add(a, word(group.broadcast(b, row)), join_halves(lower, upper));
        const word top = chain.end(word(0));
        const word rotated = group.from_above(low_half(sum));
        finished = G::select(last, rotated, group.from_above(finished));
        lower = chain.add(high_half(sum), G::select(last, word(0), rotated));
        upper = chain.end(top);
    }
    while (group.vote(upper != word(0))) {
        typename G::chain chain;
        lower = chain.add(lower, G::select(group.first(), word(0), group.from_below(upper)));
        upper = chain.end(word(0));
    }
    low = finished;
    high = lower;
}

} // namespace warpint::lanes
