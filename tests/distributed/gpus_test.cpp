// SPDX-License-Identifier: Apache-2.0
// Distributed vectors whose elements travel between GPUs, by each way, beside the same on the host.
// One process for each GPU, and all GPUs on each process; without two GPUs it is skipped.
// WARPINT_TEST_CPU_FALLBACK in the environment runs it on the CPU all the same.
#define DOCTEST_CONFIG_IMPLEMENT
#include "support/spaces.h"

#include <doctest/doctest.h>
#include <warpint/distributed.h>
#include <warpint/sort.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

#if WARPINT_CUDA
#include <cuda_runtime.h>
#endif

using namespace warpint;
using test::Number;
using Vector = distributed_vector<Number>;

namespace {

// A group of this way; none, and a message, where it is not to be had.
std::optional<process_group> group_by(const std::string &way) {
    setenv("WARPINT_TRANSPORT", way.c_str(), 1);
    std::optional<process_group> group;
    try {
        group.emplace();
    } catch (const std::invalid_argument &error) {
        MESSAGE(std::string(error.what()));
        return std::nullopt;
    }
    std::string name = way == "nccl" ? "NCCL" : way == "device" ? "device pointers" : "host memory";
    if (!group->location().on_gpu())
        name = "host memory";
    CHECK(std::string(group->transport_name()) == name);
    return group;
}

std::vector<std::vector<std::size_t>> layouts(const process_group &group, std::size_t count) {
    std::vector<std::size_t> last(group.places(), 0), first(group.places(), 0);
    last.back() = count;
    first.front() = count - count / 5;
    first.back() += count / 5;
    return {containers::even_sizes(count, group.places()), last, first};
}

void check_moves(const process_group &group, std::size_t count) {
    const std::vector<Number> values = test::some_numbers(count);
    std::vector<Number> squares = values;
    for (Number &x : squares)
        x = x * x + Number(1);
    Vector a = Vector::from_root(group, values, group.size() - 1);
    CHECK(a.to_all() == values);
    for (const auto &sizes : layouts(group, count)) {
        Vector b;
        b = a * a + 1u; // may still run when the message begins
        b.redistribute(sizes);
        CHECK(b.sizes() == sizes);
        CHECK(b.to_all() == squares);
        b.redistribute();
        b = b + 1u; // and the next formula when it has ended
        b = b - 1u;
        CHECK(b.to_all() == squares);
    }
}

void check_order(const process_group &group, std::size_t count) {
    const std::vector<Number> values = test::some_numbers(count);
    const host_vector<Number> host(values);
    host_vector<Number> sorted = host;
    sort(sorted);
    for (const auto &sizes : layouts(group, count)) {
        Vector a = Vector::from_root(group, values);
        a.redistribute(sizes);
        const auto order = argsort(a);
        CHECK(order.to_all() == argsort(host).to_host());
        CHECK(gather(a, order).to_all() == sorted.to_host());
        sort(a);
        CHECK(a.to_all() == sorted.to_host());
    }
}

void check_faults(const process_group &group) {
    std::vector<Number> divisors = test::some_numbers(100);
    divisors[0] = divisors[31] = divisors[99] = Number(0);
    const host_vector<Number> host(divisors);
    host_vector<Number> expected;
    expected = Number(1) / host;
    Vector a;
    a = Number(1) / Vector::from_root(group, divisors);
    for (const auto &sizes : layouts(group, 100)) {
        a.redistribute(sizes);
        CHECK(a.error_mask() == expected.error_mask());
    }
    CHECK_THROWS_AS(a.check(), std::domain_error);
}

} // namespace

TEST_CASE("elements travel by every way") {
    for (const char *way : {"host", "device", "nccl"}) {
        CAPTURE(way);
        const std::optional<process_group> group = group_by(way);
        if (!group)
            continue;
        for (const std::size_t count : {0u, 1u, 3u, 1000u}) {
            CAPTURE(count);
            check_moves(*group, count);
            check_order(*group, count);
        }
        check_moves(*group, 1'000'000);
        check_order(*group, 100'000);
        check_faults(*group);
    }
    unsetenv("WARPINT_TRANSPORT");
}

TEST_CASE("ranks of all GPUs") {
    const process_group group(MPI_COMM_WORLD, device_group());
    CHECK(group.places() == group.count() * device_group().size());
    for (const std::size_t count : {0u, 1u, 3u, 1000u, 100'000u}) {
        CAPTURE(count);
        check_moves(group, count);
        check_order(group, count);
    }
    check_faults(group);
}

int main(int argc, char **argv) {
    int gpus = 0;
#if WARPINT_CUDA
    if (cudaGetDeviceCount(&gpus) != cudaSuccess)
        gpus = 0;
#endif
    if (gpus < 2 && std::getenv("WARPINT_TEST_CPU_FALLBACK") == nullptr) {
        std::printf("skipped: %d GPUs, and two are needed\n", gpus);
        return 77;
    }
    return doctest::Context(argc, argv).run();
}
