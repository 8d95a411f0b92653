// SPDX-License-Identifier: Apache-2.0
// transform, reduce, inclusive_scan, zip and transform_iterator over our iterators.
#include "algorithms.h"

#include <doctest/doctest.h>

#if defined(__CUDACC__)
#include <thrust/count.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#endif

using namespace warpint;
using namespace test;

#if defined(__CUDACC__)

namespace {

struct SumOfPair {
    template <class Pair>
    WARPINT_HOST_DEVICE Element operator()(const Pair &pair) const {
        const Element x = thrust::get<0>(pair), y = thrust::get<1>(pair);
        return x + y;
    }
};

struct Computing {
    template <class Policy, class Iterator>
    void run(const Policy &policy, const Make<Iterator> &make) const {
        const std::vector<Element> x = some_numbers(1537), y = some_numbers(1537, 7);
        std::vector<Element> expected(x.size());
        const Iterator a = make(x), b = make(y), r = make(x);
        const std::ptrdiff_t n = 1537;

        std::transform(x.begin(), x.end(), expected.begin(), Doubled{});
        thrust::transform(policy, a, a + n, r, Doubled{});
        CHECK(elements(r, r + n) == expected);
        const Element total = std::accumulate(x.begin(), x.end(), Element(0));
        CHECK(thrust::reduce(policy, a, a + n, Element(0), Sum{}) == total);
        std::partial_sum(x.begin(), x.end(), expected.begin());
        thrust::inclusive_scan(policy, a, a + n, r, Sum{});
        CHECK(elements(r, r + n) == expected);

        std::transform(x.begin(), x.end(), y.begin(), expected.begin(), Sum{});
        const auto pairs = thrust::make_zip_iterator(a, b);
        thrust::transform(policy, pairs, pairs + n, r, SumOfPair{});
        CHECK(elements(r, r + n) == expected);
        const auto doubled = thrust::make_transform_iterator(a, Doubled{});
        CHECK(thrust::reduce(policy, doubled, doubled + n, Element(0), Sum{}) ==
              total + total + 1537);
    }
};

} // namespace

TEST_CASE("Thrust computes over our vectors and theirs") {
    over_vectors(Computing{});
}

TEST_CASE("vectors of Thrust and ours") {
    if (!device_info().gpu) {
        MESSAGE("no GPU: thrust::device_vector is not tried");
        return;
    }
    const std::vector<Element> numbers = some_numbers(1537);
    thrust::device_vector<Element> theirs(numbers.begin(), numbers.end());
    const device_vector<Element> from_thrust(theirs.begin(), theirs.end());
    CHECK(from_thrust.to_host() == numbers);
    const thrust::device_vector<Element> to_thrust(from_thrust.begin(), from_thrust.end());
    CHECK(static_cast<Element>(to_thrust[1536]) == numbers[1536]);
    // Their memory in our formulas.
    const batch_view<const Element> view(thrust::raw_pointer_cast(to_thrust.data()),
                                         to_thrust.size());
    const device_vector<Element> sum = view + 1u;
    CHECK(sum[0] == numbers[0] + 1);
}

TEST_CASE("what iterators point to stands for its value") {
    const std::vector<Element> x = some_numbers(50);
    warpint::device_vector<Element> a(x);
    Element total(0), expected(0);
    for (auto each : a)
        total += each;
    for (const Element &each : x)
        expected += each;
    CHECK(total == expected);
    CHECK(*a.begin() + *a.begin() == x[0] + x[0]);
    CHECK(*a.begin() == x[0]);
    CHECK_FALSE(a.cbegin()[1] != x[1]);
    auto first = a.begin();
    swap(*first, first[1]);
    *first += x[0];
    CHECK(a[0] == x[1] + x[0]);
    CHECK(a[1] == x[0]);
    {
        using std::swap;
        auto one = *first, other = first[1]; // references, also where they are variables
        swap(one, other);
    }
    CHECK(a[0] == x[0]);
    CHECK(a[1] == x[1] + x[0]);
    std::ranges::swap(*first, first[1]);
    CHECK(a[1] == x[0]);
    const warpint::host_vector<Element> copied(a.begin() + 1, a.end());
    CHECK(copied.size() == x.size() - 1);
    CHECK(copied[0] == x[0]);
}

TEST_CASE_TEMPLATE("Thrust exchanges residues", S, TEST_SPACES) {
    const Modulus<64> m(1009u);
    typename S::template vector<Residue<64>> x(m, {1, 2, 3, 4, 5, 6});
    thrust::reverse(x.begin(), x.end());
    CHECK(eval(value(x)).to_host() == std::vector<BigInt<64>>{6, 5, 4, 3, 2, 1});
    thrust::swap_ranges(x.begin(), x.begin() + 3, x.begin() + 3);
    CHECK(eval(value(x)).to_host() == std::vector<BigInt<64>>{3, 2, 1, 6, 5, 4});
}

// On hosts: an element holds a share of its modulus.
TEST_CASE_TEMPLATE("Thrust transforms, sorts and scans residues", S, TEST_SPACES) {
    using Each = residue_element<64>;
    const Modulus<64> m(1009u);
    typename S::template vector<Residue<64>> x(m, {5, 3, 40, 9, 1});
    const auto y = x;
    thrust::transform(x.begin(), x.end(), x.begin(), [](const Each &a) { return a * a; });
    CHECK(eval(value(x)).to_host() == std::vector<BigInt<64>>{25, 9, 591, 81, 1});
    thrust::transform(x.begin(), x.end(), y.begin(), x.begin(),
                      [](const Each &a, const Each &b) { return a / b; });
    CHECK(x.to_host() == y.to_host());
    const auto less = [](const Each &a, const Each &b) { return a.value() < b.value(); };
    thrust::sort(x.begin(), x.end(), less);
    CHECK(eval(value(x)).to_host() == std::vector<BigInt<64>>{1, 3, 5, 9, 40});
    thrust::inclusive_scan(x.begin(), x.end(), x.begin());
    CHECK(eval(value(x)).to_host() == std::vector<BigInt<64>>{1, 4, 9, 18, 58});
    std::vector<BigInt<64>> values(5);
    thrust::transform(x.begin(), x.end(), values.begin(), [](const Each &a) { return a.value(); });
    CHECK(values == eval(value(x)).to_host());
    CHECK(thrust::count_if(x.begin(), x.end(), [](const Each &a) { return a == 9; }) == 1);
}

#else

TEST_CASE_TEMPLATE("the standard library computes over our vectors", S, TEST_SPACES) {
    using Vector = typename S::template vector<Element>;
    const std::vector<Element> x = some_numbers(1537), y = some_numbers(1537, 7);
    std::vector<Element> expected(x.size());
    const Vector a(x), b(y);
    Vector r(x.size());
    std::transform(x.begin(), x.end(), expected.begin(), Doubled{});
    std::transform(a.begin(), a.end(), r.begin(), Doubled{});
    CHECK(r.to_host() == expected);
    const Element total = std::accumulate(x.begin(), x.end(), Element(0));
    CHECK(std::accumulate(a.begin(), a.end(), Element(0)) == total);
    std::partial_sum(x.begin(), x.end(), expected.begin());
    std::partial_sum(a.begin(), a.end(), r.begin());
    CHECK(r.to_host() == expected);
    std::transform(x.begin(), x.end(), y.begin(), expected.begin(), Sum{});
    std::transform(a.begin(), a.end(), b.begin(), r.begin(), Sum{});
    CHECK(r.to_host() == expected);
}

#endif
