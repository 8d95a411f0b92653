// SPDX-License-Identifier: Apache-2.0
// Errors on one rank only: it throws its own exception, the others remote_error, and nobody waits
// for ever. The group can be used afterwards, if the program has both in one block.
#include "ranks.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

using namespace warpint;
using test::distributed;
using test::Number;
using test::some_numbers;
using test::world;
using Vector = test::Distributed<Number>;

namespace {

const int ranks = world().size();

struct Own : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Expects the rank's own exception there, and remote_error with its message on the others.
template <class Exception, class Run>
void expect_failure_of(int rank, const std::string &message, const Run &run) {
    CAPTURE(rank);
    bool own = false;
    bool remote = false;
    try {
        run();
    } catch (const remote_error &error) {
        remote = true;
        CHECK(error.rank() == rank);
        CHECK(std::string(error.what()) ==
              "warpint: rank " + std::to_string(rank) + " failed: " + message);
    } catch (const Exception &error) {
        own = true;
        CHECK(std::string(error.what()) == message);
    }
    CHECK(own == (world().rank() == rank));
    CHECK(remote == (world().rank() != rank));
    CHECK(sum(Vector(world(), 10, Number(1))) == 10u); // in step again
}

#if defined(__linux__)
// While it is there, this process gets no more memory than a little.
class NoMoreMemory {
public:
    explicit NoMoreMemory(bool limited) {
        REQUIRE(getrlimit(RLIMIT_AS, &former_) == 0);
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        REQUIRE(pages > 0);
        rlimit limit = former_;
        if (limited)
            limit.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + (4u << 20);
        REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
    }
    ~NoMoreMemory() { (void)setrlimit(RLIMIT_AS, &former_); }
    NoMoreMemory(const NoMoreMemory &) = delete;
    NoMoreMemory &operator=(const NoMoreMemory &) = delete;

private:
    rlimit former_{};
};
#endif

} // namespace

TEST_CASE("a task throws on one rank") {
    for (int rank = 0; rank < ranks; ++rank) {
        expect_failure_of<Own>(rank, "a bad task", [&] {
            // Each rank waits in its first task until all have one, so that the rank has one.
            bool first_task = true;
            for_each_chunk(world(), 1000, 1, [&](std::size_t, std::size_t) {
                if (first_task)
                    MPI_Barrier(MPI_COMM_WORLD);
                first_task = false;
                if (world().rank() == rank)
                    throw Own("a bad task");
            });
        });
    }
}

TEST_CASE("no tasks begin after an exception") {
    std::size_t own = 0;
    expect_failure_of<Own>(ranks - 1, "stop", [&] {
        bool first_task = true;
        for_each_chunk(world(), 1000, 1, [&](std::size_t, std::size_t) {
            if (first_task)
                MPI_Barrier(MPI_COMM_WORLD);
            first_task = false;
            ++own;
            if (world().rank() == ranks - 1)
                throw Own("stop");
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        });
    });
    const auto all =
        test::Distributed<std::uint64_t>::from_local(world(), std::vector<std::uint64_t>{own});
    CHECK(sum(all) < 500u);
}

TEST_CASE("all ranks throw") {
    bool own = false;
    try {
        bool first_task = true;
        for_each_chunk(world(), 1000, 1, [&](std::size_t, std::size_t) {
            if (first_task)
                MPI_Barrier(MPI_COMM_WORLD);
            first_task = false;
            throw Own(std::to_string(world().rank()));
        });
    } catch (const Own &error) {
        own = std::string(error.what()) == std::to_string(world().rank());
    }
    CHECK(own);
    CHECK(sum(Vector(world(), 10, Number(1))) == 10u);
}

TEST_CASE("a formula fails on one rank") {
    const auto a = distributed(some_numbers(50), test::layouts(50)[0]);
    for (int rank = 0; rank < ranks; ++rank) {
        // The others learn of it in whatever they call.
        for (int call = 0; call < 6; ++call) {
            CAPTURE(call);
            expect_failure_of<Own>(rank, "no memory", [&] {
                Vector b = a;
                world().alone([&] {
                    if (world().rank() == rank)
                        throw Own("no memory");
                });
                switch (call) {
                case 0:
                    b.check();
                    break;
                case 1:
                    (void)b.to_all();
                    break;
                case 2:
                    b.redistribute(test::layouts(50)[1]);
                    break;
                case 3:
                    sort(b);
                    break;
                case 4:
                    (void)gather(b, indices(3));
                    break;
                default:
                    (void)b.read(7);
                }
            });
        }
    }
}

