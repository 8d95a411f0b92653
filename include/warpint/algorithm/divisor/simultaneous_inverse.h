// SPDX-License-Identifier: Apache-2.0
// Inverses of many elements for one inversion and three products each (P. L. Montgomery, "Speeding
// the Pollard and elliptic curve methods of factorization", Mathematics of Computation 48, 1987,
// section 10.3.1), in any ring of which the arithmetic is given.
#pragma once

#include "../../limb/config.h"

#include <cstddef>

namespace warpint::algorithm {

// r[i] = a[i]^-1 for i < n; an element without an inverse gives zero() there and changes no other.
// Returns how many those are; where `exists` is not null, exists[i] tells of each.
//
// `ring` offers, all const:
//   T load(const T &x)              what is calculated with instead of a[i]: x itself, or reduced
//   T product(const T &x, const T &y)
//   bool is_zero(const T &x)
//   bool invert(T &x)               x = x^-1 if there is one, else x is of no use
//   T zero()
// `product` may be the Montgomery product of plain numbers, x y / R: with p' = p a / R for the
// products of the first i and i + 1 elements, p'^-1 p / R = a^-1 and p'^-1 a / R = p^-1.
//
// `prefix` has room for n elements and may be r unless r is a; r may be a, and otherwise overlaps
// nothing but prefix. Where every element has an inverse: 3 (n - 1) products and one inversion; a
// zero costs nothing (all together one inversion of 0, because 0 has an inverse modulo 1). Where
// another element has none, which the product of all shows, one inversion each. Variable time.
template <class T, class Ring>
WARPINT_HOST_DEVICE constexpr std::size_t inverse_all(T *r, const T *a, std::size_t n, T *prefix,
                                                      bool *exists, const Ring &ring) {
    std::size_t first = n; // element that is not zero
    bool zeros = false;
    T running = ring.zero();
    for (std::size_t i = 0; i < n; ++i) {
        const T x = ring.load(a[i]);
        if (ring.is_zero(x)) {
            zeros = true;
        } else if (first == n) {
            running = x;
            first = i;
        } else {
            running = ring.product(running, x);
        }
        // The running product up to and with a[i]. prefix may be r, but r is then not a.
        prefix[i] = running;
    }
    T inverse_of_zero = ring.zero();
    const bool zero_exists = zeros && ring.invert(inverse_of_zero);
    const bool all_exist = first == n || ring.invert(running);
    std::size_t missing = 0;
    for (std::size_t i = n; i-- > 0;) {
        T x = ring.load(a[i]);
        bool found = true;
        if (ring.is_zero(x)) {
            found = zero_exists;
            x = ring.zero();
        } else if (!all_exist) {
            found = ring.invert(x);
            if (!found)
                x = ring.zero();
        } else if (i == first) {
            x = running;
        } else { // running is the inverse of prefix[i]
            const T rest = ring.product(running, x);
            x = ring.product(running, prefix[i - 1]);
            running = rest;
        }
        r[i] = x;
        missing += static_cast<std::size_t>(!found);
        if (exists != nullptr)
            exists[i] = found;
    }
    return missing;
}

} // namespace warpint::algorithm
