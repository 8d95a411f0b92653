// SPDX-License-Identifier: Apache-2.0
// The groups of operations of the batched number tests, which the list grid/numbers.def fills, and
// the cases of the program.
#pragma once

#include "../batch/case.h"
#include "../batch/listed.h"

#include <algorithm>

namespace number_test {

using batch_test::Case;
using batch_test::Parameters;
using batch_test::Results;
using grid::Role;
using warpint::BigInt;
using warpint::SignedBigInt;

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

/// Its flag in the list.
constexpr std::uint64_t flag_of(Group group) {
    return std::uint64_t{grid::in_sums} << static_cast<int>(group);
}
/// All of a group for one element, so that one kernel serves them. Divisors, which are b, are not 0
/// on the host; in device code division by 0 is defined, and tested.
template <Group group>
struct Body {
    static constexpr std::uint64_t flag = flag_of(group);
    template <class A, class B>
    WARPINT_HOST_DEVICE static void apply(const A &a, const B &b, const Parameters &p,
                                          Results &out) {
        batch_test::store_numbers<flag>(a, b, a, b, a, a, a, a, p, out);
    }
};

/// All cases of the program.
std::vector<Case> &cases();

template <Group group, class A, class B>
void add_case() {
    cases().push_back(batch_test::make_case<Body<group>, A, B>(static_cast<int>(group),
                                                               std::max(A::bits, B::bits)));
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