#if defined(__linux__)
TEST_CASE("one rank runs out of memory") {
    if (world().location().on_gpu()) {
        MESSAGE("left out: NoMoreMemory limits what the host may have, not the GPU");
        return;
    }
    // More than malloc keeps for itself, or for threads that have ended.
    const std::size_t count = world().places() * 6'000'000;
    const Vector a(world(), count, Number(3));
    for (const int rank : {0, ranks - 1}) {
        expect_failure_of<std::bad_alloc>(rank, "std::bad_alloc", [&] {
            Vector b;
            {
                const NoMoreMemory limit(world().rank() == rank);
                b = a + 1u; // a formula sends nothing
            }
            b.check();
        });
        expect_failure_of<std::bad_alloc>(rank, "std::bad_alloc", [&] {
            const NoMoreMemory limit(world().rank() == rank);
            (void)a.to_all();
        });
    }
}
#endif

TEST_CASE("preparing a message fails on one rank") {
    for (int rank = 0; rank < ranks; ++rank) {
        // What a rank gives has no memory to be copied to; the others' is ready.
        expect_failure_of<std::length_error>(
            rank,
            "warpint: a batch of 1152921504606846976 elements of 16 bytes is larger than the "
            "address space",
            [&] {
                world().together(message_passing::Call("test"), [&] {
                    if (world().rank() == rank)
                        (void)host_vector<BigInt<128>>(std::size_t{1} << 60, uninitialized);
                });
            });
    }
}

TEST_CASE("a bad argument on one rank") {
    const std::string count = std::to_string(ranks);
    const std::string no_such_rank =
        "warpint: there is no rank " + count + "; there are " + count + ", numbered from 0";
    const Vector a(world(), 10, Number(1));
    for (int rank = 0; rank < ranks; ++rank) {
        const bool bad = world().rank() == rank;
        // Each function tells the others at once: what comes next is in step, block or no block.
        expect_failure_of<std::invalid_argument>(rank, no_such_rank,
                                                 [&] { (void)a.to_root(bad ? ranks : 0); });
        expect_failure_of<std::invalid_argument>(rank, no_such_rank, [&] {
            (void)Vector::from_root(world(), std::vector<Number>{}, bad ? ranks : 0);
        });
        expect_failure_of<std::out_of_range>(rank, "warpint: element 10 of a vector of 10",
                                             [&] { (void)a.read(bad ? 10 : 0); });
        expect_failure_of<size_mismatch>(rank, "warpint: 10 elements cannot be spread as 11", [&] {
            Vector b = a;
            b.redistribute(test::layouts(bad ? 11 : 10)[1]);
        });
        expect_failure_of<std::invalid_argument>(
            rank, "warpint: for_each_chunk with chunks of 0",
            [&] { for_each_chunk(world(), 10, bad ? 0 : 1, [](std::size_t, std::size_t) {}); });
        expect_failure_of<size_mismatch>(rank,
                                         "warpint: batches of 10 and 11 elements in one formula",
                                         [&] { (void)gather(a, a + indices(bad ? 11 : 10)); });
        expect_failure_of<std::out_of_range>(rank, "warpint: element 10 of a vector of 10", [&] {
            Vector b = a;
            b.write(bad ? 10 : 0, Number(2)); // sends nothing
            b.check();
        });
    }
}

TEST_CASE("a rank that is out of step, and a new group") {
    for (int rank = 0; rank < ranks; ++rank) {
        {
            const process_group group = test::group_of();
            const Vector a(group, 10, Number(1));
            const auto fail = [&] {
                group.alone([&] {
                    if (group.rank() == rank)
                        throw Own("alone");
                });
            };
            if (group.rank() == rank) {
                CHECK_THROWS_AS(fail(), Own);
                // Not in the block of the failure: it meets the others' next function.
                if (ranks == 1) {
                    CHECK(sum(a) == 10u);
                } else {
                    CHECK_THROWS_AS((void)sum(a), std::logic_error);
                }
            } else {
                fail();
                CHECK_THROWS_AS((void)sum(a), remote_error);
                CHECK_THROWS_AS((void)max(a), std::logic_error);
            }
        }
        const process_group group = test::group_of();
        CHECK(sum(Vector(group, 10, Number(1))) == 10u);
    }
}

TEST_CASE("ranks that call different functions") {
    if (ranks == 1)
        return;
    const Vector a(world(), 10, Number(1));
    const bool odd = world().rank() % 2 == 1;
    CHECK_THROWS_WITH_AS(
        (void)(odd ? min(a) : max(a)),
        "warpint: the ranks of a process_group call different functions, or one with different "
        "arguments",
        std::logic_error);
    CHECK_THROWS_AS((void)(odd ? a.read(1) : a.read(2)), std::logic_error);
    CHECK_THROWS_AS((void)a.to_root(odd ? 1 : 0), std::logic_error);
    Vector b = a;
    CHECK_THROWS_AS(b.redistribute(test::layouts(10)[odd ? 1 : 0]), std::logic_error);
    CHECK_THROWS_AS((void)for_each_chunk(world(), odd ? 10 : 11, 1,
                                         [](std::size_t i, std::size_t) { return i; }),
                    std::logic_error);
    CHECK(sum(a) == 10u);
}

