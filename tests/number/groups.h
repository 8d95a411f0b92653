// SPDX-License-Identifier: Apache-2.0
// The groups of operations of the batched number tests, and the cases of the program.
#pragma once

#include "bodies.h"

#include "../batch/case.h"

#include <algorithm>

namespace number_test {

using batch_test::Case;

enum class Group {
    sums,
    products,
    divisions,
    division_aliases,
    bits,
    orders,
    conversions,
    builtin_divisions,
    functions
};
inline constexpr int group_count = 9;

template <Group group>
struct body;
template <>
struct body<Group::sums> {
    using type = Sums;
};
template <>
struct body<Group::products> {
    using type = Products;
};
template <>
struct body<Group::divisions> {
    using type = Divisions;
};
template <>
struct body<Group::division_aliases> {
    using type = DivisionAliases;
};
template <>
struct body<Group::bits> {
    using type = Bits;
};
template <>
struct body<Group::orders> {
    using type = Orders;
};
template <>
struct body<Group::conversions> {
    using type = Conversions;
};
template <>
struct body<Group::builtin_divisions> {
    using type = BuiltinDivisions;
};
template <>
struct body<Group::functions> {
    using type = Functions;
};

/// All cases of the program.
std::vector<Case> &cases();

template <Group group, class A, class B>
void add_case() {
    cases().push_back(batch_test::make_case<typename body<group>::type, A, B>(
        static_cast<int>(group), std::max(A::bits, B::bits), has_roots<BigInt<A::bits>>));
}

/// Every group for A and B.
template <class A, class B>
void add_all() {
    add_case<Group::sums, A, B>();
    add_case<Group::products, A, B>();
    add_case<Group::divisions, A, B>();
    add_case<Group::division_aliases, A, B>();
    add_case<Group::bits, A, B>();
    add_case<Group::orders, A, B>();
    add_case<Group::conversions, A, B>();
    add_case<Group::builtin_divisions, A, B>();
    add_case<Group::functions, A, B>();
}

} // namespace number_test
