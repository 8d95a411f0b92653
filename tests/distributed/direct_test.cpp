// SPDX-License-Identifier: Apache-2.0
// Which bytes travel directly from piece to piece, and which way ranks agree on.
#include "ranks.h"

#include <warpint/sort.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

using namespace warpint;
using message_passing::agreed_way;
using message_passing::Offer;
using message_passing::Way;
using test::contents;
using test::DirectTransport;
using test::Number;
using test::some_numbers;
using test::world;
using Vector = test::Distributed<Number>;

namespace {

// The direct exchanges, and the bytes in them on all ranks, of what run() does.
struct Traffic {
    std::size_t exchanges;
    std::size_t bytes;
    friend bool operator==(const Traffic &, const Traffic &) = default;
};
template <class Run>
Traffic traffic_of(const Run &run) {
    const DirectTransport::Seen before = DirectTransport::seen();
    run();
    const DirectTransport::Seen &now = DirectTransport::seen();
    unsigned long long bytes = now.sent_bytes - before.sent_bytes;
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return {now.exchanges - before.exchanges, bytes};
}

// For a while, on the ranks where it is set.
class Environment {
public:
    explicit Environment(const char *value, bool set = true) {
        if (set)
            setenv("WARPINT_TRANSPORT", value, 1);
    }
    ~Environment() { unsetenv("WARPINT_TRANSPORT"); }
    Environment(const Environment &) = delete;
    Environment &operator=(const Environment &) = delete;
};

} // namespace

TEST_CASE("elements between pieces travel directly, all others through host memory") {
    const test::NewGroupsUse use(DirectTransport::make);
    const process_group group = test::group_of();
    CHECK(group.is_direct());
    CHECK(std::string(group.transport_name()) == "a test");
    for (const std::size_t count : {0, 1, 3, 500}) {
        CAPTURE(count);
        const std::size_t bytes = count * sizeof(Number);
        const std::vector<Number> values = some_numbers(count);
        std::vector<Number> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        Vector a;
        // Nothing travels that is where it is to be.
        const std::size_t place = group.first_place_of(group.count() - 1);
        const bool stays = containers::even_sizes(count, group.places())[place] == count;
        const std::size_t spread = stays ? 0 : 1;
        CHECK(traffic_of([&] { a = Vector::from_root(group, values, group.size() - 1); }) ==
              Traffic{spread, spread * bytes});
        for (const auto &sizes : test::layouts(count)) {
            CHECK(traffic_of([&] { a.redistribute(sizes); }) == Traffic{1, bytes});
            CHECK(a.sizes() == sizes);
            std::vector<Number> all, of_root;
            CHECK(traffic_of([&] { all = a.to_all(); }) == Traffic{0, 0});
            CHECK(all == values);
            CHECK(traffic_of([&] { of_root = a.to_root(); }) == Traffic{0, 0});
            CHECK(of_root == (group.rank() == 0 ? values : std::vector<Number>{}));
            Vector s = a;
            // To the parts, and to where they stay.
            const std::size_t sorts = count < 2 ? 0 : 1;
            CHECK(traffic_of([&] { sort(s); }) == Traffic{2 * sorts, 2 * sorts * bytes});
            CHECK(s.to_all() == sorted);
            Vector reversed;
            CHECK(traffic_of([&] { reversed = gather(a, count - 1 - indices(count)); }) ==
                  Traffic{1, bytes});
            CHECK(reversed.to_all() == std::vector<Number>(values.rbegin(), values.rend()));
        }
    }
    // In one piece, however long a message of MPI may be.
    CHECK(DirectTransport::seen().largest > message_passing::max_message_bytes);
}

TEST_CASE("faults stay with elements that travel directly") {
    const test::NewGroupsUse use(DirectTransport::make);
    const process_group group = test::group_of();
    std::vector<Number> divisors = some_numbers(60);
    divisors[0] = divisors[31] = divisors[59] = Number(0);
    const host_vector<Number> host(divisors);
    host_vector<Number> expected;
    expected = Number(1) / host;
    Vector a;
    a = Number(1) / Vector::from_root(group, divisors);
    for (const auto &sizes : test::layouts(60)) {
        CHECK(traffic_of([&] { a.redistribute(sizes); }) == Traffic{1, 60 * sizeof(Number)});
        CHECK(contents(a) == contents(expected));
    }
}

