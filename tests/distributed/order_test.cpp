// SPDX-License-Identifier: Apache-2.0
// Sorting, gathering, and tasks of distributed vectors beside the same on the host.
#include "ranks.h"

#include <warpint/sort.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

using namespace warpint;
using test::contents;
using test::distributed;
using test::Number;
using test::some_numbers;
using test::world;

namespace {

// Numbers of which many are equal: `kinds` different ones.
std::vector<Number> repeated(std::size_t count, std::size_t kinds) {
    std::vector<Number> numbers = some_numbers(count);
    for (Number &x : numbers)
        x = x % BigInt<64>(kinds);
    return numbers;
}

// Sorts, argsorts and gathers in all layouts.
template <class T>
void check_order(const std::vector<T> &values) {
    const host_vector<T> host(values);
    host_vector<T> sorted = host;
    sort(sorted);
    const std::vector<std::uint64_t> order = argsort(host).to_host();
    for (const auto &sizes : test::layouts(values.size())) {
        const auto a = distributed(values, sizes);
        auto s = a;
        sort(s);
        CHECK(s.sizes() == sizes);
        CHECK(s.to_all() == sorted.to_host());
        const auto positions = argsort(a);
        CHECK(positions.sizes() == sizes);
        CHECK(positions.to_all() == order); // equal elements keep their order
        const auto gathered = gather(a, positions);
        CHECK(gathered.sizes() == sizes);
        CHECK(gathered.to_all() == sorted.to_host());
    }
}

} // namespace

TEST_CASE("sort, argsort and gather") {
    for (const std::size_t count : {0, 1, 2, 3, 101, 5000}) {
        CAPTURE(count);
        check_order(some_numbers(count));
        check_order(repeated(count, 3));
        check_order(std::vector<Number>(count, Number(7))); // all equal
        std::vector<Number> ascending(count);
        std::iota(ascending.begin(), ascending.end(), Number(0));
        check_order(ascending);
    }
    std::vector<SignedBigInt<70>> either(300);
    for (std::size_t i = 0; i < either.size(); ++i)
        either[i] = SignedBigInt<70>(static_cast<std::int64_t>(i * 7919 % 601) - 300);
    check_order(either);
    std::vector<std::uint64_t> integers(300);
    for (std::size_t i = 0; i < integers.size(); ++i)
        integers[i] = i * 104729 % 100;
    check_order(integers);
}

TEST_CASE("splitters are the samples at their places") {
    const std::size_t stride = 5;
    std::uint64_t random = 1;
    const auto below = [&](std::size_t end) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>((random >> 33) % end);
    };
    using Placed = execution::PlacedNumber<Number>;
    const auto less = [](const Placed &a, const Placed &b) {
        return execution::comes_before(a.value, a.run, a.index, b);
    };
    for (int round = 0; round < 300; ++round) {
        std::vector<Placed> samples;
        const std::size_t count = 1 + below(60);
        for (std::size_t i = 0; i < count; ++i)
            samples.push_back({Number(below(7)), below(3), i});
        expression::Shards shards; // some of them empty
        std::size_t left = count * stride;
        for (std::size_t more = below(9); more > 0; --more) {
            shards.sizes.push_back(below(3) == 0 ? 0 : below(left + 1));
            left -= shards.sizes.back();
        }
        shards.sizes.push_back(left);
        const auto splitters = containers::splitters_of(samples, stride, shards);
        std::sort(samples.begin(), samples.end(), less);
        REQUIRE(splitters.size() + 1 == shards.sizes.size());
        for (std::size_t i = 0; i < splitters.size(); ++i) {
            const Placed &expected = samples[std::min(shards.first(i + 1) / stride, count - 1)];
            CHECK(splitters[i].value == expected.value);
            CHECK(splitters[i].run == expected.run);
            CHECK(splitters[i].index == expected.index);
        }
    }
}

TEST_CASE("what has faults has no order") {
    test::Distributed<Number> a;
    std::vector<Number> divisors = some_numbers(40);
    divisors[39] = Number(0);
    a = Number(1) / distributed(divisors, test::layouts(40)[0]);
    const auto before = contents(a);
    REQUIRE(before.faults[39]);
    CHECK_THROWS_AS(sort(a), std::domain_error);
    CHECK_THROWS_AS((void)argsort(a), std::domain_error);
    CHECK(contents(a) == before); // nothing has moved
}

