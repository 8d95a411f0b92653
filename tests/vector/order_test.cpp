// SPDX-License-Identifier: Apache-2.0
// The order of a batch by windows of 64 bits, which GPUs take, on a machine of the host; sorting in
// parts.
#include "sort_cases.h"

#include <doctest/doctest.h>
#include <warpint/bigint.h>
#include <warpint/execution/order/order.h>

#include <algorithm>
#include <functional>
#include <random>

using namespace warpint;
using test::expected_order;
using test::kinds;
using test::numbers_of_kind;

namespace {

// The machine of order_by_windows() on the host.
struct HostSorter {
    std::vector<std::uint64_t> windows_;
    std::vector<std::uint32_t> positions_;
    int sorts = 0;

    explicit HostSorter(std::size_t count) : windows_(count), positions_(count) {}
    std::uint64_t *windows() { return windows_.data(); }
    std::uint32_t *positions() { return positions_.data(); }
    template <class Function>
    void for_each(std::size_t count, const Function &f) {
        for (std::size_t i = count; i-- > 0;)
            f(i);
    }
    std::uint64_t varying() {
        std::uint64_t bits = 0;
        for (const std::uint64_t window : windows_)
            bits |= window ^ windows_[0];
        return bits;
    }
    void sort(int first_bit, int last_bit) {
        REQUIRE(0 <= first_bit);
        REQUIRE(first_bit < last_bit);
        REQUIRE(last_bit <= 64);
        ++sorts;
        std::vector<std::size_t> order(windows_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto key = [&](std::size_t i) {
            return windows_[i] << (64 - last_bit) >> (64 - last_bit + first_bit);
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
        const auto windows = windows_;
        const auto positions = positions_;
        for (std::size_t i = 0; i < order.size(); ++i) {
            windows_[i] = windows[order[i]];
            positions_[i] = positions[order[i]];
        }
    }
    bool equal_neighbours() {
        return std::adjacent_find(windows_.begin(), windows_.end()) != windows_.end();
    }
};

template <class T>
void check_windows() {
    CAPTURE(T::bits);
    for (int kind = 0; kind < kinds; ++kind) {
        CAPTURE(kind);
        for (const std::size_t count : {0, 1, 2, 3, 500}) {
            const std::vector<T> numbers = numbers_of_kind<T>(kind, count);
            HostSorter sorter(count);
            execution::order_by_windows(sorter, numbers.data(), count);
            CHECK(std::vector<std::uint64_t>(sorter.positions_.begin(), sorter.positions_.end()) ==
                  expected_order(numbers));
            if (kind == 0)
                CHECK(sorter.sorts <= (T::bits < 64 ? 2 : 1)); // the leading bits tell them apart
            if (kind == 6)
                CHECK(sorter.sorts == 0);
        }
    }
}

} // namespace

TEST_CASE("windows of 64 bits give the order") {
    check_windows<BigInt<7>>();
    check_windows<BigInt<64>>();
    check_windows<BigInt<65>>();
    check_windows<BigInt<96>>();
    check_windows<BigInt<131>>();
    check_windows<BigInt<256>>();
    check_windows<SignedBigInt<33>>();
    check_windows<SignedBigInt<64>>();
    check_windows<SignedBigInt<160>>();
    check_windows<SignedBigInt<191>>();
}

namespace {

// Numbers in their order, of which the window has the upper bits only.
struct ByUpperBits : std::less<std::uint64_t> {
    [[nodiscard]] static std::uint64_t window(std::uint64_t x) { return x >> 40; }
};

} // namespace

TEST_CASE("parts between splitters are sorted") {
    std::mt19937_64 generator(5);
    set_cpu_threads(3);
    for (const std::size_t parts : {1, 2, 16, 1024}) {
        for (const std::size_t count : {0, 1, 15, 16, 17, 100, 50'001}) {
            // All bits; of equal windows, then the others; few numbers; in order; all equal.
            for (int kind = 0; kind < 5; ++kind) {
                CAPTURE(parts);
                CAPTURE(count);
                CAPTURE(kind);
                std::vector<std::uint64_t> numbers(count);
                for (auto &x : numbers) {
                    x = generator();
                    if (kind == 1)
                        x = x % 3 != 0 ? (x >> 30) | std::uint64_t{1} << 60 : x;
                    if (kind == 2)
                        x %= 5;
                    if (kind == 4)
                        x = 7;
                }
                auto expected = numbers;
                std::sort(expected.begin(), expected.end());
                if (kind == 3)
                    numbers = expected;
                std::vector<std::uint64_t> sorted(count);
                execution::sort_in_parts(
                    count, [&](std::size_t i) { return numbers[i]; }, parts, sorted.data(),
                    ByUpperBits{});
                CHECK(sorted == expected);
            }
        }
    }
    set_cpu_threads(0);
    CHECK(execution::parts_for(0) == 1);
    CHECK(execution::parts_for(255) == 1);
    CHECK(execution::parts_for(256) == 2);
    CHECK(execution::parts_for(10'000'000) == 1024);
}

TEST_CASE("equal windows are told apart: no part has most of the numbers") {
    std::mt19937_64 generator(6);
    std::vector<std::uint64_t> samples(4 * 64);
    for (auto &x : samples)
        x = generator() >> 24;
    const execution::Splitters<std::uint64_t, ByUpperBits> splitters(std::move(samples), 64, {});
    std::vector<int> counts(64);
    for (int i = 0; i < 6400; ++i)
        ++counts.at(splitters.part_of(generator() >> 24));
    CHECK(*std::max_element(counts.begin(), counts.end()) < 600);
}
