// SPDX-License-Identifier: Apache-2.0
// Numbers that sorts meet, and the order they come in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace test {

// Kinds of numbers that sorts meet: all bits; few different ones; different in a low or a middle
// bit alone; sorted in either direction; all equal.
template <class T>
std::vector<T> numbers_of_kind(int kind, std::size_t count) {
    std::mt19937_64 generator(static_cast<std::uint64_t>(kind) * 1000 + count);
    const auto random = [&] {
        T x{};
        for (int k = 0; k < T::bits; k += 32)
            x = (x << 32) | T(static_cast<std::uint32_t>(generator()));
        return x;
    };
    const T base = random();
    std::vector<T> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
        switch (kind) {
        case 0:
        case 4:
        case 5:
            numbers[i] = random();
            break;
        case 1:
            numbers[i] = T(generator() % 7) * base;
            break;
        case 2:
            numbers[i] = base ^ T(generator() % 2);
            break;
        case 3:
            numbers[i] = base ^ (T(generator() % 5) << (T::bits / 2));
            break;
        default:
            numbers[i] = base;
            break;
        }
    }
    if (kind == 4)
        std::sort(numbers.begin(), numbers.end());
    if (kind == 5)
        std::sort(numbers.rbegin(), numbers.rend());
    return numbers;
}
inline constexpr int kinds = 7;

template <class T>
std::vector<std::uint64_t> expected_order(const std::vector<T> &numbers) {
    std::vector<std::uint64_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return numbers[a] < numbers[b]; });
    return order;
}

} // namespace test
