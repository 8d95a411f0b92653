// SPDX-License-Identifier: Apache-2.0
// Inverses of many elements for one inversion and three products each (P. L. Montgomery, "Speeding
// the Pollard and elliptic curve methods of factorization", Mathematics of Computation 48, 1987,
// section 10.3.1), in any ring of which the arithmetic is given.
//
// One element without an inverse would leave the others without theirs. Such elements are left out:
//   - those that share a small prime with the modulus, which a test of words shows: of every
//     element, or of the product, where the prime is rare;
//   - those that make the product 0;
//   - where the product P still has no inverse, all x with c x = 0 for a c with c P = 0: modulo m,
//     c = m / gcd(P, m), and these are the multiples of the gcd. The others are multiplied again.
// So small common factors cost a few instructions for each element, a rare one costs one more
// product for each element of its row, a large one an inversion and two products. Where elements of
// a row have several large factors in common with m, that may find none; then shorter rows are
// tried.
#pragma once

#include "../../../limb/config.h"

#include <cstddef>

namespace warpint::arith {

namespace detail {

// Leaves out the multiples of what c makes 0; returns whether there are any.
template <class Row, class Ring, class T>
WARPINT_HOST_DEVICE constexpr bool leave_out(Row &row, int begin, int end, const Ring &ring,
                                             const T &c) {
    bool any = false;
    WARPINT_UNROLL(1, 0)
    for (int i = begin; i < end; ++i) {
        bool fault = false;
        if (!ring.is_zero(row.prefix(i)) && ring.is_zero(ring.product(c, row.load(i, fault)))) {
            row.set_prefix(i, ring.zero());
            any = true;
        }
    }
    return any;
}

} // namespace detail

// Inverts the elements of a row, n >= 0, together. An element without an inverse gives zero().
//
// `row`, with its type T; prefix(i) may share its place with the result of i, not with element i:
//   T load(int i, bool &fault)            element i, not reduced; sets fault if it has no value
//   T prefix(int i)                       what set_prefix has stored
//   set_prefix(int i, const T &x)         not const
//   store(int i, const T &x, bool found)  not const: the inverse, and whether it exists
//
// `ring`, all const:
//   T reduce(const T &x)                  x reduced
//   T product(const T &x, const T &y)     reduced; x is reduced, y need not be
//   bool is_zero(const T &x)              of a reduced x
//   bool invert(T &x)                     x = x^-1 if there is one, else x is of no use
//   T annihilator(const T &x)             c not 0 with c x = 0, for x not 0 without an inverse
//   T zero()
//   bool is_trivial()                     0 = 1
// `product` may be the Montgomery product of plain numbers, x y / R: with p' = p a / R for the
// products of the first i and i + 1 elements, p'^-1 p / R = a^-1 and p'^-1 a / R = p^-1.
//
// `divisors`:
//   bool divide(const T &x, bool all)     some elements without an inverse: of those it knows the
//                                         frequent ones, or all
//   bool divide_rarely(const T &x)        the others
//   bool learn()                          not const: whether it knows more than before; called
//                                         where a product has no inverse
//
// Variable time.
template <class Row, class Ring, class Divisors>
WARPINT_HOST_DEVICE constexpr void inverse_row(Row &row, int n, const Ring &ring,
                                               Divisors &divisors) {
    using T = typename Row::T;
    constexpr int max_rounds = 3;
    if (ring.is_trivial()) { // everything is 0, with the inverse 0
        WARPINT_UNROLL(1, 0)
        for (int i = 0; i < n; ++i) {
            bool fault = false;
            static_cast<void>(row.load(i, fault));
            row.store(i, ring.zero(), !fault);
        }
        return;
    }
    int length = n;
    for (int begin = 0, end = 0; begin < n; begin = end) {
        // The products. prefix(i): that of the elements before i, which is not 0; of the first one
        // that of all; 0 where i is left out.
        int first = n;
        T running = ring.zero();
        bool all = false;
        for (int round = 0;; ++round) { // from 1 on without the elements whose prefix is 0
            end = n - begin < length ? n : begin + length;
            first = n;
            WARPINT_UNROLL(1, 0)
            for (int i = begin; i < end; ++i) {
                T next = ring.zero();
                if (round == 0 || !ring.is_zero(row.prefix(i))) {
                    bool fault = false;
                    const auto &x = row.load(i, fault);
                    if (!fault && !divisors.divide(x, all))
                        next = first == n ? ring.reduce(x) : ring.product(running, x);
                }
                if (ring.is_zero(next)) {
                    row.set_prefix(i, next);
                } else {
                    row.set_prefix(i, running);
                    running = next;
                    first = first == n ? i : first;
                }
            }
            if (first == n)
                break;
            row.set_prefix(first, running);
            if (!all && divisors.divide_rarely(running)) {
                all = true;
                continue;
            }
            if (ring.invert(running))
                break;
            if (end - begin == 1) {
                row.set_prefix(first, ring.zero());
                first = n;
                break;
            }
            if (!divisors.learn() &&
                (round >= max_rounds ||
                 !detail::leave_out(row, begin, end, ring, ring.annihilator(row.prefix(first))))) {
                length = (end - begin + 3) / 4;
                round = -1;
            }
        }
        WARPINT_UNROLL(1, 0)
        for (int i = end - 1; i >= begin; --i) {
            const auto &before = row.prefix(i);
            const bool exists = !ring.is_zero(before);
            T x = ring.zero();
            if (i == first) {
                x = running;
            } else if (exists) { // running is the inverse of the product up to and with i
                bool fault = false;
                x = ring.product(running, before);
                running = ring.product(running, row.load(i, fault));
            }
            row.store(i, x, exists);
        }
    }
}

} // namespace warpint::arith
