// SPDX-License-Identifier: Apache-2.0
// Distributed vectors as containers: where elements come from and go to, faults, bad calls.
#include "ranks.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

using namespace warpint;
using message_passing::Bytes;
using test::contents;
using test::distributed;
using test::Number;
using test::some_numbers;
using test::world;
using Vector = test::Distributed<Number>;

namespace {

const std::size_t ranks = static_cast<std::size_t>(world().size());
const std::size_t places = world().places();

} // namespace

TEST_CASE("pinned blocks are used again, the last ones up to a limit") {
    message_passing::PinnedBlocks blocks(1000);
    auto a = blocks.take(300);
    CHECK(a.size() == 300);
    auto b = blocks.take(600);
    const unsigned char *const first = a.data(), *const second = b.data();
    blocks.give_back(std::move(a));
    blocks.give_back(std::move(b));
    auto c = blocks.take(200); // the smallest that is large enough
    CHECK(c.data() == first);
    CHECK(c.size() == 300);
    auto d = blocks.take(200);
    CHECK(d.data() == second);
    auto e = blocks.take(200); // none is left
    CHECK(e.size() == 200);
    blocks.give_back(std::move(d));
    blocks.give_back(std::move(c));
    blocks.give_back(std::move(e)); // 600 + 300 + 200: the oldest goes
    CHECK(blocks.take(301).size() == 301);
    CHECK(blocks.take(201).data() == first);
    CHECK(blocks.take(1001).size() == 1001);
    // More than the limit is not kept, nor what was kept before it.
    blocks.give_back(Bytes(1001));
    CHECK(blocks.take(1).size() == 1);
}

TEST_CASE("elements from one rank and from all") {
    for (const std::size_t count : {std::size_t{101}, std::size_t{2}, std::size_t{0}}) {
        CAPTURE(count);
        const std::vector<Number> x = some_numbers(count);
        for (int root = 0; root < static_cast<int>(world().count()); ++root) {
            const auto a =
                Vector::from_root(world(), world().rank() == root ? x : some_numbers(3), root);
            CHECK(a.size() == count);
            CHECK(a.empty() == (count == 0));
            CHECK(a.sizes() == containers::even_sizes(count, places));
            CHECK(a.to_all() == x);
            CHECK(a.to_root(root) == (world().rank() == root ? x : std::vector<Number>{}));
            CHECK(Vector::from_root(world(), host_vector<Number>(x), root).to_all() == x);
        }
        for (const auto &sizes : test::layouts(count)) {
            const auto a = distributed(x, sizes);
            CHECK(a.sizes() == sizes);
            std::vector<Number> own;
            for (std::size_t i = 0; i < world().devices().size(); ++i) {
                const auto place = static_cast<std::ptrdiff_t>(world().place(i));
                const std::size_t first =
                    std::accumulate(sizes.begin(), sizes.begin() + place, std::size_t{0});
                CHECK(a.first(i) == first);
                CHECK(a.local(i).size() == sizes[world().place(i)]);
                const std::vector<Number> piece = a.local(i).to_host();
                CHECK(std::equal(piece.begin(), piece.end(),
                                 x.begin() + static_cast<std::ptrdiff_t>(first)));
                own.insert(own.end(), piece.begin(), piece.end());
            }
            CHECK(a.first() == a.first(0));
            CHECK(Vector::from_local(world(), own).to_all() == x);
            CHECK(Vector::from_local(world(), host_vector<Number>(own)).to_all() == x);
            const auto joined = Vector::from_local(world(), test::local_shards(a));
            CHECK(joined.sizes() == sizes);
            CHECK(joined.to_all() == x);
            if (world().devices().size() == 1) {
                CHECK(a.local().to_host() == own);
            } else {
                CHECK_THROWS_AS((void)a.local(), std::logic_error);
            }
            if (places == ranks) {
                CHECK(Vector::from_local(world(), own).sizes() == sizes);
                CHECK(Vector::from_local(world(), a.local()).to_all() == x);
            }
            for (const std::size_t i : {std::size_t{0}, count / 2, count - 1}) {
                if (i < count)
                    CHECK(a.read(i) == x[i]);
            }
            CHECK_THROWS_AS((void)a.read(count), std::out_of_range);
        }
    }
}

