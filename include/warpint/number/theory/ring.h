// SPDX-License-Identifier: Apache-2.0
// What the tests of primality and square roots modulo a prime compute in: the ring of numbers
// modulo an odd m > 1. Their texts (primality.h, lucas.h, root_modulo.h) are written once, for any
// ring; a ring says how a number is held: MontgomeryRing by one thread or a host, in limbs of any
// size (montgomery_ring.h), LanesRing by several lanes of a warp
// (number/warp_int/montgomery_ring.h).
//
// An element is a number in [0, m), in whatever form the ring multiplies (Montgomery's), so its
// zero is zero and sums and differences are those of numbers. Results may be operands.
//
//   multiply(r, a, b), square(r, a), subtract(r, a, b)
//   double_where(r, c)   r = 2 r if c
//   negate(r, a)         r = -a, a not 0
//   divide(r, a, q)      r = a / q for 1 <= q <= largest_small; false, r unspecified, if q and m
//                        have a common factor and there is no quotient
//   raise(r, s)          r = r^(m >> s), 0 <= s
//   choose(r, c, a, b)   r = c ? a : b without a branch
//   equal(a, b), is_zero(a)
//   less(a, b)           of the forms, so of numbers only after leave()
//   one(), small(v)      1, and v <= largest_small
//   enter(r), leave(r)   from a number below m to its element, and back
//   jacobi(a)            the Jacobi symbol (a / m)
//
// The modulus as a number:
//
//   bits()               its bits, a copy to index at run time; 0 beyond its width
//   width()              its width
//   zeros_below()        s where m - 1 = 2^s d, d odd
//   zeros_above()        s where m + 1 = 2^s d, d odd; any number from the width on if m + 1 is a
//                        power of two
//   remainder(q)         m mod q, 1 <= q <= largest_small
//
// Numbers of a warp run together, and lanes that wait for each other must not part. So a text
// branches and loops only on what is the same for all numbers that run together:
//
//   vote(c)              whether c holds for any of them; for a ring by itself c
//   largest(n)           the largest n of them; for a ring by itself n
//
// What is done under a vote must be right for the numbers that need it and change nothing for the
// others (choose). A condition that asks the ring is evaluated before && or ||, never behind it.
// For one thread vote(c) is c, and the compiler makes an early exit of it.
//
// runs_together: whether other numbers may run along. All of them take every path that one of them
// takes, so texts then have fewer paths.
#pragma once

#include "../../limb/config.h"

#include <concepts>
#include <cstdint>

namespace warpint::theory {

template <class R>
concept Ring = requires(const R &ring, typename R::element &r, const typename R::element &a,
                        bool condition, int count, std::uint32_t small) {
    ring.multiply(r, a, a);
    ring.square(r, a);
    ring.subtract(r, a, a);
    ring.double_where(r, condition);
    ring.negate(r, a);
    { ring.divide(r, a, small) } -> std::same_as<bool>;
    ring.raise(r, count);
    ring.choose(r, condition, a, a);
    { ring.equal(a, a) } -> std::same_as<bool>;
    { ring.is_zero(a) } -> std::same_as<bool>;
    { ring.less(a, a) } -> std::same_as<bool>;
    { ring.one() } -> std::same_as<typename R::element>;
    { ring.small(small) } -> std::same_as<typename R::element>;
    ring.enter(r);
    ring.leave(r);
    { ring.jacobi(a) } -> std::same_as<int>;
    { ring.bits()[count] } -> std::same_as<bool>;
    { ring.width() } -> std::same_as<int>;
    { ring.zeros_below() } -> std::same_as<int>;
    { ring.zeros_above() } -> std::same_as<int>;
    { ring.remainder(small) } -> std::same_as<std::uint32_t>;
    { ring.vote(condition) } -> std::same_as<bool>;
    { ring.largest(count) } -> std::same_as<int>;
    { R::runs_together } -> std::convertible_to<bool>;
    { R::largest_small } -> std::convertible_to<std::uint32_t>;
};

// InRing<T>::run(x, m, f), for T an unsigned number of any kind, runs f(ring, element) in the ring
// modulo m, odd and > 1. The element starts as x < m, not yet entered, and x becomes what f leaves
// in it. Returns f's bool.
template <class T>
struct InRing;

} // namespace warpint::theory
