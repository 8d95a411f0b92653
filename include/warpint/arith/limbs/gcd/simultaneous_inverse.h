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
//
// Threads of a warp, with a row each, multiply the elements of one row together where few rows are
// multiplied again: the others would wait for them.
#pragma once

#include "../../../limb/config.h"

#include <cstddef>

namespace warpint::arith {

// The product of a row, and what is known of it.
template <class T>
struct RowProduct {
    T value;                  // then its inverse
    T annihilator;            // of an earlier product
    bool wanted = true;       // to be computed
    bool all = false;         // elements are tested for rare primes too
    bool again = false;       // some elements are left out
    bool annihilates = false; // there is an annihilator
    bool found_any = false;   // an element that it annihilates
    bool is_empty = false;    // no element is left
    bool is_inverted = false;
    bool gave_up = false;

    WARPINT_HOST_DEVICE constexpr bool is_done() const { return is_inverted || gave_up; }
};

// Rows that nobody multiplies together.
struct RowsApart {
    static constexpr bool exist = false;
};

namespace detail {

// Multiplies the elements of a row. prefix(i) becomes the product of those before i, of one() where
// there are none.
template <class Row, class Ring, class Divisors, class T>
WARPINT_HOST_DEVICE constexpr void multiply_row(Row &row, int begin, int end, const Ring &ring,
                                                const Divisors &divisors, RowProduct<T> &product) {
    T running = ring.one();
    bool found_any = false, is_empty = true;
    WARPINT_UNROLL(1, 0)
    for (int i = begin; i < end; ++i) {
        if (product.again && row.is_left_out(i))
            continue;
        bool out = false;
        const auto &x = row.load(i, out);
        out = out || divisors.divide(x, product.all);
        if (!out && product.annihilates) {
            out = ring.is_zero(ring.product(product.annihilator, x));
            found_any = found_any || out;
        }
        if (!out) {
            const T next = ring.product(running, x);
            out = ring.is_zero(next);
            if (!out) {
                row.set_prefix(i, running);
                running = next;
                is_empty = false;
            }
        }
        if (out)
            row.leave_out(i);
    }
    product.value = running;
    product.found_any = found_any;
    product.is_empty = is_empty;
    product.wanted = false;
    product.again = true;
}

// Inverts the product, or says how the next one is computed, or gives up.
template <class Ring, class Divisors, class T>
WARPINT_HOST_DEVICE constexpr void invert_product(const Ring &ring, Divisors &divisors,
                                                  RowProduct<T> &product, int round) {
    constexpr int max_rounds = 3;
    if (product.is_empty) {
        product.is_inverted = true;
    } else if (round > max_rounds || (product.annihilates && !product.found_any)) {
        product.gave_up = true;
    } else if (ring.invert(product.value)) {
        product.is_inverted = true;
    } else {
        product.wanted = true;
        product.annihilates = !divisors.learn();
        product.annihilator = product.value;
    }
}

} // namespace detail

// Inverts the elements of a row, n >= 0, together. An element without an inverse gives zero().
//
// `row`, with its type T; prefix(i) may share its place with the result of i, not with element i:
//   T load(int i, bool &fault)            element i, not reduced; sets fault if it has no value
//   T prefix(int i)                       what set_prefix has stored
//   set_prefix(int i, const T &x)         not const
//   leave_out(int i)                      not const: marks it, perhaps in prefix(i)'s place
//   bool is_left_out(int i)
//   store(int i, const T &x, bool found)  not const: the inverse, and whether it exists
// A row that divides numbers b by its elements (`divides`) also has, of the ring that it is used
// with,
//   T begin_division(ring, inverse)       what goes in the place of the inverse of the product
//   T times_numerator(ring, i, x, fault)  what goes in the place of prefix(i) = x
//
// `ring`, all const:
//   T one()                               product(one(), y) = y reduced
//   T product(const T &x, const T &y)     reduced; x is reduced, y need not be
//   bool is_zero(const T &x)              of a reduced x
//   bool invert(T &x)                     x = x^-1 if there is one, else c not 0 with c x = 0; of x
//                                         not 0
//   T finished(const T &x, const T &y)    the inverse of y as it is stored, for the inverse x here
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
// `neighbours`: rows that threads of a warp invert at the same time, all of the same n: RowsApart
// or
//   bool any(bool condition)              whether it holds for one of them
//   bool multiply(row, ring, divisors, product)
//                                         computes the products of those that want it, whose first
//                                         ones have been computed, if they are few; else false
//
// Variable time.
template <class Row, class Ring, class Divisors, class Neighbours = RowsApart>
WARPINT_HOST_DEVICE constexpr WARPINT_INLINE void
inverse_strip_inlined(Row &row, int n, const Ring &ring, Divisors &divisors,
                      const Neighbours &neighbours = {}) {
    using T = typename Row::T;
    if (ring.is_trivial()) { // everything is 0, with the inverse 0
        WARPINT_UNROLL(1, 0)
        for (int i = 0; i < n; ++i) {
            bool fault = false;
            const auto &x = row.load(i, fault);
            fault = fault || divisors.divide(x, false);
            row.store(i, fault ? ring.zero() : ring.finished(ring.zero(), x), !fault);
        }
        return;
    }
    bool together = Neighbours::exist;
    const auto any = [&](bool condition) {
        if constexpr (Neighbours::exist) {
            if (together)
                return neighbours.any(condition);
        }
        return condition;
    };
    int length = n;
    bool again = false;
    for (int begin = 0, end = 0; begin < n; begin = end) {
        end = n - begin < length ? n : begin + length;
        RowProduct<T> product{ring.one(), ring.zero()};
        product.again = again;
        for (int round = 0;; ++round) {
            do {
                bool is_computed = false;
                if constexpr (Neighbours::exist) {
                    if (together)
                        is_computed = neighbours.multiply(row, ring, divisors, product);
                }
                if (!is_computed && product.wanted)
                    detail::multiply_row(row, begin, end, ring, divisors, product);
                product.wanted = !product.is_done() && !product.all && !product.is_empty &&
                                 divisors.divide_rarely(product.value);
                product.all = product.all || product.wanted;
            } while (any(product.wanted));
            if (!product.is_done())
                detail::invert_product(ring, divisors, product, round);
            if (!any(!product.is_done()))
                break;
        }
        together = false;
        if (!product.is_inverted) {
            length = (end - begin + 3) / 4;
            end = begin;
            again = true;
            continue;
        }
        T running = product.value;
        if constexpr (requires { row.begin_division(ring, running); })
            running = row.begin_division(ring, running);
        WARPINT_UNROLL(1, 0)
        for (int i = end - 1; i >= begin; --i) {
            bool exists = !row.is_left_out(i);
            T x = ring.zero();
            if (exists) { // running is the inverse of the product up to and with i
                bool fault = false;
                const auto &y = row.load(i, fault);
                T factor = row.prefix(i);
                if constexpr (requires { row.times_numerator(ring, i, factor, fault); })
                    factor = row.times_numerator(ring, i, factor, fault);
                x = ring.finished(ring.product(running, factor), y);
                if (i != begin)
                    running = ring.product(running, y);
                exists = !fault;
            }
            row.store(i, x, exists);
        }
    }
}
// The same; the compiler decides whether it is inlined.
template <class Row, class Ring, class Divisors, class Neighbours = RowsApart>
WARPINT_HOST_DEVICE constexpr void inverse_strip(Row &row, int n, const Ring &ring,
                                                 Divisors &divisors,
                                                 const Neighbours &neighbours = {}) {
    inverse_strip_inlined(row, n, ring, divisors, neighbours);
}

} // namespace warpint::arith
