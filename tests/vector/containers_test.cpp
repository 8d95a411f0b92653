// SPDX-License-Identifier: Apache-2.0
// Containers of numbers: construction, sizes, copies and moves, conversions between host and
// device, elements, iterators and Thrust. What can be assigned to them is tested in
// vector_formulas_test.cpp.

#include "support/spaces.h"

#include <ostream>

#include <doctest/doctest.h>
#include <warpint/vector.h>

#include <cstdint>
#include <iterator>
#include <list>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#if defined(__CUDACC__)
#include <algorithm>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#endif

using namespace warpint;
using test::Number;
using test::some_numbers;

TEST_CASE_TEMPLATE("constructors", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(37);

    CHECK(Vector().size() == 0);
    CHECK(Vector().empty());
    CHECK(Vector().to_host().empty());
    CHECK(Vector(0).empty());
    CHECK(Vector(5).to_host() == std::vector<Number>(5, Number(0)));
    CHECK(Vector(5, Number(7)).to_host() == std::vector<Number>(5, Number(7)));
    CHECK(Vector(5, 7).to_host() == std::vector<Number>(5, Number(7)));
    CHECK(Vector(3, uninitialized).size() == 3);
    CHECK(Vector{numbers[0], numbers[1]}.to_host() == std::vector<Number>{numbers[0], numbers[1]});
    CHECK(Vector{5}.to_host() == std::vector<Number>{5});
    CHECK(Vector(numbers).to_host() == numbers);
    CHECK(Vector(numbers.begin(), numbers.end()).to_host() == numbers);
    CHECK(Vector(numbers.data(), numbers.data() + 3).size() == 3);
    CHECK(Vector(numbers.begin(), numbers.begin()).empty());

    const std::list<Number> list(numbers.begin(), numbers.end());
    CHECK(Vector(list.begin(), list.end()).to_host() == numbers);
    const std::vector<std::uint32_t> words = {1, 2, 0xffffffffu};
    CHECK(Vector(words.begin(), words.end()).to_host() == std::vector<Number>{1, 2, 0xffffffffu});
    std::istringstream text("10 20 30");
    CHECK(Vector(std::istream_iterator<int>(text), std::istream_iterator<int>()).size() == 3);

    typename S::template vector<int> integers(4, 9);
    CHECK(integers.to_host() == std::vector<int>(4, 9));
    typename S::template vector<bool> flags(3, true);
    CHECK(flags.to_host() == std::vector<bool>(3, true));
    typename S::template vector<SignedBigInt<109>> negative(2, -5);
    CHECK(negative.to_host() == std::vector<SignedBigInt<109>>(2, SignedBigInt<109>(-5)));
    CHECK_THROWS_AS(Vector(~std::size_t{0} / 4), std::exception);
}

TEST_CASE_TEMPLATE("assign, resize, clear", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(100);
    Vector v(7, Number(1));
    v.assign(numbers.begin(), numbers.end());
    CHECK(v.to_host() == numbers);
    v.assign(3, Number(8));
    CHECK(v.to_host() == std::vector<Number>(3, Number(8)));
    v = numbers;
    v.resize(130);
    std::vector<Number> longer = numbers;
    longer.resize(130, Number(0));
    CHECK(v.to_host() == longer);
    v.resize(40);
    CHECK(v.to_host() == std::vector<Number>(numbers.begin(), numbers.begin() + 40));
    v.resize(0);
    CHECK(v.empty());
    v.resize(2);
    CHECK(v.to_host() == std::vector<Number>(2, Number(0)));
    v.clear();
    CHECK(v.size() == 0);
    v.assign(numbers.begin(), numbers.begin());
    CHECK(v.empty());
}

TEST_CASE_TEMPLATE("copies and moves", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    const std::vector<Number> numbers = some_numbers(50);
    Vector a(numbers);
    Vector copy(a);
    CHECK(copy.to_host() == numbers);
    CHECK(copy.data() != a.data());
    Vector assigned;
    assigned = a;
    CHECK(assigned.to_host() == numbers);
    Vector &self = assigned;
    assigned = self;
    CHECK(assigned.to_host() == numbers);

    const Number *const place = a.data();
    Vector moved(std::move(a));
    CHECK(moved.data() == place);
    CHECK(a.empty()); // a moved-from vector is empty, and may be used again
    Vector target(3, Number(1));
    target = std::move(moved);
    CHECK(target.data() == place);
    CHECK(target.to_host() == numbers);
    CHECK(moved.empty());
    a = numbers;
    CHECK(a.to_host() == numbers);
    CHECK_THROWS_AS(a = target + moved, size_mismatch);
    CHECK(a.to_host() == numbers);
    moved = target + a;
    CHECK(moved.size() == 50);
    a.swap(moved);
    CHECK(moved.to_host() == numbers);
}

