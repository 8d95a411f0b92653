// SPDX-License-Identifier: Apache-2.0
// Vectors in shards beside the same formulas of one vector. Without a GPU the shards lie in host
// memory; with one, three shards lie on it; with more, on all of them.
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/sharded.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace warpint;
using test::Number;
using test::some_numbers;

namespace {

using Vector = sharded_vector<Number>;

// Groups of one to three shards.
std::vector<device_group> groups() {
    std::vector<device_group> some = {device_group({0}), device_group({0, 0, 0})};
    some.push_back(device_group());
    return some;
}

// `count` elements: evenly; most in the first shard; none in the first.
std::vector<std::vector<std::size_t>> distributions(std::size_t count, std::size_t shards) {
    std::vector<std::vector<std::size_t>> some = {containers::even_sizes(count, shards)};
    std::vector<std::size_t> first(shards, 0), last(shards, 0);
    last.back() = count;
    first.front() = count - count / 5;
    first.back() += count / 5;
    some.push_back(first);
    some.push_back(last);
    return some;
}

Vector distributed(const device_group &group, const std::vector<std::size_t> &sizes,
                   const std::vector<Number> &values) {
    Vector v(group, shard_sizes(sizes));
    v.assign(values); // as the shards lie
    REQUIRE(v.sizes() == sizes);
    return v;
}

constexpr std::size_t element_count = 101;

} // namespace

TEST_CASE("formulas on all shards") {
    const std::vector<Number> x = some_numbers(element_count), y = some_numbers(element_count, 5);
    const Number m = ~Number(0) - 16;
    const device_vector<Number> a1(x), b1(y);
    const Modulus<96> shared(m);
    for (const device_group &group : groups()) {
        for (const auto &sizes : distributions(element_count, group.size())) {
            CAPTURE(group.size());
            CAPTURE(sizes[0]);
            const Vector a = distributed(group, sizes, x), b = distributed(group, sizes, y);
            CHECK(a.size() == element_count);
            CHECK(a.to_host() == x);
            CHECK(a[element_count - 1] == x[element_count - 1]);
            Vector c;
            c = a * b % m;
            CHECK(c.sizes() == sizes);
            CHECK(c.group() == group);
            CHECK(c.to_host() == eval(a1 * b1 % m).to_host());
            c += indices(element_count); // an element's own index, over all shards
            CHECK(c[element_count - 1] ==
                  x[element_count - 1] * y[element_count - 1] % m + (element_count - 1));
            Vector q, r;
            tie(q, r) = divmod(a, b);
            CHECK(r.group() == group);
            CHECK(q[17] == x[17] / y[17]);
            CHECK(r[element_count - 1] == x[element_count - 1] % y[element_count - 1]);
#if !defined(__CUDACC__) // each formula is a kernel to compile
            c = (c * a + b) % shared;
            CHECK(c.to_host() ==
                  eval(((a1 * b1 % m + indices(element_count)) * a1 + b1) % shared).to_host());
            const auto [quotients, remainders] = eval(divmod(a, b));
            CHECK(quotients.group() == group);
            CHECK(remainders.sizes() == sizes);
            CHECK(quotients.to_host() == eval(a1 / b1).to_host());
            CHECK(remainders.to_host() == eval(a1 % b1).to_host());
            const auto wide = eval(a * b);
            CHECK(wide.to_host() == eval(a1 * b1).to_host());
            CHECK(eval(a < b).to_host() == eval(a1 < b1).to_host());
            evaluate(select(a < b, a, b), c);
            CHECK(c.to_host() == eval(min(a1, b1)).to_host());
            const auto kept = let(a * b, [](auto t) { return t * t + t; });
            CHECK(eval(kept).to_host() ==
                  eval(let(a1 * b1, [](auto t) { return t * t + t; })).to_host());
#endif
        }
    }
}

