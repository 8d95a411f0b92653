// SPDX-License-Identifier: Apache-2.0
// The parts of what an expression gives, of the library's numbers and of exact ones.
#pragma once

#include "results.h"

namespace batch_test {

/// Calls f with each part of r, in order; of a value that may not exist, with what it holds.
template <class T, class F>
WARPINT_HOST_DEVICE void for_each_part(const T &r, const F &f) {
    if constexpr (requires { r.has_value(); }) {
        f(*r);
    } else if constexpr (requires { r.quotient; }) {
        f(r.quotient);
        f(r.remainder);
    } else if constexpr (requires { r.root; }) {
        f(r.root);
        f(r.remainder);
    } else if constexpr (requires { r.first; }) {
        f(r.first);
        f(r.second);
    } else if constexpr (requires { r.gcd; }) {
        f(r.gcd);
        f(r.x);
        f(r.y);
    } else if constexpr (requires { r.carry; }) {
        f(r.value);
        f(r.carry);
    } else if constexpr (requires { r.borrow; }) {
        f(r.value);
        f(r.borrow);
    } else if constexpr (requires { r.overflow; }) {
        f(r.value);
        f(r.overflow);
    } else {
        f(r);
    }
}
template <class T>
WARPINT_HOST_DEVICE bool exists(const T &r) {
    if constexpr (requires { r.has_value(); }) {
        return r.has_value();
    } else {
        return true;
    }
}

} // namespace batch_test
