// SPDX-License-Identifier: Apache-2.0
// What the tests of functions of wide batches share: operands, and a comparison of a formula on the
// device path with a function of the element's index.
#pragma once

#include "support/batches.h"
#include "support/oracle.h"
#include "support/property.h"

#include <doctest/doctest.h>
#include <warpint/number_theory.h>
#include <warpint/vector.h>

#include <vector>

namespace wide_functions {

using namespace warpint;

// Wide enough for lanes in all functions; not a whole number of warps; zeros, even numbers and
// short ones among them.
inline device_vector<BigInt<1632>> draw(const char *name) {
    test::OperandSource source(test::property_seed(name, 1632));
    std::vector<test::Integer> values;
    for (int i = 0; i < 21; ++i)
        values.push_back(i % 9 == 4 ? test::Integer(0) : source.number(1632));
    return test::vector_of<BigInt<1632>>(values);
}

template <class T>
struct Unwrapped {
    using type = T;
};
template <class T>
struct Unwrapped<Optional<T>> {
    using type = T;
};

// expected(i): the value, or an empty Optional where there is none.
template <class Formula, class Expected>
void check(const Formula &formula, const Expected &expected) {
    using T = typename Unwrapped<decltype(expected(std::size_t{0}))>::type;
    device_vector<T> got = eval(formula);
    const std::vector<bool> faults = got.error_mask();
    got.clear_errors();
    long values = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        INFO("element ", i);
        const auto wanted = expected(i);
        if constexpr (std::is_same_v<std::remove_const_t<decltype(wanted)>, Optional<T>>) {
            REQUIRE(faults[i] == !wanted.has_value());
            if (!wanted.has_value())
                continue;
            REQUIRE(got.read(i) == *wanted);
        } else {
            REQUIRE(!faults[i]);
            REQUIRE(got.read(i) == wanted);
        }
        ++values;
    }
    CHECK(values > 0);
}

} // namespace wide_functions