TEST_CASE("other types of elements") {
    const std::vector<bool> flags = {true, false, true, true, false, false, true};
    CHECK(test::Distributed<bool>::from_root(world(), flags).to_all() == flags);
    const std::vector<std::int16_t> small = {-1, 2, -3};
    CHECK(test::Distributed<std::int16_t>::from_root(world(), small).to_all() == small);
    using Wide = BigInt<2048>;
    std::vector<Wide> wide(9, ~Wide(0));
    wide[3] = 5;
    const auto a = test::Distributed<Wide>::from_root(world(), wide);
    CHECK(a.to_all() == wide);
    CHECK(a.read(3) == 5u);
    CHECK(a.read(8) == ~Wide(0));
}

TEST_CASE("redistribution keeps order and faults") {
    std::vector<Number> divisors(101, Number(5));
    std::vector<bool> mask(101, false);
    for (const std::size_t i : {0, 31, 32, 50, 75, 100}) {
        divisors[i] = Number(0);
        mask[i] = true;
    }
    const std::vector<Number> x = some_numbers(101);
    for (const auto &from : test::layouts(101)) {
        for (const auto &to : test::layouts(101)) {
            Vector a;
            a = distributed(x, from) / distributed(divisors, from);
            a.redistribute(to);
            CHECK(a.sizes() == to);
            CHECK(a.error_mask() == mask);
            CHECK_THROWS_WITH_AS(a.check(),
                                 "warpint: 6 of 101 elements have no value, the first is element 0",
                                 std::domain_error);
            a.redistribute();
            CHECK(a.sizes() == containers::even_sizes(101, places));
            const auto result = contents(a);
            CHECK(result.faults == mask);
            for (std::size_t i = 0; i < 101; ++i)
                CHECK(result.values[i] == (mask[i] ? Number(0) : x[i] / 5u));
        }
    }
}

#if !defined(__CUDACC__)
TEST_CASE("what a function threw, on all ranks") {
    const std::string end(300, '.'); // longer than a record
    const auto picky = [&end](const Number &x) {
        if (x == 3u || x == 40u)
            throw std::runtime_error("number " + to_string(x) + end);
        return x;
    };
    for (const std::size_t first : {0, 2, 11, 29}) { // the element that is 3
        CAPTURE(first);
        std::vector<Number> numbers(30, Number(1));
        numbers[first] = 3;
        numbers[(first + 7) % 30] = 40;
        const bool ordered = first + 7 < 30;
        const std::string message = "warpint: 2 of 30 elements have no value, the first is "
                                    "element " +
                                    std::to_string(ordered ? first : (first + 7) % 30) +
                                    ": number " + (ordered ? "3" : "40") + end;
        const auto v = distributed(numbers, containers::even_sizes(30, places));
        CHECK_THROWS_WITH_AS((void)sum(map(picky, v)), message.c_str(), std::domain_error);
        Vector a;
        a = map(picky, v);
        for (const auto &sizes : test::layouts(30)) {
            a.redistribute(sizes);
            CHECK_THROWS_WITH_AS(a.check(), message.c_str(), std::domain_error);
            CHECK_THROWS_WITH_AS((void)a.to_all(), message.c_str(), std::domain_error);
            CHECK_THROWS_WITH_AS((void)a.read(first), message.c_str(), std::domain_error);
            CHECK_THROWS_WITH_AS((void)max(a * 2u), message.c_str(), std::domain_error);
        }
        host_vector<Number> whole(numbers), own(test::local_elements(v));
        whole = map(picky, whole);
        own = map(picky, own);
        for (int root = 0; root < static_cast<int>(world().count()); ++root) {
            const auto spread = Vector::from_root(world(), whole, root);
            CHECK_THROWS_WITH_AS(spread.check(), message.c_str(), std::domain_error);
        }
        const auto joined = Vector::from_local(world(), own);
        CHECK_THROWS_WITH_AS(joined.check(), message.c_str(), std::domain_error);
        a = v / (v - numbers[0]); // for another reason
        CHECK_THROWS_AS((void)a.read(0), std::domain_error);
        std::string text;
        try {
            a.check();
        } catch (const std::domain_error &error) {
            text = error.what();
        }
        CHECK(text.ends_with("the first is element 0"));
    }
}
#endif