TEST_CASE("a rank leaves") {
    if (ranks == 1)
        return;
    for (int rank = 0; rank < ranks; ++rank) {
        const process_group group;
        Vector a(group, 10, Number(1));
        if (world().rank() == rank)
            continue; // out of the block, with the group
        CHECK_THROWS_WITH_AS(
            (void)sum(a),
            ("warpint: rank " + std::to_string(rank) + " has left the process_group").c_str(),
            remote_error);
        CHECK_THROWS_AS(a.check(), remote_error); // still
    }
    CHECK(sum(Vector(world(), 10, Number(1))) == 10u);
}

TEST_CASE("an exception that leaves the block of a group") {
    for (int rank = 0; rank < ranks; ++rank) {
        expect_failure_of<Own>(rank, "out of the block", [&] {
            const process_group group;
            const Vector a(group, 10, Number(1));
            group.alone([&] {
                if (world().rank() == rank)
                    throw Own("out of the block");
            });
            (void)sum(a);
        });
    }
}

TEST_CASE("a task cannot use its group") {
    const Vector a(world(), 10, Number(1));
    bool caught = false;
    for_each_chunk(world(), static_cast<std::size_t>(ranks), 1, [&](std::size_t, std::size_t) {
        CHECK_THROWS_WITH_AS((void)sum(a),
                             "warpint: a function of for_each_chunk() cannot use its process_group",
                             std::logic_error);
        caught = true;
    });
    if (ranks == 1)
        CHECK(caught);
}

TEST_CASE("errors of MPI itself") {
    CHECK_THROWS_AS(message_passing::check_mpi(MPI_ERR_COUNT, "MPI_Test"), mpi_error);
    try {
        message_passing::check_mpi(MPI_ERR_TRUNCATE, "MPI_Recv");
    } catch (const mpi_error &error) {
        CHECK(error.code() == MPI_ERR_TRUNCATE);
        CHECK(std::string(error.what()).find("warpint: MPI_Recv: ") == 0);
        CHECK(std::string(error.what()).size() > 25);
    }
    // Of a call on a group's communicator: an exception, and not the end of the process.
    int x = 0;
    CHECK_THROWS_AS(world().transport().broadcast(&x, sizeof(x), ranks + 5), mpi_error);
    CHECK(sum(Vector(world(), 10, Number(1))) == 10u);
}

TEST_CASE("no communicator") {
    CHECK_THROWS_WITH_AS(process_group(MPI_COMM_NULL),
                         "warpint: a process_group of MPI_COMM_NULL, which is what a process gets "
                         "that is not in the communicator",
                         std::invalid_argument);
    CHECK_THROWS_AS(process_group(MPI_COMM_NULL, device_group()), std::invalid_argument);
}

// By itself, run by killed.cmake: no other test can come after it.
TEST_CASE("after MPI_Finalize" * doctest::skip()) {
    const Vector a(world(), 10, Number(1));
    CHECK(sum(a) == 10u);
    REQUIRE(MPI_Finalize() == MPI_SUCCESS);
    const char *const message = "warpint: a process_group after MPI_Finalize()";
    CHECK_THROWS_WITH_AS((void)process_group(), message, std::logic_error);
    CHECK_THROWS_WITH_AS((void)sum(a), message, std::logic_error);
    CHECK_THROWS_WITH_AS((void)a.read(3), message, std::logic_error);
    CHECK_THROWS_WITH_AS(world().barrier(), message, std::logic_error);
    CHECK_THROWS_WITH_AS(for_each_chunk(world(), 3, 1, [](std::size_t, std::size_t) {}), message,
                         std::logic_error);
    Vector b;
    b = a + 1u; // a formula needs no messages
    CHECK(b.size() == 10);
}

// Processes that end in the middle, run by killed.cmake: the others wait for them in a reduction.
TEST_CASE("a rank is killed" * doctest::skip()) {
    if (world().rank() == ranks - 1)
        (void)std::raise(SIGKILL);
    (void)sum(Vector(world(), 10, Number(1)));
}

TEST_CASE("a rank exits" * doctest::skip()) {
    if (world().rank() == ranks - 1)
        std::exit(3);
    (void)sum(Vector(world(), 10, Number(1)));
}

TEST_CASE("a rank exits in a task" * doctest::skip()) {
    MPI_Barrier(MPI_COMM_WORLD);
    for_each_chunk(world(), 1000, 1, [&](std::size_t, std::size_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (world().rank() == ranks - 1)
            std::exit(3);
    });
}
