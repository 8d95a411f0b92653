// SPDX-License-Identifier: Apache-2.0
// Algorithms over iterators of our vectors: in CUDA files Thrust's, over device_vector, over
// thrust::device_vector and, with thrust::host, over host_vector; in C++ files the standard
// library's, over host_vector and device_vector.
#pragma once

#include "support/spaces.h"

#include <algorithm>
#include <functional>
#include <memory>
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

#if defined(__CUDACC__)

// A test body is given a policy of Thrust and a maker of ranges: make(values) gives an iterator to
// elements that live as long as the maker.
template <class Vector>
class Maker {
public:
    auto operator()(const std::vector<Element> &values) {
        vectors_.push_back(std::make_unique<Vector>(values.begin(), values.end()));
        if constexpr (std::is_same_v<Vector, thrust::device_vector<Element>>) {
            return vectors_.back()->data();
        } else {
            return vectors_.back()->begin();
        }
    }

private:
    std::vector<std::unique_ptr<Vector>> vectors_;
};

template <class Iterator>
using Make = std::function<Iterator(const std::vector<Element> &)>;

template <class Iterator>
std::vector<Element> elements(Iterator first, Iterator last) {
    std::vector<Element> values(static_cast<std::size_t>(last - first));
    thrust::copy(first, last, values.begin());
    return values;
}

// Calls body.run(policy, make) for the vectors that this machine has.
template <class Body>
void over_vectors(const Body &body) {
    Maker<warpint::host_vector<Element>> host;
    body.run(thrust::host, Make<Element *>([&](const auto &values) { return host(values); }));
    if (!warpint::device_info().gpu)
        return;
    using Iterator = warpint::device_vector<Element>::iterator;
    Maker<warpint::device_vector<Element>> ours;
    body.run(thrust::device_system_tag{},
             Make<Iterator>([&](const auto &values) { return ours(values); }));
    using Pointer = thrust::device_ptr<Element>;
    Maker<thrust::device_vector<Element>> theirs;
    body.run(thrust::device_system_tag{},
             Make<Pointer>([&](const auto &values) { return theirs(values); }));
}

#endif

} // namespace test
