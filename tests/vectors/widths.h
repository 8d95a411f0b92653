// SPDX-License-Identifier: Apache-2.0
// The smallest width of a ladder that holds the numbers of a record, and what comes of a record.
#pragma once

#include "../support/oracle.h"

#include <algorithm>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace vectors_test {

using test::Integer;
using warpint::BigInt;
using warpint::SignedBigInt;

// ---- outcomes

/// A record that is not run, with the reason.
struct NotRun {
    std::string reason;
};

/// Throws unless `condition` holds.
inline void expect(bool condition, const char *what) {
    if (!condition) {
        throw std::runtime_error(what);
    }
}
/// Throws unless both are equal.
inline void expect_equal(const Integer &got, const Integer &expected, const char *what) {
    if (got != expected) {
        std::ostringstream text;
        text << what << ": got " << got << ", expected " << expected;
        throw std::runtime_error(text.str());
    }
}

// ---- widths

/// The bits of the widest magnitude among the values; at least 1.
inline int widest(std::initializer_list<Integer> values) {
    int bits = 1;
    for (const Integer &value : values) {
        bits = std::max(bits, value.bit_width());
    }
    return bits;
}

/// Calls f.operator()<W>() with the first W of the ladder that is at least `needed`.
template <typename Function, int First, int... Others>
void at_width_of(int needed, Function f, std::integer_sequence<int, First, Others...>) {
    if (needed <= First) {
        f.template operator()<First>();
    } else if constexpr (sizeof...(Others) > 0) {
        at_width_of(needed, f, std::integer_sequence<int, Others...>());
    } else {
        throw NotRun{"wider than 8192 bits"};
    }
}

using Ladder = std::integer_sequence<int, 128, 256, 512, 1024, 2048, 4096, 8192>;

/// Fewer steps, for functions that take long to compile.
using ShortLadder = std::integer_sequence<int, 256, 1024, 2304, 8192>;

/// Calls f.operator()<BigInt<W>>(), or f.operator()<SignedBigInt<W>>() if a value is negative, with
/// the smallest W that holds all values.
template <typename Function>
void at_width(std::initializer_list<Integer> values, Function f) {
    const int bits = widest(values);
    if (std::any_of(values.begin(), values.end(), [](const Integer &x) { return x.sign() < 0; })) {
        at_width_of(bits + 1, [&]<int W>() { f.template operator()<SignedBigInt<W>>(); }, Ladder());
    } else {
        at_width_of(bits, [&]<int W>() { f.template operator()<BigInt<W>>(); }, Ladder());
    }
}

/// The same for values that are never negative: half the instances to compile.
template <typename Function>
void at_unsigned_width(std::initializer_list<Integer> values, Function f) {
    for (const Integer &value : values) {
        expect(value.sign() >= 0, "a value that is not negative");
    }
    at_width_of(
        widest(values), [&]<int W>() { f.template operator()<BigInt<W>>(); }, ShortLadder());
}

} // namespace vectors_test