TEST_CASE("reductions of all shards") {
    const std::vector<Number> x = some_numbers(element_count), y = some_numbers(element_count, 5);
    const Number m = ~Number(0) - 16;
    const device_vector<Number> a1(x), b1(y);
    for (const device_group &group : groups()) {
        for (const auto &sizes : distributions(element_count, group.size())) {
            const Vector a = distributed(group, sizes, x), b = distributed(group, sizes, y);
            CHECK(sum(a * b) == sum(a1 * b1));
            CHECK(product(a, m) == product(a1, m));
#if !defined(__CUDACC__)
            CHECK(sum(a - b) == sum(a1 - b1));
            CHECK(product(a, Number(1000)) == product(a1, Number(1000))); // even
            CHECK(min(a) == min(a1));
            CHECK(max(a + b) == max(a1 + b1));
            CHECK(warpint::count(a < b) == warpint::count(a1 < b1));
            CHECK(all(a == a));
            CHECK(any(a < b));
#endif
        }
    }
    const Vector none;
    CHECK(product(none, m) == 1u);
#if !defined(__CUDACC__)
    CHECK_THROWS_AS((void)min(none), std::invalid_argument);
#endif
}

// operator[] gives a value: assigning to it would change nothing. write() writes.
static_assert(!std::is_assignable_v<decltype(std::declval<Vector &>()[0]), Number>);

TEST_CASE("shards of truth values") {
    std::vector<bool> values(element_count);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = i % 3 == 0;
    const std::vector<Number> x = some_numbers(element_count);
    for (const device_group &group : groups()) {
        sharded_vector<bool> v(group, values);
        CHECK(v.to_host() == values);
        v = Vector(group, x) > x[7];
        for (std::size_t i = 0; i < x.size(); ++i)
            REQUIRE(v[i] == (x[i] > x[7]));
        v.assign(values);
        CHECK(v.to_host() == values);
        v.assign(5, true);
        CHECK(v.to_host() == std::vector<bool>(5, true));
        CHECK(sharded_vector<bool>(group, {true, false}).to_host() ==
              std::vector<bool>{true, false});
    }
}

TEST_CASE("faults of all shards") {
    const std::size_t bad[] = {0, 31, 33, 34, 100};
    std::vector<Number> divisors(element_count, Number(5));
    std::vector<bool> mask(element_count, false);
    for (const std::size_t i : bad) {
        divisors[i] = Number(0);
        mask[i] = true;
    }
    for (const device_group &group : groups()) {
        const auto all_sizes = distributions(element_count, group.size());
        for (const auto &sizes : all_sizes) {
            const Vector ten(group, std::vector<Number>(element_count, Number(10)));
            Vector divisor(group, divisors);
            Vector c;
            c = ten / divisor;
            c.redistribute(sizes);
            CHECK(c.sizes() == sizes);
            CHECK(c.error_mask() == mask);
            CHECK_THROWS_WITH_AS(c.check(),
                                 "warpint: 5 of 101 elements have no value, the first is element 0",
                                 std::domain_error);
            CHECK_THROWS_AS((void)c.to_host(), std::domain_error);
            CHECK_THROWS_AS((void)c[33], std::domain_error);
            c.write(0, Number(1));
            c += 1u;
            mask[0] = false;
            CHECK(c.error_mask() == mask);
            mask[0] = true;
            CHECK_THROWS_WITH_AS(
                (void)product(c, Number(97)),
                "warpint: 4 of 101 elements have no value, the first is element 31",
                std::domain_error);
            Vector copy = c;
            copy.redistribute();
            CHECK_THROWS_AS(copy.check(), std::domain_error);
            copy.clear_errors();
            CHECK(copy[31] == 0u);
            CHECK(copy[32] == 3u);
        }
    }
}

