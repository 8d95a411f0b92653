// SPDX-License-Identifier: Apache-2.0
// Elements as lvalues: steps and assignments that compute, through vectors and iterators; standard
// algorithms over device iterators; vectors from containers of other libraries.
#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>
#if defined(__CUDACC__)
#include <thrust/host_vector.h>
#endif

using namespace warpint;

namespace {
using Number = BigInt<100>;
}

TEST_CASE_TEMPLATE("elements are stepped and assigned", S, TEST_ONE_SPACE) {
    typename S::template vector<Number> v{7, 20, 300};
    CHECK(++v[0] == 8u);
    CHECK(v[0]++ == 8u);
    CHECK(v[0] == 9u);
    CHECK(--v[1] == 19u);
    CHECK(v[1]-- == 19u);
    CHECK(v[1] == 18u);
    (v[0] += v[1]) += 3u;
    CHECK(v[0] == 30u);
    auto first = v.begin();
    ++*first;
    CHECK((*first)-- == 31u);
    *first <<= 70;
    CHECK(v[0] == Number(30) << 70);
    *first >>= 69;
    *first += v[2];
    first[1] *= 5;
    first[1] %= 7u;
    *(first + 2) -= 1u;
    CHECK(v.to_host() == std::vector<Number>{360, 6, 299});
}

TEST_CASE_TEMPLATE("standard algorithms over elements", S, TEST_ONE_SPACE) {
    std::vector<Number> numbers;
    for (unsigned i = 0; i < 40; ++i) // more than are sorted by insertion
        numbers.push_back(Number(i * 2654435761u % 1000u));
    typename S::template vector<Number> v(numbers);
    std::sort(v.begin(), v.end());
    std::sort(numbers.begin(), numbers.end());
    CHECK(v.to_host() == numbers);
    std::sort(v.begin(), v.end(), std::greater<>());
    std::reverse(numbers.begin(), numbers.end());
    CHECK(v.to_host() == numbers);
    std::reverse(v.begin(), v.end());
    CHECK(std::is_sorted(v.begin(), v.end()));
    CHECK(std::find(v.begin(), v.end(), numbers[3]) != v.end());
}

TEST_CASE_TEMPLATE("vectors of other containers", S, TEST_ONE_SPACE) {
    using Vector = typename S::template vector<Number>;
    const std::deque<Number> numbers{1, 2, 3};
    const Vector v(numbers);
    CHECK(v.to_host() == std::vector<Number>{1, 2, 3});
#if defined(__CUDACC__)
    thrust::host_vector<Number> theirs(2, Number(5));
    theirs[1] = 6u;
    const Vector w(theirs);
    CHECK(w.to_host() == std::vector<Number>{5, 6});
    Vector x;
    x = theirs;
    CHECK(x.size() == 2);
    const host_vector<Number> there(theirs);
    CHECK(there[1] == 6u);
#endif
}
