// SPDX-License-Identifier: Apache-2.0
// Ranks of several devices: where their pieces lie, and what a group of them says. The other tests
// run on such groups too, with WARPINT_TEST_DEVICES in the environment; this one also on GPUs.
#include "ranks.h"

#include <warpint/sort.h>

#include <numeric>
#include <stdexcept>
#include <string>

using namespace warpint;
using test::Number;
using test::some_numbers;
using test::world;
using Vector = test::Distributed<Number>;

namespace {

// The GPUs in turn.
device_group so_many(int count) {
    const int gpus = static_cast<int>(device_group().size());
    std::vector<int> devices;
    for (int i = 0; i < count; ++i)
        devices.push_back(i % gpus);
    return device_group(devices);
}
// Rank k has k + 1 devices.
process_group ascending() {
    return process_group(MPI_COMM_WORLD, so_many(world().rank() + 1));
}

} // namespace

TEST_CASE("the places of a group") {
    const process_group group = ascending();
    const auto ranks = static_cast<std::size_t>(group.size());
    const auto rank = static_cast<std::size_t>(group.rank());
    CHECK(group.devices() == so_many(group.rank() + 1));
    CHECK(group.places() == ranks * (ranks + 1) / 2);
    for (std::size_t i = 0; i <= rank; ++i) {
        CHECK(group.place(i) == rank * (rank + 1) / 2 + i);
        CHECK(group.rank_of(group.place(i)) == group.rank());
        CHECK(group.location(i) == group.devices().location(i));
    }
    const process_group one(MPI_COMM_WORLD);
    CHECK(one.places() == ranks);
    CHECK(one.place() == rank);
    CHECK(one.devices().size() == 1);
    CHECK(process_group(MPI_COMM_WORLD, {0}).devices() == device_group({0}));
    CHECK(process_group(MPI_COMM_WORLD, {0, 0}).devices() == device_group({0, 0}));
}

TEST_CASE("groups are equal if all their ranks have the same devices") {
    const process_group group = ascending();
    CHECK(group == ascending());
    CHECK_FALSE(group == process_group(MPI_COMM_WORLD, so_many(world().rank() + 2)));
    // On all ranks, also where their own devices are the same.
    const process_group last(MPI_COMM_WORLD,
                             so_many(world().rank() + (world().rank() == 0 ? 2 : 1)));
    CHECK_FALSE(group == last);
    if (device_group().size() > 1) {
        const process_group forwards(MPI_COMM_WORLD, {0, 1}), backwards(MPI_COMM_WORLD, {1, 0});
        CHECK_FALSE(forwards == backwards);
    }
    const Vector a(group, 20, Number(1)), b(last, 20, Number(2));
    CHECK_THROWS_WITH_AS((void)sum(a + b),
                         "warpint: distributed vectors of different groups in one formula",
                         wrong_location);
    Vector c(last, 20);
    CHECK_THROWS_AS(evaluate(a + 1u, c), wrong_location);
    c = a + 1u; // takes the formula's group
    CHECK(c.group() == group);
    CHECK(sum(c) == 40u);
}

TEST_CASE("elements are spread over all devices of all ranks") {
    const process_group group = ascending();
    const std::size_t places = group.places();
    for (const std::size_t count : {std::size_t{0}, places - 1, places, 5 * places + 2}) {
        CAPTURE(count);
        const std::vector<Number> values = some_numbers(count);
        Vector a = Vector::from_root(group, values);
        CHECK(a.sizes() == containers::even_sizes(count, places));
        CHECK(a.to_all() == values);
        for (std::size_t i = 0; i < group.devices().size(); ++i) {
            CHECK(a.local(i).size() == a.sizes()[group.place(i)]);
            CHECK(a.local(i).location() == group.location(i));
            if (a.local(i).size() > 0)
                CHECK(a.local(i).read(0) == values[a.first(i)]);
        }
        // One of each place in turn has all.
        for (std::size_t place = 0; place < places; ++place) {
            std::vector<std::size_t> sizes(places, 0);
            sizes[place] = count;
            a.redistribute(sizes);
            CHECK(a.sizes() == sizes);
            CHECK(test::local_elements(a) ==
                  (group.rank_of(place) == group.rank() ? values : std::vector<Number>{}));
        }
        // Each rank's numbers stay there.
        const std::vector<Number> own(count, Number(static_cast<unsigned>(group.rank())));
        const Vector joined = Vector::from_local(group, own);
        CHECK(test::local_elements(joined) == own);
        CHECK(joined.size() == count * group.count());
    }
}

