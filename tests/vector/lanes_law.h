// SPDX-License-Identifier: Apache-2.0
// The law of batches for the family of kernels that spreads a number over lanes of a warp: a
// formula evaluated over lanes, here in lock step, gives each element the value, or says that it
// has none, as evaluated by one thread. The test programs put operations into operands of one
// another.
#pragma once

#include "grid/cases.h"
#include "support/oracle.h"
#include "support/property.h"

#include <warpint/execution/evaluation/over_lanes.h>
#include <warpint/vector.h>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace lanes_law {

namespace execution = warpint::execution;
namespace expression = warpint::expression;

template <class T>
warpint::host_vector<T> draw(const char *name, int count) {
    test::OperandSource source(test::property_seed(name, T::bits));
    std::vector<T> values;
    for (int i = 0; i < count; ++i) {
        const test::Integer value =
            T::is_signed ? source.signed_number(T::bits) : source.number(T::bits);
        values.push_back(i % 8 == 5 ? T(0) : test::from_integer<T>(value));
    }
    return warpint::host_vector<T>(values);
}

// The value as a number of one thread, and its type.
template <class T>
auto plain(const T &value) {
    if constexpr (warpint::WarpNumber<T>) {
        return static_cast<typename T::plain>(value);
    } else {
        return warpint::number::as_number(value);
    }
}
template <class A, class B>
void require_same(const A &got, const B &expected) {
    static_assert(std::is_same_v<decltype(plain(got)), decltype(plain(expected))>);
    REQUIRE(plain(got) == plain(expected));
}
template <std::size_t... i, class... A, class... B>
void require_same(const expression::ItemSequence<std::index_sequence<i...>, A...> &got,
                  const expression::ItemSequence<std::index_sequence<i...>, B...> &expected) {
    (require_same(expression::item<i>(got), expression::item<i>(expected)), ...);
}

// How many elements had a value, and how many had none, of all formulas so far.
struct Seen {
    long values = 0;
    long faults = 0;
};
inline Seen &seen() {
    static Seen counts;
    return counts;
}

// Over L lanes. Where an element has no value the functions of WarpInt throw on a host, after the
// fault has been noted.
template <int L, class Tree>
void check(const char *name, const Tree &tree, std::size_t count) {
    using Lowered = expression::lowered_t<Tree>;
    static_assert(execution::has_lane_form<Lowered>);
    const Lowered lowered = expression::lower_formula(tree, {false, 0});
    for (std::size_t i = 0; i < count; ++i) {
        INFO(std::string(name), ", ", L, " lanes, element ", i);
        bool fault = false;
        const auto expected = execution::evaluate(lowered, execution::DirectContext{i}, fault);
        ++(fault ? seen().faults : seen().values);
        bool fault_over_lanes = false;
        try {
            const auto got =
                execution::evaluate(lowered, execution::LanesContext<L>{i}, fault_over_lanes);
            if (!fault && !fault_over_lanes)
                require_same(got, expected);
        } catch (const std::domain_error &) {
            CHECK(fault_over_lanes);
        }
        REQUIRE(fault_over_lanes == fault);
    }
}

// Every outer operation of every inner one, both of the list grid/numbers.def: on its left over 4
// or more lanes, on its right over fewer.
using grid::List;
template <std::uint64_t group>
using CasesOf = decltype(grid::cases_of<group, false>(grid::NumberCases{}));
template <int L, class Outer, class... Inner, class A, class B, class C>
void check_inner(List<Inner...>, const A &a, const B &b, const C &c) {
    const auto one = [&]<class In>(In) {
        const grid::Parameters none{};
        const auto inner = In::apply(a, b, none);
        if constexpr (L > 2) {
            check<L>(Outer::name, Outer::apply(inner, c, none), a.size());
        } else {
            check<L>(Outer::name, Outer::apply(c, inner, none), a.size());
        }
    };
    (one(Inner{}), ...);
}
template <int L, class... Outer, class Inner, class A, class B, class C>
void check_all(List<Outer...>, Inner inner, const A &a, const B &b, const C &c) {
    (check_inner<L, Outer>(inner, a, b, c), ...);
}

} // namespace lanes_law