TEST_CASE("nothing is sent when a rank has failed") {
    const test::NewGroupsUse use(DirectTransport::make);
    const process_group group = test::group_of();
    Vector a = Vector::from_root(group, some_numbers(50));
    for (int rank = 0; rank < group.size(); ++rank) {
        CAPTURE(rank);
        CHECK(traffic_of([&] {
                  try {
                      group.alone([&] {
                          if (group.rank() == rank)
                              throw std::bad_alloc();
                      });
                      a.redistribute(test::layouts(50)[1]);
                      FAIL_CHECK("no exception");
                  } catch (const remote_error &error) {
                      CHECK(group.rank() != rank);
                      CHECK(error.rank() == rank);
                  } catch (const std::bad_alloc &) {
                      CHECK(group.rank() == rank);
                  }
                  group.barrier(); // in step again
              }) == Traffic{0, 0});
        CHECK(a.to_all() == some_numbers(50));
    }
}

TEST_CASE("a transport that fails is an mpi_error, and nobody waits") {
    {
        const test::NewGroupsUse use(DirectTransport::make);
        const process_group group = test::group_of();
        Vector a = Vector::from_root(group, some_numbers(50));
        DirectTransport::fails() = true;
        CHECK_THROWS_WITH_AS(a.redistribute(test::layouts(50)[1]), "a transport that fails",
                             mpi_error);
        DirectTransport::fails() = false;
    }
    // The program would end here without MPI_Finalize(): the group is not left in step. Here all
    // ranks have failed alike.
    --message_passing::Environment::groups_in_use();
    CHECK(sum(Vector(world(), 10, Number(1))) == 10u);
}

TEST_CASE("ranks agree on what all can do") {
    const auto offers = [](std::vector<Way> ways, const std::string &gpus) {
        std::vector<Offer> all(ways.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].way = ways[i];
            all[i].gpu.fill(gpus[i]);
        }
        return all;
    };
    using enum Way;
    CHECK(agreed_way(offers({host}, "a")) == host);
    CHECK(agreed_way(offers({nccl}, "a")) == nccl);
    CHECK(agreed_way(offers({nccl, nccl, nccl}, "acb")) == nccl);
    CHECK(agreed_way(offers({nccl, nccl, nccl}, "aba")) == host); // two ranks on one GPU
    CHECK(agreed_way(offers({device_pointers, device_pointers}, "aa")) == device_pointers);
    CHECK(agreed_way(offers({nccl, device_pointers}, "ab")) == device_pointers);
    CHECK(agreed_way(offers({device_pointers, host, nccl}, "abc")) == host);
}

TEST_CASE("WARPINT_TRANSPORT") {
    const test::NewGroupsUse use(nullptr);
    CHECK(std::string(process_group().transport_name()) == "host memory");
    for (const char *const way : {"host", "device", ""}) { // the same without a GPU
        const Environment environment(way);
        if (!world().location().on_gpu())
            CHECK(std::string(process_group().transport_name()) == "host memory");
    }
    {
        const Environment environment("carrier pigeons");
        CHECK_THROWS_WITH_AS(
            process_group(),
            "warpint: WARPINT_TRANSPORT is host, device or nccl, and not carrier pigeons",
            std::invalid_argument);
    }
#if !WARPINT_NCCL
    for (int rank = 0; rank < world().size(); ++rank) {
        const Environment environment("nccl", world().rank() == rank);
        if (world().rank() == rank) {
            CHECK_THROWS_WITH_AS(process_group(),
                                 "warpint: WARPINT_TRANSPORT=nccl, and the program is built "
                                 "without NCCL: link the CMake target warpint::nccl",
                                 std::invalid_argument);
        } else {
            CHECK_THROWS_AS(process_group(), remote_error);
        }
    }
#endif
    CHECK(sum(Vector(world(), 10, Number(1))) == 10u);
}