TEST_CASE("formulas, reductions and order beside the same on the host") {
    const process_group group = ascending();
    const std::size_t count = 7 * group.places() + 3;
    std::vector<Number> values = some_numbers(count);
    const host_vector<Number> host(values);
    host_vector<Number> expected;
    expected = host * host + indices(count);
    const Vector a = Vector::from_root(group, values);
    Vector b;
    b = a * a + indices(count);
    CHECK(b.to_all() == expected.to_host());
    CHECK(sum(a) == sum(host));
    CHECK(max(b - a) == max(expected - host));
    for (std::size_t i = 0; i < count; i += 3)
        CHECK(b.read(i) == expected[i]);
    // A fault on each place, and on all of them.
    for (std::size_t place = 0; place < group.places(); ++place) {
        const std::size_t bad = 7 * place + 6;
        Vector divisor(group, count, Number(1));
        divisor.write(bad, Number(0));
        b = a / divisor;
        const std::string message = "warpint: 1 of " + std::to_string(count) +
                                    " elements have no value, the first is element " +
                                    std::to_string(bad);
        CHECK_THROWS_WITH_AS(b.check(), message.c_str(), std::domain_error);
        CHECK_THROWS_WITH_AS((void)sum(b), message.c_str(), std::domain_error);
        CHECK_THROWS_WITH_AS((void)b.read(bad), message.c_str(), std::domain_error);
        values[bad] = Number(0);
    }
    expected = host / host_vector<Number>(values);
    b = a / Vector::from_root(group, values);
    CHECK(b.error_mask() == expected.error_mask());
    b.redistribute(test::layouts_of(group, count)[2]);
    CHECK(test::contents(b) == test::contents(expected));
    // Sorted, and gathered. Many are equal.
    for (Number &x : values)
        x = x % BigInt<64>(3);
    const host_vector<Number> keys(values);
    host_vector<Number> sorted = keys;
    sort(sorted);
    for (const auto &sizes : test::layouts_of(group, count)) {
        Vector c = Vector::from_root(group, values);
        c.redistribute(sizes);
        const auto order = argsort(c);
        CHECK(order.to_all() == argsort(keys).to_host());
        CHECK(gather(c, order).to_all() == sorted.to_host());
        sort(c);
        CHECK(c.sizes() == sizes);
        CHECK(c.to_all() == sorted.to_host());
    }
}

TEST_CASE("elements between GPUs travel through host memory where a rank has several") {
    CHECK(std::string(process_group(MPI_COMM_WORLD, so_many(2)).transport_name()) ==
          (test::all_groups_direct() ? "a test" : "host memory"));
    setenv("WARPINT_TRANSPORT", "device", 1);
    if (world().location().on_gpu()) {
        CHECK_THROWS_WITH_AS(process_group(MPI_COMM_WORLD, so_many(2)),
                             "warpint: WARPINT_TRANSPORT=device takes one GPU for each rank, and "
                             "this one has 2",
                             std::invalid_argument);
    } else { // the same without a GPU
        CHECK(process_group(MPI_COMM_WORLD, so_many(2)).places() == 2 * world().count());
    }
    unsetenv("WARPINT_TRANSPORT");
}

TEST_CASE("which piece of several must be said") {
    const process_group group(MPI_COMM_WORLD, so_many(2));
    Vector a(group, 10, Number(1));
    CHECK_THROWS_WITH_AS((void)a.local(), "warpint: this rank has 2 pieces: write local(i)",
                         std::logic_error);
    CHECK_THROWS_AS((void)a.local_view(), std::logic_error);
    CHECK_THROWS_AS((void)a.local(2), std::out_of_range);
    CHECK_THROWS_AS((void)a.local_view(2), std::out_of_range);
    a.write(9, Number(5));
    CHECK(sum(a) == 14u);
    CHECK_THROWS_AS(a.redistribute(std::vector<std::size_t>(group.count(), 0)),
                    std::invalid_argument); // a size for each place
}

TEST_CASE("an exception on one device of one rank") {
    const process_group group = ascending();
    const Vector a(group, 4 * group.places(), Number(1));
    for (std::size_t place = 0; place < group.places(); ++place) {
        const bool own = group.rank_of(place) == group.rank();
        bool thrown = false;
        try {
            group.alone([&] {
                group.devices().for_each_shard([&](std::size_t i) {
                    if (group.place(i) == place)
                        throw std::runtime_error("a device fails");
                });
            });
            (void)sum(a);
        } catch (const remote_error &error) {
            thrown = !own && error.rank() == group.rank_of(place);
        } catch (const std::runtime_error &error) {
            thrown = own && std::string(error.what()) == "a device fails";
        }
        CHECK(thrown);
        CHECK(sum(a) == 4 * group.places()); // in step again
    }
}

TEST_CASE("sharded vectors of other devices") {
    const process_group group = ascending();
    const sharded_vector<Number> other(so_many(group.rank() + (group.rank() == 0 ? 2 : 1)), 5);
    if (group.rank() == 0) {
        CHECK_THROWS_WITH_AS(
            (void)Vector::from_local(group, other),
            "warpint: a sharded vector on other devices than those of the process_group",
            wrong_location);
    } else {
        CHECK_THROWS_AS((void)Vector::from_local(group, other), remote_error);
    }
    CHECK(sum(Vector(group, 10, Number(1))) == 10u);
}
