// SPDX-License-Identifier: Apache-2.0
// sort of sharded vectors against std::sort.
#include "sort_cases.h"

#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/sharded.h>
#include <warpint/sort.h>

#include <algorithm>
#include <vector>

using namespace warpint;
using test::kinds;
using test::numbers_of_kind;

namespace {

using Number = BigInt<131>;

void check(const device_group &group, const std::vector<std::size_t> &sizes, int kind) {
    CAPTURE(kind);
    CAPTURE(sizes);
    std::size_t count = 0;
    for (const std::size_t each : sizes)
        count += each;
    std::vector<Number> numbers = numbers_of_kind<Number>(kind, count);
    sharded_vector<Number> v(group, sizes);
    v.assign(numbers);
    const auto formula = v + 0u;
    sort(v);
    std::sort(numbers.begin(), numbers.end());
    CHECK(v.to_host() == numbers);
    CHECK(v.sizes() == sizes);
    CHECK(eval(as<Number>(formula)).to_host() == numbers);
}

} // namespace

TEST_CASE("sorted shards") {
    for (int kind = 0; kind < kinds; ++kind) {
        check(device_group({0}), {1000}, kind);
        check(device_group({0, 0}), {1000, 1000}, kind);
        check(device_group({0, 0, 0, 0, 0}), {700, 0, 1, 5, 3000}, kind);
    }
    check(device_group({0, 0, 0}), {0, 0, 0}, 0);
    check(device_group({0, 0, 0}), {0, 1, 0}, 0);
    check(device_group({0, 0, 0}), {1, 0, 1}, 0);
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
