// SPDX-License-Identifier: Apache-2.0
// sort, sort_by_key, argsort against std::stable_sort.
#include "sort_cases.h"

#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/sort.h>

#include <cstdint>
#include <vector>

using namespace warpint;
using test::expected_order;
using test::kinds;
using test::numbers_of_kind;

namespace {

template <class S, class T>
void check_sorts(std::size_t count) {
    CAPTURE(T::bits);
    CAPTURE(count);
    for (int kind = 0; kind < kinds; ++kind) {
        CAPTURE(kind);
        const std::vector<T> numbers = numbers_of_kind<T>(kind, count);
        const std::vector<std::uint64_t> order = expected_order(numbers);
        std::vector<T> sorted(count);
        for (std::size_t i = 0; i < count; ++i)
            sorted[i] = numbers[order[i]];

        typename S::template vector<T> v(numbers);
        const auto formula = v + 0u;
        CHECK(argsort(v).to_host() == order);
        typename S::template vector<std::uint64_t> values(count);
        values = indices(count);
        sort_by_key(v, values);
        CHECK(v.to_host() == sorted);
        CHECK(values.to_host() == order);
        v = numbers;
        sort(v);
        CHECK(v.to_host() == sorted);
        CHECK(eval(as<T>(formula)).to_host() == sorted); // it reads what the vector holds
    }
}

} // namespace

TEST_CASE_TEMPLATE("sorted vectors", S, TEST_SPACES) {
    check_sorts<S, BigInt<96>>(2000);
    check_sorts<S, SignedBigInt<191>>(1);
    check_sorts<S, SignedBigInt<191>>(33'000); // worth several threads
}

TEST_CASE_TEMPLATE("sorts of built-in integers, of nothing, of what has no value", S, TEST_SPACES) {
    typename S::template vector<std::int32_t> small = {3, -1, 2, -5, 3};
    sort(small);
    CHECK(small.to_host() == std::vector<std::int32_t>{-5, -1, 2, 3, 3});
    typename S::template vector<test::Number> none;
    sort(none);
    CHECK(none.empty());
    CHECK(argsort(none).empty());

    typename S::template vector<test::Number> ten(3, test::Number(10));
    typename S::template vector<test::Number> divisor = {5, 0, 2};
    typename S::template vector<test::Number> faulty = ten / divisor;
    CHECK_THROWS_AS(sort(faulty), std::domain_error);
    CHECK_THROWS_AS((void)argsort(faulty), std::domain_error);
    CHECK_THROWS_AS(sort_by_key(divisor, faulty), std::domain_error);
    CHECK(divisor[1] == 0u);
    CHECK(faulty.error_mask() == std::vector<bool>{false, true, false});
    CHECK_THROWS_WITH_AS(sort_by_key(ten, small), "warpint: 3 keys and 5 values", size_mismatch);
    CHECK_THROWS_AS(sort_by_key(ten, ten), wrong_location);
}
