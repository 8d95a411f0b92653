// SPDX-License-Identifier: Apache-2.0
// Lucas sequences in any ring, for primality and square roots modulo a prime. Variable time.
#pragma once

#include "ring.h"

namespace warpint::theory {

// v = V_k and w = V_(k + 1) of the Lucas sequence V_0 = 2, V_1 = p, V_i = p V_(i - 1) - V_(i - 2)
// (Q = 1). k is the part of the modulus from bit `end` to bit `begin` - 1, begin > end, and its top
// bit is 1; with lowest_set its lowest bit counts as 1. A product and a square for each bit below
// the first: V_2i = V_i^2 - 2 and V_(2i + 1) = V_i V_(i + 1) - p (Crandall and Pomerance, Prime
// Numbers, algorithm 3.6.7). Numbers whose k is shorter than others' begin with zeros, which change
// nothing. v and w overlap nothing. two = 2.
template <Ring R, class Element>
WARPINT_HOST_DEVICE constexpr void lucas_pair(const R &ring, Element &v, Element &w,
                                              const Element &p, const Element &two, int begin,
                                              int end, bool lowest_set) {
    const int length = begin - end;
    const int longest = ring.largest(length);
    const auto bits = ring.bits();
    const bool starts = length == longest;
    ring.choose(v, starts, p, two);
    ring.square(w, p);
    ring.subtract(w, w, two);
    ring.choose(w, starts, w, p);
    // x is the number to square: V_i where the bit is 0, else V_(i + 1); y is the other one.
    bool exchanged = false;
    WARPINT_UNROLL(2, 1)
    for (int i = longest - 2; i >= 0; --i) {
        const bool set = bits[end + i];
        const bool bit = set || (lowest_set && i == 0);
        Element x{};
        Element y{};
        ring.choose(x, bit != exchanged, w, v);
        ring.choose(y, bit != exchanged, v, w);
        ring.multiply(y, x, y);
        ring.subtract(w, y, p);
        ring.square(x, x);
        ring.subtract(v, x, two);
        exchanged = bit;
    }
    const Element x = v;
    ring.choose(v, exchanged, w, v);
    ring.choose(w, exchanged, x, w);
}

} // namespace warpint::theory
