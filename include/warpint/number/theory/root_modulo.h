// SPDX-License-Identifier: Apache-2.0
// Square roots modulo an odd prime in any ring. p is the modulus of the ring, odd and >= 3. Modulo
// a composite number the functions end as well, with a wrong number or false. Variable time.
#pragma once

#include "../../arith/limbs/prime/words.h"
#include "../../limb/local_arrays.h"
#include "lucas.h"

namespace warpint::theory {

namespace detail {

// p = 3 mod 4: r = a^((p + 1) / 4).
template <Ring R, class Element>
WARPINT_HOST_DEVICE constexpr void root_modulo_3_mod_4(const R &ring, Element &r,
                                                       const Element &a) {
    r = a;
    ring.raise(r, 2);
    ring.multiply(r, r, a);
}

// p = 5 mod 8: with b = (2 a)^((p - 5) / 8) and i = 2 a b^2, a root of -1, r = a b (i - 1) (Atkin,
// 1992; Mueller, "On the computation of square roots in finite fields", 2004, section 2).
template <Ring R, class Element>
WARPINT_HOST_DEVICE constexpr void root_modulo_5_mod_8(const R &ring, Element &r,
                                                       const Element &a) {
    Element twice = a;
    ring.double_where(twice, true);
    Element b = twice;
    ring.raise(b, 3);
    Element i{};
    ring.square(i, b);
    ring.multiply(i, i, twice);
    ring.subtract(i, i, ring.one());
    ring.multiply(b, b, a);
    ring.multiply(r, b, i);
}

// p - 1 = 2^s d with d odd: the algorithm of Tonelli and Shanks (Crandall and Pomerance, Prime
// Numbers, algorithm 2.3.8), some s^2 / 4 products after a power. False if p turns out to be
// composite or a not to be a square. Its steps depend on a: for a ring by itself.
template <Ring R, class Element>
    requires(!R::runs_together)
WARPINT_HOST_DEVICE constexpr bool root_modulo_tonelli_shanks(const R &ring, Element &r,
                                                              const Element &a,
                                                              const Element &nonsquare, int s) {
    const Element one = ring.one();
    Element c = nonsquare;
    ring.raise(c, s + 1); // nonsquare^((d - 1) / 2)
    ring.square(c, c);
    ring.multiply(c, c, nonsquare);
    Element x = a;
    ring.raise(x, s + 1);
    Element root{};
    Element t{};
    ring.multiply(root, x, a);
    ring.multiply(t, root, x);
    // root^2 = a t; c has order 2^order, and the order of t divides 2^(order - 1).
    for (int order = s; !ring.equal(t, one);) {
        int next = 0; // t has order 2^next
        x = t;
        while (next < order && !ring.equal(x, one)) {
            ring.square(x, x);
            ++next;
        }
        if (next >= order)
            return false;
        for (int i = next + 1; i < order; ++i)
            ring.square(c, c);
        ring.multiply(root, root, c);
        ring.square(c, c);
        ring.multiply(t, t, c);
        order = next;
    }
    r = root;
    return true;
}

// An odd z with (z / p) = -1 for p = 1 mod 8, or 0 if none is found among small numbers: p is then
// a square (of a modulus that is no prime), or has been made for it.
template <Ring R>
    requires(!R::runs_together)
WARPINT_HOST_DEVICE constexpr std::uint32_t small_nonsquare(const R &ring) {
    constexpr std::uint32_t bound = R::largest_small < 4000 ? R::largest_small : 4000;
    for (std::uint32_t z = 3; z < bound; z += 2) {
        if (arith::jacobi_of_words(ring.remainder(z), z) < 0) // (p / z) = (z / p)
            return z;
    }
    return 0;
}

// p = 1 mod 4: r = V_((p - 1) / 4)(a t^2 - 2, 1) / t, where a t^2 - 4 is not a square (Mueller,
// 2004, section 4): two products a bit whatever the power of two in p - 1. With P = a t^2 - 2 = u +
// 1 / u, P + 2 = a t^2 being a square and P^2 - 4 none says u^((p + 1) / 2) = 1, so V_((p - 1) / 2)
// = P and V_((p - 1) / 4)^2 = P + 2. P = 2 will do as well: V_k = 2 for all k, and a t^2 = 4. False
// if no t is found; for primes half of all will do.
template <Ring R, class Element>
WARPINT_HOST_DEVICE constexpr bool root_modulo_lucas(const R &ring, Element &r, const Element &a,
                                                     bool wanted) {
    Element two = ring.one();
    ring.double_where(two, true);
    Element four = two;
    ring.double_where(four, true);
    Element parameter = four;
    std::uint32_t factor = 1;
    bool searching = wanted;
    for (std::uint32_t t = 1; t * t <= R::largest_small && ring.vote(searching); ++t) {
        Element next = ring.small(t * t);
        ring.multiply(next, next, a);
        Element below{};
        ring.subtract(below, next, four);
        const bool zero = ring.is_zero(below);
        const int symbol = ring.jacobi(below);
        const bool found = searching && (zero || symbol < 0);
        ring.choose(parameter, found, next, parameter);
        factor = found ? t : factor;
        searching = searching && !found;
    }
    const bool found = wanted && !searching;
    if (!ring.vote(found))
        return false;
    ring.subtract(parameter, parameter, two);
    Element next{};
    lucas_pair(ring, r, next, parameter, two, ring.width(), 2, false);
    const bool divides = ring.divide(r, r, factor);
    return found && divides;
}

} // namespace detail

// x = a root of x where there is one; false, x unspecified, if it finds none, which is certain
// where none exists.
template <Ring R, class Element>
WARPINT_HOST_DEVICE constexpr bool root_modulo(const R &ring, Element &x) {
    const bool zero = ring.is_zero(x);
    limb::keep_arrays_apart();
    const Element a = x;
    const int symbol = ring.jacobi(a);
    const bool wanted = !zero && symbol >= 0;
    if (!ring.vote(wanted))
        return zero;
    const auto bits = ring.bits();
    const bool is_3_mod_4 = bits[1];
    const bool is_5_mod_8 = bits[2] && !is_3_mod_4;
    bool found = true;
    Element root{};
    if (ring.vote(wanted && is_3_mod_4))
        detail::root_modulo_3_mod_4(ring, root, a);
    if constexpr (R::runs_together) {
        if (ring.vote(wanted && !is_3_mod_4)) {
            Element other{};
            const bool exists = detail::root_modulo_lucas(ring, other, a, wanted && !is_3_mod_4);
            found = is_3_mod_4 || exists;
            ring.choose(root, is_3_mod_4, root, other);
        }
    } else if (!is_3_mod_4) {
        const int twos = ring.zeros_below();
        if (is_5_mod_8) {
            detail::root_modulo_5_mod_8(ring, root, a);
        } else if (twos * twos / 4 > ring.width()) { // see the costs above
            found = detail::root_modulo_lucas(ring, root, a, true);
        } else {
            const std::uint32_t z = detail::small_nonsquare(ring);
            found =
                z != 0 && detail::root_modulo_tonelli_shanks(ring, root, a, ring.small(z), twos);
        }
    }
    Element squared{};
    ring.square(squared, root);
    const bool is_root = ring.equal(squared, a);
    ring.choose(x, zero, a, root);
    return zero || (wanted && found && is_root);
}

// The same for numbers: x < p becomes the smaller of its two roots.
template <Ring R, class Element>
WARPINT_HOST_DEVICE constexpr bool smaller_root_modulo(const R &ring, Element &x) {
    ring.enter(x);
    const bool exists = root_modulo(ring, x);
    if (!ring.vote(exists))
        return false;
    ring.leave(x);
    Element opposite{};
    ring.negate(opposite, x);
    const bool smaller = ring.less(opposite, x);
    ring.choose(x, smaller, opposite, x);
    return exists;
}

} // namespace warpint::theory
