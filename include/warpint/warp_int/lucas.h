// SPDX-License-Identifier: Apache-2.0
// Lucas sequences modulo a number over lanes, for primality and square roots. Variable time.
#pragma once

#include "residue.h"

namespace warpint::warp_int {

// V_k and V_(k + 1) of V_0 = 2, V_1 = p, V_i = p V_(i - 1) - V_(i - 2).
template <class Residue>
struct LucasPair {
    Residue v, w;
};
// A product and a square for each bit of k, whose length may differ among the numbers of a warp:
// leading zeros change nothing. (Crandall and Pomerance, Prime Numbers, algorithm 3.6.7.)
template <class Residue, class K>
WARPINT_HOST_DEVICE LucasPair<Residue> lucas_pair(const Residue &p, const Residue &two,
                                                  const K &k) {
    const typename K::group g;
    Residue v = two;
    Residue w = p;
    WARPINT_UNROLL(2, 1)
    for (int i = g.largest(bit_width(k)) - 1; i >= 0; --i) {
        const bool bit = test_bit(k, i);
        const Residue product = v * w - p;
        const Residue square = sqr(select(bit, w, v)) - two;
        v = select(bit, product, square);
        w = select(bit, square, product);
    }
    return {v, w};
}

} // namespace warpint::warp_int
