// SPDX-License-Identifier: Apache-2.0
// What the tests of wide batches share: a width as a type, and a batch from oracle integers.
#pragma once

#include "oracle.h"

#include <warpint/vector.h>

#include <cstddef>
#include <vector>

namespace test {

template <int Bits>
struct Width {
    static constexpr int bits = Bits;
};

template <class T>
warpint::device_vector<T> vector_of(const std::vector<Integer> &values) {
    std::vector<T> numbers(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        numbers[i] = from_integer<T>(values[i]);
    return warpint::device_vector<T>(numbers);
}

} // namespace test