#if !WARPINT_CUDA
TEST_CASE("what a function throws in a shard") {
    const auto small = [](const Number &x) {
        if (x > 6u)
            throw std::runtime_error("large");
        return x;
    };
    const device_group group({0, 0, 0});
    const Vector v = indices(9) + Vector(group, std::vector<Number>(9, Number(0)));
    const Vector mapped = map(small, v);
    const char *const message =
        "warpint: 2 of 9 elements have no value, the first is element 7: large";
    CHECK_THROWS_WITH_AS(mapped.check(), message, std::domain_error);
    CHECK_THROWS_WITH_AS((void)sum(mapped + 1u), message, std::domain_error);
    CHECK_THROWS_WITH_AS((void)max(map(small, v)), message, std::domain_error);
    Vector moved = mapped;
    for (const auto &sizes : {std::vector<std::size_t>{9, 0, 0}, {0, 8, 1}, {3, 3, 3}}) {
        moved.redistribute(sizes);
        CHECK_THROWS_WITH_AS(moved.check(), message, std::domain_error);
        // Gathered from any shard, and into one that does not hold the first.
        const Vector order(group, {Number(1), Number(2), Number(0), Number(3), Number(7)});
        const Vector picked = gather(moved, order);
        CHECK_THROWS_WITH_AS(
            picked.check(), "warpint: 1 of 5 elements have no value, the first is element 4: large",
            std::domain_error);
        CHECK_THROWS_WITH_AS(
            (void)sum(let(order, [&](auto x) { return gather(moved, x) + x; })),
            "warpint: 1 of 5 elements have no value, the first is element 4: large",
            std::domain_error);
    }
}

TEST_CASE("a formula gathers from 16 shards and from no more") {
    const std::vector<Number> x = some_numbers(40);
    for (const std::size_t shards : {16u, 17u}) {
        const device_group group(std::vector<int>(shards, 0));
        const Vector from(group, x), order(group, {Number(39), Number(0), Number(17)});
        Vector picked;
        if (shards == 16) {
            picked = gather(from, order);
            CHECK(picked.to_host() == std::vector<Number>{x[39], x[0], x[17]});
        } else {
            CHECK_THROWS_AS(picked = gather(from, order), std::length_error);
        }
    }
}
#endif

TEST_CASE("a sharded vector as a container") {
    const device_group three({0, 0, 0});
    const std::vector<Number> x = some_numbers(10);
    Vector a(three, x);
    CHECK(a.sizes() == std::vector<std::size_t>{4, 3, 3});
    CHECK(a.shard(1).to_host() == std::vector<Number>(x.begin() + 4, x.begin() + 7));
    CHECK(a.view(2).size() == 3);
    const auto twice = a + 1u;
    a.redistribute({0, 10, 0});
    CHECK(a.to_host() == x);
    Vector r;
    r = twice;
    CHECK(r.sizes() == std::vector<std::size_t>{0, 10, 0});
    a.assign(some_numbers(5)); // of another size: even
    CHECK(a.sizes() == std::vector<std::size_t>{2, 2, 1});
    r = twice; // what the vector holds now
    CHECK(r.size() == 5);
    CHECK(r[4] == some_numbers(5)[4] + 1u);
    a.write(4, Number(7));
    CHECK(a[4] == 7u);
    CHECK_THROWS_AS((void)a[5], std::out_of_range);

    Vector copy = a;
    copy.write(0, Number(1));
    CHECK(a[0] == some_numbers(5)[0]);
    Vector moved = std::move(copy);
    CHECK(copy.empty());
    CHECK(moved[0] == 1u);
    copy = moved;
    CHECK(copy[0] == 1u);
    const auto of_copy = copy + 1u;
    copy = std::move(moved);
    CHECK(moved.empty());
    r = of_copy;
    CHECK(r[0] == 2u);
    moved = a; // a vector that was moved from is empty and works
    CHECK(moved.to_host() == a.to_host());
    swap(moved, copy);
    CHECK(copy[4] == 7u);
    CHECK(Vector(three, 4, Number(9)).to_host() == std::vector<Number>(4, Number(9)));
    CHECK(Vector(three, {1, 2}).to_host() == std::vector<Number>{Number(1), Number(2)});
    CHECK(Vector(three, host_vector<Number>(x)).to_host() == x);
    CHECK(explain(a + 1u).bytes_moved == 2 * (12 + 16)); // of the first shard
    CHECK(explain(a + 1u, a).bytes_moved == 2 * (12 + 12));
    CHECK(explain(a).bytes_moved == 2 * (12 + 12));
    CHECK(explain(a, a).bytes_moved == 2 * (12 + 12));
    CHECK(eval(a).to_host() == a.to_host());
    Vector into(three, 5), again(three, 5);
    evaluate(a + 1u, into);
    evaluate(into, again);
    CHECK(again[4] == 8u);
    CHECK_THROWS_AS(Vector().run(a + 1u, reinterpret_cast<stream_handle>(&a)),
                    std::invalid_argument);
    CHECK_THROWS_AS((void)product(a, Number(97), reinterpret_cast<stream_handle>(&a)),
                    std::invalid_argument);
    CHECK(device_group() == device_group());
    Vector counted(three, 6);
    counted = indices(6);
    CHECK(counted.sizes() == std::vector<std::size_t>{2, 2, 2});
    CHECK(counted[5] == 5u);
    const sharded_vector<std::uint64_t> integers(three, {1, 2, 3, 4});
    CHECK(integers.to_host() == std::vector<std::uint64_t>{1, 2, 3, 4});
    const auto formula = [] {
        const Vector local(device_group({0, 0}), {4, 5, 6});
        return local * local;
    }();
    CHECK(Vector(formula).to_host() == std::vector<Number>{Number(16), Number(25), Number(36)});
}

