// SPDX-License-Identifier: Apache-2.0
// sort, sort_by_key, argsort against std::stable_sort, of one vector and of shards.
#include "sort_cases.h"

#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/sharded.h>
#include <warpint/sort.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace warpint;
using test::expected_order;
using test::kinds;
using test::Number;
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

void check_shards(const device_group &group, const std::vector<std::size_t> &sizes, int kind) {
    CAPTURE(kind);
    CAPTURE(sizes);
    std::size_t count = 0;
    for (const std::size_t each : sizes)
        count += each;
    std::vector<Number> numbers = numbers_of_kind<Number>(kind, count);
    sharded_vector<Number> v(group, shard_sizes(sizes));
    v.assign(numbers);
    const auto formula = v + 0u;
    sort(v);
    std::sort(numbers.begin(), numbers.end());
    CHECK(v.to_host() == numbers);
    CHECK(v.sizes() == sizes);
    CHECK(eval(as<Number>(formula)).to_host() == numbers);
}

} // namespace

TEST_CASE_TEMPLATE("sorted vectors", S, TEST_SPACES) {
    check_sorts<S, BigInt<96>>(2000);
#if !defined(__CUDACC__)
    check_sorts<S, SignedBigInt<191>>(1);
    check_sorts<S, SignedBigInt<191>>(33'000); // worth several threads
    check_sorts<S, BigInt<600>>(300);          // by entries
#endif
}

TEST_CASE_TEMPLATE("sorts of built-in integers, of nothing, of what has no value", S, TEST_SPACES) {
    typename S::template vector<std::int32_t> small = {3, -1, 2, -5, 3};
    sort(small);
    CHECK(small.to_host() == std::vector<std::int32_t>{-5, -1, 2, 3, 3});
    typename S::template vector<Number> none;
    sort(none);
    CHECK(none.empty());
    CHECK(argsort(none).empty());

    typename S::template vector<Number> ten(3, Number(10));
    typename S::template vector<Number> divisor = {5, 0, 2};
    typename S::template vector<Number> faulty = ten / divisor;
    CHECK_THROWS_AS(sort(faulty), std::domain_error);
    CHECK_THROWS_AS((void)argsort(faulty), std::domain_error);
    CHECK_THROWS_AS(sort_by_key(divisor, faulty), std::domain_error);
    CHECK(divisor[1] == 0u);
    CHECK(faulty.error_mask() == std::vector<bool>{false, true, false});
    CHECK_THROWS_WITH_AS(sort_by_key(ten, small), "warpint: 3 keys and 5 values", size_mismatch);
    CHECK_THROWS_AS(sort_by_key(ten, ten), wrong_location);
}

TEST_CASE("sorted shards") {
    for (int kind = 0; kind < kinds; ++kind) {
        check_shards(device_group({0}), {1000}, kind);
        check_shards(device_group({0, 0}), {1000, 1000}, kind);
        check_shards(device_group({0, 0, 0, 0, 0}), {700, 0, 1, 5, 3000}, kind);
    }
    check_shards(device_group({0, 0, 0}), {0, 0, 0}, 0);
    check_shards(device_group({0, 0, 0}), {0, 1, 0}, 0);
    check_shards(device_group({0, 0, 0}), {1, 0, 1}, 0);
}

TEST_CASE("groups are even, also of equal numbers") {
    const device_group four({0, 0, 0, 0});
    for (const int kind : {0, 1, 6}) {
        CAPTURE(kind);
        const sharded_vector<Number> v(four, numbers_of_kind<Number>(kind, 40'000));
        const expression::Shards shards = shards_of(*v.handle());
        const auto splitters = containers::splitters_of(v, shards);
        REQUIRE(splitters.size() == 3);
        std::vector<std::size_t> sizes(4, 0);
        for (std::size_t i = 0; i < 4; ++i) {
            const auto part = containers::grouped(v.shard(i), shards.first(i), splitters);
            for (std::size_t k = 0; k < 4; ++k)
                sizes[k] += part.sizes[k];
        }
        for (const std::size_t each : sizes) {
            CHECK(each > 8'000);
            CHECK(each < 12'000);
        }
    }
}

TEST_CASE("elements without a value are not sorted") {
    const device_group two({0, 0});
    sharded_vector<Number> v(two, {10, 10, 10});
    v = v / sharded_vector<Number>(two, {5, 0, 2});
    CHECK_THROWS_AS(sort(v), std::domain_error);
    CHECK(v.error_mask() == std::vector<bool>{false, true, false});
}
