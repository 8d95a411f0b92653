// SPDX-License-Identifier: Apache-2.0
// Bodies of batched tests that are made of the lists (grid/statements.h): all cases of a group for
// one element, so that one kernel serves them.
#pragma once

#include "parts.h"

#include "../grid/cases.h"

// In a body with its results in `out`: stores the value of a case of the group under its text, or
// its parts one after another.
#define BATCH_TEST_LISTED(where, group, ...)                                                       \
    if constexpr (((where) & (group)) != 0) {                                                      \
        if constexpr (((where) & grid::in_parts) != 0) {                                           \
            ::batch_test::store_parts(out, #__VA_ARGS__, __VA_ARGS__);                             \
        } else {                                                                                   \
            BATCH_TEST_RESULT(__VA_ARGS__);                                                        \
        }                                                                                          \
    }

namespace batch_test {

/// Stores a part; of a residue its value.
struct StorePart {
    Results &out;
    Name name;
    template <class T>
    WARPINT_HOST_DEVICE void operator()(const T &x) const {
        if constexpr (requires { x.value(); }) {
            out.copy(name, x.value());
        } else {
            out.copy(name, x);
        }
    }
};
/// Stores whether r exists, where it may not, and its parts.
template <class T>
WARPINT_HOST_DEVICE void store_parts(Results &out, Name name, const T &r) {
    if constexpr (requires { r.has_value(); })
        out.copy(name, r.has_value());
    for_each_part(r, StorePart{out, name});
}

/// The cases of a group of numbers.def. What has no role in it may be anything.
template <std::uint64_t group, class A, class B, class C, class D, class E, class M, class N,
          class Odd>
WARPINT_HOST_DEVICE void store_numbers([[maybe_unused]] const A &a, [[maybe_unused]] const B &b,
                                       [[maybe_unused]] const C &c, [[maybe_unused]] const D &d,
                                       [[maybe_unused]] const E &e, [[maybe_unused]] const M &m,
                                       [[maybe_unused]] const N &n, [[maybe_unused]] const Odd &odd,
                                       [[maybe_unused]] const Parameters &p, Results &out) {
    using namespace grid;
    [[maybe_unused]] const E &word = e;
    [[maybe_unused]] const A &q = a, &small = a;
    [[maybe_unused]] const M &prime = m;
#define GRID_CASE(where, ...) BATCH_TEST_LISTED(where, group, __VA_ARGS__)
#define GRID_LIST "numbers.def"
#include "../grid/statements.h"
}

/// The cases of a group of residues.def.
template <std::uint64_t group, class X, class Y, class A, class B, class E>
WARPINT_HOST_DEVICE void store_residues([[maybe_unused]] const X &x, [[maybe_unused]] const Y &y,
                                        [[maybe_unused]] const A &a, [[maybe_unused]] const B &b,
                                        [[maybe_unused]] const E &e,
                                        [[maybe_unused]] const Parameters &p, Results &out) {
    using namespace grid;
    [[maybe_unused]] const Y &u = y;
#define GRID_CASE(where, ...) BATCH_TEST_LISTED((where) | in_parts, group, __VA_ARGS__)
#define GRID_LIST "residues.def"
#include "../grid/statements.h"
}

} // namespace batch_test