TEST_CASE("bad calls of sharded vectors") {
    const device_group two({0, 0}), three({0, 0, 0});
    const Vector a(two, some_numbers(10)), longer(two, some_numbers(11)),
        other(three, some_numbers(10));
    Vector uneven(two, some_numbers(10)), c(two, 3);
    uneven.redistribute({9, 1});
    CHECK_THROWS_WITH_AS(c = a + longer, "warpint: batches of 10 and 11 elements in one formula",
                         size_mismatch);
    CHECK_THROWS_AS(c = a + indices(9), size_mismatch);
    CHECK_THROWS_WITH_AS(c = a + other,
                         "warpint: sharded vectors of different groups in one formula",
                         wrong_location);
    CHECK_THROWS_WITH_AS(c = a + uneven,
                         "warpint: sharded vectors with shards of different sizes in one formula: "
                         "redistribute one of them",
                         wrong_location);
    CHECK_THROWS_AS((void)sum(a * uneven), wrong_location);
    CHECK_THROWS_AS(evaluate(a + 1u, c), size_mismatch);
    CHECK_THROWS_AS(evaluate(a + 1u, uneven), wrong_location);
    CHECK_THROWS_AS(tie(c, c) = divmod(a, a), wrong_location);
    Vector elsewhere(three, 10);
    CHECK_THROWS_AS(tie(c, elsewhere) = divmod(a, a), wrong_location);
    CHECK(c.to_host() == std::vector<Number>(3, Number(0))); // nothing was written
    CHECK_THROWS_AS(device_group(std::vector<int>{}), std::invalid_argument);
    CHECK_THROWS_AS(device_group({0, -1}), std::invalid_argument);
    CHECK_THROWS_AS(Vector(two, shard_sizes({1, 2, 3})), std::invalid_argument);
    CHECK_THROWS_AS(uneven.redistribute({9, 2}), size_mismatch);
    CHECK_THROWS_AS(uneven.redistribute({10}), std::invalid_argument);
    CHECK(uneven.sizes() == std::vector<std::size_t>{9, 1});
}

TEST_CASE("for_each_shard runs all at once and reports the first failure") {
    const device_group group{0, 0, 0, 0};
    std::vector<int> ran(4, 0);
    std::atomic<int> arrived{0};
    group.for_each_shard([&](std::size_t i) {
        ++arrived;
        while (arrived < 4) { // only together
        }
        ran[i] = 1;
    });
    CHECK(ran == std::vector<int>(4, 1));
    for (int round = 0; round < 100; ++round) {
        CHECK_THROWS_WITH_AS(group.for_each_shard([&](std::size_t i) {
            if (i % 2 == 1)
                throw std::runtime_error(std::to_string(i));
        }),
                             "1", std::runtime_error);
    }
    group.for_each_shard([](std::size_t) {});
}
