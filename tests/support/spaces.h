// SPDX-License-Identifier: Apache-2.0
// Host and device as types, for tests of vectors that run in both, and numbers to fill vectors
// with.
#pragma once

#include <warpint/vector.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

/// A space: where its vectors live, and their type.
#if !defined(__CUDACC__)
struct OnHost {
    static constexpr warpint::Space space = warpint::Space::host;
    template <class T>
    using vector = warpint::host_vector<T>;
};
#endif
struct OnDevice {
    static constexpr warpint::Space space = warpint::Space::device;
    template <class T>
    using vector = warpint::device_vector<T>;
};

/// The spaces of TEST_CASE_TEMPLATE. CUDA builds run formulas on the device only, to keep compile
/// time down; so do, on the host only, programs with WARPINT_TEST_ONE_SPACE, whose cases another
/// program runs in both.
#if defined(__CUDACC__)
#define TEST_SPACES test::OnDevice
#elif defined(WARPINT_TEST_ONE_SPACE)
#define TEST_SPACES test::OnHost
#else
#define TEST_SPACES test::OnHost, test::OnDevice
#endif

/// One space, for large formulas: a C++ program runs those of both spaces in the same loops on the
/// CPU, which tests with TEST_SPACES see too.
#if defined(__CUDACC__)
#define TEST_ONE_SPACE test::OnDevice
#else
#define TEST_ONE_SPACE test::OnHost
#endif

using Number = warpint::BigInt<96>;

/// The same numbers for the same step.
inline std::vector<Number> some_numbers(std::size_t count,
                                        std::uint64_t step = 0x9e3779b97f4a7c15u) {
    std::vector<Number> numbers(count);
    Number x(step);
    for (auto &number : numbers) {
        x = x * 0x2545f4914f6cdd1du + step;
        number = x;
    }
    return numbers;
}

} // namespace test