TEST_CASE("conversions between host and device") {
    const std::vector<Number> numbers = some_numbers(65);
    const host_vector<Number> host(numbers);
    const device_vector<Number> device(host);
    CHECK(device.to_host() == numbers);
    host_vector<Number> back(device);
    CHECK(back.to_host() == numbers);
    back.assign(5, Number(2));
    device_vector<Number> other;
    other = back;
    CHECK(other.size() == 5);
    back = device;
    CHECK(back.to_host() == numbers);
    other = host_vector<Number>();
    CHECK(other.empty());

    device_vector<Number> faulty = {1, 2, 3};
    const device_vector<Number> zeros = {1, 0, 1};
    faulty = faulty / zeros;
    CHECK_THROWS_AS(back = faulty, std::domain_error);
    CHECK_THROWS_AS(host_vector<Number>{faulty}, std::domain_error);
}

TEST_CASE_TEMPLATE("elements", S, TEST_SPACES) {
    using Vector = typename S::template vector<Number>;
    Vector v = {1, 2, 3, 4};
    v[2] = Number(77);
    CHECK(static_cast<Number>(v[2]) == Number(77));
    const Number x = v[2];
    CHECK(x == 77);
    v[0] = v[3];
    CHECK(v[0] == v[3]);
    CHECK(v[0] == Number(4));
    CHECK(v[0] == 4);
    const Vector &constant = v;
    CHECK(constant[1] == Number(2));
    CHECK(v.to_host() == std::vector<Number>{4, 2, 77, 4});

    if (!S::iterable()) {
        MESSAGE("no GPU: iterators are not tried");
        return;
    }
    CHECK(v.end() - v.begin() == 4);
    Number sum(0);
    for (const Number element : v)
        sum += element;
    CHECK(sum == 87);
    CHECK(std::vector<Number>(constant.begin(), constant.end()) == v.to_host());
    CHECK(Vector(v.begin() + 1, v.end()).to_host() == std::vector<Number>{2, 77, 4});
}

// ---- Thrust

#if defined(__CUDACC__)

namespace {

struct Doubled {
    __host__ __device__ BigInt<256> operator()(const BigInt<256> &x) const { return x + x + 1; }
};
struct Sum {
    __host__ __device__ BigInt<256> operator()(const BigInt<256> &x, const BigInt<256> &y) const {
        return x + y;
    }
};
struct Before {
    __host__ __device__ bool operator()(const BigInt<256> &x, const BigInt<256> &y) const {
        return x < y;
    }
};

// sort, transform and reduce over any device range, against std algorithms.
template <class Iterator>
void check_thrust(Iterator first, Iterator last, std::vector<BigInt<256>> numbers) {
    std::sort(numbers.begin(), numbers.end());
    thrust::sort(first, last, Before{});
    std::vector<BigInt<256>> got(numbers.size());
    thrust::copy(first, last, got.begin());
    CHECK(got == numbers);
    BigInt<256> total(0);
    for (auto &number : numbers) {
        number = Doubled{}(number);
        total += number;
    }
    thrust::transform(first, last, first, Doubled{});
    thrust::copy(first, last, got.begin());
    CHECK(got == numbers);
    CHECK(thrust::reduce(first, last, BigInt<256>(0), Sum{}) == total);
}

} // namespace

TEST_CASE("Thrust algorithms") {
    if (!device_info().gpu) {
        MESSAGE("no GPU: Thrust is not tried");
        return;
    }
    std::vector<BigInt<256>> numbers;
    for (const Number &x : some_numbers(1537))
        numbers.push_back(x * x * 0xfedcba987654321u);
    device_vector<BigInt<256>> ours(numbers);
    check_thrust(ours.begin(), ours.end(), numbers);

    thrust::device_vector<BigInt<256>> theirs(numbers.begin(), numbers.end());
    const device_vector<BigInt<256>> from_thrust(theirs.begin(), theirs.end());
    CHECK(from_thrust.to_host() == numbers);
    check_thrust(theirs.begin(), theirs.end(), numbers);

    const thrust::device_vector<BigInt<256>> to_thrust(from_thrust.begin(), from_thrust.end());
    CHECK(to_thrust.size() == numbers.size());
    CHECK(static_cast<BigInt<256>>(to_thrust[1536]) == numbers[1536]);
    // Their memory in our formulas.
    const batch_view<const BigInt<256>> view(thrust::raw_pointer_cast(to_thrust.data()),
                                             to_thrust.size());
    const device_vector<BigInt<256>> sum = view + 1u;
    CHECK(sum[0] == numbers[0] + 1);
}

#endif