TEST_CASE("gather by any index") {
    const std::vector<Number> x = some_numbers(50);
    std::vector<Number> divisors(50, Number(2));
    divisors[0] = divisors[17] = divisors[49] = Number(0);
    const host_vector<Number> host(x), zeros(divisors);
    host_vector<Number> faulty;
    faulty = host / zeros;
    std::vector<SignedBigInt<70>> positions;
    for (int i = 0; i < 77; ++i)
        positions.push_back(SignedBigInt<70>(i * 31 % 60 - 5)); // also before and beyond
    positions[3] = SignedBigInt<70>(1) << 66;
    positions[5] = 7 - (SignedBigInt<70>(1) << 64); // its low bits are 7
    const host_vector<SignedBigInt<70>> host_positions(positions);
    host_vector<Number> expected;
    expected = gather(faulty, host_positions);
    for (const auto &source_sizes : test::layouts(50)) {
        test::Distributed<Number> source;
        source = distributed(x, source_sizes) / distributed(divisors, source_sizes);
        for (const auto &sizes : test::layouts(77)) {
            const auto index = distributed(positions, sizes);
            const auto result = gather(source, index);
            CHECK(result.sizes() == sizes);
            CHECK(contents(result) == contents(expected));
        }
        // A formula as index, and indices alone, whose elements are spread evenly.
        const auto index = distributed(positions, test::layouts(77)[1]);
        host_vector<Number> by_formula;
        by_formula = gather(faulty, host_positions * 3 + 1);
        CHECK(contents(gather(source, index * 3 + 1)) == contents(by_formula));
        by_formula = gather(faulty, 49u - indices(50));
        const auto reversed = gather(source, 49u - indices(50));
        CHECK(reversed.sizes() == test::layouts(50)[0]);
        CHECK(contents(reversed) == contents(by_formula));
        // An index without a value.
        host_vector<Number> divided;
        divided = gather(faulty, host / zeros % 50u);
        const auto quotient =
            distributed(x, source_sizes) / distributed(divisors, source_sizes) % 50u;
        CHECK(contents(gather(source, quotient)) == contents(divided));
    }
    const test::Distributed<Number> none(world());
    CHECK(gather(none, indices(0)).empty());
    CHECK(gather(none, indices(3)).error_mask() == std::vector<bool>(3, true));
}

TEST_CASE("results of chunks come in the order of tasks") {
    for (const std::size_t n : {0, 1, 2, 3, 100}) {
        for (const std::size_t chunk : {1, 7, 200}) {
            CAPTURE(n);
            CAPTURE(chunk);
            std::vector<Number> sums;
            std::vector<std::vector<std::uint64_t>> lists;
            std::vector<std::string> texts;
            std::vector<bool> flags;
            for (std::size_t first = 0; first < n; first += chunk) {
                Number total(0);
                lists.emplace_back();
                for (std::size_t i = first; i < std::min(n, first + chunk); ++i) {
                    total += i;
                    if (i % 3 == 0)
                        lists.back().push_back(i);
                }
                sums.push_back(total);
                texts.push_back(std::string(first % 5, 'x'));
                flags.push_back(first % 2 == 0);
            }
            CHECK(for_each_chunk(world(), n, chunk, [](std::size_t first, std::size_t last) {
                      Number total(0);
                      for (; first < last; ++first)
                          total += first;
                      return total;
                  }) == sums);
            CHECK(for_each_chunk(world(), n, chunk, [](std::size_t first, std::size_t last) {
                      std::vector<std::uint64_t> list;
                      for (; first < last; ++first) {
                          if (first % 3 == 0)
                              list.push_back(first);
                      }
                      return list;
                  }) == lists);
            CHECK(for_each_chunk(world(), n, chunk, [](std::size_t first, std::size_t) {
                      return std::string(first % 5, 'x');
                  }) == texts);
            CHECK(for_each_chunk(world(), n, chunk, [](std::size_t first, std::size_t) {
                      return first % 2 == 0;
                  }) == flags);
        }
    }
    // Each element once, also without results, and with a batch in a task.
    std::uint64_t own = 0;
    for_each_chunk(world(), 1000, 10, [&](std::size_t first, std::size_t last) {
        const device_vector<BigInt<64>> part(last - first, BigInt<64>(1));
        own += static_cast<std::uint64_t>(sum(part));
    });
    const auto done = test::Distributed<std::uint64_t>::from_local(world(), std::vector{own});
    CHECK(sum(done) == 1000u);
    CHECK_THROWS_AS(for_each_chunk(world(), 10, 0, [](std::size_t, std::size_t) {}),
                    std::invalid_argument);
}

TEST_CASE("tasks of unequal length are shared well") {
    // The first task takes as long as all others together: whoever has it gets no other one.
    using namespace std::chrono_literals;
    const std::size_t tasks = 40;
    const auto who = for_each_chunk(world(), tasks, 1, [&](std::size_t first, std::size_t) {
        std::this_thread::sleep_for(first == 0 ? 800ms : 20ms);
        return world().rank();
    });
    REQUIRE(who.size() == tasks);
    std::vector<std::size_t> counts(static_cast<std::size_t>(world().size()), 0);
    for (const int rank : who)
        ++counts[static_cast<std::size_t>(rank)];
    if (world().size() > 1) {
        CHECK(counts[static_cast<std::size_t>(who[0])] <= 5);
        for (const std::size_t count : counts)
            CHECK(count >= 1);
    }
}
