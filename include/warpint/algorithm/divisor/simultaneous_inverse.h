// SPDX-License-Identifier: Apache-2.0
// Inverses of many elements for one inversion and three products each (P. L. Montgomery, "Speeding
// the Pollard and elliptic curve methods of factorization", Mathematics of Computation 48, 1987,
// section 10.3.1), in any ring of which the arithmetic is given.
//
// An element without an inverse would take it from all. Such elements are left out:
//   - those that have a small prime in common with the modulus, which a test of words finds;
//   - those that make the product of all 0;
//   - of the others, those that a c with c P = 0 makes 0, where P is the product that had no
//     inverse: with c = m / gcd(P, m) these are the multiples of that gcd. Then the rest are
//     multiplied again.
// So a common factor costs at most one more inversion and two more products for each element, and
// small ones a few instructions. Where that does not help, because elements have different large
// factors in common with the modulus, a shorter row is tried.
#pragma once

#include "../../limb/config.h"

#include <cstddef>

namespace warpint::algorithm {

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

// The elements of a row, n >= 0, are inverted together. All const but where it says so:
//
// `row`, with its T:
//   T load(int i, bool &fault)          element i; any representative. fault = true: it has no
//   value T prefix(int i), set_prefix(int i, const T &x)   not const: room for n elements store(int
//   i, const T &x, bool exists)            not const: the inverse, or zero()
// prefix(i) may share its place with element i's result, but not with element i.
//
// `ring`:
//   T reduce(const T &x)                x itself, or the representative that is_zero knows
//   T product(const T &x, const T &y)   reduced; x is reduced, y any representative
//   bool is_zero(const T &x)            of a reduced x
//   bool invert(T &x)                   x = x^-1 if there is one, else x is of no use
//   T annihilator(const T &x)           c not 0 with c x = 0, for an x not 0 without an inverse
//   T zero()
//   bool is_trivial()                   0 = 1
// `product` may be the Montgomery product of plain numbers, x y / R: with p' = p a / R for the
// products of the first i and i + 1 elements, p'^-1 p / R = a^-1 and p'^-1 a / R = p^-1.
//
// `divisors`:
//   bool divide(const T &x)             some elements without an inverse: those it knows
//   bool learn()                        not const: whether it knows more than before. Called where
//                                       a product has no inverse.
//
// Variable time.
template <class Row, class Ring, class Divisors>
WARPINT_HOST_DEVICE constexpr void inverse_row(Row &row, int n, const Ring &ring,
                                               Divisors &divisors) {
    using T = typename Row::T;
    constexpr int most_rounds = 3;
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
        // The products. prefix(i): that of the elements before i, or 0 where i is left out; no
        // product is 0. That of the first element holds the product of all.
        int first = n;
        T running = ring.zero();
        for (int round = 0;; ++round) { // from 1 on without the elements whose prefix is 0
            end = n - begin < length ? n : begin + length;
            first = n;
            WARPINT_UNROLL(1, 0)
            for (int i = begin; i < end; ++i) {
                T before = ring.zero();
                if (round == 0 || !ring.is_zero(row.prefix(i))) {
                    bool fault = false;
                    const T x = row.load(i, fault);
                    if (!fault && !divisors.divide(x)) {
                        const T next = first == n ? ring.reduce(x) : ring.product(running, x);
                        if (!ring.is_zero(next)) {
                            before = first == n ? next : running;
                            running = next;
                            first = first == n ? i : first;
                        }
                    }
                }
                row.set_prefix(i, before);
            }
            if (first == n)
                break;
            row.set_prefix(first, running);
            if (ring.invert(running))
                break;
            if (end - begin == 1) {
                row.set_prefix(first, ring.zero());
                first = n;
                break;
            }
            if (!divisors.learn() &&
                (round >= most_rounds ||
                 !detail::leave_out(row, begin, end, ring, ring.annihilator(row.prefix(first))))) {
                length = (end - begin + 3) / 4;
                round = -1;
            }
        }
        WARPINT_UNROLL(1, 0)
        for (int i = end - 1; i >= begin; --i) {
            const T before = row.prefix(i);
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

} // namespace warpint::algorithm
