// SPDX-License-Identifier: Apache-2.0
// sort, sort_by_key, unique, partition and merge over our iterators.
#include "algorithms.h"

#include <doctest/doctest.h>

#if defined(__CUDACC__)
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
#endif

using namespace warpint;
using namespace test;

#if defined(__CUDACC__)

namespace {

template <class Kind>
void check_order() {
    using Vector = typename Kind::template vector<Element>;
    const auto policy = Kind::policy();
    std::vector<Element> x = some_numbers(1000), sorted = x;
    const std::vector<Element> odd_ones = [&] {
        std::vector<Element> some;
        std::copy_if(x.begin(), x.end(), std::back_inserter(some), Odd{});
        return some;
    }();
    std::sort(sorted.begin(), sorted.end());

    Vector a(x.begin(), x.end());
    thrust::sort(policy, a.begin(), a.end(), Before{});
    CHECK(elements(a.begin(), a.end()) == sorted);

    Vector keys(x.begin(), x.end()), values(x.begin(), x.end());
    thrust::sort_by_key(policy, keys.begin(), keys.end(), values.begin(), Before{});
    CHECK(elements(values.begin(), values.end()) == sorted);

    Vector merged(2000);
    thrust::merge(policy, a.begin(), a.end(), keys.begin(), keys.end(), merged.begin(), Before{});
    std::vector<Element> twice = sorted;
    twice.insert(twice.end(), sorted.begin(), sorted.end());
    std::sort(twice.begin(), twice.end());
    CHECK(elements(merged.begin(), merged.end()) == twice);

    const auto end = thrust::unique(policy, merged.begin(), merged.end());
    CHECK(end - merged.begin() == 1000);
    CHECK(elements(merged.begin(), end) == sorted);

    Vector parted(x.begin(), x.end());
    const auto middle = thrust::partition(policy, parted.begin(), parted.end(), Odd{});
    std::vector<Element> first = elements(parted.begin(), middle);
    CHECK(first.size() == odd_ones.size());
    CHECK(std::all_of(first.begin(), first.end(), Odd{}));
    const std::vector<Element> rest = elements(middle, parted.end());
    CHECK(std::none_of(rest.begin(), rest.end(), Odd{}));
    first.insert(first.end(), rest.begin(), rest.end());
    std::sort(first.begin(), first.end());
    CHECK(first == sorted); // nothing was lost
}

} // namespace

TEST_CASE("Thrust orders our vectors and theirs"){TEST_OVER_VECTORS(check_order)}

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
