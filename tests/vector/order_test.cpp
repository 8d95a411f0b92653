// SPDX-License-Identifier: Apache-2.0
// The order of a batch by windows of 64 bits, which GPUs take, on a machine of the host; merging of
// sorted shares.
#include "sort_cases.h"

#include <doctest/doctest.h>
#include <warpint/bigint.h>
#include <warpint/execution/order.h>

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

TEST_CASE("shares are merged") {
    std::mt19937_64 generator(5);
    for (const std::size_t shares : {1, 2, 4, 16}) {
        for (const std::size_t count : {0, 1, 15, 16, 17, 100, 10'001}) {
            std::vector<std::uint64_t> entries(count);
            for (auto &entry : entries)
                entry = generator();
            auto expected = entries;
            std::sort(expected.begin(), expected.end());
            execution::sort_in_shares(entries, shares, std::less<>{});
            CHECK(entries == expected);
            for (auto &entry : entries)
                entry %= 5;
            expected = entries;
            std::sort(expected.begin(), expected.end());
            std::rotate(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count / 3),
                        entries.end());
            execution::sort_in_shares(entries, shares, std::less<>{});
            CHECK(entries == expected); // equal ones too
        }
    }
}
