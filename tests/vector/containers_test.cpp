// SPDX-License-Identifier: Apache-2.0
// Containers of numbers: construction, sizes, copies and moves, conversions between host and
// device, elements and iterators. What can be assigned to them is tested in
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
    CHECK(Vector{5}.to_host() ==
          std::vector<Number>(1, Number(5))); // ({5} is five zeros to clang++ in a template)
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

    CHECK(v.end() - v.begin() == 4);
    Number sum(0);
    for (const Number element : v)
        sum += element;
    CHECK(sum == 87);
    CHECK(std::vector<Number>(constant.begin(), constant.end()) == v.to_host());
    CHECK(Vector(v.begin() + 1, v.end()).to_host() == std::vector<Number>{2, 77, 4});
}