TEST_CASE("faults in every piece") {
    for (std::size_t bad = 0; bad < 30; ++bad) { // each element of each piece
        CAPTURE(bad);
        std::vector<Number> divisors(30, Number(1));
        divisors[bad] = Number(0);
        const host_vector<Number> one(30, Number(1));
        host_vector<Number> faulty;
        faulty = one / host_vector<Number>(divisors);
        std::vector<bool> mask(30, false);
        mask[bad] = true;
        const std::string message =
            "warpint: 1 of 30 elements have no value, the first is element " + std::to_string(bad);
        // By a formula, from one rank, and from all.
        const auto lying = distributed(divisors, containers::even_sizes(30, places));
        Vector by_formula;
        by_formula = Vector(world(), 30, Number(1)) / lying;
        const auto from_root = Vector::from_root(world(), faulty);
        host_vector<Number> own(test::local_elements(lying));
        own = Number(1) / own;
        const auto from_local = Vector::from_local(world(), own);
        const auto from_shards = Vector::from_local(world(), test::local_shards(by_formula));
        for (const Vector &a : {by_formula, from_root, from_local, from_shards}) {
            CHECK(a.error_mask() == mask);
            CHECK_THROWS_WITH_AS(a.check(), message.c_str(), std::domain_error);
            CHECK_THROWS_WITH_AS((void)a.to_all(), message.c_str(), std::domain_error);
            CHECK_THROWS_WITH_AS((void)a.to_root(), message.c_str(), std::domain_error);
            CHECK_THROWS_WITH_AS((void)a.read(bad), message.c_str(), std::domain_error);
            CHECK(a.read((bad + 1) % 30) == 1u);
            CHECK_THROWS_WITH_AS((void)sum(a), message.c_str(), std::domain_error);
            CHECK_THROWS_WITH_AS((void)warpint::count(a + 1u), message.c_str(), std::domain_error);
            Vector copy = a;
            copy += 1u; // a fault stays one
            CHECK(copy.error_mask() == mask);
            copy.write(bad, Number(7));
            copy.check();
            CHECK(copy.read(bad) == 7u);
            Vector cleared = a;
            cleared.clear_errors();
            CHECK(cleared.read(bad) == 0u);
            CHECK(sum(cleared) == 29u);
        }
    }
}

TEST_CASE("a distributed vector as a value") {
    const std::vector<Number> x = some_numbers(10);
    auto a = distributed(x, test::layouts(10)[0]);
    Vector copy = a;
    copy.write(9, Number(1));
    CHECK(a.read(9) == x[9]);
    CHECK(copy.read(9) == 1u);
    Vector moved = std::move(copy);
    CHECK(copy.empty());
    CHECK(moved.read(9) == 1u);
    copy = moved;
    CHECK(copy.read(9) == 1u);
    const auto of_copy = copy + 1u;
    copy = std::move(moved);
    Vector r = of_copy;
    CHECK(r.read(9) == 2u);
    moved = a; // a vector that was moved from takes a group again
    CHECK(moved.to_all() == x);
    swap(moved, copy);
    CHECK(copy.to_all() == x);
    CHECK(moved.read(9) == 1u);
    moved = Vector();
    CHECK(moved.empty());
    moved = indices(0) + distributed(std::vector<Number>{}, test::layouts(0)[0]);
    CHECK(moved.empty());
    CHECK(Vector(world(), 5).to_all() == std::vector<Number>(5, Number(0)));
    CHECK(Vector(world(), 5, Number(3)).to_all() == std::vector<Number>(5, Number(3)));
    a = Vector(world(), 4); // of another size
    CHECK(a.size() == 4);
    for (std::size_t i = 0; i < world().devices().size(); ++i) {
        if (a.local(i).size() > 0) // written where it lies
            evaluate(a.local(i) + 9u, a.local_view(i));
    }
    CHECK(a.to_all() == std::vector<Number>(4, Number(9)));
    // The same processes again.
    const process_group again = test::group_of();
    CHECK(again == world());
    const Vector other(again, 4, Number(1));
    CHECK(eval(a + other).read(3) == 10u);
}

