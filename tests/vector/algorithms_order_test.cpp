// SPDX-License-Identifier: Apache-2.0
// sort, sort_by_key, unique, partition and merge over our iterators. Thrust is included before
// warpint here, and after it in algorithms_test.cpp.
#if defined(__CUDACC__)
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
#endif

#include "algorithms.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace warpint;
using namespace test;

#if defined(__CUDACC__)

namespace {

struct Ordering {
    template <class Policy, class Iterator>
    void run(const Policy &policy, const Make<Iterator> &make) const {
        const std::ptrdiff_t n = 1000;
        const std::vector<Element> x = some_numbers(1000);
        std::vector<Element> sorted = x;
        std::sort(sorted.begin(), sorted.end());

        const Iterator a = make(x);
        thrust::sort(policy, a, a + n, Before{});
        CHECK(elements(a, a + n) == sorted);
        const Iterator keys = make(x), values = make(x);
        thrust::sort_by_key(policy, keys, keys + n, values, Before{});
        CHECK(elements(values, values + n) == sorted);

        const Iterator merged = make(std::vector<Element>(2000));
        thrust::merge(policy, a, a + n, keys, keys + n, merged, Before{});
        std::vector<Element> twice = sorted;
        twice.insert(twice.end(), sorted.begin(), sorted.end());
        std::sort(twice.begin(), twice.end());
        CHECK(elements(merged, merged + 2 * n) == twice);
        const Iterator end = thrust::unique(policy, merged, merged + 2 * n);
        CHECK(end - merged == n);
        CHECK(elements(merged, end) == sorted);

        const Iterator parted = make(x);
        const Iterator middle = thrust::partition(policy, parted, parted + n, Odd{});
        std::vector<Element> first = elements(parted, middle);
        CHECK(static_cast<std::ptrdiff_t>(first.size()) ==
              std::count_if(x.begin(), x.end(), Odd{}));
        CHECK(std::all_of(first.begin(), first.end(), Odd{}));
        const std::vector<Element> rest = elements(middle, parted + n);
        CHECK(std::none_of(rest.begin(), rest.end(), Odd{}));
        first.insert(first.end(), rest.begin(), rest.end());
        std::sort(first.begin(), first.end());
        CHECK(first == sorted); // nothing was lost
    }
};

} // namespace

TEST_CASE("Thrust orders our vectors and theirs") {
    over_vectors(Ordering{});
}

#else

TEST_CASE_TEMPLATE("the standard library orders our vectors", S, TEST_SPACES) {
    using Vector = typename S::template vector<Element>;
    std::vector<Element> x = some_numbers(1000), sorted = x;
    std::sort(sorted.begin(), sorted.end());
    Vector a(x), merged(2000);
    std::sort(a.begin(), a.end(), Before{});
    CHECK(a.to_host() == sorted);
    std::merge(a.begin(), a.end(), sorted.begin(), sorted.end(), merged.begin());
    const auto end = std::unique(merged.begin(), merged.end());
    CHECK(std::vector<Element>(merged.begin(), end) == sorted);
    const auto middle = std::partition(a.begin(), a.end(), Odd{});
    CHECK(std::all_of(a.begin(), middle, Odd{}));
    CHECK(std::none_of(middle, a.end(), Odd{}));
    CHECK(a.to_host() != sorted);
}

#endif
