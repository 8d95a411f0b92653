// SPDX-License-Identifier: Apache-2.0
// Algorithms over iterators of our vectors: in CUDA files Thrust's, over device_vector, over
// thrust::device_vector and, with thrust::host, over host_vector; in C++ files the standard
// library's, over host_vector and device_vector.
#pragma once

#include "support/spaces.h"

#include <algorithm>
#include <numeric>
#include <vector>

#if defined(__CUDACC__)
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#endif

namespace test {

using Element = Number;

struct Doubled {
    WARPINT_HOST_DEVICE Element operator()(const Element &x) const { return x + x + 1; }
};
struct Sum {
    WARPINT_HOST_DEVICE Element operator()(const Element &x, const Element &y) const {
        return x + y;
    }
};
struct Before {
    WARPINT_HOST_DEVICE bool operator()(const Element &x, const Element &y) const { return x < y; }
};
struct Odd {
    WARPINT_HOST_DEVICE bool operator()(const Element &x) const { return warpint::test_bit(x, 0); }
};

// What a test body is given: a policy, and vectors of its kind.

#if defined(__CUDACC__)
struct OurDevice {
    static auto policy() { return thrust::device; }
    template <class T>
    using vector = warpint::device_vector<T>;
};
struct TheirDevice {
    static auto policy() { return thrust::device; }
    template <class T>
    using vector = thrust::device_vector<T>;
};
struct OurHost {
    static auto policy() { return thrust::host; }
    template <class T>
    using vector = warpint::host_vector<T>;
};

// The elements of a range.
template <class Iterator>
std::vector<Element> elements(Iterator first, Iterator last) {
    std::vector<Element> values(static_cast<std::size_t>(last - first));
    thrust::copy(first, last, values.begin());
    return values;
}

// Runs body<K>() for the kinds that this machine has.
#define TEST_OVER_VECTORS(body)                                                                    \
    body<test::OurHost>();                                                                         \
    if (warpint::device_info().gpu) {                                                              \
        body<test::OurDevice>();                                                                   \
        body<test::TheirDevice>();                                                                 \
    } else {                                                                                       \
        MESSAGE("no GPU: thrust::device is not tried");                                            \
    }
#endif

} // namespace test
