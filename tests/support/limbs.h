// SPDX-License-Identifier: Apache-2.0
// What the tests of the algorithms over limb arrays share: guarded arrays of 8-bit limbs as plain
// 64-bit values, a tally of comparisons, and a source of numbers made of limbs where limb code goes
// wrong.
#pragma once

#include "property.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <utility>

namespace test::limbs {

using Limb = std::uint8_t;

/// A little-endian array of N 8-bit limbs with a guard limb behind it.
template <int N>
struct Limbs {
    static constexpr Limb guard = 0xa5;
    std::array<Limb, N + 1> data;

    explicit Limbs(std::uint64_t value = 0) {
        for (int i = 0; i < N; ++i) {
            data[std::size_t(i)] = static_cast<Limb>(value >> (8 * i));
        }
        data[N] = guard;
    }
    Limb *begin() { return data.data(); }
    const Limb *begin() const { return data.data(); }
    std::uint64_t value() const {
        std::uint64_t result = 0;
        for (int i = N - 1; i >= 0; --i) {
            result = (result << 8) | data[std::size_t(i)];
        }
        return result;
    }
    bool intact() const { return data[N] == guard; }
};

template <int N>
constexpr std::uint64_t all_ones = ~std::uint64_t(0) >> (64 - 8 * N);

/// Counts comparisons, remembers the first that failed.
class Tally {
public:
    explicit Tally(std::string what) : what_(std::move(what)) {}
    Tally(const Tally &) = delete;
    Tally &operator=(const Tally &) = delete;
    ~Tally();

    template <typename... Operands>
    void equal(std::uint64_t got, std::uint64_t expected, Operands... operands) {
        ++comparisons_;
        if (got != expected) {
            fail(got, expected, {static_cast<std::uint64_t>(operands)...});
        }
    }

private:
    void fail(std::uint64_t got, std::uint64_t expected,
              std::initializer_list<std::uint64_t> operands);

    std::string what_, first_;
    std::uint64_t comparisons_ = 0, failures_ = 0;
};

/// Random numbers of up to 8 limbs, half of them made of limbs where limb code goes wrong.
class Source {
public:
    explicit Source(const char *name);
    std::uint64_t word();
    std::uint64_t number(int limbs);

private:
    std::mt19937_64 engine_;
};

} // namespace test::limbs