TEST_CASE("bad calls") {
    const auto a = distributed(some_numbers(10), test::layouts(10)[0]);
    const auto longer = distributed(some_numbers(11), test::layouts(11)[0]);
    Vector c(world(), 3), none;
    CHECK_THROWS_WITH_AS(c = a + longer, "warpint: batches of 10 and 11 elements in one formula",
                         size_mismatch);
    CHECK_THROWS_AS(c = a + indices(9), size_mismatch);
    CHECK_THROWS_AS(evaluate(a + 1u, c), size_mismatch);
    CHECK_THROWS_AS((void)sum(a * longer), size_mismatch);
    if (places > 1) {
        auto uneven = a;
        uneven.redistribute(test::layouts(10)[1]);
        CHECK_THROWS_WITH_AS(c = a + uneven,
                             "warpint: distributed vectors with shards of different sizes in one "
                             "formula: redistribute one of them",
                             wrong_location);
        CHECK_THROWS_AS((void)sum(a * uneven), wrong_location);
        CHECK_THROWS_AS(evaluate(a + 1u, uneven), wrong_location);
    }
    CHECK_THROWS_AS(tie(c, c) = divmod(a, a), wrong_location);
    CHECK_THROWS_AS(c.redistribute(std::vector<std::size_t>(places + 1, 1)), std::invalid_argument);
    CHECK_THROWS_AS(c.redistribute(std::vector<std::size_t>(places, 4)), size_mismatch);
    CHECK_THROWS_AS((void)Vector::from_root(world(), {}, world().size()), std::invalid_argument);
    CHECK_THROWS_AS((void)a.to_root(-1), std::invalid_argument);
    CHECK_THROWS_AS(c.run(a + 1u, reinterpret_cast<stream_handle>(&c)), std::invalid_argument);
    CHECK_THROWS_AS((void)sum(a, reinterpret_cast<stream_handle>(&c)), std::invalid_argument);
    CHECK_THROWS_AS((void)none.group(), std::logic_error);
    CHECK_THROWS_AS((void)eval(none + 1u), std::logic_error);
    CHECK_THROWS_AS(none = indices(4), std::logic_error);
    CHECK(c.to_all() == std::vector<Number>(3, Number(0))); // nothing was written
}

TEST_CASE("a part of the processes, in another order") {
    MPI_Comm backwards = MPI_COMM_NULL;
    REQUIRE(MPI_Comm_split(MPI_COMM_WORLD, 0, -world().rank(), &backwards) == MPI_SUCCESS);
    {
        const process_group group = test::group_of(backwards);
        CHECK(group.rank() == world().size() - 1 - world().rank());
        CHECK((group == world()) == (ranks == 1));
        const auto a = Vector::from_root(group, some_numbers(7));
        CHECK(a.to_all() == some_numbers(7));
        if (ranks > 1) {
            const auto b = distributed(some_numbers(7), test::layouts(7)[0]);
            CHECK_THROWS_WITH_AS((void)eval(a + b),
                                 "warpint: distributed vectors of different groups in one formula",
                                 wrong_location);
            Vector c(world(), 7);
            CHECK_THROWS_AS(evaluate(a + 1u, c), wrong_location);
            c = a + 1u; // takes the formula's group
            CHECK(c.group() == group);
            CHECK(c.read(6) == some_numbers(7)[6] + 1u);
        }
    }
    MPI_Comm half = MPI_COMM_NULL;
    REQUIRE(MPI_Comm_split(MPI_COMM_WORLD, world().rank() % 2, 0, &half) == MPI_SUCCESS);
    {
        const process_group group = test::group_of(half);
        const auto a = Vector::from_root(group, some_numbers(5));
        CHECK(sum(a) == sum(host_vector<Number>(some_numbers(5))));
    }
    MPI_Comm_free(&half);
    MPI_Comm_free(&backwards);
}

TEST_CASE("processes share the cores") {
    const unsigned threads = execution::cpu_threads();
    const auto all =
        test::Distributed<std::uint64_t>::from_local(world(), std::vector<std::uint64_t>{threads});
    CHECK(sum(all) <= std::max<std::uint64_t>(execution::usable_cpus(), ranks));
    CHECK(threads >= 1);
    // What the program or the environment says stays.
    set_cpu_threads(5);
    const process_group again;
    CHECK(execution::cpu_threads() == 5);
    set_cpu_threads(0);
    CHECK(execution::cpu_threads() == threads);
    if (std::getenv("WARPINT_CPU_THREADS") == nullptr) {
        execution::default_cpu_threads = 7;
        execution::limit_default_cpu_threads(9);
        CHECK(execution::cpu_threads() == 7);
        REQUIRE(setenv("WARPINT_CPU_THREADS", "7", 1) == 0);
        execution::limit_default_cpu_threads(2);
        CHECK(execution::cpu_threads() == 7);
        REQUIRE(unsetenv("WARPINT_CPU_THREADS") == 0);
        execution::limit_default_cpu_threads(0);
        CHECK(execution::cpu_threads() == 1);
        execution::default_cpu_threads = threads;
    }
}
