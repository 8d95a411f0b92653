// SPDX-License-Identifier: Apache-2.0
// sort, sort_by_key, argsort against std::stable_sort, of one vector and of shards.
#include "sort_cases.h"

#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/sharded.h>
#include <warpint/sort.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
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

TEST_CASE_TEMPLATE("sorted vectors", S, TEST_ONE_SPACE) {
    check_sorts<S, BigInt<96>>(2000);
#if !defined(__CUDACC__)
    check_sorts<S, SignedBigInt<191>>(1);
    check_sorts<S, SignedBigInt<191>>(33'000); // worth several threads
    check_sorts<S, BigInt<600>>(300);          // by entries
#endif
}

TEST_CASE_TEMPLATE("sorts of built-in integers, of nothing, of what has no value", S,
                   TEST_ONE_SPACE) {
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

TEST_CASE("sorted shards that are longer than their samples") {
    const device_group three({0, 0, 0});
    for (const int kind : {0, 1, 4, 6}) { // with many equal numbers among them
        check_shards(three, {20'000, 3, 2'000}, kind);
        check_shards(three, {4'000, 4'000, 4'000}, kind);
    }
}

TEST_CASE("splitters make parts as large as shards, of equal numbers too") {
    const std::vector<std::size_t> sizes = {6'000, 3'000, 1'000, 2'000};
    const expression::Shards shards{sizes, std::vector<Location>(sizes.size())};
    constexpr std::size_t stride = 5;
    for (const int kind : {0, 1, 4, 5, 6}) {
        CAPTURE(kind);
        const std::vector<Number> numbers = numbers_of_kind<Number>(kind, 12'000);
        std::vector<host_vector<Number>> runs;
        std::vector<execution::PlacedNumber<Number>> samples;
        auto from = numbers.begin();
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const auto end = from + static_cast<std::ptrdiff_t>(sizes[i]);
            runs.emplace_back(from, end);
            from = end;
            const auto some = containers::samples_of<Number>(*runs[i].handle(), i, stride);
            REQUIRE(some.size() == sizes[i] / stride);
            for (std::size_t k = 0; k < some.size(); ++k) {
                REQUIRE(some[k].index / stride == k);
                REQUIRE(some[k].value == runs[i][some[k].index]);
            }
            samples.insert(samples.end(), some.begin(), some.end());
        }
        const auto splitters = containers::splitters_of<Number>(samples, stride, shards);
        std::vector<std::size_t> parts(sizes.size(), 0);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const auto parted = containers::parted<Number>(*runs[i].handle(), i, splitters);
            for (std::size_t p = 0; p < parts.size(); ++p) {
                parts[p] += parted.sizes[p];
                const Number *const part =
                    static_cast<const Number *>(parted.numbers->data) + parted.first(p);
                for (std::size_t k = 0; k < parted.sizes[p]; ++k) {
                    REQUIRE((p == 0 || part[k] >= splitters[p - 1].value));
                    REQUIRE((p + 1 == parts.size() || part[k] <= splitters[p].value));
                }
            }
        }
        for (std::size_t p = 0; p < parts.size(); ++p) {
            CHECK(parts[p] > sizes[p] - 300);
            CHECK(parts[p] < sizes[p] + 300);
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
